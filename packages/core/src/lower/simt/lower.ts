/** Reduce-then-scan: walks over the items, and between two walks a few small passes over totals of tiles. */
import type { Capabilities } from "../../capabilities.ts";
import { errorOf } from "../../errors.ts";
import { type Formula, formula } from "../../formula.ts";
import type { Checked } from "../../ir/check.ts";
import { isScan } from "../../ir/node.ts";
import type { Names } from "../../kernel/build.ts";
import type { Buffer, Kernel } from "../../kernel/stmt.ts";
import type { Geometry } from "../geometry/index.ts";
import { ANYWHERE, keptValues, type Latency, type Schedule, schedule } from "../schedule.ts";
import { Storage } from "../storage.ts";
import { type Context, countFormula, deviceComponents, type Tiling, tilingOf } from "./context.ts";
import { fillKernel } from "./fill-kernel.ts";
import { finishKernel } from "./finish-kernel.ts";
import { groupKernel } from "./group-kernel.ts";
import { prefixesKernel, totalsKernel } from "./levels.ts";
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

export function lowerSimt(
  checked: Checked,
  capabilities: Capabilities,
  names: Names,
  geometry: Geometry,
): { buffers: Buffer[]; kernels: Kernel[] } {
  const { n, groupSize } = geometry;
  const plan = schedule(checked, LATENCY);
  if (plan.stages.some((stage) => stage % 2 === 1) && groupSize > capabilities.maxWorkGroupSize) {
    throw errorOf(
      "work-group-too-large",
      { size: groupSize, limit: capabilities.maxWorkGroupSize },
      "workGroupSize",
    );
  }
  const tiling = tilingOf(capabilities);
  const storage = new Storage(checked, names, geometry, plan.stored, keptValues(plan));
  const totals = totalsOf(checked, plan, storage, tiling);
  const context: Context = { checked, capabilities, plan, tiling, storage, names, geometry, n, totals };
  const kernels: (Kernel | undefined)[] = storage.fills.map((fill) => fillKernel(context, fill));
  for (const stage of plan.stages) {
    kernels.push(finishKernel(context, stage));
    // Reduces have read the totals: now these may become prefixes.
    const scanned = (totals.get(stage - 2) ?? []).filter((t) => t.component.nodes.some(isScan));
    if (scanned.length > 0) {
      for (let level = tiling.levels; level >= 1; level--)
        kernels.push(prefixesKernel(context, scanned, level));
    }
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

function totalsOf(checked: Checked, plan: Schedule, storage: Storage, tiling: Tiling): Map<number, Totals[]> {
  const found = new Map<number, Totals[]>();
  let elements: Formula = 0;
  for (let level = 1; level <= tiling.levels; level++)
    elements = formula("add", elements, countFormula(tiling, level));
  for (const stage of plan.stages.filter((s) => s > ANYWHERE && s % 2 === 0)) {
    const components = deviceComponents(checked, plan, stage);
    if (components.length === 0) continue;
    found.set(
      stage,
      components.map((component) => makeTotals(component, storage, elements)),
    );
  }
  return found;
}
