/** Scans along an axis, and indexes of extremes. */
import { type AnyValue, operators, type ScalarType } from "@groupwise/dsl";
import { requireComputed } from "./element-wise.ts";
import { axisOf } from "./reduce.ts";
import { Refusal } from "./refusal.ts";
import { rowsAlong, type TensorRows } from "./rows.ts";
import { apply, constantIn, descriptorOf, filled, layoutOf, perItem, shaped, type Tensor } from "./value.ts";
import type { NodeView, Rule } from "./view.ts";

/** The rows along an axis of a tensor; undefined if the axis has one item, or is all of the range. @throws Refusal */
function rowsOf(
  view: NodeView,
  x: Tensor,
  axis: number,
): { readonly isOne: boolean; readonly rows: TensorRows | undefined } {
  const { at, sides } = layoutOf(x);
  const own = at[axis];
  if (own === undefined) return { isOne: true, rows: undefined };
  if (x.rows) throw new Refusal("it is along an axis of a result that has one element for each row");
  return { isOne: false, rows: sides.length === 1 ? undefined : rowsAlong(view.context, sides, [own]) };
}

const scan =
  (op: "add" | "mul"): Rule =>
  (view) => {
    const x = view.input(0);
    requireComputed(x);
    const [given] = view.wholeInput(1, "axis") ?? [];
    if (given === undefined) throw new Refusal("its axis is missing");
    const { isOne, rows } = rowsOf(view, x, axisOf(given, x.dims));
    const isExclusive = view.whole("exclusive", 0) !== 0;
    if (isOne && !isExclusive) return x;
    if (isOne) return { ...x, value: filled(x.dims, constantIn(x.value.type, op === "add" ? 0 : 1)) };
    const form = isExclusive ? "scanExclusive" : "scanInclusive";
    const reverse = view.whole("reverse", 0) !== 0;
    if (!rows) return { ...x, value: apply(perItem(x.value), form, op, { reverse }) };
    return {
      ...x,
      value: rows.back(apply(rows.turn(x.value), form, op, { reverse, segments: rows.starts })),
    };
  };

type Indexed = { readonly index: AnyValue };
type Extreme = (type: ScalarType<"f32">) => {
  reduce(record: object): Indexed;
  scanInclusive(record: object, options: object): Indexed;
};

/** The first or the last index of the extreme; the first NaN if there is one, as in NumPy. */
const extreme =
  (operator: "argmax" | "argmin"): Rule =>
  (view: NodeView) => {
    const x = view.input(0);
    requireComputed(x);
    const axis = axisOf(view.whole("axis", 0), x.dims);
    const { isOne, rows } = rowsOf(view, x, axis);
    const keeps = view.whole("keepdims", 1) !== 0;
    const left = <T>(list: readonly T[], one: T): T[] =>
      list.flatMap((side, i) => (i === axis ? (keeps ? [one] : []) : [side]));
    const layout = layoutOf(x);
    const shape = shaped(left(x.dims, 1), left(layout.at, undefined), layout.sides);
    if (isOne) return { type: "i64", ...shape, value: filled(shape.dims, constantIn("i64", 0)) };
    const { context } = view;
    const last = rows ? rows.length - 1 : context.globalSize().sub(1);
    const place = rows ? rows.column : context.index();
    const mirrored = view.whole("select_last_index", 0) !== 0;
    const turn = (index: AnyValue): AnyValue =>
      mirrored ? apply(typeof last === "number" ? constantIn("u32", last) : last, "sub", index) : index;
    const made = (operators[operator] as unknown as Extreme)(descriptorOf(x.value.type) as ScalarType<"f32">);
    const record = { value: rows ? rows.turn(x.value) : perItem(x.value), index: turn(place) };
    const { index } = rows ? made.scanInclusive(record, { segments: rows.starts }) : made.reduce(record);
    return { type: "i64", ...shape, value: apply(turn(rows ? rows.last(index) : index), "toI64") };
  };

export const SCANS: Readonly<Record<string, Rule>> = {
  CumSum: scan("add"),
  CumProd: scan("mul"),
  ArgMax: extreme("argmax"),
  ArgMin: extreme("argmin"),
};
