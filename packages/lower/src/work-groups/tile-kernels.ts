/**
 * The pass over all items in tiles: finishes the scans whose tile prefixes are known, writes outputs, and
 * reduces the items to the tile totals that the next stage needs.
 */
import { formula } from "@groupwise/ir/base/formula.js";
import { formOf, isCollective, isPick, isScan } from "@groupwise/ir/document/collectives.js";
import type { BroadcastNode, NodeId, SinkNode } from "@groupwise/ir/document/node.js";
import type { ArrayRef, Code } from "@groupwise/kernel/language/build.js";
import type { Expr, VarExpr } from "@groupwise/kernel/language/expr.js";
import { add, binary, bool, eq, lt, mul, select, sub, u32 } from "@groupwise/kernel/language/make-expr.js";
import type { Kernel } from "@groupwise/kernel/language/module.js";
import { ROW } from "@groupwise/kernel/language/stmt.js";
import { combiningOn, inEitherWayOfGroup, type Test } from "../lanes/either-way.ts";
import { hasFirst, isHeavy, totalByFirst } from "../lanes/heavy.ts";
import { announce, type Lanes, repeat } from "../lanes/lanes.ts";
import { type Component, operandsAt, placesOf, productOf } from "../parts/components.ts";
import { type Carry, type Monoid, named, nothing, variables } from "../parts/monoid.ts";
import { pickedFrom, siteAt } from "../parts/site.ts";
import { isPerGroup, sinksAt } from "../parts/stages.ts";
import { SiteValues } from "../parts/values.ts";
import { needsCosts } from "../schedule/costly.ts";
import {
  countFormula,
  type GroupContext,
  itemsIn,
  type KernelParts,
  makeKernel,
  scansReadyAt,
} from "./context.ts";
import {
  baseOf,
  carryOf,
  correctLast,
  exclusiveAt,
  monoidOfTileTotals,
  runOf,
  storeTileTotals,
} from "./levels.ts";
import { isLight, tailOf } from "./map-kernels.ts";
import { rootsOf, type Sinks, sinksOf, writeOthers, writeRow } from "./row.ts";
import { eachTail } from "./tails.ts";
import { type ItemRun, scanTile, totalOfFew, totalOfRun, totalOfTile } from "./tile.ts";
import { AT_END, readTileTotals, type TileTotals } from "./tile-totals.ts";

/** Scans of the stage, and other values, that later stages read. */
function materializedAt(context: GroupContext, stage: number, scans: readonly TileTotals[]): NodeId[] {
  const found = scans
    .flatMap(({ component }) => component.nodes.filter(isScan))
    .filter(({ id }) => context.plan.ready[id] === stage && context.plan.stored.has(id))
    .map(({ id }) => id);
  return [...found, ...(context.plan.materialized.get(stage) ?? [])];
}

export function tileKernel(context: GroupContext, stage: number): Kernel | undefined {
  const { tiling, plan } = context;
  const tile = tiling.items;
  const scans = scansReadyAt(context, stage);
  const next = context.totals.get(stage) ?? [];
  const isWritten = context.elsewhere.has(stage);
  const sinks = isWritten ? [] : sinksAt(plan, stage, ["item", "group"]);
  const materialized = isWritten ? [] : materializedAt(context, stage, scans);
  const needsAll = sinks.length > 0 || materialized.length > 0 || (scans.length > 0 && next.length > 0);
  if (!needsAll && next.length === 0) return undefined;

  const groups = needsAll ? formula("ceil-div", "n", tile.size) : countFormula(tiling, 1);
  const hint = scans.length > 0 ? "scan" : next.length > 0 ? "tile_totals" : "map";
  const doc = tileDoc(context, stage, next.length > 0);
  return makeKernel(
    context,
    { hint, doc, workGroupSize: tiling.workGroupSize, groups, tile: itemsIn(tiling) },
    ({ code, lanes, group }) => {
      const base = baseOf(code, tiling, group, lanes.lane);
      const components = scans.map(({ component }) => component);
      const nextMonoid = monoidOfTileTotals(next);
      const reduced = runOf(code, nextMonoid, tile.itemsPerWorkItem, !needsAll);
      lowerTile(context, code, lanes, {
        base,
        length: tile.itemsPerWorkItem,
        isFull: !needsAll,
        components,
        carry: () => carryOf(context, code, scans, 1, group),
        correctLast: (run) => {
          correctLast(context, code, 1, { totals: scans, tile: group, lane: lanes.lane, run });
          context.carrying?.correctEnd(context, code, { totals: scans, base, run });
        },
        materialized,
        sinks,
        ...(next.length > 0 && {
          each: (body: Code, values: SiteValues, k: Expr) =>
            loadOperands(body, values, componentsIn(next), reduced.arrays, k),
        }),
      });
      if (next.length > 0) {
        storeTileTotals(context, code, {
          totals: next,
          level: 1,
          tile: group,
          lane: lanes.lane,
          total: totalOfTile(code, lanes, nextMonoid, reduced),
        });
      }
    },
  );
}

