/** Scans along an axis, and indexes of extremes. */
import { type AnyValue, operators, type ScalarType } from "@groupwise/dsl";
import { requireComputed } from "./element-wise.ts";
import { axisOf } from "./reduce.ts";
import { Refusal } from "./refusal.ts";
import { apply, constantIn, descriptorOf, isOne, perItem, printDims, type Tensor } from "./value.ts";
import type { NodeView, Rule } from "./view.ts";

/** @throws Refusal unless the axis is the only one that is longer than 1 */
function requireLine({ dims }: Tensor, axis: number): void {
  if (dims.every((side, i) => i === axis || side === 1)) return;
  throw new Refusal(`it is along the axis ${axis} of the shape ${printDims(dims)}, which has other axes`);
}

const scan =
  (op: "add" | "mul"): Rule =>
  (view) => {
    const x = view.input(0);
    requireComputed(x);
    const [given] = view.wholeInput(1, "axis") ?? [];
    if (given === undefined) throw new Refusal("its axis is missing");
    requireLine(x, axisOf(given, x.dims));
    const isExclusive = view.whole("exclusive", 0) !== 0;
    if (isOne(x.dims))
      return isExclusive ? { ...x, value: constantIn(x.value.type, op === "add" ? 0 : 1) } : x;
    const form = isExclusive ? "scanExclusive" : "scanInclusive";
    const reverse = view.whole("reverse", 0) !== 0;
    return { ...x, value: apply(perItem(x.value), form, op, { reverse }) };
  };

type Indexed = { readonly index: AnyValue };
type Extreme = (type: ScalarType<"f32">) => { reduce(record: object): Indexed };

/** The first or the last index of the extreme; the first NaN if there is one, as in NumPy. */
const extreme =
  (operator: "argmax" | "argmin"): Rule =>
  (view: NodeView) => {
    const x = view.input(0);
    requireComputed(x);
    const axis = axisOf(view.whole("axis", 0), x.dims);
    requireLine(x, axis);
    const dims = view.whole("keepdims", 1) !== 0 ? x.dims.map(() => 1) : x.dims.filter((_, i) => i !== axis);
    if (isOne(x.dims)) return { type: "i64", dims, value: constantIn("i64", 0) };
    const { context } = view;
    const last = context.globalSize().sub(1);
    const mirrored = view.whole("select_last_index", 0) !== 0;
    const index = mirrored ? last.sub(context.index()) : context.index();
    const make = operators[operator] as unknown as Extreme;
    const found = make(descriptorOf(x.value.type) as ScalarType<"f32">).reduce({
      value: perItem(x.value),
      index,
    });
    const place = mirrored ? apply(last, "sub", found.index) : found.index;
    return { type: "i64", dims, value: apply(place, "toI64") };
  };

export const SCANS: Readonly<Record<string, Rule>> = {
  CumSum: scan("add"),
  CumProd: scan("mul"),
  ArgMax: extreme("argmax"),
  ArgMin: extreme("argmin"),
};
