/**
 * Two sorted arrays in their merged order, in which items of the first array precede equal ones of the second. Steps find where blocks of the
 * result divide the first array, and in each block its tiles; an item then searches its tile alone.
 */
import type { DeviceArray, DeviceCount, PipelineSource } from "@groupwise/core";
import {
  type BoolValue,
  type Handles,
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

/** Items of a tile and of a block of tiles: a search in one takes as many pairs of reads as this has bits. */
const TILE_SHIFT = 4;
const BLOCK_SHIFT = 8;
const [TILE, BLOCK] = [2 ** TILE_SHIFT, 2 ** BLOCK_SHIFT];

type Pair = { readonly a: Table<"u32">; readonly b: Table<"u32"> };
type PairTypes = { readonly a: TableType<"u32">; readonly b: TableType<"u32"> };
const pairOf = ({ type }: SortedOrder): PairTypes => ({ a: table(standIn(type)), b: table(standIn(type)) });

/** Whether item `count - 1` of `a` is among the first k: those of `b` that precede it, and it itself, are at most k. */
const isAmong = (order: SortedOrder, { a, b }: Pair, k: U32Value, count: U32Value): BoolValue => {
  const others = k.sub(count);
  const isLast = others.ge(b.length);
  return count.le(k).and(isLast.or(order.isBefore(b.at(others), a.at(count.sub(1))).not()));
};

/** The ends of parts of that many items, the first and the last too. */
const endsOf = (items: U32Value, part: number): U32Value =>
  items
    .add(part - 1)
    .div(part)
    .add(1);

/** The number of items of both arrays, and of ends of blocks and of tiles, for a number of items of `a` in device memory. */
const sizes: PipelineSource = /*@__PURE__*/ pipeline(
  "merge-sizes",
  { count: table(u32), at: param(u32), most: param(u32), others: param(u32) },
  ({ count, at, most, others }) => {
    const all = count.at(at).min(most).add(others);
    return { all, blocks: endsOf(all, BLOCK), tiles: endsOf(all, TILE) };
  },
);

const inputsOf = (order: SortedOrder) => ({
  ...pairOf(order),
  ...{ all: param(u32), count: table(u32), isCounted: param(u32) },
});

/** The number of items of both arrays. */
const itemsIn = ({ all, count, isCounted }: Handles<ReturnType<typeof inputsOf>>): U32Value =>
  isCounted.ne(0).select(count.at(0), all);

/** The number of items of `a` before each block. */
const divide = (order: SortedOrder): PipelineSource =>
  pipeline(`merge-divide-${order.name}`, inputsOf(order), (given, { index }) => {
    const items = itemsIn(given);
    const k = index().mul(BLOCK).min(items);
    const most = items.sub(given.b.length);
    return { blocks: greatest(32, most.min(k), (one) => isAmong(order, given, k, one)) };
  });

/** How many of the first k items are of `a`, of which it is known that `from` are, and at most `to`. @param bits of their difference */
const countIn = (
  order: SortedOrder,
  pair: Pair,
  k: U32Value,
  { from, to, bits }: { readonly from: U32Value; readonly to: U32Value; readonly bits: number },
): U32Value => from.add(greatest(bits, to.sub(from), (one) => isAmong(order, pair, k, from.add(one))));

/** The number of items of `a` before each tile, between those before its block and before the next one. */
const refine = (order: SortedOrder): PipelineSource =>
  pipeline(
    `merge-refine-${order.name}`,
    { ...inputsOf(order), blocks: table(u32) },
    ({ blocks, ...given }, { index }) => {
      const items = itemsIn(given);
      const k = index().mul(TILE).min(items);
      const block = index().shr(BLOCK_SHIFT - TILE_SHIFT);
      // The last tile may end with the last block, after which there is no other.
      const from = blocks.at(block);
      const to = blocks.at(block.add(1)).min(items.sub(given.b.length)).max(from);
      return { tiles: countIn(order, given, k, { from, to, bits: BLOCK_SHIFT }) };
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
  const i = countIn(order, { a, b }, k, { from, to, bits: TILE_SHIFT });
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

type DividePipelines = Readonly<Record<"sizes" | "divide" | "refine", PipelineSource>>;
/** The pipelines of {@link divideSteps}. */
export const dividePipelines = (order: SortedOrder): DividePipelines => ({
  sizes,
  divide: divide(order),
  refine: refine(order),
});

/** The steps before one over the merged order: its tiles, and its number of items. */
export function divideSteps(
  steps: Steps<DividePipelines>,
  { a, b }: { readonly a: DeviceArray; readonly b: DeviceArray },
  { items, n }: Items,
): { readonly tiles: DeviceArray<"u32">; readonly all: number | DeviceCount } {
  const most = n + b.length;
  const [mostBlocks, mostTiles] = [BLOCK, TILE].map((part) => Math.ceil(most / part) + 1) as [number, number];
  const [blocks, tiles] = [steps.array("u32", mostBlocks), steps.array("u32", mostTiles)];
  const count = steps.array("u32", 1);
  const isCounted = typeof items === "number" ? 0 : 1;
  const divided = { a, b, blocks, all: most, count, isCounted };
  const run = (ofBlocks: number | DeviceCount, ofTiles: number | DeviceCount): void => {
    steps.run("divide", divided as never, { n: ofBlocks });
    steps.run("refine", { ...divided, tiles } as never, { n: ofTiles });
  };
  if (typeof items === "number") {
    run(mostBlocks, mostTiles);
    return { tiles, all: most };
  }
  const [blockCount, tileCount] = [steps.array("u32", 1), steps.array("u32", 1)];
  const { count: counted, at = 0, max } = items;
  const sizesOf = { all: count, blocks: blockCount, tiles: tileCount };
  steps.run("sizes", { count: counted, at, most: max, others: b.length, ...sizesOf }, { n: 1 });
  run({ count: blockCount, max: mostBlocks }, { count: tileCount, max: mostTiles });
  return { tiles, all: { count, max: most } };
}
