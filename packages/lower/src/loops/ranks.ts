/** Stable ranks in a loop: one loop counts the keys, a later one takes the next rank of each. */
import type { NodeId, RankNode } from "@groupwise/ir/document/node.js";
import type { ArrayRef, Code } from "@groupwise/kernel/language/build.js";
import { add, binary, u32 } from "@groupwise/kernel/language/make-expr.js";
import type { SiteValues } from "../parts/values.ts";

/** By rank: the number of items with each key; later the rank of the next one. */
export type Nexts = Map<NodeId, ArrayRef>;

/** The work of a loop for a rank: the first one counts. */
export interface LoopRanking {
  readonly node: RankNode;
  readonly counts: boolean;
}

/** Before the loop that counts. */
export function startRank(code: Code, { id, bins }: RankNode, nexts: Nexts): void {
  nexts.set(id, code.array("next", "u32", bins));
}

/** In either loop, for the current item. */
export function rankItem(code: Code, { node, counts }: LoopRanking, nexts: Nexts, values: SiteValues): void {
  const next = nexts.get(node.id) as ArrayRef;
  const key = code.let("key", binary("min", values.get(node.of, code), node.bins - 1));
  const rank = code.let("rank", code.load(next, key));
  code.store(next, key, add(rank, 1));
  if (!counts) values.set(node.id, rank);
}

/** After the loop that counts: the first rank of each key. */
export function finishCounts(code: Code, { id, bins }: RankNode, nexts: Nexts): void {
  const next = nexts.get(id) as ArrayRef;
  const first = code.var("first", u32(0));
  code.for("bin", 0, bins, (body, bin) => {
    const count = body.let("count", body.load(next, bin));
    body.store(next, bin, first);
    body.assign(first, add(first, count));
  });
}
