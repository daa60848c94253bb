/** Rows along some of the axes of the range, in one pipeline: items are scanned by segments, which are rows. */
import type { AnyValue, BoolValue, Context, U32Value } from "@groupwise/dsl";
import { Refusal } from "./refusal.ts";
import { apply, type Dims, layoutOf, perItem, printDims, type Tensor, type TensorAxes } from "./value.ts";

/** The rows along neighbouring axes. */
export interface TensorRows {
  /** The number of items of a row. */
  readonly length: number;
  /** The place in the row of the item that `turn` moves to each index. */
  readonly column: U32Value;
  /** True where `column` is 0. */
  readonly starts: BoolValue;
  /** The items row after row. */
  turn(value: AnyValue): AnyValue;
  /** Items that were turned, in their own places. */
  back(value: AnyValue): AnyValue;
  /** The last one of each row of turned items, at each item of that row. */
  last(value: AnyValue): AnyValue;
}

const product = (sides: readonly number[]): number => sides.reduce((all, side) => all * side, 1);

/** Items of a row, and between two neighbours of one. @throws Refusal unless the sides from the first of the axes on are numbers */
function stepsOf(sides: Dims, over: readonly number[]): { readonly length: number; readonly inner: number } {
  const [from, to] = [over[0] as number, over.at(-1) as number];
  if (to - from + 1 !== over.length)
    throw new Refusal(`the axes of the shape ${printDims(sides)} are no neighbours`);
  const known = sides.slice(from);
  if (!known.every((side) => typeof side === "number" && side > 0))
    throw new Refusal(`the sides ${printDims(known)}, from the axis on, are not all positive numbers`);
  const [all, inner] = [product(known as number[]), product(sides.slice(to + 1) as number[])];
  return { length: all / inner, inner };
}

/**
 * @param sides those of the range
 * @param over the axes, from the first on
 * @throws Refusal
 */
export function rowsAlong({ index }: Context, sides: Dims, over: readonly number[]): TensorRows {
  const { length, inner } = stepsOf(sides, over);
  const item = index();
  const column = item.rem(length);
  const row = rowOf(item, length, inner);
  const at = (value: AnyValue, place: U32Value): AnyValue => apply(perItem(value), "at", place);
  const turned = item.div(length);
  const source = turned.div(inner).mul(length).add(column).mul(inner).add(turned.rem(inner));
  return {
    length,
    column,
    starts: column.eq(0),
    turn: (value) => (inner === 1 ? perItem(value) : at(value, source)),
    back: (value) => (inner === 1 ? value : at(value, row.mul(length).add(item.div(inner).rem(length)))),
    last: (value) => at(value, row.mul(length).add(length - 1)),
  };
}

const rowOf = (item: U32Value, length: number, inner: number): U32Value =>
  inner === 1
    ? item.div(length)
    : item
        .div(length * inner)
        .mul(inner)
        .add(item.rem(inner));

/** The axes of the range that a tensor lacks. */
function missing({ at, sides }: TensorAxes): readonly number[] {
  return sides.flatMap((_, axis) => (at.includes(axis) ? [] : [axis]));
}

/** The number of elements of a tensor. */
export function elementsOf(tensor: Tensor, { size }: Pick<Context, "size">): U32Value {
  const { at, sides } = layoutOf(tensor);
  const over = missing({ at, sides });
  return over.length === 0 ? size() : size().div(stepsOf(sides, over).length);
}

/** Where the elements of a tensor of rows are written: by the last item of each row, and by the last item, which finds a row that is not whole. */
export function writing(
  tensor: Tensor,
  context: Context,
): { to: U32Value; where: BoolValue; capacity: U32Value } {
  const { at, sides } = layoutOf(tensor);
  const { length, inner } = stepsOf(sides, missing({ at, sides }));
  const item = context.index();
  const isLast = item.eq(context.size().sub(1));
  return {
    to: rowOf(item, length, inner),
    where: item
      .div(inner)
      .rem(length)
      .eq(length - 1)
      .or(isLast),
    capacity: elementsOf(tensor, context),
  };
}
