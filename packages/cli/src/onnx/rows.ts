/** Rows along axes of a tensor, one after another in the range. Each is combined as if it were alone. */
import { OPS } from "@groupwise/core/target";
import { type AnyValue, type BoolValue, rows as places, type U32Value, u32 } from "@groupwise/dsl";
import { type Dims, type ItemSpace, isOne, type Tensor, tensor, uniform } from "./space.ts";
import { apply, literal, perItem, select } from "./value.ts";

type Op = "add" | "mul" | "min" | "max";
type Form = "scanInclusive" | "scanExclusive";
/** The operator on a type: the maximum of bools is `or`. */
export const operatorOn = ({ type }: Pick<AnyValue, "type">, op: Op): keyof typeof OPS =>
  type === "bool" && op === "min" ? "logical-and" : type === "bool" && op === "max" ? "logical-or" : op;

/** The identity of an operator. */
export const identityOf = (like: Pick<AnyValue, "type">, op: Op): AnyValue =>
  literal(like.type, OPS[operatorOn(like, op)].identity(like.type));

/** The rows along some axes of a tensor: what is combined, and where. */
export interface Rows extends places.RowShape {
  /** The number of items of a row, and its last place. */
  readonly count: U32Value;
  readonly last: U32Value;
  /** Whether there is one row, and whether it is the range. */
  readonly isAll: boolean;
  readonly isWhole: boolean;
  /** The tensor with its axes in the order in which items are counted. */
  turned(x: Tensor): Tensor;
}

/** The shape of a tensor without axes: with sides of 1, or left out. */
export const without = (dims: Dims, axes: readonly number[], keeps: boolean): Dims =>
  dims.flatMap((side, axis) => (axes.includes(axis) ? (keeps ? [1] : []) : [side]));

/** Rows along axes. The number of their items, and of those after the last of the axes, must follow from that of the range. @throws Refusal, Wider */
export function rowsAlong(space: ItemSpace, dims: Dims, axes: readonly number[]): Rows {
  space.require(dims);
  const over = axes.filter((axis) => dims[axis] !== 1).sort((a, b) => a - b);
  const last = over.at(-1) as number;
  const rest = dims.flatMap((side, axis) => (side !== 1 && !over.includes(axis) ? [axis] : []));
  const isApart = rest.some((axis) => axis > (over[0] as number) && axis < last);
  const order = [...rest, ...over];
  const sidesOf = (some: readonly number[]): Dims => some.map((axis) => dims[axis] as number | string);
  const after = isApart ? [] : rest.filter((axis) => axis > last);
  const isWhole = rest.length === 0 && space.isWhole(dims);
  const length = isWhole ? space.context.size() : space.count(sidesOf(over));
  return {
    length,
    count: typeof length === "number" ? u32(length) : length,
    last: typeof length === "number" ? u32(length - 1) : length.sub(1),
    inner: after.length === 0 ? undefined : space.count(sidesOf(after)),
    isAll: rest.length === 0,
    isWhole,
    turned: (x) =>
      isApart
        ? space.moved(x, sidesOf(order), (at) =>
            dims.map((side, axis) => (side === 1 ? undefined : at(order.indexOf(axis)))),
          )
        : x,
  };
}

/** The prefixes of rows. */
interface Prefixes {
  at(row: U32Value, column: U32Value): AnyValue;
  /** That of an element of the tensor. */
  of(item: U32Value): AnyValue;
}

/** Rows without gaps. */
interface Lanes {
  /** The place in its row of the item in a lane. */
  readonly column: U32Value;
  readonly item: U32Value;
  /** Of a collective of each row. */
  readonly options: { readonly segments?: BoolValue };
  laneAt(row: U32Value, column: U32Value): U32Value;
}

export function lanesOf({ here }: ItemSpace, rows: Rows): Lanes {
  const { inner, isAll } = rows;
  const dense = { length: rows.length };
  const column = isAll ? here : places.columnOf(here, dense);
  return {
    column,
    item: inner === undefined ? here : places.itemAt(places.rowOf(here, dense), column, rows),
    options: isAll ? {} : { segments: column.eq(0) },
    laneAt: (row, at) => (isAll ? at : places.itemAt(row, at, dense)),
  };
}

/** Prefixes of each row in the order of the row alone, whatever its position. */
export function scanned(space: ItemSpace, rows: Rows, given: Tensor, op: Op, form: Form): Prefixes {
  const { length, inner, isAll } = rows;
  const x = rows.turned(given);
  const scan = (item: U32Value, options: Lanes["options"]): Tensor => {
    const value = perItem(x.read(item));
    return space.items(x.type, x.dims, apply(value, form, operatorOn(value, op), options));
  };
  const placed = (at: Prefixes["at"]): Prefixes => ({
    at,
    of: (item) => at(places.rowOf(item, rows), places.columnOf(item, rows)),
  });
  const { type } = space.own(given);
  const isExact = OPS[operatorOn({ type }, op)].exactlyAssociative(type);
  if (isAll || isExact || (typeof length === "number" && length === 2 ** places.pitchOf(length))) {
    const { item, options, laneAt } = lanesOf(space, rows);
    const sums = scan(item, options);
    const all = placed((row, column) => sums.read(laneAt(row, column)));
    return inner === undefined ? { ...all, of: sums.read } : all;
  }
  const pitch = typeof length === "number" ? places.pitchOf(length) : u32(32).sub(rows.last.clz());
  // Rows begin at multiples of a power of two, two of them in the same lanes: the range has fewer than twice the lanes of rows without gaps.
  const { row: pair, column } = places.placeOf(space.here, pitch);
  const own = column.min(rows.last);
  const [even, odd] = [0, 1].map((k) =>
    scan(places.itemAt(pair.shl(1).add(k), own, rows), { segments: column.eq(0) }),
  ) as [Tensor, Tensor];
  return placed((row, at) => {
    const lane = row.shr(1).shl(pitch).add(at);
    return select(row.and(1).eq(0), even.read(lane), odd.read(lane));
  });
}

/** A tensor combined over rows: one element for each row. */
export function combined(space: ItemSpace, rows: Rows, x: Tensor, dims: Dims, op: Op): Tensor {
  if (rows.isWhole) {
    const value = perItem(space.own(x));
    return uniform(x.type, dims, apply(value, "reduce", operatorOn(value, op)));
  }
  const sums = scanned(space, rows, x, op, "scanInclusive");
  return tensor(x.type, dims, (row) => sums.at(row, rows.last));
}

/** Whether a node combines single elements. */
export const isSingle = (dims: Dims, axes: readonly number[]): boolean =>
  isOne(axes.map((axis) => dims[axis] as number));
