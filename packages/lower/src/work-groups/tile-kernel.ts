/**
 * The pass over all items in tiles: finishes the scans whose tile prefixes are known, writes outputs, and
 * reduces the items to the tile totals that the next stage needs.
 */
import { formula } from "@groupwise/ir/base/formula.js";
import { formOf, isScan } from "@groupwise/ir/document/collectives.js";
import type { NodeId, SinkNode } from "@groupwise/ir/document/node.js";
import type { ArrayRef, Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { add, binary, eq, lt, sub } from "@groupwise/kernel/language/make-expr.js";
import type { Kernel } from "@groupwise/kernel/language/module.js";
import type { Lanes } from "../lanes/lanes.ts";
import { type Component, operandsAt, placesOf } from "../parts/components.ts";
import { type Carry, product } from "../parts/monoid.ts";
import { siteAt } from "../parts/site.ts";
import { isPerGroup, sinksAt } from "../parts/stages.ts";
import { Values } from "../parts/values.ts";
import { type Context, countFormula, makeKernel, scansReadyAt } from "./context.ts";
import {
  baseOf,
  carryOf,
  exclusiveAt,
  monoidOfTileTotals,
  runOf,
  settleLast,
  storeTileTotals,
} from "./levels.ts";
import { tileDoc } from "./reduce-kernels.ts";
import { type Run, scanTile, totalOfTile } from "./tile.ts";
import type { TileTotals } from "./tile-totals.ts";
import { writeOthers } from "./write-row.ts";

/** Scans of the stage, and other values, that later stages read. */
function materializedAt(context: Context, stage: number, scans: readonly TileTotals[]): NodeId[] {
  const found = scans
    .flatMap(({ component }) => component.nodes.filter(isScan))
    .filter(({ id }) => context.plan.ready[id] === stage && context.plan.stored.has(id))
    .map(({ id }) => id);
  return [...found, ...(context.plan.materialized.get(stage) ?? [])];
}

export function tileKernel(context: Context, stage: number): Kernel | undefined {
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
    { hint, doc, workGroupSize: tiling.workGroupSize, groups },
    ({ code, lanes, group }) => {
      const base = baseOf(code, tile, group, lanes.lane);
      const components = scans.map(({ component }) => component);
      const nextMonoid = monoidOfTileTotals(next);
      const reduced = runOf(code, nextMonoid, tile.itemsPerWorkItem, !needsAll);
      lowerTile(context, code, lanes, {
        base,
        length: tile.itemsPerWorkItem,
        isFull: !needsAll,
        components,
        carry: () => carryOf(context, code, scans, 1, group),
        settle: (run) => {
          settleLast(context, code, 1, { totals: scans, tile: group, lane: lanes.lane, run });
          context.carrying?.settle(context, code, { totals: scans, base, run });
        },
        materialized,
        sinks,
        ...(next.length > 0 && {
          each: (body: Code, values: Values, k: Expr) =>
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
  settle?(run: Run): void;
  readonly materialized: readonly NodeId[];
  readonly sinks: readonly SinkNode[];
  /** Called for every item, before it is known to exist. */
  each?(code: Code, values: Values, k: Expr): void;
}

const loadOperands = (
  body: Code,
  values: Values,
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
const isFirst = ({ carrying }: Context, item: Expr): Expr =>
  eq(carrying ? binary("or", item, carrying.start) : item, 0);

/** Scans the items of a group, work-item by work-item, and writes the results. */
function lowerTile(context: Context, code: Code, lanes: Lanes, pass: TilePass): void {
  const { base, length, isFull, components, materialized, sinks } = pass;
  // A lane past the end reads the last item again: no existing item's prefix uses it.
  const clamp = (k: Expr): Expr => (isFull ? add(base, k) : binary("min", add(base, k), sub(context.n, 1)));
  const groups = sinks.filter((sink) => isPerGroup(context.checked, sink));
  const written = { materialized, items: sinks.filter((sink) => !groups.includes(sink)), groups };
  const monoid = product(components.map((component) => component.monoid));
  const scanned = runOf(code, monoid, length);
  let before: Expr[] = [];
  if (components.length > 0) {
    code.for("k", 0, length, (body, k) => {
      const item = body.let("i", clamp(k));
      loadOperands(body, new Values(siteAt(context, item)), components, scanned.arrays, k);
    });
    const exclusive = scanTile(code, lanes, monoid, scanned, pass.carry());
    pass.settle?.(scanned);
    before = exclusive.values.map((v) => code.var("before", v));
  }
  code.for("k", 0, length, (body, k) => {
    const item = body.let("i", clamp(k));
    const values = new Values(siteAt(context, item));
    const inclusive = scanned.arrays.map((array) => body.let("inclusive", body.load(array, k)));
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
