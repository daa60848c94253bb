/** Which values are null, node by node, and how nulls enter collectives: as the identity. */
import type { Checked, GroupwiseError, NodeId, Operator, PipelineNode } from "@groupwise/core";
import { encodeLiteral, errorOf, operandsOf, SCALARS } from "@groupwise/core/target";
import { flagOf } from "./segments.ts";
import type { DocumentWriter, Validity } from "./writer.ts";

/** The arguments of the rules. */
export interface Scene {
  readonly checked: Checked;
  readonly writer: DocumentWriter;
  /** By the id of the original node: the node that replaces it. */
  readonly ids: NodeId[];
  /** By the id of the original node: its validity. */
  readonly valid: Validity[];
  /** By the id of a table or a scatter: the validity of its element at an index. */
  readonly elements: Map<NodeId, (index: NodeId) => NodeId>;
}

type Rule<N extends PipelineNode = PipelineNode> = (scene: Scene, node: N) => Validity;
/** Nodes other than inputs, tables and outputs. */
export type Computed = Exclude<PipelineNode, { kind: "input" | "table" | "output" | "scatter" }>;
type Rules = { readonly [K in Computed["kind"]]: Rule<Extract<PipelineNode, { kind: K }>> };

const always = (): Validity => undefined;
/** An element-wise result is null if an operand is. */
const ofOperands: Rule = ({ writer, valid }, node) => writer.both(operandsOf(node).map((id) => valid[id]));

/** The validity of each kind of node. A collective that combines treats nulls as identities, and its result is never null. */
const RULES: Rules = {
  param: always,
  const: always,
  query: always,
  "table-length": always,
  unary: ofOperands,
  binary: ofOperands,
  function: ofOperands,
  cast: ofOperands,
  bitcast: ofOperands,
  select: ({ writer, ids, valid }, { condition, then, otherwise }) => {
    const [a, b] = [valid[then], valid[otherwise]];
    if (a === undefined && b === undefined) return valid[condition];
    const yes = writer.constant("bool", true);
    const chosen = writer.select(ids[condition] as NodeId, a ?? yes, b ?? yes);
    return writer.both([valid[condition], chosen]);
  },
  spread: ({ writer, valid }, { of }) =>
    valid[of] === undefined ? undefined : writer.once({ kind: "spread", of: valid[of] }),
  gather: ({ writer, ids, valid, elements }, { of, index }) => {
    const element = elements.get(of);
    if (element) return writer.both([element(ids[index] as NodeId), valid[index]]);
    if (valid[of] === undefined) return valid[index];
    const there = writer.once({ kind: "gather", of: valid[of], index: ids[index] as NodeId });
    return writer.both([there, valid[index]]);
  },
  reduce: always,
  "scan-inclusive": always,
  "scan-exclusive": always,
  "user-collective": always,
  all: always,
  any: always,
  broadcast: ({ writer, ids, valid, checked }, node) => {
    const indexes = node.index.map((id) => valid[id]);
    if (indexes.some((id) => id !== undefined)) throw refusal(checked, node, "its index may be null");
    const of = valid[node.of];
    if (of === undefined) return undefined;
    const index = node.index.map((id) => ids[id] as NodeId);
    return writer.once({ kind: "broadcast", scope: node.scope, of, index });
  },
  rank: ({ valid, checked }, node) => {
    if (valid[node.of] === undefined) return undefined;
    throw refusal(checked, node, "its meaning on nulls is not defined");
  },
};

/** @throws GroupwiseError `unsupported` for a node that is not defined for nulls */
export const validityOf = (scene: Scene, node: Computed): Validity => (RULES[node.kind] as Rule)(scene, node);

/** A collective that combines the values of one operand. */
export type CombiningNode = Extract<
  PipelineNode,
  { kind: "reduce" | "scan-inclusive" | "scan-exclusive" | "all" | "any" }
>;
/** A collective that combines records. */
export type Fold = Extract<PipelineNode, { kind: "user-collective" }>;

/** The operands of a collective, with the identity in place of nulls. */
export function maskedOperand(scene: Scene, node: CombiningNode | Fold): NodeId | NodeId[] {
  if (node.kind === "user-collective") return fieldsOf(scene, node);
  const { writer, ids, valid } = scene;
  const own = ids[node.of] as NodeId;
  const mask = valid[node.of];
  return mask === undefined ? own : writer.select(mask, own, identityOf(scene, node));
}

function identityOf({ checked, writer }: Scene, node: CombiningNode): NodeId {
  if ("identity" in node) return writer.constant(node.type, node.identity);
  const type = checked.types[node.of] as keyof typeof SCALARS;
  const truth = node.kind === "all" ? 1 : 0;
  return writer.constant(type, encodeLiteral(type, SCALARS[type].whole(truth)));
}

/** A record is the identity if any of its fields is null, but keeps the mark of the first item of a segment. */
function fieldsOf(scene: Scene, node: Fold): NodeId[] {
  const { writer, ids, valid, checked } = scene;
  const operator = checked.pipeline.operators?.[node.operator] as Operator;
  const flag = flagOf(operator);
  const first = flag === undefined ? undefined : (node.of[flag] as NodeId);
  if (first !== undefined && valid[first] !== undefined)
    throw refusal(checked, node, "nulls decide where its segments begin: give keys and flags without nulls");
  const mask = writer.both(node.of.map((id) => valid[id]));
  return node.of.map((id, field) => {
    const own = ids[id] as NodeId;
    if (mask === undefined || field === flag) return own;
    const { type, identity } = operator.fields[field] as Operator["fields"][number];
    return writer.select(mask, own, writer.constant(type, identity));
  });
}

/** The error for a node whose operand has nulls. */
export function refusal({ pipeline }: Checked, node: PipelineNode, reason: string): GroupwiseError {
  const what = `the ${node.kind} of a column with nulls`;
  const remedy = "no target supports it: fill the nulls of these columns first";
  return errorOf("unsupported", { what, reason, remedy }, node.at ?? `${pipeline.name}, node ${node.id}`);
}
