/**
 * Chunks, for devices of few wide cores: each work-item runs the loop of one thread over a chunk of the range. A scan has a pass for
 * the totals of chunks, and one for its values, in which each work-item first combines the totals of earlier chunks.
 */
import { formula } from "@groupwise/ir/base/formula.js";
import { isPick, isScan } from "@groupwise/ir/document/collectives.js";
import type { NodeId } from "@groupwise/ir/document/node.js";
import { filledScatters } from "@groupwise/ir/slots/filled.js";
import type { CoreChunks } from "@groupwise/kernel/capabilities/chunks.js";
import { add, binary } from "@groupwise/kernel/language/make-expr.js";
import type { Kernel } from "@groupwise/kernel/language/module.js";
import { againFor, type Latency, materializedIn, materializedValues, Stages } from "../../parts/stages.ts";
import { type Fill, Storage } from "../../parts/storage.ts";
import type { Lowered, Lowering } from "../../parts/strategy.ts";
import { lateReduces } from "../../ranks/late.ts";
import { schedule } from "../../schedule/schedule.ts";
import { toExpr } from "../../work-groups/context.ts";
import type { TileTotals } from "../../work-groups/tile-totals.ts";
import { mostBins } from "./bins.ts";
import { type Context, startingAt } from "./context.ts";
import { finishAt, finishKernel } from "./finish.ts";
import { groupPassKernel } from "./group-pass.ts";
import { passKernel } from "./pass.ts";
import { loopKernel } from "./shape.ts";
import { makeTotals } from "./totals.ts";

const STAGES = new Stages("items", "groups");

/** Work-groups are consecutive in a loop of their own, because chunks end within them. */
const LATENCY: Latency = {
  stages: STAGES,
  // A broadcast reads its operand at any item, so the operand must be complete.
  start: (node, ready) =>
    STAGES.first(node.scope === "device" ? "items" : "groups", isPick(node) ? ready + 1 : ready),
  ready: (node, start) => {
    if (node.scope === "device") return STAGES.first("items", start + 1);
    return isScan(node) ? start : start + 1;
  },
  firstStage: STAGES.first("items", 0),
  readsAgain: isScan,
  inPass: isScan,
  computesAt: againFor(isScan),
};

export function lowerChunks({ checked, capabilities, names, geometry }: Lowering): Lowered {
  const filled = filledScatters(checked);
  const late = lateReduces(checked, filled);
  const plan = schedule(checked, { ...LATENCY, filled, late });
  const storage = new Storage(checked, names, geometry, materializedIn(plan));
  const chunks = capabilities.chunks as CoreChunks;
  const totals = new Map<NodeId, TileTotals>();
  for (const { number } of plan.stages)
    for (const component of startingAt({ checked, plan, late }, number)) {
      const array = makeTotals(component, storage, chunks.most);
      for (const { id } of component.nodes) totals.set(id, array);
    }
  const fits = new Set(filled.keys());
  const { surplusGroups } = capabilities;
  const found = { plan, late, totals, fits, mostBins: mostBins(capabilities) };
  const context: Context = {
    ...{ checked, geometry, storage, names, chunks, surplusGroups, written: new Set<NodeId>() },
    ...found,
  };
  return { buffers: storage.buffers, kernels: kernelsOf(context) };
}

function* kernelsOf(given: Context): Generator<Kernel> {
  const { plan, storage } = given;
  for (const fill of storage.fills) yield fillKernel(given, fill);
  /** The stage whose results the pass before has written for a range of one chunk. */
  let finished: number | undefined;
  for (const [i, { number, kind }] of plan.stages.entries()) {
    const context: Context = { ...given, written: materializedValues(plan, number) };
    const finish = finishAt(context, number);
    if (finish) yield finishKernel(context, finish, finished === number);
    if (kind === "groups") {
      const kernel = groupPassKernel(context, number);
      if (kernel) yield kernel;
      continue;
    }
    const after = plan.stages.slice(i + 1).find((stage) => stage.kind === "items");
    const pass = passKernel(context, number, after && finishAt(context, after.number));
    if (pass) yield pass.kernel;
    finished = pass?.finishes ? after?.number : undefined;
  }
}

/** Writes the initial values of an output. */
function fillKernel(context: Context, { array, elements, value }: Fill): Kernel {
  const { most, least } = context.chunks;
  const groups = formula("min", most, formula("ceil-div", elements, least));
  const doc = [`The initial values of ${array.name}.`];
  return loopKernel(context, { hint: "fill", doc, groups }, (code, number) => {
    const all = code.let("slots", toExpr(context, elements));
    const share = code.let("share", add(binary("div", all, toExpr(context, groups)), 1));
    const from = code.let("from", binary("min", binary("mul", number, share), all));
    const below = code.let("below", binary("min", add(from, share), all));
    code.for("slot", from, below, (body, slot) => body.store(array, slot, value));
  });
}
