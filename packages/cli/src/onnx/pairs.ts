/** Nodes that compare all pairs of two lists: what a pipeline without a sort, and without scatters of floats, can hold of them. */
import type { AnyValue, U32Value } from "@groupwise/dsl";
import { casted, elementWise } from "./element-wise.ts";
import { placeOf } from "./gather.ts";
import { transposed } from "./moves.ts";
import { axisOf, reduced, sumType } from "./reduce.ts";
import { Refusal } from "./refusal.ts";
import { identityOf } from "./rows.ts";
import {
  broadcast,
  countOf,
  extentOf,
  isOne,
  printDims,
  requireNumbers,
  reshaped,
  sideOf,
  type Tensor,
  tensor,
} from "./space.ts";
import { apply, constantIn, elementsFrom, perItem, select } from "./value.ts";
import type { NodeResult, NodeView, Rule } from "./view.ts";

const MOST = 2 ** 24;
const BY = { none: "max", add: "add", mul: "mul", min: "min", max: "max" } as const;
type By = keyof typeof BY;

const listed = (x: Tensor): Tensor => reshaped(x, [countOf(x.dims)]);
const down = (x: Tensor): Tensor => reshaped(x, [countOf(x.dims), 1]);
const iota = (count: number): Tensor => tensor("u32", [count], (index) => index);

function requirePairs(a: number, b: number): void {
  if (a * b > MOST) throw new Refusal(`it compares ${a} · ${b} pairs, and at most ${MOST} are covered`);
}

/** Data in which updates are combined at their targets, in their order; without an operator the last one counts. */
function scattered(
  view: NodeView,
  data: Tensor,
  updates: Tensor,
  target: (update: U32Value) => U32Value,
): Tensor {
  const by = (view.text("reduction") ?? "none") as By;
  const op = BY[by];
  if (op === undefined) throw new Refusal(`its reduction is ${JSON.stringify(by)}`);
  const [rows, columns] = [countOf(data.dims), countOf(updates.dims)];
  requirePairs(rows, columns);
  if (columns === 0) return data;
  const places = tensor("u32", [columns], target);
  const given = by === "none" ? tensor("u32", [columns], (index) => index.add(1)) : listed(updates);
  const chosen = elementWise(
    view,
    [down(iota(rows)), places, given],
    ([place, to, value]) => {
      const own = value as AnyValue;
      return select(apply(place as AnyValue, "eq", to), own, identityOf(own, op));
    },
    given.type,
  );
  const found = reduced(view, chosen, [1], false, { op });
  const list = listed(data);
  if (by !== "none")
    return reshaped(
      elementWise(view, [list, found], ([own, more]) => both(own as AnyValue, op, more as AnyValue)),
      data.dims,
    );
  const values = tensor(data.type, [rows], (index) => {
    const which = found.read(isOne(found.dims) ? view.space.zero : index) as U32Value;
    const own = list.read(index);
    return select(
      which.eq(0),
      own,
      listed(updates).read(isOne(updates.dims) ? view.space.zero : which.sub(1)),
    );
  });
  return reshaped(values, data.dims);
}

const both = (a: AnyValue, op: (typeof BY)[By], b: AnyValue): AnyValue =>
  apply(a, a.type === "bool" ? { add: "or", mul: "and", min: "and", max: "or" }[op] : op, b);

function scatterElements(view: NodeView): Tensor {
  const [data, indices, updates] = [view.input(0), view.input(1), view.input(2)];
  const axis = axisOf(view.whole("axis", 0), data.dims);
  const { space } = view;
  const side = sideOf(data.dims, axis);
  const { dims } = indices;
  return scattered(view, data, updates, (update) => {
    const own = placeOf(indices.read(isOne(dims) ? space.zero : update), side);
    return space.flat(
      dims.map((_, i) => (i === axis ? own : space.coordinate(update, dims, i))),
      data.dims,
    );
  });
}

function scatterND(view: NodeView): Tensor {
  const [data, indices, updates] = [view.input(0), view.input(1), view.input(2)];
  const { space } = view;
  const sides = requireNumbers(data.dims);
  const depth = sideOf(indices.dims, indices.dims.length - 1);
  if (depth > sides.length) throw new Refusal(`its indices have ${depth} places for ${printDims(sides)}`);
  const block = countOf(sides.slice(depth));
  return scattered(view, data, updates, (update) => {
    const tuple = update.div(block).mul(depth);
    const places = Array.from({ length: depth }, (_, k) =>
      placeOf(indices.read(isOne(indices.dims) ? space.zero : tuple.add(k)), sides[k] as number),
    );
    return space.flat([...places, update.rem(block)], [...sides.slice(0, depth), block]);
  });
}