const componentsIn = (totals: readonly TileTotals[]): Component[] => totals.map(({ component }) => component);

/** Consecutive items of each work-item. */
interface TilePass {
  /** The work-item's first item. */
  readonly base: Expr;
  /** Their number, a power of two. */
  readonly length: number;
  /** Whether none of them is past the end. */
  readonly isFull: boolean;
  /** The scans that it finishes. */
  readonly components: readonly Component[];
  /** The prefix before the items of the group. */
  carry(): Carry;
  /** Corrects the last inclusive prefix. */
  correctLast?(run: ItemRun): void;
  readonly materialized: readonly NodeId[];
  readonly sinks: readonly SinkNode[];
  /** Called for every item, before it is known to exist. */
  each?(code: Code, values: SiteValues, k: Expr): void;
}

const loadOperands = (
  body: Code,
  values: SiteValues,
  components: readonly Component[],
  arrays: readonly ArrayRef[],
  k: Expr,
): void =>
  body.storeAll(
    arrays,
    k,
    components.flatMap((component) => operandsAt(component, values, body)),
  );

/** Whether an item is the first of the whole range. */
const isFirst = ({ carrying }: GroupContext, item: Expr): Expr =>
  eq(carrying ? binary("or", item, carrying.start) : item, 0);

/** Scans the items of a group, work-item by work-item, and writes the results. */
function lowerTile(context: GroupContext, code: Code, lanes: Lanes, pass: TilePass): void {
  const { base, length, isFull, components, materialized, sinks } = pass;
  // A lane past the end reads the last item again: no existing item's prefix uses it.
  const clamp = (k: Expr): Expr => (isFull ? add(base, k) : binary("min", add(base, k), sub(context.n, 1)));
  const groups = sinks.filter((sink) => isPerGroup(context.checked, sink));
  const written = { materialized, items: sinks.filter((sink) => !groups.includes(sink)), groups };
  const monoid = productOf(components);
  const scanned = runOf(code, monoid, length);
  let before: Expr[] = [];
  if (components.length > 0) {
    code.for("k", 0, length, (body, k) => {
      const item = body.let("i", clamp(k));
      loadOperands(body, new SiteValues(siteAt(context, item)), components, scanned.arrays, k);
    });
    const exclusive = scanTile(code, lanes, monoid, scanned, pass.carry());
    pass.correctLast?.(scanned);
    before = variables(code, monoid, "before", exclusive.values);
  }
  code.for("k", 0, length, (body, k) => {
    const item = body.let("i", clamp(k));
    const values = new SiteValues(siteAt(context, item));
    const inclusive = named(body, monoid, "inclusive", body.loadAll(scanned.arrays, k));
    for (const { node, at } of placesOf(components)) {
      if (!isScan(node)) continue;
      const exclusive = (): Expr => exclusiveAt(monoid, at, isFirst(context, item), before[at] as Expr);
      values.set(
        node.id,
        formOf(node) === "scan-inclusive" ? (inclusive[at] as Expr) : body.let("exclusive", exclusive()),
      );
    }
    pass.each?.(body, values, k);
    if (!isFull && sinks.length + materialized.length > 0)
      body.if(lt(add(base, k), context.n), (inner) => writeOthers(context, inner, values, written));
    before.forEach((b, i) => {
      body.assign(b as never, inclusive[i] as Expr);
    });
  });
}
/** The text of a pass over tiles, for readers. */
const tileDoc = ({ plan, tiling: { items } }: GroupContext, stage: number, stores: boolean): string[] => [
  `Pass ${plan.latency.stages.at(stage).turn + 1} over the items, ${items.size} to a work-group, ${items.itemsPerWorkItem} to a work-item.`,
  ...(stores ? ["Stores the total of every full tile for the next pass."] : []),
];

const NOTHING: Sinks = { scans: [], rows: [], items: [], groups: [] };

/**
 * The pass of a stage that reduces the items and finishes no scan, and a kernel for what it writes of the tail. Undefined if a work-item has no full
 * vec4, if nothing is stored as a vec4, or if computing takes longer than memory accesses.
 */
