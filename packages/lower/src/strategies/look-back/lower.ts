/** Look-back: one pass reduces the tiles and finishes a scan over the whole range. */

import { isScan } from "@groupwise/ir/document/collectives.js";
import { countedInChunk } from "@groupwise/ir/slots/in-chunk.js";
import type { LookBack } from "@groupwise/kernel/capabilities/capabilities.js";
import { halfFormOf } from "@groupwise/kernel/capabilities/half-conversions.js";
import type { Component } from "../../parts/components.ts";
import type { Carrying, Lowered, Lowering } from "../../parts/strategy.ts";
import { deviceComponents } from "../../work-groups/context.ts";
import { withCountedSegments } from "../../work-groups/segments.ts";
import { type Finisher, type Frame, LATENCY, lowerStages, type ScanStrategy } from "../stages.ts";
import { type CarryingLookBack, type Fused, fuse } from "./fused.ts";
import { lookBackKernel, tailKernel } from "./kernel.ts";

const withNodes = (
  component: Component,
  isWanted: (node: Component["nodes"][number]) => boolean,
): Component => ({ ...component, nodes: component.nodes.filter(isWanted) });

const LOOK_BACK: ScanStrategy = {
  // A pass writes what it finishes; others gather those values from memory.
  latency: { ...LATENCY, splitsReduces: true, computesAt: (node) => [isScan(node) ? "ready" : "start"] },
  leavesTotals: true,
  reduced: (component, { latency: { inScans } }) =>
    withNodes(component, (node) => !isScan(node) && !inScans?.has(node.id)),
  prepare: finisherOf,
};

/** @param lowering an implementation with look-back */
export const lowerLookBack = (lowering: Lowering): Lowered => lowerStages(lowering, LOOK_BACK);

function finisherOf(frame: Frame): Finisher {
  const found = fusedOf(frame);
  return {
    elsewhere: new Set(found.keys()),
    *kernels(context, stage) {
      const fused = found.get(stage);
      if (!fused) return;
      yield* fused.carrying?.startKernels(context, fused) ?? [];
      yield lookBackKernel(context, stage, fused);
      yield* fused.carrying?.endKernels(context, fused) ?? [];
      if (fused.status.shape.hasTail) yield tailKernel(context, stage, fused);
    },
  };
}

const looksBack = (carrying: Carrying): carrying is CarryingLookBack => "startKernels" in carrying;

/** By the stage at which they are ready: the scans whose operands one stage can compute. */
function fusedOf({
  checked,
  plan,
  storage,
  capabilities,
  geometry,
  carrying: given,
}: Frame): Map<number, Fused> {
  const found = new Map<number, Fused>();
  const { subgroups, maxItems, lookBack, scalars } = capabilities;
  const convertsHalves = halfFormOf(capabilities) !== undefined;
  const sizes = "unsupported" in subgroups ? { minSize: 1, maxSize: 1 } : subgroups;
  const writesBoth = capabilities.mixedRows === "any";
  const keepsSubnormals = capabilities.subnormals === "exact";
  const inChunk = countedInChunk(checked);
  for (const { number } of plan.stages) {
    const components = deviceComponents(checked, plan, number)
      .map((component) => withNodes(component, isScan))
      .filter(({ nodes }) => nodes.length > 0);
    const [first] = components.flatMap(({ nodes }) => nodes);
    if (!first) continue;
    const ready = plan.ready[first.id] as number;
    const inScans = plan.latency.inScans ?? new Map();
    const carrying = given && looksBack(given) ? given : undefined;
    // A state has the totals of each scan.
    const together = carrying ? components : withCountedSegments(components, checked.pipeline);
    const { n } = geometry;
    const shared = {
      checked,
      storage,
      sizes,
      maxItems,
      scalars,
      writesBoth,
      convertsHalves,
      keepsSubnormals,
    };
    const place = { n, inScans, carrying, inChunk, lookBack: lookBack as LookBack };
    found.set(ready, fuse(together, { ...shared, ...place }));
  }
  return found;
}
