import type { Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { add, mul, u32 } from "@groupwise/kernel/language/make-expr.js";
import type { Kernel } from "@groupwise/kernel/language/module.js";
import { ROW } from "@groupwise/kernel/language/stmt.js";
import { hasFirst, isHeavy, totalByFirst } from "../lanes/heavy.ts";
import { repeat } from "../lanes/lanes.ts";
import { operandsAt } from "../parts/components.ts";
import type { Values } from "../parts/values.ts";
import { needsCosts } from "../schedule/costly.ts";
import { type Context, countFormula, makeKernel, scansReadyAt } from "./context.ts";
import { baseOf, monoidOfTileTotals, runOf, storeTileTotals } from "./levels.ts";
import { isLight, tailOf } from "./map-kernels.ts";
import { type Run, totalOfFew, totalOfRun, totalOfTile } from "./tile.ts";
import type { TileTotals } from "./tile-totals.ts";
import { rootsOf, type Sinks, sinksOf, writeRow } from "./write-row.ts";

/** The text of a pass over tiles, for readers. */
export const tileDoc = ({ plan, tiling: { items } }: Context, stage: number, stores: boolean): string[] => [
  `Pass ${plan.latency.stages.at(stage).turn + 1} over the items, ${items.size} to a work-group, ${items.itemsPerWorkItem} to a work-item.`,
  ...(stores ? ["Stores the total of every full tile for the next pass."] : []),
];

const NOTHING: Sinks = { scans: [], rows: [], items: [], groups: [] };

/**
 * The pass of a stage that reduces the items and finishes no scan, and a kernel for what it writes of the tail. Undefined if a work-item has no full
 * vec4, if nothing is stored as a vec4, or if computing takes longer than memory accesses.
 */
export function reduceKernels(context: Context, stage: number): Kernel[] | undefined {
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
  const frame = { hint: "tile_totals", doc, workGroupSize, groups: countFormula(tiling, 1) };
  const reduce = makeKernel(context, frame, ({ code, lanes, group: tile }) => {
    const base = baseOf(code, tiling.items, tile, lanes.lane);
    const run = reduceRows(context, code, { base, totals, sinks });
    const monoid = monoidOfTileTotals(totals);
    const store = (inner: Code, total: readonly Expr[]): void =>
      storeTileTotals(context, inner, { totals, level: 1, tile, lane: lanes.lane, total });
    const { scalars, subgroups } = context.capabilities;
    const isAlone = hasFirst(subgroups, workGroupSize) && isHeavy(monoid, scalars);
    if (isAlone) totalByFirst(code, lanes, monoid, totalOfRun(code, monoid, run), store);
    else store(code, totalOfTile(code, lanes, monoid, run));
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
}

/**
 * The operands of the items, or the totals of four each. Values that take long are computed in a loop over the vec4s: copies of their text
 * would fill the caches of instructions.
 */
function reduceRows(context: Context, code: Code, { base, totals, sinks }: Rows): Run {
  const { itemsPerWorkItem } = context.tiling.items;
  const components = totals.map(({ component }) => component);
  const roots = components.flatMap(({ of }) => of);
  const rows = itemsPerWorkItem / ROW;
  const isLoop = rows > 1 && needsCosts(context.checked, [...roots, ...rootsOf(sinks)], context.written);
  const monoid = monoidOfTileTotals(totals);
  const run = runOf(code, monoid, isLoop ? rows : itemsPerWorkItem, true);
  const put = (inner: Code, k: Expr, values: readonly Expr[]): void => inner.storeAll(run.arrays, k, values);
  const body = (inner: Code, row: Expr): void => {
    const first = mul(row, ROW);
    const items: Expr[][] = [];
    const set = (values: Values, j: number): void => {
      const operands = components.flatMap((component) => operandsAt(component, values, inner));
      if (isLoop) items.push(operands.map((operand) => inner.named("item", operand)));
      else put(inner, add(first, j), operands);
    };
    writeRow(context, inner, { base: inner.let("i", add(base, first)), sinks, roots, set });
    if (isLoop) put(inner, row, totalOfFew(inner, monoid, items).total);
  };
  repeat(code, { unrolled: !isLoop, hint: "row", from: u32(0), below: u32(rows), body });
  return run;
}
