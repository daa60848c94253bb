/** Reductions over all axes, and softmax. */
import type { AnyValue, BoolValue } from "@groupwise/dsl";
import { elementWise, requireComputed } from "./element-wise.ts";
import { Refusal } from "./refusal.ts";
import {
  apply,
  cast,
  constantIn,
  coreOf,
  type Dims,
  isOne,
  printDims,
  type Tensor,
  wrapped,
} from "./value.ts";
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

/** The shape of the result, and whether the range is reduced. @throws Refusal for a part of the axes */
function reducedDims(view: NodeView, dims: Dims): { dims: Dims; isReduced: boolean } {
  const axes = axesOf(view, dims);
  const keeps = view.whole("keepdims", 1) !== 0;
  const long = dims.flatMap((side, axis) => (side === 1 ? [] : [axis]));
  const over = long.filter((axis) => axes.includes(axis));
  if (over.length > 0 && over.length < long.length)
    throw new Refusal(
      `it reduces the axes ${axes.join(", ")} of the shape ${printDims(dims)}, not all of them`,
    );
  const left = dims.flatMap((side, axis) => (axes.includes(axis) ? (keeps ? [1] : []) : [side]));
  return { dims: left, isReduced: over.length > 0 };
}

/** All values of the range combined; the maximum of bools is `or`. */
function combined(value: AnyValue, op: Reduction["op"]): AnyValue {
  const logical = { min: "logical-and", max: "logical-or", add: op, mul: op };
  return apply(value, "reduce", value.type === "bool" ? logical[op] : op);
}

const reduction =
  ({ before = (x) => x, op, after = (x) => x }: Reduction): Rule =>
  (view) => {
    const x = view.input(0);
    requireComputed(x);
    const { dims, isReduced } = reducedDims(view, x.dims);
    if (!isReduced && view.whole("noop_with_empty_axes", 0) !== 0) return { ...x, dims };
    const value = wrapped(before(x.value), x.type);
    const total = isReduced ? combined(value, op) : value;
    const count = isReduced ? view.context.globalSize() : constantIn("u32", 1);
    return { type: x.type, dims, value: wrapped(after(total, count), x.type) };
  };

/** All values combined, or the only one. */
type Combine = (value: AnyValue, op: Reduction["op"]) => AnyValue;

/** log Σ e^x, shifted by the maximum so that nothing overflows, or by 0 if the maximum is infinite. */
function logSumExp(view: NodeView): Tensor {
  const x = view.input(0);
  requireComputed(x);
  const { dims, isReduced } = reducedDims(view, x.dims);
  if (!isReduced) return { ...x, dims };
  const most = combined(x.value, "max");
  const zero = constantIn(most.type, 0);
  const shift = (apply(most, "isFinite") as BoolValue).select(most, zero as never);
  const sum = combined(apply(apply(x.value, "sub", shift), "exp"), "add");
  return { type: x.type, dims, value: apply(shift, "add", apply(sum, "log")) };
}

/** Softmax over the range; before version 13 it is over all axes from `axis` on. */
const softmax =
  (of: (x: AnyValue, combine: Combine) => AnyValue): Rule =>
  (view) => {
    const x = view.input(0);
    const axis = axisOf(view.whole("axis", view.version < 13 ? 1 : -1), x.dims);
    const over = view.version < 13 ? x.dims.slice(axis) : [x.dims[axis] ?? 1];
    if (coreOf(over) !== coreOf(x.dims))
      throw new Refusal(
        `it is over the axis ${axis} of the shape ${printDims(x.dims)}, not over all elements`,
      );
    const combine: Combine = isOne(x.dims) ? (value) => value : combined;
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
