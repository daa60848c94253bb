/** Reduce-then-scan: walks over the items, and between two walks a few small passes over totals of tiles. */
import type { Capabilities, LookBack } from "../../capabilities.ts";
import { errorOf } from "../../errors.ts";
import { type Formula, formula } from "../../formula.ts";
import type { Checked } from "../../ir/check.ts";
import { isScan } from "../../ir/node.ts";
import type { Names } from "../../kernel/build.ts";
import type { Buffer, Kernel } from "../../kernel/stmt.ts";
import type { Geometry } from "../geometry/index.ts";
import type { Component } from "../monoid.ts";
import { ANYWHERE, keptValues, type Latency, type Schedule, schedule } from "../schedule.ts";
import { Storage } from "../storage.ts";
import { type Context, countFormula, deviceComponents, type Tiling, tilingOf } from "./context.ts";
import { fillKernel } from "./fill-kernel.ts";
import { finishKernel } from "./finish-kernel.ts";
import { groupKernel } from "./group-kernel.ts";
import { prefixesKernel, totalsKernel } from "./levels.ts";
import { type Fused, fuse } from "./look-back/fused.ts";
import { lookBackKernel } from "./look-back/kernel.ts";
import { restKernel } from "./look-back/rest.ts";
import { tileKernel } from "./tile-kernel.ts";
import { makeTotals, type Totals } from "./totals.ts";

/**
 * Even stages walk in tiles, odd ones in the pipeline's own work-groups. A work-group's collectives are
 * ready in the walk that gathers them; those of the device two stages later.
 */
const LATENCY: Latency = {
  start: (node, ready) => {
    const parity = node.scope === "device" ? 0 : 1;
    const first = Math.max(ready, parity);
    return first % 2 === parity ? first : first + 1;
  },
  ready: (node, start) => (node.scope === "device" ? start + 2 : start),
  firstStage: 1,
  rewalks: true,
  inWalk: (node) => isScan(node) || node.scope === "work-group",
};

/** A walk that looks back writes what it finishes; what others gather from that is read from memory. */
const LOOK_BACK_LATENCY: Latency = { ...LATENCY, gathersApart: true };

/** @param lookBack scans are finished by the walk that gathers them */
export function lowerSimt(
  checked: Checked,
  capabilities: Capabilities,
  names: Names,
  geometry: Geometry,
  lookBack?: LookBack,
): { buffers: Buffer[]; kernels: Kernel[] } {
  const { n, groupSize } = geometry;
  const plan = schedule(checked, lookBack ? LOOK_BACK_LATENCY : LATENCY);
  if (plan.stages.some((stage) => stage % 2 === 1) && groupSize > capabilities.maxWorkGroupSize) {
    throw errorOf(
      "work-group-too-large",
      { size: groupSize, limit: capabilities.maxWorkGroupSize },
      "workGroupSize",
    );
  }
  const tiling = tilingOf(capabilities);
  const storage = new Storage(checked, names, geometry, plan.stored, keptValues(plan));
  const fused = lookBack
    ? fusedOf(checked, plan, storage, capabilities, lookBack, n)
    : new Map<number, Fused>();
  const totals = totalsOf(checked, plan, storage, tiling, lookBack !== undefined);
  const context: Context = {
    checked,
    capabilities,
    plan,
    tiling,
    storage,
    names,
    geometry,
    n,
    totals,
    fused,
  };
  const kernels: (Kernel | undefined)[] = storage.fills.map((fill) => fillKernel(context, fill));
  for (const stage of plan.stages) {
    storage.there = keptValues(plan, stage);
    kernels.push(finishKernel(context, stage));
    // Reduces have read the totals: now these may become prefixes.
    const scanned = (totals.get(stage - 2) ?? []).filter((t) => t.component.nodes.some(isScan));
    if (scanned.length > 0) {
      for (let level = tiling.levels; level >= 1; level--)
        kernels.push(prefixesKernel(context, scanned, level));
    }
    const looksBack = fused.get(stage - 2);
    if (looksBack)
      kernels.push(lookBackKernel(context, stage, looksBack), restKernel(context, stage, looksBack));
    kernels.push(stage % 2 === 0 ? tileKernel(context, stage) : groupKernel(context, stage));
    const gathered = totals.get(stage) ?? [];
    if (gathered.length > 0) {
      for (let level = 2; level <= tiling.levels; level++)
        kernels.push(totalsKernel(context, gathered, level));
    }
  }
  const made = kernels.filter((kernel) => kernel !== undefined);
  return { buffers: storage.buffers, kernels: made };
}

const onlyScans = (component: Component): Component => ({
  ...component,
  nodes: component.nodes.filter(isScan),
});
const withoutScans = (component: Component): Component => ({
  ...component,
  nodes: component.nodes.filter((node) => !isScan(node)),
});
const hasNodes = ({ nodes }: Component): boolean => nodes.length > 0;

function fusedOf(
  checked: Checked,
  plan: Schedule,
  storage: Storage,
  capabilities: Capabilities,
  lookBack: LookBack,
  n: Context["n"],
): Map<number, Fused> {
  const found = new Map<number, Fused>();
  const { subgroups } = capabilities;
  const near = "unsupported" in subgroups ? 0 : Math.floor(Math.log2(subgroups.minSize));
  for (const stage of plan.stages.filter((s) => s > ANYWHERE && s % 2 === 0)) {
    const components = deviceComponents(checked, plan, stage).map(onlyScans).filter(hasNodes);
    if (components.length === 0) continue;
    found.set(stage, fuse(components, storage, lookBack, near, capabilities.maxItems, n));
  }
  return found;
}

function totalsOf(
  checked: Checked,
  plan: Schedule,
  storage: Storage,
  tiling: Tiling,
  looksBack: boolean,
): Map<number, Totals[]> {
  const found = new Map<number, Totals[]>();
  let elements: Formula = 0;
  for (let level = 1; level <= tiling.levels; level++)
    elements = formula("add", elements, countFormula(tiling, level));
  for (const stage of plan.stages.filter((s) => s > ANYWHERE && s % 2 === 0)) {
    const all = deviceComponents(checked, plan, stage);
    const components = looksBack ? all.map(withoutScans).filter(hasNodes) : all;
    if (components.length === 0) continue;
    found.set(
      stage,
      components.map((component) => makeTotals(component, storage, elements)),
    );
  }
  return found;
}
