import { isPerItem } from "./collectives.ts";
import type { CollectiveNode, NodeKind, PipelineNode, Scope } from "./node.ts";
import { operandsOf } from "./operands.ts";
import { QUERIES } from "./query.ts";

/** How often a value changes: once for the whole range, once per work-group, or with every item. */
export type Rate = "uniform" | "group" | "item";

const ORDER: Readonly<Record<Rate, number>> = { uniform: 0, group: 1, item: 2 };
/** How often a collective's one result changes. */
export const SCOPE_RATE: Readonly<Record<Scope, Rate>> = { "work-group": "group", device: "uniform" };

/** True where a value of rate `a` may stand where at most `b` is allowed. */
export function atMost(a: Rate, b: Rate): boolean {
  return ORDER[a] <= ORDER[b];
}

type Rule<K extends NodeKind> = (node: Extract<PipelineNode, { kind: K }>, rates: readonly Rate[]) => Rate;
const always =
  (rate: Rate): (() => Rate) =>
  () =>
    rate;
const collective = (node: CollectiveNode): Rate => (isPerItem(node) ? "item" : SCOPE_RATE[node.scope]);
const ofOperands = (node: PipelineNode, rates: readonly Rate[]): Rate =>
  operandsOf(node).reduce<Rate>((widest, id) => {
    const rate = rates[id] as Rate;
    return atMost(rate, widest) ? widest : rate;
  }, "uniform");

const RATES: { readonly [K in NodeKind]: Rule<K> } = {
  input: always("item"),
  param: always("uniform"),
  const: always("uniform"),
  table: always("uniform"),
  "table-length": always("uniform"),
  // A query that does not exist is a problem that `check` has told.
  query: (node) => QUERIES[node.query]?.rate ?? "item",
  unary: ofOperands,
  binary: ofOperands,
  select: ofOperands,
  cast: ofOperands,
  bitcast: ofOperands,
  spread: always("item"),
  gather: (node, rates) => rates[node.index] as Rate,
  reduce: collective,
  "inclusive-scan": collective,
  "exclusive-scan": collective,
  fold: collective,
  all: collective,
  any: collective,
  broadcast: collective,
  output: ofOperands,
  scatter: ofOperands,
};

/** How often a node's value changes. The rates of the nodes that it uses are looked up by their ids. */
export function rateOf(node: PipelineNode, rates: readonly Rate[]): Rate {
  return (RATES[node.kind] as (node: PipelineNode, rates: readonly Rate[]) => Rate)(node, rates);
}