export function reduceKernels(context: GroupContext, stage: number): Kernel[] | undefined {
  const { tiling, elsewhere } = context;
  const totals = context.totals.get(stage) ?? [];
  if (totals.length === 0 || tiling.items.itemsPerWorkItem % ROW !== 0) return undefined;
  if (scansReadyAt(context, stage).length > 0) return undefined;
  const sinks = elsewhere.has(stage) ? NOTHING : sinksOf(context, stage, []);
  const writes = rootsOf(sinks);
  const roots = [...totals.flatMap(({ component }) => component.of), ...writes];
  if (writes.length > 0 && (sinks.rows.length === 0 || !isLight(context, roots))) return undefined;
  const { workGroupSize } = tiling;
  const doc = tileDoc(context, stage, true);
  const frame = {
    ...{ hint: "tile_totals", doc, workGroupSize },
    ...{ groups: countFormula(tiling, 1), tile: itemsIn(tiling) },
  };
  const reduce = makeKernel(context, frame, ({ code, lanes, group: tile }) => {
    const base = baseOf(code, tiling, tile, lanes.lane);
    const monoid = monoidOfTileTotals(totals);
    const store = (inner: Code, total: readonly Expr[]): void =>
      storeTileTotals(context, inner, { totals, level: 1, tile, lane: lanes.lane, total });
    const { scalars, subgroups } = context.capabilities;
    const isAlone = hasFirst(subgroups, workGroupSize) && isHeavy(monoid, scalars);
    const rows = { base, totals, sinks, monoid };
    if (isAlone) {
      totalByFirst(code, lanes, monoid, totalOfRun(code, monoid, reduceRows(context, code, rows)), store);
      return;
    }
    inEitherWayOfGroup(code, {
      // What is written is computed once.
      combining:
        writes.length > 0
          ? { lanes, monoid, native: undefined, found: undefined }
          : combiningOn(code, lanes, context.capabilities, monoid),
      heading: { title: "total_of_tile", doc: "The total of a tile.", returns: "tile_total" },
      given: {},
      compute: (inner, _, own, test) =>
        totalOfTile(inner, lanes, own, reduceRows(context, inner, { ...rows, monoid: own, test })),
      store,
    });
  });
  if (writes.length === 0) return [reduce];
  return [
    reduce,
    tailOf(context, { hint: "tile_tail", what: "tile", size: tiling.items.size, workGroupSize }, sinks),
  ];
}

/** The items of a work-item in a full tile, and what is written of them. */
interface Rows {
  readonly base: Expr;
  readonly totals: readonly TileTotals[];
  readonly sinks: Sinks;
  readonly monoid: Monoid;
  readonly test?: Test;
}

/**
 * The operands of the items, or the totals of four each. Values that take long are computed in a loop over the vec4s: copies of their text
 * would fill the caches of instructions.
 */
function reduceRows(
  context: GroupContext,
  code: Code,
  { base, totals, sinks, monoid, test = () => {} }: Rows,
): ItemRun {
  const { itemsPerWorkItem } = context.tiling.items;
  const components = totals.map(({ component }) => component);
  const roots = components.flatMap(({ of }) => of);
  const rows = itemsPerWorkItem / ROW;
  const isLoop = rows > 1 && needsCosts(context.checked, [...roots, ...rootsOf(sinks)], context.written);
  const run = runOf(code, monoid, isLoop ? rows : itemsPerWorkItem, true);
  const put = (inner: Code, k: Expr, values: readonly Expr[]): void => inner.storeAll(run.arrays, k, values);
  const body = (inner: Code, row: Expr): void => {
    const first = mul(row, ROW);
    const items: Expr[][] = [];
    const set = (values: SiteValues, j: number): void => {
      const operands = components.flatMap((component) => operandsAt(component, values, inner));
      items.push(operands.map((operand) => inner.named("item", operand)));
      if (!isLoop) put(inner, add(first, j), items[j] as Expr[]);
    };
    writeRow(context, inner, { base: inner.let("i", add(base, first)), sinks, roots, set });
    test(inner, items.flat());
    if (isLoop) put(inner, row, totalOfFew(inner, monoid, items).total);
  };
  repeat(code, { unrolled: !isLoop, hint: "row", from: u32(0), below: u32(rows), body });
  return run;
}

/*
 * Results that are one value for the whole range: one work-group combines the tails, level by level from the
 * highest, each seeding the next; then it evaluates values that depend only on the results.
 */

