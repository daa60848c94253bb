/** Passes over the items by work-groups, and the work between two passes; shared by strategies. */
import { type Formula, formula } from "@groupwise/ir/base/formula.js";
import { isScan } from "@groupwise/ir/document/collectives.js";
import type { NodeId } from "@groupwise/ir/document/node.js";
import { filledScatters } from "@groupwise/ir/slots/filled.js";
import type { Kernel } from "@groupwise/kernel/language/module.js";
import { type Binned, withoutBinned } from "../bins/binned.ts";
import { binKernels } from "../bins/kernel.ts";
import { isHeavy } from "../lanes/heavy.ts";
import type { Component } from "../parts/components.ts";
import {
  againFor,
  type Latency,
  materializedIn,
  materializedValues,
  type Schedule,
  Stages,
  sinksAt,
} from "../parts/stages.ts";
import { Storage } from "../parts/storage.ts";
import type { Carrying, Lowered, Lowering } from "../parts/strategy.ts";
import { reducesInScans } from "../ranks/reduces-in-scans.ts";
import { schedule } from "../schedule/schedule.ts";
import { type Ranked, rankKernels, withoutMoved } from "../stable-rank/kernels.ts";
import {
  type CarryingGroups,
  countFormula,
  deviceComponents,
  type GroupContext,
  scansReadyAt,
  type Tiling,
  tilingOf,
} from "../work-groups/context.ts";
import { fillKernel } from "../work-groups/fill-kernel.ts";
import { groupKernel } from "../work-groups/group-kernel.ts";
import { tileTotalsKernel } from "../work-groups/levels.ts";
import { lineKernels } from "../work-groups/line-kernels.ts";
import { mapKernels } from "../work-groups/map-kernels.ts";
import { finishKernel, reduceKernels, tileKernel } from "../work-groups/tile-kernels.ts";
import { CARRIED, makeTileTotals, type TileTotals, wordsOf } from "../work-groups/tile-totals.ts";

const STAGES = new Stages("items", "groups");

/**
 * Collectives of a work-group are ready in the pass that computes them; those of the device in the next pass over the
 * items.
 */
export const LATENCY: Latency = {
  stages: STAGES,
  start: (node, ready) => STAGES.first(node.scope === "device" ? "items" : "groups", ready),
  ready: (node, start) => (node.scope === "device" ? STAGES.first("items", start + 1) : start),
  firstStage: STAGES.first("groups", 0),
  readsAgain: () => true,
  inPass: (node) => isScan(node) || node.scope === "work-group",
  // The pass that finishes a scan computes its operands again. A reduce computes those of the tail again, which are few.
  computesAt: againFor(isScan),
};

/** Facts that are computed before any kernel. */
export interface Frame extends Lowering {
  readonly plan: Schedule;
  readonly storage: Storage;
}

/** The part of a strategy that finishes scans over the whole range. */
export interface Finisher {
  /** Stages whose items its kernels write. */
  readonly elsewhere: ReadonlySet<number>;
  /** Its kernels before the pass of a stage. */
  kernels(context: GroupContext, stage: number): Iterable<Kernel>;
}

/** The decisions of a strategy about scans over the whole range. */
export interface ScanStrategy {
  readonly latency: Latency;
  /** True if the pass that finishes a scan also stores the total of its operands. */
  readonly leavesTotals?: true;
  /** The part of a component whose tiles store their totals. */
  reduced(component: Component, plan: Schedule): Component;
  /** Makes the arrays that it needs besides these totals. */
  prepare(frame: Frame): Finisher;
}

/** @throws GroupwiseError `work-group-too-large`, from the kernels of work-groups */
export function lowerStages(lowering: Lowering, scans: ScanStrategy): Lowered {
  const { checked, capabilities, names, geometry, carrying } = lowering;
  const filled = filledScatters(checked);
  const inScans = scans.leavesTotals ? reducesInScans(checked, filled) : new Map<NodeId, NodeId>();
  const scheduled = schedule(checked, { ...scans.latency, filled, inScans });
  const { plan: unmoved, ranked } = withoutMoved(scheduled);
  const { plan, binned } = withoutBinned(unmoved, capabilities);
  const storage = new Storage(checked, names, geometry, materializedIn(plan));
  storage.buffers.push(...(carrying?.buffers ?? []));
  const frame: Frame = { ...lowering, plan, storage };
  const { elsewhere, kernels } = scans.prepare(frame);
  const tiling = tilingOf(capabilities, { onlyTotals: leavesShortTotals(frame), heavy: combinesLong(frame) });
  const totals = totalsOf(frame, tiling, scans);
  const { n } = geometry;
  const ofGroups = carrying && isOfGroups(carrying) ? { carrying } : { carrying: undefined };
  const context: GroupContext = { ...frame, ...ofGroups, tiling, n, totals, elsewhere, written: new Set() };
  return { buffers: storage.buffers, kernels: kernelsOf(context, { ranked, binned, finish: kernels }) };
}

