/**
 * Chunks, for devices of few wide cores: each work-item runs the loop of one thread over a chunk of the range. A scan has a pass for
 * the totals of chunks, and one for its values, in which each work-item first combines the totals of earlier chunks.
 */
import { type Formula, formula } from "@groupwise/ir/base/formula.js";
import { isCollective, isPick, isScan } from "@groupwise/ir/document/collectives.js";
import type { BroadcastNode, NodeId, ScatterNode, SinkNode } from "@groupwise/ir/document/node.js";
import { filledScatters } from "@groupwise/ir/slots/filled.js";
import { OPS } from "@groupwise/ir/tables/op.js";
import { SCALARS, type Scalar } from "@groupwise/ir/tables/scalar.js";
import type { Capabilities } from "@groupwise/kernel/capabilities/capabilities.js";
import type { CoreChunks } from "@groupwise/kernel/capabilities/chunks.js";
import type { ArrayRef, Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { add, and, binary, constant, mul, ne, sub, u32 } from "@groupwise/kernel/language/make-expr.js";
import type { Kernel } from "@groupwise/kernel/language/module.js";
import { type RunningItems, running } from "../../loops/counter.ts";
import { eachOf, type Starting, severalItems, sharedAt, unrolls } from "../../loops/each.ts";
import {
  closeGroup,
  item,
  type Loop,
  type Progress,
  pick,
  progressOf,
  pushingAt,
} from "../../loops/items.ts";
import { vectorLoop } from "../../loops/vectors.ts";
import { capacityOf } from "../../parts/capacity.ts";
import { type Component, fieldOf } from "../../parts/components.ts";
import { named } from "../../parts/monoid.ts";
import { siteAt } from "../../parts/site.ts";
import {
  againFor,
  type Latency,
  materializedIn,
  materializedValues,
  Stages,
  sinksAt,
} from "../../parts/stages.ts";
import { type Fill, Storage, sinkRef } from "../../parts/storage.ts";
import { type Lowered, type Lowering, SIZES } from "../../parts/strategy.ts";
import { SiteValues } from "../../parts/values.ts";
import { reducesInScans } from "../../ranks/reduces-in-scans.ts";
import { schedule } from "../../schedule/schedule.ts";
import { toExpr } from "../../work-groups/context.ts";
import {
  makeTileTotals,
  readTileTotals,
  type TileTotals,
  writeTileTotals,
} from "../../work-groups/tile-totals.ts";
import {
  type ChunkContext,
  finishingAt,
  groupedAt,
  reducedAt,
  startingAt,
  totalsOf,
  uniformsOf,
} from "./context.ts";
import {
  type Chunk,
  chunkKernel,
  earlierWorkItems,
  type Length,
  lengthOf,
  loopKernel,
  severalChunks,
  someWorkItems,
  workItems,
} from "./shape.ts";

// Totals of chunks in device memory. The total of a whole chunk is that of a block of the order of floats. The last chunk may be shorter:
// then the totals of its blocks follow those of the chunks, by log2 of their sizes.
/** Whether a shorter last chunk stores the totals of its blocks: only reduces need them. */
const hasBlocks = ({ monoid, nodes }: Component): boolean =>
  !monoid.reassociable && nodes.some((node) => !isScan(node));

/** The array for the totals of a component. @param most chunks */
const makeTotals = (component: Component, storage: Storage, most: number): TileTotals =>
  makeTileTotals(component, storage, most + (hasBlocks(component) ? SIZES : 0), "totals");

/** Stores the total of a chunk. */
function storeTotal(context: ChunkContext, code: Code, chunk: Chunk, { component, state }: Progress): void {
  const totals = totalsOf(context, component);
  writeTileTotals(code, [totals], chunk.number, state.latest);
  const { blocks } = state;
  if (!blocks || !hasBlocks(component)) return;
  code.if(binary("lt", sub(chunk.below, chunk.start), chunk.length.items), (short) =>
    short.for("level", 0, SIZES, (body, level) => {
      const total = named(body, component.monoid, "block", body.loadAll(blocks.totals, level));
      writeTileTotals(body, [totals], add(level, context.chunks.most), total);
    }),
  );
}

/** Adds whole chunks, from the first one on. @param inside whether there are totals of so many, for a reason that the kernel does not show */
function addChunks(
  code: Code,
  { component, state }: Progress,
  totals: TileTotals,
  { count, length, inside }: { readonly count: Expr; readonly length: Length; readonly inside: boolean },
): void {
  code.for("earlier", 0, count, (body, earlier) => {
    const read = readTileTotals(body, [{ ...totals, component }], earlier, inside);
    const total = named(body, component.monoid, "of_chunk", read);
    const end = body.let("end", binary("shl", add(earlier, 1), length.shift));
    state.pushBlock(body, sub(end, 1), total, length.shift);
  });
}

/** The combination of all items. */
function foldChunks(context: ChunkContext, code: Code, component: Component, length: Length): RunningItems {
  const { n } = context.geometry;
  const totals = totalsOf(context, component);
  const state = running(code, component.monoid, `${component.name}_so_far`);
  const rest = and(n, sub(length.items, 1));
  const whole = code.let("whole", binary("shr", n, length.shift));
  // The length is the least power of two for which there are at most as many chunks as totals.
  addChunks(code, { component, state }, totals, { count: whole, length, inside: true });
  if (component.monoid.reassociable) {
    code.if(ne(rest, 0), (short) => {
      // A chunk that is not whole is one of those for which there are totals.
      const total = readTileTotals(short, [{ ...totals, component }], whole, true);
      state.push(short, whole, total);
    });
    return state;
  }
  const end = code.var("end", binary("shl", whole, length.shift));
  code.for("step", 0, SIZES, (body, step) => {
    const level = body.let("level", and(sub(SIZES - 1, step), SIZES - 1));
    const size = body.let("size", binary("shl", 1, level));
    body.if(ne(and(rest, size), 0), (inner) => {
      const at = add(level, context.chunks.most);
      const read = readTileTotals(inner, [{ ...totals, component }], at);
      const total = named(inner, component.monoid, "block", read);
      inner.assign(end, add(end, size));
      state.pushBlock(inner, sub(end, 1), total, level);
    });
  });
  return state;
}

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
  const inScans = reducesInScans(checked, filled);
  const plan = schedule(checked, { ...LATENCY, filled, inScans });
  const storage = new Storage(checked, names, geometry, materializedIn(plan));
  const chunks = capabilities.chunks as CoreChunks;
  const totals = new Map<NodeId, TileTotals>();
  for (const { number } of plan.stages)
    for (const component of startingAt({ checked, plan, inScans }, number)) {
      const array = makeTotals(component, storage, chunks.most);
      for (const { id } of component.nodes) totals.set(id, array);
    }
  const fits = new Set(filled.keys());
  const { surplusGroups } = capabilities;
  const found = { plan, inScans, totals, fits, mostBins: mostBins(capabilities) };
  const context: ChunkContext = {
    ...{ checked, geometry, storage, names, chunks, surplusGroups, written: new Set<NodeId>() },
    capabilities: { scalars: capabilities.scalars },
    // Debug runs check each element.
    vectors: capabilities.accesses ? undefined : capabilities.vectors,
    ...found,
  };
  return { buffers: storage.buffers, kernels: kernelsOf(context) };
}

