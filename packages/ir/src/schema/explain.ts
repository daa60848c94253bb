import type * as z from "zod/mini";
import { errorOf, type GroupwiseError } from "../base/errors.ts";
import { textOf } from "../base/quote.ts";
import { LIMITS } from "../document/limits.ts";
import { encodeLiteral } from "../tables/literal.ts";
import { OPS, type Op } from "../tables/op.ts";
import type { Scalar } from "../tables/scalar.ts";
import { type Path, pathText, quote } from "./plain.ts";

type Issue = z.core.$ZodIssue;
type Fields = Readonly<Record<PropertyKey, unknown>>;

/** The value at a path of a plain document. */
function lookUp(document: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, key) => (value as Fields | null | undefined)?.[key], document);
}

const describe = (value: unknown): string => {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  return typeof value === "string" ? quote(value) : textOf(value);
};

/** The wording of a zod issue; zod's own texts are not bundled. */
const REASONS: {
  readonly [C in Issue["code"]]?: (issue: Extract<Issue, { code: C }>, got: unknown) => string;
} = {
  invalid_type: (issue, got) => `it must be ${issue.expected}, and is ${describe(got)}`,
  invalid_value: (issue, got) =>
    `it must be ${issue.values.map(quoteText).join(" or ")}, and is ${describe(got)}`,
  invalid_format: (_, got) => `${describe(got)} has characters that cannot be printed`,
  too_big: (issue, got) => `it may be ${issue.maximum} at most, and is ${size(got)}`,
  too_small: (issue, got) => `it must be ${issue.minimum} at least, and is ${size(got)}`,
  unrecognized_keys: (issue) => `it has the unknown key ${issue.keys.map(quote).join(", ")}`,
  invalid_union: (issue, got) => {
    const kinds = "options" in issue ? (issue.options as readonly string[]) : undefined;
    if (!kinds) return `it must be a number, a boolean or a text, and is ${describe(got)}`;
    return `there is no kind of node ${describe(got)}; there are ${kinds.join(", ")}`;
  },
};
const quoteText = (value: unknown): string => (typeof value === "string" ? quote(value) : textOf(value));
const size = (got: unknown): string =>
  Array.isArray(got) || typeof got === "string" ? `${got.length} long` : textOf(got);

type Detail = (at: {
  issue: Issue;
  node: Fields;
  got: unknown;
  index: number;
  where: string;
}) => GroupwiseError | undefined;

const unknownType: Detail = ({ issue, got, where }) =>
  issue.code === "invalid_value"
    ? errorOf("unknown-type", { type: describeRaw(got), known: issue.values as string[] }, where)
    : undefined;
const describeRaw = (got: unknown): string => (typeof got === "string" ? got : describe(got));

/** Fields of a node with a code of their own. */
const FIELDS: Readonly<Record<string, Detail>> = {
  op: ({ issue, got, where }) =>
    issue.code === "invalid_value"
      ? errorOf("unknown-op", { op: describeRaw(got), known: issue.values as string[] }, where)
      : undefined,
  type: unknownType,
  to: unknownType,
  name: ({ issue, node, got, where }) =>
    issue.code === "too_big"
      ? errorOf("bad-name", { name: textOf(got), what: `an ${textOf(node.kind)}` }, where)
      : undefined,
  id: ({ got, index, where }) => errorOf("bad-node-id", { got: describeRaw(got), want: index }, where),
  value: ({ node, got, where }) =>
    node.kind === "const"
      ? errorOf("bad-literal", { type: textOf(node.type), got: describeRaw(got) }, where)
      : undefined,
  // The operator and the type precede the identity: if they were wrong, their issue would be the first.
  identity: ({ node, got, where }) => {
    const [op, type] = [node.op as Op, node.type as Scalar];
    const want = encodeLiteral(type, OPS[op].identity(type));
    return errorOf("wrong-identity", { op, type, got: describeRaw(got), want }, where);
  },
};

/** The node of the pipeline or of one of its operators that an issue concerns. */
function placeOfNode(path: Path): { holder: Path; index: number; field: string } | undefined {
  const inner = path[0] === "operators" ? 2 : 0;
  const [list, index, field] = path.slice(inner);
  if (list !== "nodes" || path.length !== inner + 3) return undefined;
  if (typeof index !== "number" || typeof field !== "string") return undefined;
  return { holder: path.slice(0, inner + 1), index, field };
}

/** The error for the first difference between a document and the schema. */
export function explainIssue(issue: Issue, document: unknown): GroupwiseError {
  const where = pathText(issue.path);
  const got = lookUp(document, issue.path);
  const [root] = issue.path;
  if (root === "workGroupSize") {
    const size = lookUp(document, ["workGroupSize"]);
    const shown = Array.isArray(size)
      ? size.slice(0, 4).map(describe).join(" × ") || "an empty list"
      : describe(size);
    return errorOf("bad-work-group", { got: shown, limit: LIMITS.workGroup }, where);
  }
  const nodeAt = placeOfNode(issue.path);
  if (nodeAt) {
    const { holder, index, field } = nodeAt;
    const node = lookUp(document, [...holder, index]) as Fields;
    const detail = Object.hasOwn(FIELDS, field) ? FIELDS[field] : undefined;
    const error = detail?.({ issue, node, got, index, where });
    if (error) return error;
  }
  return errorOf("bad-document", { reason: reasonOf(issue, document) }, where);
}

/** What an issue requires of a value, and what the document has. */
export function reasonOf(issue: Issue, document: unknown): string {
  const word = REASONS[issue.code] as ((issue: Issue, got: unknown) => string) | undefined;
  return word?.(issue, lookUp(document, issue.path)) ?? issue.code;
}
