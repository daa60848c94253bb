import type * as z from "zod/mini";
import { requireArguments } from "../base/arguments.ts";
import { errorOf } from "../base/errors.ts";
import { printableLine } from "../base/quote.ts";
import { type Checked, check } from "../document/check.ts";
import { FORMAT_VERSION, type Pipeline } from "../document/node.ts";
import type { Operator } from "../document/operator.ts";
import { explainIssue } from "./explain.ts";
import { partSchemas } from "./mirror.ts";
import { type Path, plainCopy } from "./plain.ts";

/** Maximum number of characters of a document given as text. */
export const MAX_TEXT: number = 4 * 1024 * 1024;

/**
 * Reads a pipeline from an untrusted source: the only entry for documents that this program did not build
 * itself. The result is a new frozen copy, so the checked value is the used value.
 * @param input the JSON text of a document, or its value
 * @throws GroupwiseError `bad-json`, `too-large`, `bad-version`, `bad-document`, or the code of the violated
 *   rule; `where` is a path such as `nodes[3].op`, or the source location of the node
 * @example
 * ```ts
 * import { f32, pipeline } from "@groupwise/dsl";
 * import { parsePipeline } from "@groupwise/core/schema";
 *
 * const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
 * console.log(parsePipeline(JSON.stringify(sums)).pipeline.name); // "sums"
 * ```
 */
export function parsePipeline(input: unknown): Checked {
  requireArguments(arguments, "parsePipeline", ["input"]);
  const document = plainCopy(typeof input === "string" ? parseText(input) : input);
  // A later format may differ in everything else, so the version is checked first.
  const version = (document as { version?: unknown } | null)?.version;
  if (version !== undefined && version !== FORMAT_VERSION) {
    throw errorOf("bad-version", { version, supported: FORMAT_VERSION }, "version");
  }
  return check(shaped(document));
}

/**
 * Parses the document's shape. Lists are checked item by item, so that only the first of many problems costs
 * time and is reported.
 */
function shaped(document: unknown): Pipeline {
  const schemas = partSchemas();
  const read = <T>(schema: z.ZodMiniType<T>, value: unknown, path: Path): T => {
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues as [z.core.$ZodIssue];
    throw explainIssue({ ...issue, path: [...path, ...issue.path] }, document);
  };
  const list = <T>(schema: z.ZodMiniType<T>, values: readonly unknown[], path: Path): readonly T[] =>
    Object.freeze(values.map((value, index) => read(schema, value, [...path, index])));
  const { operators: given, ...head } = read(schemas.pipeline, document, []);
  const nodes = list(schemas.node, head.nodes, ["nodes"]);
  const operators = given?.map((value, index): Operator => {
    const operator = read(schemas.operator, value, ["operators", index]);
    const path = ["operators", index, "nodes"];
    return Object.freeze({ ...operator, nodes: list(schemas.operatorNode, operator.nodes, path) });
  });
  return Object.freeze({ ...head, nodes, ...(operators && { operators: Object.freeze(operators) }) });
}

function parseText(text: string): unknown {
  if (text.length > MAX_TEXT) {
    throw errorOf(
      "too-large",
      { what: "characters of the document", got: text.length, limit: MAX_TEXT },
      "document",
    );
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const reason = printableLine((error as Error).message.slice(0, 200));
    throw errorOf("bad-json", { reason }, "document", error);
  }
}
