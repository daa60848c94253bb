/** Element-wise nodes. */
import type { ArrayType, Scalar } from "@groupwise/core";
import { SCALARS } from "@groupwise/core/target";
import type { AnyValue, U32Value } from "@groupwise/dsl";
import { Refusal } from "./refusal.ts";
import { broadcast, isOne, type Tensor, tensor, uniform } from "./space.ts";
import { kindOfType, scalarOf } from "./types.ts";
import { apply, cast, constantIn, constantLike, converted, select, wrapped } from "./value.ts";
import type { NodeView, Rule } from "./view.ts";

// Powers, computed in a type that holds each exponent exactly.
/** The narrowest float that holds every exponent of a type; parts of 64-bit integers. */
const HOLDS: Readonly<Record<Exclude<ArrayType, "bool">, "f16" | "f32" | "f64">> = {
  ...{ i8: "f16", u8: "f16", f16: "f16", i16: "f32", u16: "f32", f32: "f32", bf16: "f32" },
  ...{ i32: "f64", u32: "f64", i64: "f64", u64: "f64", f64: "f64" },
};
const times = (a: AnyValue, b: AnyValue): AnyValue => apply(a, "mul", b);

/** A power by a constant whole number from 0 on. */
function chain(x: AnyValue, exponent: bigint): AnyValue {
  if (exponent === 0n) return constantLike(x, 1);
  if (exponent === 1n) return x;
  const half = chain(x, exponent / 2n);
  const square = times(half, half);
  return exponent % 2n === 0n ? square : times(square, x);
}

/** A power of integers, which wraps: a step for each bit of the exponent. The inverse of an integer other than 1 and -1 is truncated to 0. */
function wholePower(x: AnyValue, y: AnyValue, bits: number): AnyValue {
  const [one, zero] = [constantLike(x, 1), constantLike(x, 0)];
  let [result, factor, rest] = [one, x, y];
  for (let bit = 0; bit < bits; bit += 1) {
    const isOdd = apply(apply(rest, "and", constantLike(rest, 1)), "ne", constantLike(rest, 0));
    result = select(isOdd, times(result, factor), result);
    if (bit === bits - 1) break;
    factor = times(factor, factor);
    rest = apply(rest, "shr", 1);
  }
  if (SCALARS[y.type].kind !== "int") return result;
  const isUnit = apply(times(x, x), "eq", one);
  return select(apply(y, "lt", constantLike(y, 0)), select(isUnit, result, zero), result);
}

/** An exponent of 64 bits is the sum of two parts of one sign that a double holds, the first of them even. */
function longPower(x: AnyValue, y: AnyValue): AnyValue {
  const low = apply(y, "rem", constantLike(y, 2048));
  const high = apply(y, "sub", low);
  return times(apply(x, "pow", cast(high, "f64")), apply(x, "pow", cast(low, "f64")));
}

/** The exponent, and its value if it is constant. */
interface Exponent {
  readonly value: AnyValue;
  readonly type: ArrayType;
  readonly constant: number | bigint | undefined;
}

/** A power in the type of the base, whose elements are of `type`. */
function powerOf(x: AnyValue, type: ArrayType, { value: y, type: by, constant }: Exponent): AnyValue {
  const isWhole = constant !== undefined && Number.isSafeInteger(Number(constant));
  if (isWhole && Number(constant) === 2) return times(x, x);
  const isFloat = kindOfType(type) === "float";
  if (isWhole && isFloat && SCALARS[x.type].whole(Number(constant)) === Number(constant))
    return apply(x, "pow", constantIn(x.type, Number(constant)));
  if (kindOfType(by) === "bool") return select(y, x, constantLike(x, 1));
  if (!isFloat && isWhole && Number(constant) >= 0) return chain(x, BigInt(constant));
  if (!isFloat && kindOfType(by) !== "float") return wholePower(x, y, SCALARS[scalarOf(by)].bits);
  const wide = widest(isFloat ? x.type : "f64", HOLDS[by as keyof typeof HOLDS]);
  const base = cast(x, wide);
  const isLong = by === "i64" || by === "u64";
  return cast(isLong ? longPower(base, y) : apply(base, "pow", cast(y, wide)), x.type);
}

const widest = (a: Scalar, b: Scalar): Scalar => (SCALARS[a].bits >= SCALARS[b].bits ? a : b);

