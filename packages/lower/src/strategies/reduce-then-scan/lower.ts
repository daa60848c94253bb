/** Reduce-then-scan: passes over the items, and between two passes a few small passes over totals of tiles. */
import { isScan } from "@groupwise/ir/document/collectives.js";
import type { Kernel } from "@groupwise/kernel/language/module.js";
import type { Lowered, Lowering } from "../../parts/strategy.ts";
import type { GroupContext } from "../../work-groups/context.ts";
import { prefixesKernel } from "../../work-groups/levels.ts";
import { LATENCY, lowerStages, type ScanStrategy } from "../stages.ts";

const REDUCE_THEN_SCAN: ScanStrategy = {
  latency: LATENCY,
  reduced: (component) => component,
  prepare: () => ({ elsewhere: new Set(), kernels: prefixKernels }),
};

export const lowerReduceThenScan = (lowering: Lowering): Lowered => lowerStages(lowering, REDUCE_THEN_SCAN);

/** The totals of the scans that are ready at a stage become prefixes, level by level. */
function* prefixKernels(context: GroupContext, stage: number): Generator<Kernel> {
  const scanned = [...context.totals.values()]
    .flat()
    .filter(({ component }) =>
      component.nodes.some((node) => isScan(node) && context.plan.ready[node.id] === stage),
    );
  if (scanned.length === 0) return;
  for (let level = context.tiling.levels; level >= 1; level--) yield prefixesKernel(context, scanned, level);
}