export function finishKernel(context: GroupContext, stage: number): Kernel | undefined {
  const { checked, plan, storage } = context;
  const results = [...context.totals.values()]
    .flat()
    .map((t) => ({
      ...t,
      component: {
        ...t.component,
        nodes: t.component.nodes.filter((node) => !isScan(node) && plan.ready[node.id] === stage),
      },
    }))
    .filter((t) => t.component.nodes.length > 0);
  const broadcasts = checked.pipeline.nodes
    .filter(isCollective)
    .filter(isPick)
    .filter((node) => node.scope === "device" && plan.ready[node.id] === stage);
  const sinks = sinksAt(plan, stage, ["uniform"]);
  if (results.length + broadcasts.length + sinks.length === 0) return undefined;

  const { carrying } = context;
  const size = results.length > 0 && !carrying ? context.tiling.workGroupSize : 1;
  const doc = ["Results for the whole range, by one work-group."];
  return makeKernel(context, { hint: "finish", doc, workGroupSize: size, groups: 1 }, (parts) => {
    const { code, lanes } = parts;
    const values = new SiteValues(siteAt(context, u32(0)));
    const folded = carrying
      ? readTileTotals(code, results, u32(AT_END)).map((value) => code.let("reduced", value))
      : results.length > 0
        ? fold(context, parts, results)
        : [];
    for (const { node, at } of placesOf(results.map((t) => t.component)))
      values.set(node.id, folded[at] as Expr);
    const finish = (inner: Code): void => {
      for (const node of broadcasts) values.set(node.id, pick(context, inner, node, values));
      for (const node of checked.pipeline.nodes.filter(isCollective)) {
        const isReady = plan.ready[node.id] === stage && checked.uniformities[node.id] === "uniform";
        // Late reduces are already in memory.
        const isMine = isReady && !plan.latency.inScans?.has(node.id);
        if (isMine && plan.stored.has(node.id)) storage.materialize(node.id, values, inner);
      }
      for (const sink of sinks) storage.write(sink, values, inner);
    };
    if (size === 1) finish(code);
    else code.if(eq(lanes.lane, 0), finish);
  });
}

function fold(context: GroupContext, parts: KernelParts, results: readonly TileTotals[]): Expr[] {
  const { code, lanes } = parts;
  const monoid = monoidOfTileTotals(results);
  const carry = nothing(monoid).values.map((v) => code.var("result", v));
  // The result of no items is the identity, which may not be neutral.
  const found = monoid.reassociable ? undefined : code.var("has_result", bool(false));
  const present = monoid.neutral ? undefined : found;
  const combining = combiningOn(code, lanes, context.capabilities, monoid);
  // What one work-item finds, for all.
  const passed = combining.native && monoid.types.map((type) => lanes.shared.make("prefix", type, 1));
  eachTail(context, parts, results, (some, { load, offset, last }) => {
    const { itemsPerWorkItem: length } = context.tiling.tilesOfTotals;
    // P(tail) is held by the work-item of item tail - 1.
    const isMine = binary("eq", binary("div", last, length), lanes.lane);
    let prefixes: readonly Expr[] = [];
    inEitherWayOfGroup(some, {
      combining,
      heading: {
        title: "prefix_of_tail",
        doc: "The prefix of the tail, in its last work-item.",
        returns: "prefix",
      },
      given: { before: carry, has_before: present ? [present] : [], offset: [offset] },
      compute: (code, args, own, test) => {
        test(code, args.before);
        const run = load(code, args.offset[0] as Expr, test);
        scanTile(code, lanes, own, run, { values: args.before, present: args.has_before[0] });
        return run.arrays.map((array) => code.load(array, binary("rem", last, length)));
      },
      store: (code, mine) => {
        if (passed) code.if(isMine, (one) => one.storeAll(passed, 0, mine));
        else prefixes = announce(code, lanes, isMine, mine);
      },
    });
    some.assignAll(carry as VarExpr[], passed ? some.loadAll(passed, 0) : prefixes);
    if (found) some.assign(found, bool(true));
  });
  return carry.map((c, i) => (found ? code.let("reduced", select(found, c, monoid.identity[i] as Expr)) : c));
}

function pick(context: GroupContext, code: Code, node: BroadcastNode, uniforms: SiteValues): Expr {
  const coordinates = node.index.map((id) => uniforms.get(id, code));
  const type = context.checked.types[node.id] as Expr["type"];
  return pickedFrom(context.geometry, code, { type, coordinates }, (some, at) =>
    new SiteValues(siteAt(context, at)).get(node.of, some),
  );
}