/** A result of the elements at the same place. */
export function elementWise(
  { space }: Pick<NodeView, "space">,
  inputs: readonly Tensor[],
  compute: (values: readonly AnyValue[]) => AnyValue,
  type: ArrayType = (inputs[0] as Tensor).type,
): Tensor {
  const dims = broadcast(inputs);
  if (!dims.every((side) => typeof side === "number")) space.require(dims);
  const made = (index: U32Value): AnyValue =>
    wrapped(compute(inputs.map((input) => input.read(space.project(index, dims, input.dims)))), type);
  return isOne(dims) ? uniform(type, dims, made(space.zero)) : tensor(type, dims, made);
}

/** A function of values of a node. */
type Compute = (values: readonly AnyValue[], view: NodeView) => AnyValue;

const fixed =
  (count: number, compute: Compute, to?: ArrayType): Rule =>
  (view) =>
    elementWise(
      view,
      Array.from({ length: count }, (_, i) => view.input(i)),
      (values) => compute(values, view),
      to,
    );
const both =
  (name: string) =>
  ([value, ...rest]: readonly AnyValue[]): AnyValue =>
    apply(value as AnyValue, name, ...rest);
const method: (name: string) => Compute = both;
const unary = (name: string): Rule => fixed(1, method(name));
const binary = (name: string, to?: ArrayType): Rule => fixed(2, method(name), to);
const variadic =
  (combine: (values: readonly AnyValue[]) => AnyValue): Rule =>
  (view) =>
    elementWise(view, view.all(), combine);
/** Sums of halves are those of floats, rounded once. */
const sum =
  (after: (sum: AnyValue, count: number) => AnyValue): Rule =>
  (view) =>
    elementWise(view, view.all(), (values) => {
      const [{ type }] = values as [AnyValue];
      const wide = values.map((value) => (type === "f16" ? cast(value, "f32") : value));
      return cast(after(folded("add")(wide), values.length), type);
    });
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

/** The result has the type of the base. */
function power(view: NodeView): Tensor {
  const [base, exponent] = [view.input(0), view.input(1)];
  const constant = view.constantOf(1)?.values;
  const given = constant?.length === 1 ? (constant[0] as number | bigint) : undefined;
  return elementWise(view, [base, exponent], ([x, value]) =>
    powerOf(x as AnyValue, base.type, { value: value as AnyValue, type: exponent.type, constant: given }),
  );
}

/** The limits are inputs; before version 11 they are attributes. */
function clip(view: NodeView): Tensor {
  const x = view.input(0);
  const limit = (index: number, name: string): Tensor | undefined => {
    if (view.has(index)) return view.input(index);
    const own = view.float(name);
    return own === undefined ? undefined : uniform(x.type, [], constantIn(scalarOf(x.type), own));
  };
  const [low, high] = [limit(1, "min"), limit(2, "max")];
  const atLeast = low ? elementWise(view, [x, low], both("max")) : x;
  return high ? elementWise(view, [atLeast, high], both("min")) : atLeast;
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

const SHIFTS: Readonly<Record<string, string>> = { LEFT: "shl", RIGHT: "shr" };
/** A shift by the width or more leaves the sign of a signed integer that is shifted to the right, otherwise 0. */
const shift: Compute = ([x, by], view) => {
  const value = x as AnyValue;
  const name = SHIFTS[view.text("direction") ?? ""];
  if (name === undefined) throw new Refusal("its direction is neither LEFT nor RIGHT");
  const { bits, kind } = SCALARS[value.type];
  const moved = apply(value, name, cast(by as AnyValue, "u32"));
  const sign = kind === "int" && name === "shr";
  return select(
    apply(by as AnyValue, "lt", constantLike(by as AnyValue, bits)),
    moved,
    sign ? apply(value, "shr", bits - 1) : constantLike(value, 0),
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

/** A cast to a type of ONNX: floats to integers truncate, and saturate if ONNX leaves the result undefined. */
export function casted(x: Tensor, to: ArrayType): Tensor {
  return tensor(to, x.dims, (index) => converted(x.read(index), to));
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
  Sum: sum((all) => all),
  Mean: sum((all, count) => apply(all, "div", constantLike(all, count))),
  Clip: clip,
  Where: where,
};
