/** Nodes that choose elements by their values. */
import type { AnyValue, U32Value } from "@groupwise/dsl";
import { casted, elementWise } from "./element-wise.ts";
import { transposed } from "./moves.ts";
import { axisOf } from "./reduce.ts";
import { Refusal } from "./refusal.ts";
import { extremes } from "./scan.ts";
import {
  countOf,
  extentOf,
  type ItemSpace,
  isOne,
  requireNumbers,
  reshaped,
  type Tensor,
  tensor,
} from "./space.ts";
import { apply, cast, elementsFrom, perItem, select } from "./value.ts";
import type { NodeView, Rule, UnknownLength } from "./view.ts";

/** 1 at the first maximum along an axis, 0 elsewhere; before version 13 along all axes from it on. */
function hardmax(view: NodeView): Tensor {
  const x = view.input(0);
  const axis = axisOf(view.whole("axis", view.version < 13 ? 1 : -1), x.dims);
  const flat = view.version < 13 ? [...x.dims.slice(0, axis), countOf(x.dims.slice(axis))] : x.dims;
  const own = reshaped(x, flat);
  const first = extremes(view, own, axis, { operator: "argmax" });
  const place = tensor("u32", flat, (index) => view.space.coordinate(index, flat, axis));
  const isFirst = elementWise(view, [place, first], ([a, b]) => apply(a as AnyValue, "eq", b), "bool");
  return reshaped(casted(isFirst, x.type), x.dims);
}

/** Each of the elements is a search through the rows. */
const MOST_FOUND = 32;

/** The largest or smallest elements along an axis, in their order; the first of equal ones first. */
function topK(view: NodeView): Tensor[] {
  const x = view.input(0);
  const { space } = view;
  const axis = axisOf(view.whole("axis", -1), x.dims);
  const [k = view.whole("k")] = view.wholeInput(1, "k is") ?? [];
  if (k === undefined || !(k >= 1 && k <= MOST_FOUND))
    throw new Refusal(`its k is ${k}, and a pipeline without a sort finds 1 to ${MOST_FOUND}`);
  const operator = view.whole("largest", 1) !== 0 ? "argmax" : "argmin";
  view.whole("sorted", 1);
  const rest = x.dims.flatMap((_, i) => (i === axis ? [] : [i]));
  const rows = transposed(space, x, [...rest, axis]);
  const last = rest.length;
  const found: Tensor[] = [];
  const place = tensor("u32", rows.dims, (index) => space.coordinate(index, rows.dims, last));
  for (let i = 0; i < k; i += 1) {
    const isTaken = (values: readonly AnyValue[]): AnyValue =>
      values
        .slice(1)
        .map((one) => apply(values[0] as AnyValue, "eq", one))
        .reduce((a, b) => apply(a, "or", b));
    const taken = i > 0 ? elementWise(view, [place, ...found], isTaken, "bool") : undefined;
    found.push(extremes(view, rows, last, { operator, ...(taken && { taken }) }));
  }
  const dims = [...rows.dims.slice(0, -1), k];
  const indices = tensor("u32", dims, (index) => {
    const own = found.map((one) =>
      one.read(
        space.project(
          space.index(index, `row${k}`, () => index.div(k)),
          one.dims,
          one.dims,
        ),
      ),
    );
    const column = space.coordinate(index, dims, last);
    return own.reduceRight((later, value, i) => select(column.eq(i), value, later));
  });
  const values = space.moved(rows, dims, (at, index) =>
    rows.dims.map((_, i) => (i === last ? (indices.read(index) as U32Value) : at(i))),
  );
  const order = x.dims.map((_, i) => (i === axis ? last : rest.indexOf(i)));
  return [transposed(space, values, order), casted(transposed(space, indices, order), "i64")];
}

/** A tensor of as many elements as a condition holds for, in their order: what each item writes, and where. */
interface Kept {
  readonly value: AnyValue;
  readonly where: AnyValue;
  readonly to: U32Value;
  readonly length: U32Value;
  readonly capacity: U32Value;
}
const sink = (type: Tensor["type"], rank: number, { value, where, ...rest }: Kept): UnknownLength => ({
  type,
  dims: Array.from({ length: rank }, () => "?"),
  sink: elementsFrom(type, perItem(value)).scatter({ where: where as never, ...rest }),
});

/** The number of true elements before each one of a list, and of all. */
function counted(space: ItemSpace, list: Tensor): { readonly before: Tensor; readonly total: U32Value } {
  const isListed = space.here.lt(space.elements(list.dims));
  const ones = apply(perItem(isListed.and(space.own(list) as never)), "toU32");
  const before = apply(ones, "scanExclusive", "add");
  return { before: space.items("u32", list.dims, before), total: apply(ones, "reduce", "add") as U32Value };
}

function compress(view: NodeView): UnknownLength {
  const [given, condition] = [view.input(0), view.input(1)];
  const { space } = view;
  const axis = view.whole("axis");
  const x = axis === undefined ? reshaped(given, [lengthOf(given.dims)]) : given;
  const along = axisOf(axis ?? 0, x.dims);
  const { before, total } = counted(space, condition);
  const place = space.coordinate(space.here, x.dims, along);
  const read = (list: Tensor): AnyValue => list.read(isOne(list.dims) ? space.zero : place);
  const block = countOf(x.dims.slice(along + 1));
  const [outer, inner] = [space.here.div(countOf(x.dims.slice(along)) || 1), space.here.rem(block)];
  const count = space.elements(x.dims);
  const isListed = place.lt(space.elements(condition.dims)).and(space.here.lt(count));
  return sink(x.type, x.dims.length, {
    value: space.own(x),
    where: isListed.and(read(condition) as never),
    to: outer
      .mul(total)
      .add(read(before) as U32Value)
      .mul(block)
      .add(inner),
    length: total.mul(countOf(x.dims.slice(0, along)) * block),
    capacity: count,
  });
}

const lengthOf = (dims: Tensor["dims"]): number | string => {
  const { factor, names } = extentOf(dims);
  if (names === "") return factor;
  throw new Refusal("its operand has sides that are not numbers");
};

/** The places of the elements that are not 0, axis by axis. */
function nonZero(view: NodeView): UnknownLength {
  const x = view.input(0);
  const { space } = view;
  const [sides, count] = [requireNumbers(x.dims), countOf(x.dims)];
  const rank = sides.length;
  if (rank === 0) throw new Refusal("its operand has no axis");
  const list = reshaped(casted(x, "bool"), [count]);
  space.require([rank * count]);
  const { before, total } = counted(space, list);
  const [axis, element] = [space.here.div(count || 1), space.here.rem(count || 1)];
  const places = sides.map((_, i) => space.coordinate(element, sides, i));
  const value = places.reduceRight((later, place, i) => axis.eq(i).select(place, later));
  const [capacity] = [space.elements([rank * count])];
  const read = (from: Tensor): AnyValue => from.read(count === 1 ? space.zero : element);
  return sink("i64", 2, {
    value: cast(value, "i64"),
    where: space.here.lt(capacity).and(read(list) as never),
    to: axis.mul(total).add(read(before) as U32Value),
    length: total.mul(rank),
    capacity,
  });
}

export const SELECTIONS: Readonly<Record<string, Rule>> = {
  Compress: compress,
  Hardmax: hardmax,
  NonZero: nonZero,
  TopK: topK,
};
