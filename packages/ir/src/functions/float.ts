/** Functions of floats, and those that integers also have. */
import { BINARY } from "../tables/expr-op.ts";
import {
  type FloatScalar,
  isFloat,
  SCALARS,
  type Scalar,
  type ScalarKind,
  type ScalarValue,
} from "../tables/scalar.ts";
import { dyadicOf, nearest, neighbour } from "./digits/exact.ts";
import type { BitFunction, FunctionSpec, NumericFunction, OwnOr, RoundingFunction } from "./spec.ts";

const FLOAT: readonly ScalarKind[] = ["float"];
const NUMERIC: readonly ScalarKind[] = ["int", "uint", "float"];

const isNegative = (x: number): boolean => x < 0 || Object.is(x, -0);
const withSign = (x: number, negative: boolean): number => (negative ? -Math.abs(x) : Math.abs(x));
const isFinal = (x: number): boolean => x === 0 || !Number.isFinite(x);

type Numbers = readonly number[];
const row = (
  rest: readonly OwnOr[],
  result: OwnOr,
  summary: string,
  apply: (x: number, rest: Numbers, type: FloatScalar) => ScalarValue,
): FunctionSpec => ({
  on: FLOAT,
  rest,
  result,
  summary,
  apply: (type, [x, ...others]) => apply(x as number, others as number[], type as FloatScalar),
});
const unary = (summary: string, apply: (x: number, type: FloatScalar) => ScalarValue): FunctionSpec =>
  row([], "own", summary, (x, _, type) => apply(x, type));

function halfToEven(x: number): number {
  // From here on all doubles are whole numbers.
  if (!(Math.abs(x) < 2 ** 52)) return x;
  const below = Math.floor(x);
  const rest = x - below;
  const isUp = rest > 0.5 || (rest === 0.5 && below % 2 !== 0);
  return withSign(isUp ? below + 1 : below, isNegative(x));
}

/** The power of two that makes the significand one of [1/2, 1). */
function exponentOf(x: number): number {
  if (isFinal(x)) return 0;
  const { n, e } = dyadicOf(Math.abs(x));
  return n.toString(2).length + e;
}

function fusedMultiplyAdd(type: FloatScalar, x: number, y: number, z: number): number {
  const product = x * y;
  if (isFinal(x) || isFinal(y)) return product + z;
  if (!Number.isFinite(z)) return z;
  const [a, b, c] = [dyadicOf(x), dyadicOf(y), dyadicOf(z)];
  const e = Math.min(a.e + b.e, c.e);
  const n = ((a.n * b.n) << BigInt(a.e + b.e - e)) + (c.n << BigInt(c.e - e));
  return n === 0n ? 0 : nearest(type, { n, e });
}

/** Scaling any number by a larger power gives 0 or an infinity. */
const FAR = 5000;
function scaled(type: FloatScalar, x: number, by: number): number {
  if (isFinal(x)) return x;
  const { n, e } = dyadicOf(x);
  return nearest(type, { n, e: e + Math.max(-FAR, Math.min(FAR, by)) });
}

function flooredModulus(type: Scalar, a: ScalarValue, b: ScalarValue): ScalarValue {
  if (!isFloat(type)) {
    const [x, y] = [BigInt(a), BigInt(b)];
    return SCALARS[type].whole(y === 0n ? 0n : ((x % y) + y) % y);
  }
  const [x, y] = [a as number, b as number];
  const rest = x % y;
  if (rest === 0) return withSign(0, isNegative(y));
  return rest < 0 === y < 0 ? rest : SCALARS[type].wrap(rest + y);
}

