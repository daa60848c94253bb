import { isCollective, isScan, operandsOf, type PipelineNode, type Scope } from "./node.ts";
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

/** How often a node's value changes. The rates of the nodes that it uses are looked up by their ids. */
export function rateOf(node: PipelineNode, rates: readonly Rate[]): Rate {
  if (node.kind === "input" || node.kind === "spread" || isScan(node)) return "item";
  if (node.kind === "query") {
    // A query that does not exist is a problem that `check` has told.
    return QUERIES[node.query]?.rate ?? "item";
  }
  if (node.kind === "gather") return rates[node.index] as Rate;
  if (isCollective(node)) return SCOPE_RATE[node.scope];
  return operandsOf(node).reduce<Rate>((widest, id) => {
    const rate = rates[id] as Rate;
    return atMost(rate, widest) ? widest : rate;
  }, "uniform");
}
