/**
 * Pairs of nodes: an operand's kind, type and rate, and the kind, place and type of the node that uses it. The pairs that
 * occur in a document are counted, and those that may occur are listed.
 */
import type { Checked, PipelineNode, Scalar } from "@groupwise/core";
import { isNarrow, operandsOf } from "@groupwise/core/target";
import { FORMS, type Form, isWithin, RATES, type Rate, type Slot } from "./forms.ts";

/** What a node gives to others. */
export interface NodeOperand {
  readonly kind: string;
  readonly type: Scalar;
  readonly rate: Rate;
}

/** A place where a node takes an operand. */
export interface Use {
  readonly kind: string;
  readonly slot: Slot;
  /** The type of the node; undefined for operators on records, whose fields have types of their own. */
  readonly type: Scalar | undefined;
}

export const operandKey = ({ kind, type, rate }: NodeOperand): string => `${kind} ${type} ${rate}`;
const useKey = (kind: string, slot: string, type: Scalar | undefined): string =>
  `${kind}.${slot}${type === undefined ? "" : ` ${type}`}`;
/** The name of a pair. */
const pairKey = (operand: NodeOperand, { kind, slot, type }: Use): string =>
  `${operandKey(operand)} → ${useKey(kind, slot.name, type)}`;

const isOfRecords = (kind: string): boolean => kind.startsWith("user ");

/** The rates that the results of a form can have. */
export const ratesOf = ({ rate, slots }: Form): readonly Rate[] =>
  rate === "index" || (rate === "operands" && slots.length > 0) ? RATES : [rate as Rate];

const unique = <T>(list: readonly T[], key: (one: T) => string): T[] => [
  ...new Map(list.map((one) => [key(one), one])).values(),
];

/** Everything that can be an operand. */
export const OPERANDS: readonly NodeOperand[] = unique(
  (FORMS[0] as readonly Form[])
    .filter(({ isSink }) => !isSink)
    .flatMap((form) => ratesOf(form).map((rate) => ({ kind: form.kind, type: form.type, rate }))),
  operandKey,
);

/** Every place of an operand. */
export const USES: readonly Use[] = unique(
  (FORMS[0] as readonly Form[]).flatMap(({ kind, type, slots }) =>
    slots.map((slot) => ({ kind, slot, type: isOfRecords(kind) ? undefined : type })),
  ),
  ({ kind, slot, type }) => `${useKey(kind, slot.name, type)} ${slot.type}`,
);

/** What a host computes before a run. */
export const ON_HOST: readonly string[] = ["const", "param", "query", "table-length", "binary"];

/** The places that may take an operand. */
export const usesOf = ({ kind, type, rate }: NodeOperand): readonly Use[] =>
  USES.filter(
    ({ slot }) =>
      slot.type === type && isWithin(rate, slot.most ?? "item") && (!slot.isOnHost || ON_HOST.includes(kind)),
  );

/** The kind of a node as forms name it. */
function kindOf(node: PipelineNode, checked: Checked): string {
  switch (node.kind) {
    case "input":
      return isNarrow(node.type) ? "narrow input" : "input";
    case "binary":
      return checked.types[node.id] === "bool" && /^(eq|ne|lt|le|gt|ge)$/.test(node.op)
        ? "comparison"
        : "binary";
    case "gather":
      return checked.pipeline.nodes[node.of]?.kind === "table" ? "gather of a table" : "gather";
    case "user-collective":
      return `user ${node.form} of a ${node.scope}`;
    case "all":
    case "any":
      return `vote of a ${node.scope}`;
    case "reduce":
    case "scan-inclusive":
    case "scan-exclusive":
    case "broadcast":
      return `${node.kind} of a ${node.scope}`;
    case "output":
      return node.as === undefined ? "output" : "narrow output";
    case "scatter":
      return node.combine !== undefined
        ? "combining scatter"
        : node.as === undefined
          ? "scatter"
          : "narrow scatter";
    default:
      return node.kind;
  }
}

/** The names of the operands of a node, in the order of `operandsOf`. */
const PLACES: Readonly<Record<string, readonly string[]>> = {
  binary: ["left", "right"],
  select: ["condition", "then", "otherwise"],
  gather: ["of", "index"],
  broadcast: ["of", "index", "index", "index"],
};
const SCATTER = ["value", "slot", "where", "length", "capacity"] as const;

/** The pairs of a document. */
export function pairsOf(checked: Checked): readonly string[] {
  const { nodes } = checked.pipeline;
  const pairs: string[] = [];
  for (const user of nodes) {
    const kind = kindOf(user, checked);
    const type = isOfRecords(kind) ? undefined : (checked.types[user.id] as Scalar);
    const places =
      user.kind === "scatter" ? SCATTER.filter((name) => user[name] !== undefined) : PLACES[user.kind];
    const isOfTable = kind === "gather of a table" || user.kind === "table-length";
    operandsOf(user).forEach((id, i) => {
      const used = nodes[id] as PipelineNode;
      if (isOfTable && used.kind === "table") return;
      const operand = {
        kind: kindOf(used, checked),
        type: checked.types[id] as Scalar,
        rate: checked.uniformities[id] as Rate,
      };
      pairs.push(`${operandKey(operand)} → ${useKey(kind, places?.[i] ?? "of", type)}`);
    });
  }
  return pairs;
}

/** The pairs that documents have by the forms. */
export const PAIRS: readonly string[] = OPERANDS.flatMap((operand) =>
  usesOf(operand).map((use) => pairKey(operand, use)),
);