function* kernelsOf(given: ChunkContext): Generator<Kernel> {
  const { plan, storage } = given;
  for (const fill of storage.fills) yield fillKernel(given, fill);
  /** The stage whose results the pass before has written for a range of one chunk. */
  let finished: number | undefined;
  for (const [i, { number, kind }] of plan.stages.entries()) {
    const context: ChunkContext = { ...given, written: materializedValues(plan, number) };
    const finish = finishAt(context, number);
    if (finish) yield finishKernel(context, finish, finished === number);
    if (kind === "groups") {
      const kernel = groupPassKernel(context, number);
      if (kernel) yield kernel;
      continue;
    }
    // A pass over work-groups between may write what the results read.
    const after = plan.stages
      .slice(i + 1)
      .find((stage) => stage.kind === "items" || hasWork(given, stage.number));
    const next = after?.kind === "items" ? finishAt(context, after.number) : undefined;
    const pass = passKernel(context, number, next);
    if (pass) yield pass.kernel;
    finished = pass?.finishes ? after?.number : undefined;
  }
}

/** Whether a stage of work-groups has a kernel. */
const hasWork = (context: ChunkContext, stage: number): boolean =>
  hasGroupPass(context, stage) || finishAt(context, stage) !== undefined;

/** Writes the initial values of an output. */
function fillKernel(context: ChunkContext, { array, elements, value }: Fill): Kernel {
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

/*
 * The pass of a stage over the items, a chunk for each work-item.
 */

/** A pass, and whether it writes the results after it where there is one chunk. */
interface Pass {
  readonly kernel: Kernel;
  readonly finishes: boolean;
}

/** A collective in progress. */
interface Running extends Progress {
  /** The item from which its places count. */
  readonly origin: Expr;
}

/** @param next what is ready after the pass */
function passKernel(context: ChunkContext, stage: number, next: Finish | undefined): Pass | undefined {
  const { plan, chunks } = context;
  const [starting, finishing] = [startingAt(context, stage), finishingAt(context, stage)];
  const sinks = sinksAt(plan, stage, ["item", "group"]);
  const writes = sinks.length + (plan.materialized.get(stage) ?? []).length + finishing.length > 0;
  if (!writes && starting.length === 0) return undefined;
  const own = new Set(starting.flatMap(({ nodes }) => nodes.map(({ id }) => id)));
  const finishes =
    next !== undefined &&
    next.reduced.length > 0 &&
    next.reduced.every(({ nodes }) => nodes.every(({ id }) => own.has(id)));
  const isLastNeeded = writes || starting.some(({ nodes }) => nodes.some((node) => !isScan(node)));
  const hasResults = finishes || [...context.inScans.values()].some((id) => plan.ready[id] === stage);
  const lastOnes = hasResults ? someWorkItems(chunks) : workItems(chunks);
  const groups = isLastNeeded ? lastOnes : earlierWorkItems(chunks);
  const frame = {
    hint: writes ? "chunks" : "chunk_totals",
    doc: docOf(writes, starting),
    groups,
    isLastNeeded,
  };
  const kernel = chunkKernel(context, frame, (code, chunk) =>
    pass(context, code, chunk, { stage, starting, finishing, next: finishes ? next : undefined }),
  );
  return { kernel, finishes };
}

const docOf = (writes: boolean, starting: readonly Component[]): string[] => [
  `Each work-item loops over a chunk${writes ? "" : " and stores its totals"}${writes && starting.length > 0 ? ", and stores its totals" : ""}.`,
];

interface Work {
  readonly stage: number;
  readonly starting: readonly Component[];
  readonly finishing: readonly Component[];
  readonly next: Finish | undefined;
}

function pass(
  context: ChunkContext,
  code: Code,
  chunk: Chunk,
  { stage, starting, finishing, next }: Work,
): void {
  const { start, below, number, length } = chunk;
  const uniforms = uniformsOf(context, stage, code);
  const scans = finishing.map((component): Running => ({ ...progressOf(code, component), origin: u32(0) }));
  for (const scan of scans)
    addChunks(code, scan, totalsOf(context, scan.component), { count: number, length, inside: false });
  const totals = starting.map((component): Running => ({ ...progressOf(code, component), origin: start }));
  const bins = binsFor(context, code, sinksAt(context.plan, stage, ["item"]));
  const plain = { carrying: undefined, nexts: new Map(), ends: new Map() };
  const loop: Loop = { ...context, ...plain, uniforms, bins: bins.arrays };
  // Compilers vectorise totals themselves.
  const vectorised =
    totals.length === 0 && scans.length > 0
      ? vectorLoop(loop, stage, code, { from: start, below }, { states: scans, placeOf: (i) => i })
      : undefined;
  items(loop, stage, code, { from: vectorised ?? start, below, states: [...scans, ...totals] });
  bins.flush(code);
  storeInScans(context, code, chunk, scans);
  const store = (inner: Code): void => {
    for (const one of totals) storeTotal(context, inner, chunk, one);
  };
  if (!next) {
    store(code);
    return;
  }
  const byNode = new Map(
    totals.flatMap((one) => one.component.nodes.map(({ id }) => [id, one.state.latest] as const)),
  );
  const resultsOf = ({ nodes }: Component): readonly Expr[] => byNode.get(nodes[0]?.id as NodeId) ?? [];
  code.if(
    binary("le", context.geometry.n, length.items),
    (whole) => {
      const written = materializedValues(context.plan, next.stage);
      writeResults({ ...context, written }, whole, next, { uniforms: new Map(uniforms), resultsOf });
    },
    store,
  );
}

interface Items {
  readonly from: Expr;
  readonly below: Expr;
  readonly states: readonly Running[];
}

function items(loop: Loop, stage: number, code: Code, { from, below, states }: Items): void {
  const placeOf = (body: Code, { origin }: Running, i: Expr): Expr =>
    origin.kind === "const" ? i : body.let("place", sub(i, origin));
  const single = (body: Code, i: Expr): void => {
    const pushing = states.map((one) => pushingAt(one, placeOf(body, one, i)));
    item(loop, stage, body, loop.geometry.place(i), { states: pushing, ranks: [] });
  };
  const shared = sharedAt(loop, stage);
  const several = (body: Code, first: Expr): void => {
    const started = states.map((one): Starting => ({ ...one, start: placeOf(body, one, first) }));
    severalItems(loop, stage, body, first, { states: started, ranks: [], shared });
  };
  const isUnrolled = unrolls(loop.checked, states) || shared !== undefined;
  eachOf(code, { from, below }, single, isUnrolled ? several : undefined);
}

/** The last chunk has the prefix of the whole range, which is the result of a reduce. */
function storeInScans(
  { storage, inScans }: ChunkContext,
  code: Code,
  { isLast }: Chunk,
  scans: readonly Running[],
): void {
  const results = [...inScans].flatMap(([reduce, scan]) => {
    const found = scans.flatMap(({ component, state }) =>
      component.nodes.filter(({ id }) => id === scan).map((node) => state.latest[fieldOf(node)] as Expr),
    );
    return found.map((value) => ({ home: storage.home(reduce), value }));
  });
  if (results.length === 0) return;
  code.if(isLast, (last) => {
    for (const { home, value } of results) if (home) last.store(home, 0, value);
  });
}

/*
 * The pass of a stage over work-groups of the pipeline, one after the other in each work-item.
 */

const startedAt = ({ checked, plan }: ChunkContext, stage: number) =>
  checked.pipeline.nodes.filter(isCollective).filter(({ id }) => plan.start.get(id) === stage);

const hasGroupPass = (context: ChunkContext, stage: number): boolean =>
  startedAt(context, stage).length > 0 ||
  sinksAt(context.plan, stage, ["item", "group"]).length > 0 ||
  (context.plan.materialized.get(stage) ?? []).length > 0;

function groupPassKernel(context: ChunkContext, stage: number): Kernel | undefined {
  if (!hasGroupPass(context, stage)) return undefined;
  const { plan, geometry, chunks } = context;
  const mine = startedAt(context, stage);
  const groups = formula("min", geometry.groups, workItems(chunks));
  const doc = ["Each work-item loops over consecutive work-groups of the range."];
  return loopKernel(context, { hint: "groups", doc, groups }, (code, number) => {
    const uniforms = uniformsOf(context, stage, code);
    const grouped = groupedAt(context, stage).map((component) => progressOf(code, component, "of_group"));
    const bins = binsFor(context, code, sinksAt(plan, stage, ["item"]));
    const plain = { carrying: undefined, nexts: new Map(), ends: new Map() };
    const loop: Loop = { ...context, ...plain, uniforms, bins: bins.arrays };
    shareOf(context, code, { number, groups }, (body, at) => {
      const group = geometry.group(body, at);
      for (const { state } of grouped) state.reset(body);
      group.each(body, (inner, lane, place) => {
        const states = grouped.map((one) => pushingAt(one, lane));
        item(loop, stage, inner, place, { states, ranks: [] });
      });
      closeGroup(loop, body, mine, grouped, group);
    });
    bins.flush(code);
  });
}

/** A loop over the work-groups of a work-item: an equal share of all. */
function shareOf(
  context: ChunkContext,
  code: Code,
  { number, groups }: { readonly number: Expr; readonly groups: Formula },
  visit: (code: Code, group: Expr) => void,
): void {
  const all = code.let("all_groups", toExpr(context, context.geometry.groups));
  const sharers = code.let("work_items", toExpr(context, groups));
  const share = code.let("share", add(binary("div", sub(all, 1), sharers), 1));
  const from = code.let("from", binary("min", mul(number, share), all));
  const below = code.let("below", add(from, binary("min", share, sub(all, from))));
  code.for("group", from, below, visit);
}

/*
 * Results that are one value for the whole range, and the outputs of these.
 */

/** What is ready at a stage, before its pass. */
interface Finish {
  readonly stage: number;
  readonly reduced: readonly Component[];
  readonly picks: readonly BroadcastNode[];
  readonly sinks: readonly SinkNode[];
}

/** Undefined if there is nothing. */
function finishAt(context: ChunkContext, stage: number): Finish | undefined {
  const { checked, plan } = context;
  const reduced = reducedAt(context, stage);
  const picks = checked.pipeline.nodes
    .filter(isCollective)
    .filter(isPick)
    .filter((node) => node.scope === "device" && plan.ready[node.id] === stage);
  const sinks = sinksAt(plan, stage, ["uniform"]);
  return reduced.length + picks.length + sinks.length > 0 ? { stage, reduced, picks, sinks } : undefined;
}

/** Writes the results. @param resultsOf the values of a reduce */
function writeResults(
  context: ChunkContext,
  code: Code,
  { reduced, picks, sinks, stage }: Finish,
  { uniforms, resultsOf }: { readonly uniforms: Loop["uniforms"]; resultsOf(of: Component): readonly Expr[] },
): void {
  const { plan, storage } = context;
  for (const component of reduced) {
    const results = resultsOf(component);
    for (const node of component.nodes) uniforms.set(node.id, results[fieldOf(node)] as Expr);
  }
  const loop: Loop = { ...context, uniforms, carrying: undefined, nexts: new Map(), ends: new Map() };
  for (const node of picks) uniforms.set(node.id, pick(loop, code, node));
  const values = new SiteValues(siteAt(context, u32(0)), uniforms);
  const made = [...reduced.flatMap(({ nodes }) => nodes), ...picks];
  for (const { id } of made)
    if (plan.stored.has(id) && plan.ready[id] === stage) storage.materialize(id, values, code);
  for (const sink of sinks) storage.write(sink, values, code);
}

/** @param isMade whether the pass before has written the results of a range of one chunk */
function finishKernel(context: ChunkContext, finish: Finish, isMade: boolean): Kernel {
  const { chunks, geometry } = context;
  const doc = ["Results for the whole range."];
  const groups = isMade ? severalChunks(chunks) : 1;
  return loopKernel(context, { hint: "finish", doc, groups }, (code) => {
    const length = lengthOf(code, geometry.n, chunks);
    writeResults(context, code, finish, {
      uniforms: uniformsOf(context, finish.stage - 1, code),
      resultsOf: (component) => foldChunks(context, code, component, length).latest,
    });
  });
}

/*
 * Scatters of few slots combine in an array of the work-item, and at its end in their output: the loop has no atomics.
 */

/** Bins of a work-item, an eighth of the items of the shortest chunk, and the bytes of work-group memory for each: its own memory may be less. */
const MOST_BINS = 2 ** 13;
const BYTES_FOR_BIN = 16;

/** Maximum number of bins of a pass. */
export const mostBins = ({ workGroupMemory }: Pick<Capabilities, "workGroupMemory">): number =>
  Math.min(MOST_BINS, Math.floor(workGroupMemory / BYTES_FOR_BIN));

type Combining = ScatterNode & Required<Pick<ScatterNode, "combine" | "capacity">>;
const combines = (sink: SinkNode): sink is Combining =>
  sink.kind === "scatter" && sink.combine !== undefined && sink.capacity !== undefined;

interface Bins {
  readonly arrays: ReadonlyMap<NodeId, ArrayRef>;
  /** After the loop. */
  flush(code: Code): void;
}

/** Takes scatters in the order of the document while bins are left. */
function binsFor({ checked, mostBins: most }: ChunkContext, code: Code, sinks: readonly SinkNode[]): Bins {
  const arrays = new Map<NodeId, ArrayRef>();
  const flushes: ((code: Code) => void)[] = [];
  let left = most;
  for (const sink of sinks.filter(combines)) {
    const slots = capacityOf(checked, sink.capacity);
    if (typeof slots !== "number" || slots === 0 || slots > left) continue;
    left -= slots;
    const type = checked.types[sink.id] as Scalar;
    const identity = OPS[sink.combine].identity(type);
    const array = code.array(`${sink.name}_bins`, type, slots);
    arrays.set(sink.id, array);
    if (identity !== SCALARS[type].wrap(0))
      code.for("bin", 0, slots, (body, bin) => body.store(array, bin, constant(type, identity)));
    flushes.push((after) =>
      after.for("bin", 0, slots, (body, bin) => {
        const value = body.let("value", body.load(array, bin));
        const output = sinkRef(checked, sink);
        body.if(ne(value, constant(type, identity)), (some) => some.atomic(sink.combine, output, bin, value));
      }),
    );
  }
  const flush = (after: Code): void => {
    for (const one of flushes) one(after);
  };
  return { arrays, flush };
}