const isFloat = (a: AnyValue): boolean => a.type.startsWith("f");

/** Whether elements are equal: NaNs are, as in NumPy, and in ONNX's reference implementation. */
function isSame([a, b]: readonly AnyValue[]): AnyValue {
  const equal = apply(a as AnyValue, "eq", b);
  if (!isFloat(a as AnyValue)) return equal;
  return apply(equal, "or", apply(apply(a as AnyValue, "isNaN"), "and", apply(b as AnyValue, "isNaN")));
}

/** Whether an element precedes another one in order: a NaN is after all numbers. */
function isBefore([a, b]: readonly AnyValue[]): AnyValue {
  const less = apply(a as AnyValue, "lt", b);
  if (!isFloat(a as AnyValue)) return less;
  const isNumber = apply(apply(a as AnyValue, "isNaN"), "not");
  return apply(less, "or", apply(apply(b as AnyValue, "isNaN"), "and", isNumber));
}

/** Elements without repetitions, in their order or sorted, and where they are first, their numbers and counts. */
function unique(view: NodeView): NodeResult[] {
  const x = listed(view.input(0));
  if (view.whole("axis") !== undefined) throw new Refusal("it is along an axis");
  const isSorted = view.whole("sorted", 1) !== 0;
  const { space } = view;
  const count = countOf(x.dims);
  requirePairs(count, count);
  const over = (what: Tensor, op: "add" | "min"): Tensor => reduced(view, what, [1], false, { op });
  const places = iota(count);
  const same = elementWise(view, [x, down(x)], isSame, "bool");
  const firsts = elementWise(
    view,
    [same, places],
    ([is, at]) => select(is as AnyValue, at as AnyValue, constantIn("u32", 0xffffffff)),
    "u32",
  );
  const first = over(firsts, "min");
  const isFirst = elementWise(view, [first, places], ([a, b]) => apply(a as AnyValue, "eq", b), "bool");
  const earlier = isSorted
    ? elementWise(view, [x, down(x)], isBefore, "bool")
    : elementWise(view, [places, down(first)], ([a, b]) => apply(a as AnyValue, "lt", b), "bool");
  const ranked = elementWise(
    view,
    [earlier, isFirst],
    ([a, b]) => apply(apply(a as AnyValue, "and", b), "toU32"),
    "u32",
  );
  const rank = over(ranked, "add");
  const own = (one: Tensor): AnyValue => space.own(one);
  const isItem = space.here.lt(space.elements(x.dims));
  const total = apply(isItem.and(own(isFirst) as never).perItem(), "toU32");
  const length = apply(total, "reduce", "add") as U32Value;
  const kept = (one: Tensor): NodeResult => {
    const to = own(rank) as U32Value;
    const where = isItem.and(own(isFirst) as never);
    const options = { to, where, length, capacity: space.elements(x.dims) };
    return { type: one.type, dims: ["?"], sink: elementsFrom(one.type, perItem(own(one))).scatter(options) };
  };
  const counts = over(casted(same, "u32"), "add");
  return [kept(x), kept(casted(places, "i64")), casted(rank, "i64"), kept(casted(counts, "i64"))];
}

/** Sums of products over the last axis of one tensor and the last but one of the other. */
function matMul(view: NodeView): Tensor {
  const [left, right] = [view.input(0), view.input(1)];
  const isRow = left.dims.length === 1;
  const isColumn = right.dims.length === 1;
  const x = isRow ? reshaped(left, [1, ...left.dims]) : left;
  const y = isColumn ? reshaped(right, [...right.dims, 1]) : right;
  const rank = y.dims.length;
  const turned = transposed(view.space, y, [...y.dims.slice(0, -2).map((_, i) => i), rank - 1, rank - 2]);
  const [a, b] = [reshaped(x, x.dims.toSpliced(-1, 0, 1)), reshaped(turned, turned.dims.toSpliced(-2, 0, 1))];
  const { factor } = extentOf(broadcast([a, b]));
  requirePairs(factor, 1);
  const wide = sumType(x.type, "add");
  const products = elementWise(view, [casted(a, wide), casted(b, wide)], ([p, q]) =>
    apply(p as AnyValue, "mul", q),
  );
  const sums = reduced(view, products, [products.dims.length - 1], false, { op: "add" });
  const kept = sums.dims.flatMap((side, i) =>
    (isColumn && i === sums.dims.length - 1) || (isRow && i === sums.dims.length - 2) ? [] : [side],
  );
  return casted(reshaped(sums, kept), left.type);
}

export const PAIRS: Readonly<Record<string, Rule>> = {
  MatMul: matMul,
  Scatter: scatterElements,
  ScatterElements: scatterElements,
  ScatterND: scatterND,
  Unique: unique,
};
