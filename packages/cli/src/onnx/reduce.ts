/** Reductions over axes, and softmax. */
import type { ArrayType, Scalar } from "@groupwise/core";
import type { AnyValue } from "@groupwise/dsl";
import { casted, elementWise } from "./element-wise.ts";
import { Refusal } from "./refusal.ts";
import { combined, identityOf, isSingle, rowsAlong, without } from "./rows.ts";
import { type Dims, reshaped, type Tensor, tensor, uniform } from "./space.ts";
import { scalarOf } from "./types.ts";
import { apply, cast, clamped, constantIn, select, wrapped } from "./value.ts";
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
  (name: string): Step =>
  (sum) =>
    apply(sum, name);
const mean = (sum: AnyValue, count: AnyValue): AnyValue => apply(sum, "div", cast(count, sum.type));

const REDUCTIONS: Readonly<Record<string, Reduction>> = {
  ReduceSum: { op: "add" },
  ReduceProd: { op: "mul" },
  ReduceMax: { op: "max" },
  ReduceMin: { op: "min" },
  ReduceL1: { before: abs, op: "add" },
  ReduceL2: { before: square, op: "add", after: chain("sqrt") },
  ReduceSumSquare: { before: square, op: "add" },
  ReduceLogSum: { op: "add", after: chain("log") },
  ReduceMean: { op: "add", after: mean },
  GlobalAveragePool: { op: "add", after: mean },
  GlobalMaxPool: { op: "max" },
};

/** An axis from 0. @throws Refusal */
export function axisOf(axis: number, { length }: Dims): number {
  const own = axis < 0 ? axis + length : axis;
  if (Number.isInteger(own) && own >= 0 && own < Math.max(length, 1)) return own;
  throw new Refusal(`its axis ${axis} is not one of ${length} axes`);
}

/** Axes are an input, or in earlier versions an attribute. */
function axesOf(view: NodeView, dims: Dims): readonly number[] {
  const given = view.wholeInput(1, "axes are") ?? view.wholes("axes") ?? [];
  const isKept = view.whole("noop_with_empty_axes", 0) !== 0;
  if (given.length > 0) return given.map((axis) => axisOf(axis, dims));
  const all = dims.map((_, axis) => axis);
  if (view.op.startsWith("Global")) return all.slice(2);
  return isKept ? [] : all;
}

/** The type in which elements are summed and multiplied: halves in floats, rounded once. */
export const sumType = (type: ArrayType, op: Reduction["op"]): Scalar =>
  type === "f16" && (op === "add" || op === "mul") ? "f32" : scalarOf(type);

/** A tensor combined over axes. */
export function reduced(
  { space }: Pick<NodeView, "space">,
  x: Tensor,
  axes: readonly number[],
  keeps: boolean,
  { before = (value) => value, op, after = (value) => value }: Reduction,
): Tensor {
  const dims = without(x.dims, axes, keeps);
  const wide = sumType(x.type, op);
  const prepared = tensor(x.type, x.dims, (index) => {
    const value = before(cast(x.read(index), wide));
    return wide === "f32" ? value : wrapped(value, x.type);
  });
  const finished = (value: AnyValue, count: AnyValue): AnyValue => {
    const own = cast(after(value, count), scalarOf(x.type));
    // The identity of an integer of 8 or 16 bits is the least or the greatest of its own type.
    return op === "min" || op === "max" ? clamped(own, x.type) : wrapped(own, x.type);
  };
  if (isSingle(x.dims, axes))
    return tensor(x.type, dims, (index) => finished(prepared.read(index), constantIn("u32", 1)));
  if (axes.some((axis) => x.dims[axis] === 0))
    return uniform(x.type, dims, finished(identityOf({ type: wide }, op), constantIn("u32", 0)));
  const rows = rowsAlong(space, x.dims, axes);
  const sums = combined(space, rows, prepared, dims, op);
  return tensor(x.type, dims, (index) => finished(sums.read(index), rows.length));
}

const reduction =
  (row: Reduction): Rule =>
  (view) => {
    const x = view.input(0);
    return reduced(view, x, axesOf(view, x.dims), view.whole("keepdims", 1) !== 0, row);
  };

/** A function of halves that is computed in floats and rounded once. */
const inFloats =
  (of: (view: NodeView, x: Tensor) => Tensor): Rule =>
  (view) => {
    const x = view.input(0);
    const wide = x.type === "f16" || x.type === "bf16" ? casted(x, "f32") : x;
    return casted(of(view, wide), x.type);
  };

/** log Σ e^x, shifted by the maximum so that nothing overflows, or by 0 if the maximum is infinite. */
const logSumExp = inFloats((view, x) => {
  const axes = axesOf(view, x.dims);
  const keeps = view.whole("keepdims", 1) !== 0;
  if (isSingle(x.dims, axes)) return reduced(view, x, axes, keeps, { op: "max" });
  const most = reduced(view, x, axes, true, { op: "max" });
  const shift = elementWise(view, [most], ([m]) =>
    select(apply(m as AnyValue, "isFinite"), m as AnyValue, constantIn((m as AnyValue).type, 0)),
  );
  const powers = elementWise(view, [x, shift], ([a, m]) => apply(apply(a as AnyValue, "sub", m), "exp"));
  const sums = reduced(view, powers, axes, true, { op: "add" });
  const logs = elementWise(view, [shift, sums], ([m, s]) =>
    apply(m as AnyValue, "add", apply(s as AnyValue, "log")),
  );
  return reshaped(logs, without(x.dims, axes, keeps));
});

/** Softmax along an axis; before version 13 it is over all axes from `axis` on. */
const softmax = (of: (x: AnyValue, sum: AnyValue) => AnyValue, last: (x: AnyValue) => AnyValue): Rule =>
  inFloats((view, x) => {
    const axis = axisOf(view.whole("axis", view.version < 13 ? 1 : -1), x.dims);
    const over = x.dims.flatMap((_, i) => (i === axis || (i > axis && view.version < 13) ? [i] : []));
    const most = reduced(view, x, over, true, { op: "max" });
    const rest = elementWise(view, [x, most], ([a, m]) => apply(a as AnyValue, "sub", m));
    const powers = elementWise(view, [rest], ([r]) => apply(r as AnyValue, "exp"));
    const sums = reduced(view, powers, over, true, { op: "add" });
    return elementWise(view, [of === proportion ? powers : rest, sums], ([a, s]) =>
      of(a as AnyValue, last(s as AnyValue)),
    );
  });

const proportion = (power: AnyValue, sum: AnyValue): AnyValue => apply(power, "div", sum);
const difference = (rest: AnyValue, log: AnyValue): AnyValue => apply(rest, "sub", log);

export const REDUCES: Readonly<Record<string, Rule>> = {
  ...Object.fromEntries(Object.entries(REDUCTIONS).map(([op, row]) => [op, reduction(row)])),
  ReduceLogSumExp: logSumExp,
  Softmax: softmax(proportion, (sum) => sum),
  LogSoftmax: softmax(difference, chain("log")),
};