export const BIT_FUNCTIONS: Readonly<Record<BitFunction, FunctionSpec>> = {
  floor: unary("the greatest whole number that is not greater (IEEE 754-2019, 5.9)", Math.floor),
  ceil: unary("the least whole number that is not less; -0 for negative results of 0 (5.9)", Math.ceil),
  trunc: unary("the whole number without the fraction; zeros keep the sign (5.9)", Math.trunc),
  round: unary("the nearest whole number, ties to even; zeros keep the sign (5.9)", halfToEven),
  copysign: row(
    ["own"],
    "own",
    "the magnitude with the sign of the second operand (5.5.1), of which a NaN counts as positive",
    (x, [y]) => withSign(x, !Number.isNaN(y) && isNegative(y as number)),
  ),
  isNaN: row([], "bool", "whether it is no number (5.7.2)", Number.isNaN),
  isFinite: row([], "bool", "whether it is neither infinite nor NaN (5.7.2)", Number.isFinite),
  nextUp: unary("the least value that is greater (5.3.1); of either zero the least positive number", (x, t) =>
    neighbour(t, x, true),
  ),
  nextDown: unary("the greatest value that is less (5.3.1)", (x, t) => neighbour(t, x, false)),
  step: row(["own"], "own", "0 below the edge, else 1; NaN if either is NaN", (x, [edge]) =>
    Number.isNaN(x) || Number.isNaN(edge) ? Number.NaN : x < (edge as number) ? 0 : 1,
  ),
  mantissa: unary(
    "frexp's fraction: x = mantissa * 2^exponent, of a magnitude in [1/2, 1); zeros, infinities and NaN are their own",
    (x) => (isFinal(x) ? x : Number(dyadicOf(x).n) / 2 ** dyadicOf(x).n.toString(2).replace("-", "").length),
  ),
  exponent: row([], "i32", "frexp's exponent; 0 for zeros, infinities and NaN", exponentOf),
  fmod: row(
    ["own"],
    "own",
    "exact remainder of the truncated quotient, with the sign of the dividend",
    (x, [y]) => x % (y as number),
  ),
};

export const ROUNDING_FUNCTIONS: Readonly<Record<RoundingFunction, FunctionSpec>> = {
  fract: unary("x - floor(x), rounded once, so that it can be 1; NaN for infinities", (x, type) =>
    SCALARS[type].wrap(x - Math.floor(x)),
  ),
  mix: row(["own", "own"], "own", "a * (1 - t) + b * t, each operation rounded", (a, [b, t], type) => {
    const round = (x: number): number => SCALARS[type].wrap(x) as number;
    const [to, by] = [b as number, t as number];
    return round(round(a * round(1 - by)) + round(to * by));
  }),
  sqrt: unary("the square root, rounded once (IEEE 754-2019, 5.4.1); of -0 it is -0", (x, type) =>
    SCALARS[type].wrap(Math.sqrt(x)),
  ),
  fma: row(["own", "own"], "own", "x * y + z, rounded once (5.4.1)", (x, [y, z], type) =>
    fusedMultiplyAdd(type, x, y as number, z as number),
  ),
  ldexp: row(["i32"], "own", "x * 2^n, rounded once (5.3.3: scaleB)", (x, [by], type) =>
    scaled(type, x, by as number),
  ),
};

const among = (type: Scalar, [x, low, high]: readonly ScalarValue[]): ScalarValue =>
  BINARY.min.apply(type, BINARY.max.apply(type, x as ScalarValue, low as ScalarValue), high as ScalarValue);
const signOf = (type: Scalar, x: ScalarValue): ScalarValue => {
  if (isFloat(type)) return Math.sign(x as number);
  return SCALARS[type].whole(BigInt(x) > 0n ? 1n : BigInt(x) < 0n ? -1n : 0n);
};

export const NUMERIC_FUNCTIONS: Readonly<Record<NumericFunction, FunctionSpec>> = {
  sign: {
    on: NUMERIC,
    rest: [],
    result: "own",
    summary: "1, -1, or the operand where it is a zero or NaN",
    apply: (type, [x]) => signOf(type, x as ScalarValue),
  },
  clamp: {
    on: NUMERIC,
    rest: ["own", "own"],
    result: "own",
    summary: "min(max(x, low), high): NaN if an operand is NaN, high if the limits cross",
    apply: among,
  },
  mod: {
    on: NUMERIC,
    rest: ["own"],
    result: "own",
    summary:
      "remainder of the floored quotient, with the sign of the divisor, rounded once; of integers x mod 0 is 0",
    apply: (type, [x, y]) => flooredModulus(type, x as ScalarValue, y as ScalarValue),
  },
};
