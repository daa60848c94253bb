/** One thread: one loop over the items for each stage, all stages in one kernel. */
import type { Checked } from "@groupwise/ir/document/check.js";
import { isCollective, isPick, isRank, isScan } from "@groupwise/ir/document/collectives.js";
import type { NodeId, ScatterNode, SinkNode } from "@groupwise/ir/document/node.js";
import { filledScatters } from "@groupwise/ir/slots/filled.js";
import { Code } from "@groupwise/kernel/language/build.js";
import type { Expr, VarExpr } from "@groupwise/kernel/language/expr.js";
import { add, and, binary, sub, u32 } from "@groupwise/kernel/language/make-expr.js";
import type { Kernel } from "@groupwise/kernel/language/module.js";
import { blockOfItems, inBlocks } from "../../loops/blocks.ts";
import { UNROLLED } from "../../loops/counter.ts";
import { eachOf, isShort, type Span, severalItems, sharedAt, unrolls } from "../../loops/each.ts";
import { closeGroup, item, type Loop, type Progress, pick, progress, pushingAt } from "../../loops/items.ts";
import { finishCounts, type LoopRanking, startRank } from "../../loops/ranks.ts";
import { isTree, mostInTree } from "../../loops/shapes.ts";
import { vectorLoop } from "../../loops/vectors.ts";
import { whereLoop } from "../../loops/where.ts";
import { fieldOf } from "../../parts/components.ts";
import { siteAt } from "../../parts/site.ts";
import {
  againFor,
  type Latency,
  materializedIn,
  materializedValues,
  type Schedule,
  Stages,
  sinksAt,
} from "../../parts/stages.ts";
import { Storage } from "../../parts/storage.ts";
import type { Lowered, Lowering } from "../../parts/strategy.ts";
import { SiteValues } from "../../parts/values.ts";
import { schedule } from "../../schedule/schedule.ts";

/** Scan results are available item by item; those of a reduce or a broadcast after the loop. A rank needs one loop to count. */
const LATENCY: Latency = {
  stages: new Stages("items"),
  // A broadcast reads its operand at any item, so the operand must be complete.
  start: (node, ready) => (isPick(node) ? ready + 1 : Math.max(ready, 0)),
  ready: (node, start) => (isScan(node) ? start : start + 1),
  firstStage: 0,
  readsAgain: isRank,
  inPass: (node) => isScan(node) || isRank(node),
  checksLengthsLater: true,
  computesAt: againFor(isRank),
};

const STAGES = new Stages("items", "groups");

/** Where a work-group's items do not follow one another, no loop serves both scopes. */
const APART: Latency = {
  ...LATENCY,
  stages: STAGES,
  start: (node, ready) =>
    STAGES.first(node.scope === "device" ? "items" : "groups", LATENCY.start(node, ready)),
  // A loop over work-groups takes the items in another order.
  ready: (node, start) => (isRank(node) ? STAGES.first("items", start + 1) : LATENCY.ready(node, start)),
};

export function lowerSequential({ checked, names, geometry, carrying, capabilities }: Lowering): Lowered {
  const plan = schedule(checked, geometry.contiguous ? LATENCY : APART);
  const kept = { ...materializedIn(plan), collectives: storedInMemory(checked, plan) };
  const storage = new Storage(checked, names, geometry, kept);
  const name = names.fresh("run");
  const code = new Code(names.fork());
  const fits = new Set(filledScatters(checked).keys());
  const scatters = checked.sinks.filter(hasLength).filter(({ id }) => !fits.has(id));
  const ends = new Map(scatters.map((sink) => [sink.id, code.var(`${sink.name}_end`, u32(0))]));
  const shared = {
    checked,
    plan,
    storage,
    geometry,
    carrying,
    ends,
    fits,
    nexts: new Map(),
    capabilities: { scalars: capabilities.scalars },
    blockScans: capabilities.blockScans,
    // Debug runs check each element.
    ...(!capabilities.accesses && { vectors: capabilities.vectors, unrolls: capabilities.unrolls }),
  };
  const loop: Loop = { ...shared, uniforms: new Map(), written: new Set() };
  for (const { array, value, scatter } of storage.fills) {
    const { capacity } = scatter;
    const count =
      capacity === undefined ? geometry.n : new SiteValues(siteAt(loop, u32(0))).get(capacity, code);
    code.for("slot", 0, count, (body, slot) => body.store(array, slot, value));
  }
  for (const [i, { number }] of plan.stages.entries()) {
    lowerStage({ ...loop, written: materializedValues(plan, number) }, number, i + 1, code);
  }
  const values = new SiteValues(siteAt(loop, u32(0)), loop.uniforms);
  for (const sink of scatters) storage.checkEnd(sink, ends.get(sink.id) as VarExpr, values, code);
  const kernel: Kernel = { name, doc: [], workGroupSize: 1, groups: 1, shared: [], body: code.stmts };
  return { buffers: [...storage.buffers, ...(carrying?.buffers ?? [])], kernels: [kernel] };
}

const hasLength = (sink: SinkNode): sink is ScatterNode & { readonly length: NodeId } =>
  sink.kind === "scatter" && sink.length !== undefined;

// Uniform results stay in variables of the one kernel.
function storedInMemory(checked: Checked, plan: Schedule): Set<NodeId> {
  return new Set([...plan.stored].filter((id) => checked.uniformities[id] !== "uniform"));
}

