/** Scans along an axis, and indexes of extremes. */
import { type AnyValue, operators, type ScalarType } from "@groupwise/dsl";
import { casted } from "./element-wise.ts";
import { axisOf, sumType } from "./reduce.ts";
import { Refusal } from "./refusal.ts";
import { identityOf, rowsAlong, without } from "./rows.ts";
import { reshaped, type Tensor, tensor, uniform } from "./space.ts";
import { scalarOf } from "./types.ts";
import { apply, cast, descriptorOf, wrapped } from "./value.ts";
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
    const rows = rowsAlong(view.space, x.dims, [axis]);
    const items = tensor(x.type, x.dims, (index) => cast(x.read(index), wide));
    const sums = apply(rows.arranged(items, op), form, op, { reverse, ...(rows.starts && { segments: rows.starts }) });
    const scanned = view.space.items(x.type, x.dims, sums);
    return tensor(x.type, x.dims, (index) => stored(scanned.read(rows.itemOf(index))));
  };

type Indexed = { readonly index: AnyValue };
type Extreme = (type: ScalarType<"f32">) => {
  reduce(record: object): Indexed;
  scanInclusive(record: object, options: object): Indexed;
};

/** The index in its row of the extreme of each row, with sides of 1: the first or the last one; a NaN wins, as in NumPy. */
export function extremes(
  { space }: Pick<NodeView, "space">,
  x: Tensor,
  axis: number,
  operator: "argmax" | "argmin",
  isLast = false,
): Tensor {
  const dims = without(x.dims, [axis], true);
  if (x.dims[axis] === 1 || x.dims.length === 0) return uniform("u32", dims, space.zero);
  const rows = rowsAlong(space, x.dims, [axis]);
  const turn = (index: AnyValue): AnyValue => (isLast ? apply(rows.last(space.zero), "sub", index) : index);
  const value = rows.arranged(x, operator === "argmax" ? "max" : "min");
  const made = (operators[operator] as unknown as Extreme)(descriptorOf(value.type) as ScalarType<"f32">);
  const record = { value, index: turn(rows.column) };
  if (!rows.starts) return uniform("u32", dims, turn(made.reduce(record).index));
  const { index } = made.scanInclusive(record, { segments: rows.starts });
  return tensor("u32", dims, (row) => turn(apply(index, "at", rows.last(row))));
}

const extreme =
  (operator: "argmax" | "argmin"): Rule =>
  (view) => {
    const x = view.input(0);
    const axis = axisOf(view.whole("axis", 0), x.dims);
    const found = extremes(view, x, axis, operator, view.whole("select_last_index", 0) !== 0);
    return casted(reshaped(found, without(x.dims, [axis], view.whole("keepdims", 1) !== 0)), "i64");
  };

export const SCANS: Readonly<Record<string, Rule>> = {
  CumSum: scan("add"),
  CumProd: scan("mul"),
  ArgMax: extreme("argmax"),
  ArgMin: extreme("argmin"),
};
