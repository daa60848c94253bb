/** Reductions over axes, and softmax. */
import type { AnyValue, BoolValue } from "@groupwise/dsl";
import { elementWise, requireComputed } from "./element-wise.ts";
import { Refusal } from "./refusal.ts";
import { rowsAlong } from "./rows.ts";
import { apply, cast, constantIn, type Dims, layoutOf, shaped, type Tensor, wrapped } from "./value.ts";
import type { NodeView, Rule } from "./view.ts";

type Step = (value: AnyValue) => AnyValue;
/** A reduction: a function of the operands, the operator, and a function of the result. */
interface Reduction {
  readonly before?: Step;
  readonly op: "add" | "mul" | "min" | "max";
  readonly after?: (value: AnyValue, count: AnyValue) => AnyValue;
}

const square: Step = (x) => apply(x, "mul", x);
const abs: Step = (x) => apply(x, "abs");
const chain =
  (name: string): ((sum: AnyValue) => AnyValue) =>
  (sum) =>
    apply(sum, name);

const REDUCTIONS: Readonly<Record<string, Reduction>> = {
  ReduceSum: { op: "add" },
  ReduceProd: { op: "mul" },
  ReduceMax: { op: "max" },
  ReduceMin: { op: "min" },
  ReduceL1: { before: abs, op: "add" },
  ReduceL2: { before: square, op: "add", after: chain("sqrt") },
  ReduceSumSquare: { before: square, op: "add" },
  ReduceLogSum: { op: "add", after: chain("log") },
  ReduceMean: { op: "add", after: (sum, count) => apply(sum, "div", cast(count, sum.type)) },
};

/** An axis from 0. @throws Refusal */
export function axisOf(axis: number, { length }: Dims): number {
  const own = axis < 0 ? axis + length : axis;
  if (Number.isInteger(own) && own >= 0 && own < Math.max(length, 1)) return own;
  throw new Refusal(`its axis ${axis} is not one of ${length} axes`);
}

/** Axes are an input, or in earlier versions an attribute. */
function axesOf(view: NodeView, dims: Dims): readonly number[] {
  const given = view.wholeInput(1, "axes") ?? view.wholes("axes") ?? [];
  const all = dims.map((_, axis) => axis);
  if (given.length > 0) return given.map((axis) => axisOf(axis, dims));
  return view.whole("noop_with_empty_axes", 0) === 0 ? all : [];
}

/** All values of a row combined, or of the range. */
type Combine = (value: AnyValue, op: Reduction["op"]) => AnyValue;
const alone: Combine = (value) => value;

/** A value at each item combined over axes: how, and of how many. @throws Refusal */
function combining(
  view: NodeView,
  x: Tensor,
  axes: readonly number[],
): { combine: Combine; count: AnyValue } {
  const { at, sides } = layoutOf(x);
  const over = axes.flatMap((axis) => at[axis] ?? []).sort((a, b) => a - b);
  if (over.length === 0) return { combine: alone, count: constantIn("u32", 1) };
  if (x.rows) throw new Refusal("it combines a result that has one element for each row");
  if (over.length === sides.length) return { combine: combined, count: view.context.globalSize() };
  const rows = rowsAlong(view.context, sides, over);
  const combine: Combine = (value, op) => {
    const sums = apply(rows.turn(value), "scanInclusive", operatorFor(value, op), { segments: rows.starts });
    return rows.last(sums);
  };
  return { combine, count: constantIn("u32", rows.length) };
}

/** A reduction: the axes, and the shape of its result. */
function reducedOf(
  view: NodeView,
  x: Tensor,
): { axes: readonly number[]; shape: Pick<Tensor, "dims" | "rows"> } {
  const axes = axesOf(view, x.dims);
  const keeps = view.whole("keepdims", 1) !== 0;
  const left = <T>(list: readonly T[], one: T): T[] =>
    list.flatMap((side, axis) => (axes.includes(axis) ? (keeps ? [one] : []) : [side]));
  const { at, sides } = layoutOf(x);
  return { axes, shape: shaped(left(x.dims, 1), left(at, undefined), sides) };
}

/** The maximum of bools is `or`. */
function operatorFor({ type }: AnyValue, op: Reduction["op"]): string {
  const logical = { min: "logical-and", max: "logical-or", add: op, mul: op };
  return type === "bool" ? logical[op] : op;
}

/** All values of the range. */
const combined: Combine = (value, op) => apply(value, "reduce", operatorFor(value, op));

const reduction =
  ({ before = (x) => x, op, after = (x) => x }: Reduction): Rule =>
  (view) => {
    const x = view.input(0);
    requireComputed(x);
    const { axes, shape } = reducedOf(view, x);
    const { combine, count } = combining(view, x, axes);
    if (combine === alone && view.whole("noop_with_empty_axes", 0) !== 0) return { ...x, ...shape };
    const total = combine(wrapped(before(x.value), x.type), op);
    return { type: x.type, ...shape, value: wrapped(after(total, count), x.type) };
  };

/** log Σ e^x, shifted by the maximum so that nothing overflows, or by 0 if the maximum is infinite. */
function logSumExp(view: NodeView): Tensor {
  const x = view.input(0);
  requireComputed(x);
  const { axes, shape } = reducedOf(view, x);
  const { combine } = combining(view, x, axes);
  if (combine === alone) return { ...x, ...shape };
  const most = combine(x.value, "max");
  const zero = constantIn(most.type, 0);
  const shift = (apply(most, "isFinite") as BoolValue).select(most, zero as never);
  const sum = combine(apply(apply(x.value, "sub", shift), "exp"), "add");
  return { type: x.type, ...shape, value: apply(shift, "add", apply(sum, "log")) };
}

/** Softmax along an axis; before version 13 it is over all axes from `axis` on. */
const softmax =
  (of: (x: AnyValue, combine: Combine) => AnyValue): Rule =>
  (view) => {
    const x = view.input(0);
    const axis = axisOf(view.whole("axis", view.version < 13 ? 1 : -1), x.dims);
    const over = x.dims.flatMap((_, i) => (i === axis || (i > axis && view.version < 13) ? [i] : []));
    const { combine } = combining(view, x, over);
    return elementWise(view, [x], ([value]) => of(value as AnyValue, combine));
  };

function proportions(x: AnyValue, combine: Combine): AnyValue {
  const power = apply(apply(x, "sub", combine(x, "max")), "exp");
  return apply(power, "div", combine(power, "add"));
}

function logProportions(x: AnyValue, combine: Combine): AnyValue {
  const rest = apply(x, "sub", combine(x, "max"));
  return apply(rest, "sub", apply(combine(apply(rest, "exp"), "add"), "log"));
}

export const REDUCES: Readonly<Record<string, Rule>> = {
  ...Object.fromEntries(Object.entries(REDUCTIONS).map(([op, row]) => [op, reduction(row)])),
  ReduceLogSumExp: logSumExp,
  Softmax: softmax(proportions),
  LogSoftmax: softmax(logProportions),
};
