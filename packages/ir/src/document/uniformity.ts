import { isPerItem } from "./collectives.ts";
import type { CollectiveNode, NodeKind, PipelineNode, Scope } from "./node.ts";
import { operandsOf } from "./operands.ts";
import { QUERIES } from "./query.ts";

/** Where a value is the same: in the whole range, in a work-group, or only for one item. */
export type Uniformity = "uniform" | "group" | "item";

const ORDER: Readonly<Record<Uniformity, number>> = { uniform: 0, group: 1, item: 2 };
/** The uniformity of a collective with one result. */
export const SCOPE_UNIFORMITY: Readonly<Record<Scope, Uniformity>> = {
  "work-group": "group",
  device: "uniform",
};

/** True if a value of uniformity `a` may be used where `b` is required. */
export function atMost(a: Uniformity, b: Uniformity): boolean {
  return ORDER[a] <= ORDER[b];
}

type Rule<K extends NodeKind> = (
  node: Extract<PipelineNode, { kind: K }>,
  uniformities: readonly Uniformity[],
) => Uniformity;
const always =
  (uniformity: Uniformity): (() => Uniformity) =>
  () =>
    uniformity;
const collective = (node: CollectiveNode): Uniformity =>
  isPerItem(node) ? "item" : SCOPE_UNIFORMITY[node.scope];
const ofOperands = (node: PipelineNode, uniformities: readonly Uniformity[]): Uniformity =>
  operandsOf(node).reduce<Uniformity>((widest, id) => {
    const uniformity = uniformities[id] as Uniformity;
    return atMost(uniformity, widest) ? widest : uniformity;
  }, "uniform");

const UNIFORMITIES: { readonly [K in NodeKind]: Rule<K> } = {
  input: always("item"),
  param: always("uniform"),
  const: always("uniform"),
  table: always("uniform"),
  "table-length": always("uniform"),
  // A query that does not exist is a problem that `check` reports.
  query: (node) => QUERIES[node.query]?.uniformity ?? "item",
  unary: ofOperands,
  binary: ofOperands,
  function: ofOperands,
  select: ofOperands,
  cast: ofOperands,
  bitcast: ofOperands,
  spread: always("item"),
  gather: (node, uniformities) => uniformities[node.index] as Uniformity,
  reduce: collective,
  "scan-inclusive": collective,
  "scan-exclusive": collective,
  "user-collective": collective,
  all: collective,
  any: collective,
  broadcast: collective,
  rank: collective,
  output: ofOperands,
  scatter: ofOperands,
};

/** The uniformity of a node's value, from the uniformities of its operands by their ids. */
export function uniformityOf(node: PipelineNode, uniformities: readonly Uniformity[]): Uniformity {
  return (UNIFORMITIES[node.kind] as (node: PipelineNode, uniformities: readonly Uniformity[]) => Uniformity)(
    node,
    uniformities,
  );
}
