/** Rows along axes of a tensor: items are scanned by segments, which are rows. */
import { OPS } from "@groupwise/core/target";
import { type AnyValue, type BoolValue, type U32Value, u32 } from "@groupwise/dsl";
import { Refusal } from "./refusal.ts";
import { type Dims, extentOf, type ItemSpace, isOne, printDims, type Tensor, tensor } from "./space.ts";
import { apply, literal, perItem, select } from "./value.ts";

type Op = "add" | "mul" | "min" | "max";
/** The operator on a type: the maximum of bools is `or`. */
export const operatorOn = ({ type }: Pick<AnyValue, "type">, op: Op): keyof typeof OPS =>
  type === "bool" && op === "min" ? "logical-and" : type === "bool" && op === "max" ? "logical-or" : op;

/** The identity of an operator. */
export const identityOf = (like: Pick<AnyValue, "type">, op: Op): AnyValue =>
  literal(like.type, OPS[operatorOn(like, op)].identity(like.type));

/** The rows along some axes of a tensor: what is combined, and where. */
interface Rows {
  /** Items of a row. */
  readonly length: U32Value;
  /** The place in its row of the item. */
  readonly column: U32Value;
  /** True for the first item of each row; undefined if there is one row. */
  readonly starts: BoolValue | undefined;
  /** Items row after row: those past the last row are the identity. */
  arranged(x: Tensor, op?: Op): AnyValue;
  /** The item with the element at an index of the tensor. */
  itemOf(index: U32Value): U32Value;
  /** The last item of a row, by the number of the row. */
  last(row: U32Value): U32Value;
}

/** The shape of a tensor without axes: with sides of 1, or left out. */
export const without = (dims: Dims, axes: readonly number[], keeps: boolean): Dims =>
  dims.flatMap((side, axis) => (axes.includes(axis) ? (keeps ? [1] : []) : [side]));

/** Rows along axes. Their sides, and those after the first of them, must be numbers, unless a row is the whole tensor. @throws Refusal, Wider */
export function rowsAlong(space: ItemSpace, dims: Dims, axes: readonly number[]): Rows {
  space.require(dims);
  const { here, context } = space;
  const over = axes.filter((axis) => dims[axis] !== 1).sort((a, b) => a - b);
  const rest = dims.flatMap((side, axis) => (side !== 1 && !over.includes(axis) ? [axis] : []));
  const isAll = rest.length === 0;
  const isWhole = isAll && space.isWhole(dims);
  const own = space.elements(dims);
  const masked = (value: AnyValue, op: Op | undefined): AnyValue =>
    isAll && !isWhole && op ? select(here.lt(own), value, identityOf(value, op)) : value;
  if (isAll)
    return {
      length: isWhole ? context.size() : own,
      column: here,
      starts: undefined,
      arranged: (x, op) => perItem(masked(space.own(x), op)),
      itemOf: (index) => index,
      last: () => (isWhole ? context.size() : own).sub(1),
    };
  const order = [...rest, ...over];
  const turned = order.map((axis) => dims[axis] as number | string);
  const isTurned = order.some((axis, i) => i > 0 && axis < (order[i - 1] as number));
  const length = rowLength(dims, over);
  /** The tensor with its rows as one side each. */
  const matrix: Dims = ["rows", length];
  const column = space.coordinate(here, matrix, 1);
  return {
    length: u32(length),
    column,
    starts: column.eq(0),
    arranged: (x) =>
      perItem(
        isTurned
          ? space.moved(x, turned, (at) => dims.map((_, axis) => placeIn(order, axis, at))).read(here)
          : space.own(x),
      ),
    itemOf: (index) =>
      isTurned
        ? space.index(index, `turn${order.join()}`, () =>
            space.flat(
              order.map((axis) => space.coordinate(index, dims, axis)),
              turned,
            ),
          )
        : index,
    last: (row) => space.flat([row, u32(length - 1)], matrix),
  };
}

const placeIn = (
  order: readonly number[],
  axis: number,
  at: (axis: number) => U32Value,
): U32Value | undefined => {
  const place = order.indexOf(axis);
  return place < 0 ? undefined : at(place);
};

/** @throws Refusal */
function rowLength(dims: Dims, over: readonly number[]): number {
  const known = dims.slice(over[0]);
  if (extentOf(known).names === "") return extentOf(over.map((axis) => dims[axis] as number)).factor;
  throw new Refusal(`the sides ${printDims(known)}, from the axis on, are not all positive numbers`);
}

/** A value that is combined over rows: one element for each row. */
export function combined(
  rows: Rows,
  { dims, type }: Pick<Tensor, "dims" | "type">,
  value: AnyValue,
  op: Op,
): Tensor {
  const operator = operatorOn(value, op);
  if (!rows.starts) {
    const total = apply(value, "reduce", operator);
    return tensor(type, dims, () => total);
  }
  const sums = apply(value, "scanInclusive", operator, { segments: rows.starts });
  return tensor(type, dims, (row) => apply(sums, "at", rows.last(row)));
}

/** Whether a node combines single elements. */
export const isSingle = (dims: Dims, axes: readonly number[]): boolean =>
  isOne(axes.map((axis) => dims[axis] as number));
