/** Activation functions, by the definitions of ONNX. */
import type { AnyValue } from "@groupwise/dsl";
import { elementWise } from "./element-wise.ts";
import { Refusal } from "./refusal.ts";
import { kindOfType } from "./types.ts";
import { apply, constantLike, select } from "./value.ts";
import type { NodeView, Rule } from "./view.ts";

/** A function of a float and of the attributes of the node. */
type Activation = (x: AnyValue, view: NodeView) => AnyValue;
/** An attribute, or its default, which ONNX states as an f32. */
const attribute = (view: NodeView, name: string, otherwise: number, like: AnyValue): AnyValue =>
  constantLike(like, Math.fround(view.float(name, otherwise)));
const isBelow = (x: AnyValue, limit: AnyValue): AnyValue => apply(x, "lt", limit);
const times = (a: AnyValue, b: AnyValue): AnyValue => apply(a, "mul", b);
const plus = (a: AnyValue, b: AnyValue): AnyValue => apply(a, "add", b);
/** Another function of negative numbers. */
const below0 = (x: AnyValue, of: AnyValue): AnyValue => select(isBelow(x, constantLike(x, 0)), of, x);
const unitOf = (x: AnyValue): AnyValue =>
  apply(apply(x, "max", constantLike(x, 0)), "min", constantLike(x, 1));

/** log(1 + e^x), without overflow. */
const softplus: Activation = (x) => {
  const rest = apply(apply(apply(apply(x, "abs"), "neg"), "exp"), "log1p");
  return plus(apply(x, "max", constantLike(x, 0)), rest);
};
const selu: Activation = (x, view) => {
  const alpha = attribute(view, "alpha", 1.6732631921768188, x);
  const gamma = attribute(view, "gamma", 1.0507010221481323, x);
  return times(gamma, below0(x, times(alpha, apply(x, "expm1"))));
};
const celu: Activation = (x, view) => {
  const alpha = attribute(view, "alpha", 1, x);
  return below0(x, times(alpha, apply(apply(x, "div", alpha), "expm1")));
};
const shrink: Activation = (x, view) => {
  const limit = attribute(view, "lambd", 0.5, x);
  const bias = attribute(view, "bias", 0, x);
  const above = select(isBelow(limit, x), apply(x, "sub", bias), constantLike(x, 0));
  return select(isBelow(x, apply(limit, "neg")), plus(x, bias), above);
};
/** By erf, or by a tanh that approximates it. */
const gelu: Activation = (x, view) => {
  const form = view.text("approximate") ?? "none";
  if (form !== "none" && form !== "tanh") throw new Refusal(`its approximate is ${JSON.stringify(form)}`);
  const cube = (): AnyValue => times(times(x, x), times(x, constantLike(x, 0.044715)));
  const inner =
    form === "none"
      ? apply(times(x, constantLike(x, Math.SQRT1_2)), "erf")
      : apply(times(plus(x, cube()), constantLike(x, Math.sqrt(2 / Math.PI))), "tanh");
  return times(times(x, constantLike(x, 0.5)), plus(inner, constantLike(x, 1)));
};

const ROWS: Readonly<Record<string, Activation>> = {
  Relu: (x) => apply(x, "max", constantLike(x, 0)),
  LeakyRelu: (x, view) => below0(x, times(x, attribute(view, "alpha", 0.01, x))),
  ThresholdedRelu: (x, view) => select(isBelow(attribute(view, "alpha", 1, x), x), x, constantLike(x, 0)),
  Elu: (x, view) => below0(x, times(attribute(view, "alpha", 1, x), apply(x, "expm1"))),
  Selu: selu,
  Celu: celu,
  Gelu: gelu,
  Mish: (x, view) => times(x, apply(softplus(x, view), "tanh")),
  Swish: (x, view) => times(x, apply(times(x, attribute(view, "alpha", 1, x)), "sigmoid")),
  HardSigmoid: (x, view) =>
    unitOf(plus(times(x, attribute(view, "alpha", 0.2, x)), attribute(view, "beta", 0.5, x))),
  HardSwish: (x) => times(x, unitOf(plus(times(x, constantLike(x, 1 / 6)), constantLike(x, 0.5)))),
  Shrink: shrink,
  Softplus: softplus,
  Softsign: (x) => apply(x, "div", plus(apply(x, "abs"), constantLike(x, 1))),
};

/** `Relu` is the only one that integers have. */
const activation =
  (op: string, of: Activation): Rule =>
  (view) => {
    const x = view.input(0);
    if (op !== "Relu" && kindOfType(x.type) !== "float") throw new Refusal(`it does not exist for ${x.type}`);
    return elementWise(view, [x], ([value]) => of(value as AnyValue, view));
  };

export const ACTIVATIONS: Readonly<Record<string, Rule>> = {
  ...Object.fromEntries(Object.entries(ROWS).map(([op, of]) => [op, activation(op, of)])),
  PRelu: (view) =>
    elementWise(view, [view.input(0), view.input(1)], ([x, slope]) =>
      below0(x as AnyValue, times(x as AnyValue, slope as AnyValue)),
    ),
};
