/**
 * Two sorted arrays in their merged order, in which items of the first array precede equal ones of the second. A step finds where blocks of the
 * result divide the first array. Of eight consecutive items, the first is found by a search of its block, and each other by one comparison from the one before it:
 * they share all of this, and work-items compute it once (docs/decisions/shared-values.md).
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

/** Items of a block: a search in one takes as many pairs of reads as this has bits. */
const BLOCK_SHIFT = 9;
const BLOCK = 2 ** BLOCK_SHIFT;
/** Items that follow one another by comparisons. */
const TURN_SHIFT = 3;
const TURN = 2 ** TURN_SHIFT;

export type TablePair = { readonly a: Table<"u32">; readonly b: Table<"u32"> };
export type TablePairTypes = { readonly a: TableType<"u32">; readonly b: TableType<"u32"> };
export const pairOf = ({ type }: SortedOrder): TablePairTypes => ({
  a: table(standIn(type)),
  b: table(standIn(type)),
});

/** Whether item `count - 1` of `a` is among the first k: the item of `b` that would be the last of them without it does not precede it. */
const isAmong = (order: SortedOrder, { a, b }: TablePair, k: U32Value, count: U32Value): BoolValue =>
  order.isBefore(b.at(k.sub(count)), a.at(count.sub(1))).not();

/** The ends of blocks, the first and the last too. */
const endsOf = (items: U32Value): U32Value =>
  items
    .add(BLOCK - 1)
    .div(BLOCK)
    .add(1);

/** The number of items of both arrays, and of ends of blocks, for a number of items of `a` in device memory. */
const sizes: PipelineSource = /*@__PURE__*/ pipeline(
  "merge-sizes",
  { count: table(u32), at: param(u32), most: param(u32), others: param(u32) },
  ({ count, at, most, others }) => {
    const all = count.at(at).min(most).add(others);
    return { all, ends: endsOf(all) };
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
    const isLast = (count: U32Value): BoolValue => k.sub(count).ge(given.b.length);
    return {
      blocks: greatest(32, most.min(k), (count) => isLast(count).or(isAmong(order, given, k, count))),
    };
  });

/** An item of the merged order. */
export interface Merged {
  readonly value: U32Value;
  readonly isFromA: BoolValue;
  /** The numbers of items of each array that precede it; its index in its own. */
  readonly before: { readonly a: U32Value; readonly b: U32Value };
}
/** An item, of which the next item of each array is known: those at these indexes. */
interface Turn extends Merged {
  readonly next: { readonly a: U32Value; readonly b: U32Value };
}

/** The item of the merged order that so many items of each array precede. @param items of `a` */
export function itemAt(order: SortedOrder, pair: TablePair, before: Merged["before"], items: U32Value): Turn {
  return itemOf(order, pair, { before, next: { a: pair.a.at(before.a), b: pair.b.at(before.b) } }, items);
}

/** The first of the next items of both arrays. */
function itemOf(
  order: SortedOrder,
  { b }: TablePair,
  { before, next }: Pick<Turn, "before" | "next">,
  items: U32Value,
): Turn {
  const isFromA = before.a.lt(items).and(before.b.ge(b.length).or(order.isBefore(next.b, next.a).not()));
  return { value: isFromA.select(next.a, next.b), isFromA, before, next };
}

/** The item after one: only the array that it is from has another next item. */
function itemAfter(
  order: SortedOrder,
  pair: TablePair,
  { isFromA, before, next }: Turn,
  items: U32Value,
): Turn {
  const [a, b] = [before.a.add(1), before.b.add(1)];
  const read = isFromA.select(pair.a.at(a), pair.b.at(b));
  const after = { a: isFromA.select(a, before.a), b: isFromA.select(before.b, b) };
  const both = { a: isFromA.select(read, next.a), b: isFromA.select(next.b, read) };
  return itemOf(order, pair, { before: after, next: both }, items);
}

/** The item at each place of the merged order. */
export function mergedAt(
  order: SortedOrder,
  { blocks, ...pair }: TablePair & { readonly blocks: Table<"u32"> },
  { index, size }: { index(): U32Value; size(): U32Value },
): Merged {
  const items = size().sub(pair.b.length);
  const k = index().shr(TURN_SHIFT).mul(TURN);
  const block = index().shr(BLOCK_SHIFT);
  // At least so many are of `a`, as all of `b` precede the others.
  const from = blocks.at(block).max(k.sub(k.min(pair.b.length)));
  const most = blocks.at(block.add(1)).min(k).max(from);
  const i = greatest(BLOCK_SHIFT, most, (count) => isAmong(order, pair, k, count), from);
  const turns = [itemAt(order, pair, { a: i, b: k.sub(i) }, items)];
  while (turns.length < TURN) turns.push(itemAfter(order, pair, turns.at(-1) as Turn, items));
  const place = index().and(TURN - 1);
  const mine = <V extends U32Value | BoolValue>(of: (item: Merged) => V): V =>
    turns
      .map(of)
      .reduce((before, value, turn) => place.eq(turn).select(value as U32Value, before as U32Value) as V);
  return {
    value: mine(({ value }) => value),
    isFromA: mine(({ isFromA }) => isFromA),
    before: { a: mine(({ before }) => before.a), b: mine(({ before }) => before.b) },
  };
}

/** The inputs of a pipeline over the merged order. */
export const mergedInputs = (order: SortedOrder): TablePairTypes & { readonly blocks: TableType<"u32"> } => ({
  ...pairOf(order),
  blocks: table(u32),
});

type DividePipelines = Readonly<Record<"sizes" | "divide", PipelineSource>>;
/** The pipelines of {@link divideSteps}. */
export const dividePipelines = (order: SortedOrder): DividePipelines => ({ sizes, divide: divide(order) });

/** The steps before one over the merged order: its blocks, and its number of items. */
export function divideSteps(
  steps: Steps<DividePipelines>,
  { a, b }: { readonly a: DeviceArray; readonly b: DeviceArray },
  { items, n }: Items,
): { readonly blocks: DeviceArray<"u32">; readonly all: number | DeviceCount } {
  const most = n + b.length;
  const mostEnds = Math.ceil(most / BLOCK) + 1;
  const blocks = steps.array("u32", mostEnds);
  const count = steps.array("u32", 1);
  const isCounted = typeof items === "number" ? 0 : 1;
  const run = (of: number | DeviceCount): void =>
    steps.run("divide", { a, b, blocks, all: most, count, isCounted } as never, { n: of });
  if (typeof items === "number") {
    run(mostEnds);
    return { blocks, all: most };
  }
  const ends = steps.array("u32", 1);
  const { count: counted, at = 0, max } = items;
  steps.run("sizes", { count: counted, at, most: max, others: b.length, all: count, ends }, { n: 1 });
  run({ count: ends, max: mostEnds });
  return { blocks, all: { count, max: most } };
}
