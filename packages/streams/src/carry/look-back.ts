/** Chunks by look-back: the kernels before the scan of the full tiles, and between that scan and the tail. */
import type { Kernel } from "@groupwise/kernel/language/module.js";
import type { Carrying } from "@groupwise/lower/parts/strategy.js";
import { blockTotalsOf } from "@groupwise/lower/strategies/look-back/carried.js";
import type { Fused } from "@groupwise/lower/strategies/look-back/fused.js";
import type { GroupContext } from "@groupwise/lower/work-groups/context.js";
import { blocksKernel, itemsInTiles, placeInTail } from "./blocks-kernel.ts";
import { endKernel, startKernel } from "./carry-kernel.ts";

/** The prefix before the chunk. */
export function* startKernels(
  context: GroupContext,
  carrying: Carrying,
  { status, components }: Fused,
): Generator<Kernel> {
  for (const totals of blockTotalsOf(status, components)) yield startKernel(context, carrying, totals);
}

/** The blocks of the chunk, the prefix at its end and the state after it. */
export function* endKernels(context: GroupContext, carrying: Carrying, fused: Fused): Generator<Kernel> {
  const { status, components } = fused;
  yield blocksKernel(context, fused);
  for (const totals of blockTotalsOf(status, components))
    yield endKernel(context, carrying, totals, {
      items: itemsInTiles(status),
      totalOf: totals.read,
      totalOfOther: (code, level) => totals.read(code, placeInTail(status.shape, level)),
    });
}
