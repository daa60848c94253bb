/** Element-wise nodes. */
import type { ArrayType, Scalar } from "@groupwise/core";
import type { AnyValue } from "@groupwise/dsl";
import { Refusal } from "./refusal.ts";
import { kindOfType, scalarOf } from "./types.ts";
import { apply, broadcast, cast, constantIn, constantLike, select, type Tensor, wrapped } from "./value.ts";
import type { Compute, NodeView, Rule } from "./view.ts";

/** bf16 has no arithmetic: values are rounded to it only when they are stored. @throws Refusal */
export function requireComputed({ type }: Pick<Tensor, "type">): void {
  if (type === "bf16") throw new Refusal("it computes in BFLOAT16: cast to FLOAT first");
}

/** A result of values: one for each item, or one element. */
export function elementWise(
  view: NodeView,
  inputs: readonly Tensor[],
  compute: Compute,
  to?: ArrayType,
): Tensor {
  inputs.forEach(requireComputed);
  const type = to ?? (inputs[0] as Tensor).type;
  const shape = broadcast(inputs);
  const made = compute(
    inputs.map(({ value }) => value),
    view,
  );
  return { type, ...shape, value: wrapped(made, type) };
}

const fixed =
  (count: number, compute: Compute, to?: ArrayType): Rule =>
  (view) =>
    elementWise(
      view,
      Array.from({ length: count }, (_, i) => view.input(i)),
      compute,
      to,
    );
const method = (name: string): Compute => {
  return ([value, ...rest]) => apply(value as AnyValue, name, ...rest);
};
const unary = (name: string): Rule => fixed(1, method(name));
const binary = (name: string, to?: ArrayType): Rule => fixed(2, method(name), to);
const variadic =
  (combine: (values: readonly AnyValue[]) => AnyValue): Rule =>
  (view) =>
    elementWise(view, view.all(), combine);
const folded =
  (name: string) =>
  ([first, ...rest]: readonly AnyValue[]): AnyValue =>
    rest.reduce((a, b) => apply(a, name, b), first as AnyValue);

/** Remainders: as in C with `fmod`, otherwise with the sign of the divisor. */
const modulus: Compute = ([x, y], view) => {
  const isFloat = kindOfType((x as AnyValue).type) === "float";
  const isC = view.whole("fmod", 0) !== 0;
  if (isFloat && !isC) throw new Refusal("its operands are floats, and fmod is 0");
  return apply(x as AnyValue, isC ? (isFloat ? "fmod" : "rem") : "mod", y);
};

/** The result has the type of the base; squares are computed as products. */
function power(view: NodeView): Tensor {
  const [base, exponent] = [view.input(0), view.input(1)];
  requireComputed(exponent);
  const square = view.constantOf(1)?.values[0];
  const isSquare = square !== undefined && Number(square) === 2;
  return elementWise(view, [base, exponent], ([x, y]) =>
    isSquare
      ? apply(x as AnyValue, "mul", x)
      : apply(x as AnyValue, "pow", cast(y as AnyValue, (x as AnyValue).type)),
  );
}

/** The limits are inputs; before version 11 they are attributes. */
function clip(view: NodeView): Tensor {
  const x = view.input(0);
  const limit = (index: number, name: string): Tensor | undefined => {
    if (view.has(index)) return view.input(index);
    const own = view.float(name);
    return own === undefined ? undefined : { ...x, dims: [], value: constantIn(scalarOf(x.type), own) };
  };
  const [low, high] = [limit(1, "min"), limit(2, "max")];
  const atLeast = low ? elementWise(view, [x, low], method("max")) : x;
  return high
    ? elementWise(view, [atLeast, high], method("min"))
    : elementWise(view, [atLeast], ([v]) => v as never);
}

