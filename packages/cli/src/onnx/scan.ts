/** Scans along an axis, and indexes of extremes. */
import { type AnyValue, operators, type ScalarType } from "@groupwise/dsl";
import { casted } from "./element-wise.ts";
import { axisOf, sumType } from "./reduce.ts";
import { Refusal } from "./refusal.ts";
import { identityOf, rowsAlong, scanned, without } from "./rows.ts";
import { reshaped, type Tensor, tensor, uniform } from "./space.ts";
import { scalarOf } from "./types.ts";
import { apply, cast, constantIn, descriptorOf, perItem, select, wrapped } from "./value.ts";
import type { NodeView, Rule } from "./view.ts";

const scan =
  (op: "add" | "mul"): Rule =>
  (view) => {
    const x = view.input(0);
    const [given] = view.wholeInput(1, "axis is") ?? [];
    if (given === undefined) throw new Refusal("its axis is missing");
    const axis = axisOf(given, x.dims);
    const form = view.whole("exclusive", 0) !== 0 ? "scanExclusive" : "scanInclusive";
    const reverse = view.whole("reverse", 0) !== 0;
    const wide = sumType(x.type, op);
    const stored = (value: AnyValue): AnyValue => wrapped(cast(value, scalarOf(x.type)), x.type);
    if (x.dims[axis] === 1 || x.dims.length === 0)
      return form === "scanInclusive" ? x : uniform(x.type, x.dims, stored(identityOf({ type: wide }, op)));
    const { space } = view;
    const mirrored = (from: Tensor): Tensor =>
      reverse
        ? space.moved(from, x.dims, (at) => x.dims.map((_, i) => (i === axis ? rows.last.sub(at(i)) : at(i))))
        : from;
    const rows = rowsAlong(space, x.dims, [axis]);
    const items = tensor(x.type, x.dims, (index) => cast(x.read(index), wide));
    const sums = scanned(space, rows, mirrored(items), op, form);
    return mirrored(tensor(x.type, x.dims, (index) => stored(sums.of(index))));
  };

type Indexed = { readonly index: AnyValue };
type Extreme = (type: ScalarType<"f32">) => {
  reduce(record: object): Indexed;
  scanInclusive(record: object, options: object): Indexed;
};

interface Choice {
  readonly operator: "argmax" | "argmin";
  /** Of equal elements the last one counts. */
  readonly isLast?: boolean;
  /** Elements that do not count. */
  readonly taken?: Tensor;
}

/** The index in its row of the extreme of each row, with sides of 1; a NaN wins, as in NumPy. */
export function extremes(
  { space }: Pick<NodeView, "space">,
  x: Tensor,
  axis: number,
  { operator, isLast = false, taken }: Choice,
): Tensor {
  const dims = without(x.dims, [axis], true);
  if (x.dims[axis] === 1 || x.dims.length === 0) return uniform("u32", dims, space.zero);
  const rows = rowsAlong(space, x.dims, [axis]);
  const { column, item, options, laneAt } = rows;
  const turn = (index: AnyValue): AnyValue => (isLast ? apply(rows.last, "sub", index) : index);
  const op = operator === "argmax" ? "max" : "min";
  const own = perItem(x.read(item));
  const none = taken?.read(item);
  const value = none ? select(none, identityOf(own, op), own) : own;
  const made = (operators[operator] as unknown as Extreme)(descriptorOf(value.type) as ScalarType<"f32">);
  const place = turn(column);
  const record = { value, index: none ? select(none, constantIn("u32", 0xffffffff), place) : place };
  if (rows.isWhole) return uniform("u32", dims, turn(made.reduce(record).index));
  const { index } = made.scanInclusive(record, options);
  return tensor("u32", dims, (row) => turn(apply(index, "at", laneAt(row, rows.last))));
}

const extreme =
  (operator: "argmax" | "argmin"): Rule =>
  (view) => {
    const x = view.input(0);
    const axis = axisOf(view.whole("axis", 0), x.dims);
    const isLast = view.whole("select_last_index", 0) !== 0;
    const found = extremes(view, x, axis, { operator, isLast });
    return casted(reshaped(found, without(x.dims, [axis], view.whole("keepdims", 1) !== 0)), "i64");
  };

export const SCANS: Readonly<Record<string, Rule>> = {
  CumSum: scan("add"),
  CumProd: scan("mul"),
  ArgMax: extreme("argmax"),
  ArgMin: extreme("argmin"),
};
