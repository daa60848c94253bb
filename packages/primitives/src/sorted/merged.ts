/**
 * Two sorted arrays in their merged order, in which items of the first array precede equal ones of the second. A step finds where tiles of the
 * result divide the first array; an item then searches its tile alone.
 */
import type { DeviceArray, DeviceCount, PipelineSource } from "@groupwise/core";
import {
  type BoolValue,
  param,
  pipeline,
  type Table,
  type TableType,
  table,
  type U32Value,
  u32,
} from "@groupwise/dsl";
import type { Items, Steps } from "../base/primitive.ts";
import { standIn } from "../base/stand-in.ts";
import { greatest, type SortedOrder } from "./order.ts";

/** Items of a tile: a search in one takes as many reads as this has bits. */
const TILE_SHIFT = 8;
const TILE = 2 ** TILE_SHIFT;

type Pair = { readonly a: Table<"u32">; readonly b: Table<"u32"> };
type PairTypes = { readonly a: TableType<"u32">; readonly b: TableType<"u32"> };
const pairOf = ({ type }: SortedOrder): PairTypes => ({ a: table(standIn(type)), b: table(standIn(type)) });

/** Whether item `count - 1` of `a` is among the first k: those of `b` that precede it, and it itself, are at most k. */
const isAmong = (order: SortedOrder, { a, b }: Pair, k: U32Value, count: U32Value): BoolValue => {
  const others = k.sub(count);
  const isLast = others.ge(b.length);
  return count.le(k).and(isLast.or(order.isBefore(b.at(others), a.at(count.sub(1))).not()));
};

/** The number of items of both arrays, and of tiles of them with an end, for a number of items of `a` in device memory. */
const sizes: PipelineSource = /*@__PURE__*/ pipeline(
  "merge-sizes",
  { count: table(u32), at: param(u32), most: param(u32), others: param(u32) },
  ({ count, at, most, others }) => {
    const all = count.at(at).min(most).add(others);
    return {
      all,
      tiles: all
        .add(TILE - 1)
        .div(TILE)
        .add(1),
    };
  },
);

/** The number of items of `a` before each tile. */
const divide = (order: SortedOrder): PipelineSource =>
  pipeline(
    `merge-divide-${order.name}`,
    { ...pairOf(order), all: param(u32), count: table(u32), isCounted: param(u32) },
    ({ a, b, all, count, isCounted }, { index }) => {
      const items = isCounted.ne(0).select(count.at(0), all);
      const k = index().mul(TILE).min(items);
      const most = items.sub(b.length);
      return { tiles: greatest(32, most.min(k), (one) => isAmong(order, { a, b }, k, one)) };
    },
  );

/** An item of the merged order. */
export interface Merged {
  readonly value: U32Value;
  readonly isFromA: BoolValue;
  /** The numbers of items of each array that precede it; its index in its own. */
  readonly before: { readonly a: U32Value; readonly b: U32Value };
}

/** The item at each place of the merged order. */
export function mergedAt(
  order: SortedOrder,
  { a, b, tiles }: Pair & { readonly tiles: Table<"u32"> },
  { index, size }: { index(): U32Value; size(): U32Value },
): Merged {
  const [k, tile] = [index(), index().shr(TILE_SHIFT)];
  const [from, to] = [tiles.at(tile), tiles.at(tile.add(1))];
  const within = greatest(TILE_SHIFT, to.sub(from), (one) => isAmong(order, { a, b }, k, from.add(one)));
  const i = from.add(within);
  const j = k.sub(i);
  const items = size().sub(b.length);
  const [x, y] = [a.at(i), b.at(j)];
  const isFromA = i.lt(items).and(j.ge(b.length).or(order.isBefore(y, x).not()));
  return { value: isFromA.select(x, y), isFromA, before: { a: i, b: j } };
}

/** The inputs of a pipeline over the merged order. */
export const mergedInputs = (order: SortedOrder): PairTypes & { readonly tiles: TableType<"u32"> } => ({
  ...pairOf(order),
  tiles: table(u32),
});

type DividePipelines = Readonly<Record<"sizes" | "divide", PipelineSource>>;
/** The pipelines of {@link divideSteps}. */
export const dividePipelines = (order: SortedOrder): DividePipelines => ({ sizes, divide: divide(order) });

/** The steps before one over the merged order: its tiles, and its number of items. */
export function divideSteps(
  steps: Steps<DividePipelines>,
  { a, b }: { readonly a: DeviceArray; readonly b: DeviceArray },
  { items, n }: Items,
): { readonly tiles: DeviceArray<"u32">; readonly all: number | DeviceCount } {
  const most = n + b.length;
  const mostTiles = Math.ceil(most / TILE) + 1;
  const tiles = steps.array("u32", mostTiles);
  const both = { a, b, tiles, all: most };
  const count = steps.array("u32", 1);
  if (typeof items === "number") {
    steps.run("divide", { ...both, count, isCounted: 0 } as never, { n: mostTiles });
    return { tiles, all: most };
  }
  const tileCount = steps.array("u32", 1);
  const { count: counted, at = 0, max } = items;
  steps.run(
    "sizes",
    { count: counted, at, most: max, others: b.length, all: count, tiles: tileCount },
    { n: 1 },
  );
  steps.run("divide", { ...both, count, isCounted: 1 } as never, { n: { count: tileCount, max: mostTiles } });
  return { tiles, all: { count, max: most } };
}