const isOfGroups = (carrying: Carrying): carrying is CarryingGroups => "kernels" in carrying;

/** Whether a collective over the range has a heavy operator. */
const combinesLong = ({ checked, plan, capabilities }: Frame): boolean =>
  plan.stages.some(({ number }) =>
    deviceComponents(checked, plan, number).some(({ monoid }) => isHeavy(monoid, capabilities.scalars)),
  );

/**
 * True if every pass over the items that stores tile totals stores one word of each, and writes no output of an item, and no pass finishes
 * a scan. Values that a later pass reads again may be written: a softmax is faster so (docs/decisions/stored-values.md).
 */
const leavesShortTotals = ({ checked, plan }: Frame): boolean =>
  plan.stages.every(({ number, kind }) => {
    const components = deviceComponents(checked, plan, number);
    const isReduced = components.every(
      (component) => wordsOf(component) === 1 && !component.nodes.some(isScan),
    );
    return (
      kind === "items" &&
      isReduced &&
      (components.length === 0 || sinksAt(plan, number, ["item", "group"]).length === 0)
    );
  });

/** Collectives with kernels of their own before the pass of a stage. */
interface Apart {
  readonly ranked: ReadonlyMap<number, readonly Ranked[]>;
  readonly binned: ReadonlyMap<number, readonly Binned[]>;
  readonly finish: Finisher["kernels"];
}

function* kernelsOf(given: GroupContext, { ranked, binned, finish }: Apart): Generator<Kernel> {
  const { plan, storage, tiling, totals } = given;
  for (const fill of storage.fills) yield fillKernel(given, fill);
  for (const { number, kind } of plan.stages) {
    const context = { ...given, written: materializedValues(plan, number) };
    if (context.carrying) yield* context.carrying.kernels(context, number);
    yield* made(finishKernel(context, number));
    // Before the passes that may write over inputs.
    for (const one of ranked.get(number) ?? []) yield* rankKernels(context, one);
    const withBins = binned.get(number);
    if (withBins) yield* binKernels(context, withBins);
    // Reduces have read the totals: now these may become prefixes.
    yield* finish(context, number);
    const map = kind === "groups" || onlyMaps(context, number) ? mapKernels(context, number) : undefined;
    const kernels = map ?? (kind === "items" ? reduceKernels : lineKernels)(context, number);
    yield* kernels ?? made((kind === "items" ? tileKernel : groupKernel)(context, number));
    const reduced = totals.get(number) ?? [];
    for (let level = 2; reduced.length > 0 && level <= tiling.levels; level++)
      yield tileTotalsKernel(context, reduced, level);
  }
}

/** True for a pass over the items that neither reduces them nor finishes a scan. */
const onlyMaps = (context: GroupContext, stage: number): boolean =>
  !context.elsewhere.has(stage) &&
  (context.totals.get(stage) ?? []).length === 0 &&
  scansReadyAt(context, stage).length === 0;

const made = (kernel: Kernel | undefined): Kernel[] => (kernel ? [kernel] : []);

/** By the stage that computes them: the totals of the components over the whole range. */
function totalsOf(
  { checked, plan, storage, carrying }: Frame,
  tiling: Tiling,
  { reduced }: ScanStrategy,
): Map<number, TileTotals[]> {
  const found = new Map<number, TileTotals[]>();
  let elements: Formula = carrying ? CARRIED : 0;
  for (let level = 1; level <= tiling.levels; level++)
    elements = formula("add", elements, countFormula(tiling, level));
  for (const { number } of plan.stages) {
    const components = deviceComponents(checked, plan, number)
      .map((component) => reduced(component, plan))
      .filter(({ nodes }) => nodes.length > 0);
    if (components.length === 0) continue;
    found.set(
      number,
      components.map((component) => makeTileTotals(component, storage, elements)),
    );
  }
  return found;
}
