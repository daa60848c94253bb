/**
 * The passes of a stable rank. The first counts the keys of each tile, the second adds up the counts of each bin from tile to tile, and
 * the third finds the rank of each item: items of smaller keys, earlier tiles, earlier teams of lanes, earlier rounds, earlier lanes.
 * No work-group waits for another one. Source: M. Zagha and G. E. Blelloch, "Radix sort for vector multiprocessors" (1991).
 */
import { formula } from "@groupwise/ir/base/formula.js";
import type { ArrayRef } from "@groupwise/kernel/language/build.js";
import type { Kernel } from "@groupwise/kernel/language/module.js";
import type { Context } from "../work-groups/context.ts";
import { countKernel } from "./count-kernel.ts";
import { moveKernel } from "./move-kernel.ts";
import { prefixKernel } from "./prefix-kernel.ts";
import type { Ranked } from "./ranked.ts";
import { type Shape, shapeOf } from "./shape.ts";

/** A rank, and the arrays between its passes. */
export interface Ranking extends Ranked {
  readonly shape: Shape;
  /** For each bin, a count for each tile: first of the tile's keys, then of the keys up to and including the tile. */
  readonly counts: ArrayRef;
  /** For each bin, the number of all keys. */
  readonly totals: ArrayRef;
}

export function* rankKernels(context: Context, ranked: Ranked): Generator<Kernel> {
  const shape = shapeOf(context, ranked.node.bins);
  const counts = context.storage.scratch("rank_counts", "u32", formula("mul", shape.tiles, shape.bins));
  const totals = context.storage.scratch("rank_totals", "u32", shape.bins);
  const ranking: Ranking = { ...ranked, shape, counts, totals };
  yield countKernel(context, ranking);
  yield prefixKernel(context, ranking);
  yield moveKernel(context, ranking);
}