function lowerStage(loop: Loop, stage: number, ordinal: number, code: Code): void {
  const { checked, plan, geometry } = loop;
  const mine = checked.pipeline.nodes
    .filter(isCollective)
    .filter((node) => plan.start.get(node.id) === stage);
  const sinks = sinksAt(plan, stage, ["item", "group"]);
  const device = progress(checked, code, mine, "device");
  const ranks = ranksAt(loop, stage);
  for (const { node, counts } of ranks) if (counts) startRank(code, node, loop.nexts);
  for (const { component, state } of device) loop.carrying?.take(code, component, state);
  const inGroups = mine.some((node) => node.scope === "work-group");
  const materialized = plan.materialized.get(stage) ?? [];
  if (mine.length + sinks.length + materialized.length + ranks.length > 0) {
    const order = inGroups && !geometry.contiguous ? ", work-group after work-group" : "";
    code.comment(`pass ${ordinal} over the items${order}`);
    if (inGroups) {
      const grouped = progress(checked, code, mine, "work-group");
      geometry.eachGroup(code, (body, group) => {
        for (const { state } of grouped) state.reset(body);
        group.each(body, (inner, lane, place) => {
          const states = [
            ...device.map((p) => pushingAt(p, place.index)),
            ...grouped.map((p) => pushingAt(p, lane)),
          ];
          item(loop, stage, inner, place, { states, ranks });
        });
        closeGroup(loop, body, mine, grouped, group);
      });
    } else eachItem(loop, stage, code, { device, ranks });
  }
  for (const { node, counts } of ranks) if (counts) finishCounts(code, node, loop.nexts);
  for (const { component, state } of device) loop.carrying?.give(code, component, state);
  finishStage(loop, stage, code, device);
}

/** What the loop of a stage carries from item to item. */
interface Carried {
  readonly device: readonly Progress[];
  readonly ranks: readonly LoopRanking[];
}

/** The ranks that a stage counts, and those that it finds. */
const ranksAt = ({ checked, plan }: Loop, stage: number): LoopRanking[] =>
  checked.pipeline.nodes
    .filter(isRank)
    .flatMap((node) => [
      ...(plan.start.get(node.id) === stage ? [{ node, counts: true }] : []),
      ...(plan.ready[node.id] === stage ? [{ node, counts: false }] : []),
    ]);

function eachItem(loop: Loop, stage: number, code: Code, { device, ranks }: Carried): void {
  const { n } = loop.geometry;
  const single = (body: Code, i: Expr): void => {
    const at = body.named("at", placeOf(loop, i));
    const states = device.map((p) => pushingAt(p, at));
    item(loop, stage, body, loop.geometry.place(i), { states, ranks });
  };
  const block = ranks.length === 0 && inBlocks(loop, stage, device);
  const shared = sharedAt(loop, stage);
  const isCounted = !block && unrolls(loop.checked, device);
  const isUnrolled =
    isCounted ||
    (!block && loop.unrolls === true && isShort(loop.checked)) ||
    (ranks.length === 0 && shared !== undefined);
  const unrolled = (body: Code, first: Expr): void => {
    const start = body.named("at", placeOf(loop, first));
    severalItems(loop, stage, body, first, { states: device.map((p) => ({ ...p, start })), ranks, shared });
  };
  const several = block
    ? (body: Code, first: Expr): void => blockOfItems(loop, stage, body, first, block)
    : isUnrolled && unrolled;
  let from: Expr = u32(0);
  if (loop.carrying && isCounted) {
    // Several items at a time begin where the place of the first is a multiple of their number.
    const most = device.some(isTree) ? mostInTree(loop.vectors) : UNROLLED;
    const ahead = and(sub(0, placeOf(loop, from)), most - 1);
    from = code.let("ahead", binary("min", ahead, n));
    code.for("i", 0, from, single);
  }
  const place = (i: Expr): Expr => placeOf(loop, i);
  const overVectors = (span: Span): Expr | undefined =>
    vectorLoop(loop, stage, code, span, {
      states: device,
      placeOf: place,
      otherwise: (inner, whole) =>
        several ? inner.for("i", whole.from, whole.below, several, UNROLLED) : eachOf(inner, whole, single),
    }) ?? whereLoop(loop, stage, code, span, { states: device, placeOf: place });
  const rest = ranks.length === 0 && overVectors({ from, below: n });
  if (rest) {
    code.comment("the tail");
    eachOf(code, { from: rest, below: n }, single);
  } else eachOf(code, { from, below: n }, single, several || undefined);
}

/** The place of an item in the order of the range. */
const placeOf = ({ carrying }: Loop, i: Expr): Expr => (carrying ? add(carrying.start, i) : i);

/** Results that are one value for the whole range, and the outputs of these. */
function finishStage(loop: Loop, stage: number, code: Code, device: readonly Progress[]): void {
  const { checked, plan, storage } = loop;
  for (const { component, state } of device) {
    for (const node of component.nodes.filter((other) => !isScan(other)))
      loop.uniforms.set(node.id, state.latest[fieldOf(node)] as Expr);
  }
  for (const node of checked.pipeline.nodes.filter(isCollective).filter(isPick)) {
    const isMine = plan.start.get(node.id) === stage && node.scope === "device";
    if (isMine) loop.uniforms.set(node.id, pick(loop, code, node));
  }
  const values = new SiteValues(siteAt(loop, u32(0)), loop.uniforms);
  for (const sink of sinksAt(plan, stage, ["uniform"])) storage.write(sink, values, code);
}