const isInfinite: Compute = ([x], view) => {
  const infinity = constantLike(x as AnyValue, Number.POSITIVE_INFINITY);
  const above = view.whole("detect_positive", 1) !== 0;
  const below = view.whole("detect_negative", 1) !== 0;
  const isAbove = apply(x as AnyValue, "eq", infinity);
  const isBelow = apply(x as AnyValue, "eq", constantLike(x as AnyValue, Number.NEGATIVE_INFINITY));
  if (above && below) return apply(isAbove, "or", isBelow);
  return above ? isAbove : below ? isBelow : apply(isAbove, "and", false);
};

const shifts: Readonly<Record<string, string>> = { LEFT: "shl", RIGHT: "shr" };
/** In ONNX a shift by the width or more gives 0. */
const shift: Compute = ([x, by], view) => {
  const name = shifts[view.text("direction") ?? ""];
  if (name === undefined) throw new Refusal("its direction is neither LEFT nor RIGHT");
  const width = { u64: 64 }[(x as AnyValue).type as string] ?? 32;
  const moved = apply(x as AnyValue, name, cast(by as AnyValue, "u32"));
  return select(
    apply(by as AnyValue, "lt", constantLike(by as AnyValue, width)),
    moved,
    constantLike(x as AnyValue, 0),
  );
};

function where(view: NodeView): Tensor {
  const [condition, then, otherwise] = [view.input(0), view.input(1), view.input(2)];
  return elementWise(
    view,
    [condition, then, otherwise],
    ([p, a, b]) => select(p as never, a as never, b as never),
    then.type,
  );
}

const mean = (values: readonly AnyValue[]): AnyValue => {
  const sum = folded("add")(values);
  return apply(sum, "div", constantLike(sum, values.length));
};

/** A cast to a type of ONNX: floats to integers truncate, and saturate if ONNX leaves the result undefined. */
export function casted(view: NodeView, to: ArrayType): Tensor {
  const x = view.input(0);
  if (to === "bf16") throw new Refusal("casts to BFLOAT16 are unsupported: it is accepted only as an input");
  const scalar: Scalar = scalarOf(to);
  return { ...x, type: to, value: wrapped(cast(x.value, scalar), to) };
}

export const ELEMENT_WISE: Readonly<Record<string, Rule>> = {
  ...Object.fromEntries(
    (
      [
        ...["Abs", "Neg", "Sqrt", "Floor", "Ceil", "Round", "Exp", "Log", "Sigmoid", "Erf", "Not"],
        ...["Sin", "Cos", "Tan", "Asin", "Acos", "Atan", "Sinh", "Cosh", "Tanh", "Asinh", "Acosh", "Atanh"],
      ] as const
    ).map((op) => [op, unary(op.toLowerCase())]),
  ),
  // The sign of -0 is +0.
  Sign: fixed(1, ([x]) => apply(apply(x as AnyValue, "sign"), "add", constantLike(x as AnyValue, 0))),
  BitwiseNot: unary("not"),
  Reciprocal: fixed(1, ([x]) => apply(constantLike(x as AnyValue, 1), "div", x)),
  IsNaN: fixed(1, method("isNaN"), "bool"),
  IsInf: fixed(1, isInfinite, "bool"),
  Add: binary("add"),
  Sub: binary("sub"),
  Mul: binary("mul"),
  Div: binary("div"),
  Mod: fixed(2, modulus),
  Pow: power,
  BitShift: fixed(2, shift),
  BitwiseAnd: binary("and"),
  BitwiseOr: binary("or"),
  BitwiseXor: binary("xor"),
  And: binary("and"),
  Or: binary("or"),
  Xor: binary("xor"),
  Equal: binary("eq", "bool"),
  Less: binary("lt", "bool"),
  LessOrEqual: binary("le", "bool"),
  Greater: binary("gt", "bool"),
  GreaterOrEqual: binary("ge", "bool"),
  Min: variadic(folded("min")),
  Max: variadic(folded("max")),
  Sum: variadic(folded("add")),
  Mean: variadic(mean),
  Clip: clip,
  Where: where,
};
