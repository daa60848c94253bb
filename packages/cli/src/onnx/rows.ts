/** Rows along axes of a tensor, one after another in the range. Each is combined as if it were alone. */
import type { Scalar } from "@groupwise/core";
import { OPS } from "@groupwise/core/target";
import {
  type AnyValue,
  type BoolValue,
  type OperatorDefinition,
  operator,
  type U32Value,
  u32,
} from "@groupwise/dsl";
import * as rows from "@groupwise/dsl/rows";
import { type Dims, type ItemSpace, isOne, type Tensor, tensor, uniform } from "./space.ts";
import { apply, descriptorOf, literal, perItem, select } from "./value.ts";

type Op = "add" | "mul" | "min" | "max";
/** The operator on a type: the maximum of bools is `or`. */
const operatorOn = ({ type }: Pick<AnyValue, "type">, op: Op): keyof typeof OPS =>
  type === "bool" && op === "min" ? "logical-and" : type === "bool" && op === "max" ? "logical-or" : op;

/** The identity of an operator. */
export const identityOf = (like: Pick<AnyValue, "type">, op: Op): AnyValue =>
  literal(like.type, OPS[operatorOn(like, op)].identity(like.type));

/** The rows along some axes of a tensor, and the lanes of rows without gaps. */
export interface AxisRows extends rows.RowShape {
  readonly length: U32Value;
  readonly last: U32Value;
  /** The logarithm of the lanes from row to row, if each is aligned. */
  readonly pitch: number | U32Value;
  /** Whether rows without gaps are aligned, and whether there is one, which is the range. */
  readonly isTight: boolean;
  readonly isWhole: boolean;
  /** The item in a lane, its place in its row, and options of a collective of each row. */
  readonly item: U32Value;
  readonly column: U32Value;
  readonly options: { readonly segments?: BoolValue };
  laneAt(row: U32Value, column: U32Value): U32Value;
  /** The tensor with the axes in the order in which items are counted. */
  turned(x: Tensor): Tensor;
}

/** The shape of a tensor without axes: with sides of 1, or left out. */
export const without = (dims: Dims, axes: readonly number[], keeps: boolean): Dims =>
  dims.flatMap((side, axis) => (axes.includes(axis) ? (keeps ? [1] : []) : [side]));

/** Rows along axes. The number of their items, and of those after the last of the axes, must follow from that of the range. @throws Refusal, Wider */
export function rowsAlong(space: ItemSpace, dims: Dims, axes: readonly number[]): AxisRows {
  space.require(dims);
  const { here } = space;
  const over = axes.filter((axis) => dims[axis] !== 1).sort((a, b) => a - b);
  const [start, end] = [over[0] as number, over.at(-1) as number];
  const rest = dims.flatMap((side, axis) => (side !== 1 && !over.includes(axis) ? [axis] : []));
  const isOne = rest.length === 0;
  const isApart = rest.some((axis) => axis > start && axis < end);
  const order = [...rest, ...over];
  const sidesOf = (some: readonly number[]): Dims => some.map((axis) => dims[axis] as number | string);
  const isWhole = isOne && space.isWhole(dims);
  const size = isWhole ? space.context.size() : space.count(sidesOf(over));
  const [length, last] = typeof size === "number" ? [u32(size), u32(size - 1)] : [size, size.sub(1)];
  const pitch = typeof size === "number" ? rows.pitchOf(size) : u32(32).sub(last.clz());
  const after = isApart ? [] : rest.filter((axis) => axis > end);
  const inner = after.length === 0 ? undefined : space.count(sidesOf(after));
  const column = isOne ? here : rows.columnOf(here, { length });
  return {
    ...{ length, inner, last, pitch, isWhole, column },
    isTight: isOne || (typeof pitch === "number" && size === 2 ** pitch),
    item: inner === undefined ? here : rows.itemAt(rows.rowOf(here, { length }), column, { length, inner }),
    options: isOne ? {} : { segments: column.eq(0) },
    laneAt: (row, at) => (isOne ? at : rows.itemAt(row, at, { length })),
    turned: (x) =>
      isApart
        ? space.moved(x, sidesOf(order), (at) =>
            dims.map((side, axis) => (side === 1 ? undefined : at(order.indexOf(axis)))),
          )
        : x,
  };
}

/** An operator on two rows at once. */
function twoOf(type: Scalar, op: Op): OperatorDefinition {
  const [own, none] = [descriptorOf(type), OPS[op].identity(type)];
  const combine = (left: readonly AnyValue[], right: readonly AnyValue[]): AnyValue[] =>
    left.map((one, k) => apply(one, op, right[k]));
  const rules = { combine, identity: [none, none] };
  return operator(`two_${op}_${type}`, [own, own] as never, rules as never) as never;
}

type PrefixAt = (row: U32Value, column: U32Value) => AnyValue;

/** Prefixes of each row in the order of the row alone, whatever its position: by places of rows, and by elements of the tensor. */
export function scanned(
  space: ItemSpace,
  own: AxisRows,
  x: Tensor,
  op: Op,
  form: "scanInclusive" | "scanExclusive",
): { readonly at: PrefixAt; of(item: U32Value): AnyValue } {
  const { last, pitch, item, inner, options, laneAt } = own;
  const { type, dims, read } = own.turned(x);
  const placed = (at: PrefixAt) => ({
    at,
    of: (one: U32Value) => at(rows.rowOf(one, own), rows.columnOf(one, own)),
  });
  const value = perItem(read(space.here));
  const by = operatorOn(value, op);
  if (own.isTight || OPS[by].exactlyAssociative(value.type)) {
    const sums = space.items(type, dims, apply(perItem(read(item)), form, by, options));
    const all = placed((row, column) => sums.read(laneAt(row, column)));
    return inner === undefined ? { ...all, of: sums.read } : all;
  }
  // Each row begins at a multiple of a power of two, less than twice its length. Two share their lanes, so that the range has room.
  const { row: two, column } = rows.placeOf(space.here, pitch);
  const values = [0, 1].map((k) => apply(value, "at", rows.itemAt(two.shl(1).add(k), column.min(last), own)));
  const sums = twoOf(value.type, op)[form](values, { segments: column.eq(0) }) as [AnyValue, AnyValue];
  return placed((row, at) => {
    const [even, odd] = sums.map((sum) => apply(sum, "at", row.shr(1).shl(pitch).add(at)));
    return select(row.and(1).eq(0), even as AnyValue, odd as AnyValue);
  });
}

/** A tensor combined over rows: one element for each row. */
export function combined(space: ItemSpace, own: AxisRows, x: Tensor, dims: Dims, op: Op): Tensor {
  if (own.isWhole) {
    const value = perItem(space.own(x));
    return uniform(x.type, dims, apply(value, "reduce", operatorOn(value, op)));
  }
  const { at } = scanned(space, own, x, op, "scanInclusive");
  return tensor(x.type, dims, (row) => at(row, own.last));
}

/** Whether a node combines single elements. */
export const isSingle = (dims: Dims, axes: readonly number[]): boolean =>
  isOne(axes.map((axis) => dims[axis] as number));
