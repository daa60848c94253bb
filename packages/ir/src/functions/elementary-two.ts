/** Elementary functions of two operands. */
import type { FloatScalar, ScalarKind } from "../tables/scalar.ts";
import { dyadicOf, nearest } from "./digits/exact.ts";
import { type Digits, digitsOf } from "./digits/fixed.ts";
import { wholeRoot } from "./digits/real.ts";
import { angleOf, powerOf } from "./digits/words.ts";
import { doublePowerOf } from "./double/power.ts";
import type { BinaryElementary, FunctionSpec } from "./spec.ts";

const FLOAT: readonly ScalarKind[] = ["float"];
const { NaN: NAN, POSITIVE_INFINITY: INFINITE } = Number;
const row = (summary: string, apply: (type: FloatScalar, a: number, b: number) => number): FunctionSpec => ({
  on: FLOAT,
  rest: ["own"],
  result: "own",
  summary,
  apply: (type, [a, b]) => apply(type as FloatScalar, a as number, b as number),
});
const isMinus = (x: number): boolean => x < 0 || Object.is(x, -0);
const signed = (x: number, isNegative: boolean): number => (isNegative ? -x : x);
const rounded = (type: FloatScalar, { digits, exponent }: Digits): number =>
  nearest(type, { n: digits, e: exponent - 63 });

function power(type: FloatScalar, x: number, y: number): number {
  if (x === 1 || y === 0) return 1;
  if (Number.isNaN(x) || Number.isNaN(y)) return NAN;
  const size = Math.abs(x);
  if (size === 1 && !Number.isFinite(y)) return 1;
  const isNegative = isMinus(x) && Math.abs(y % 2) === 1;
  if (x === 0 || !Number.isFinite(x) || !Number.isFinite(y))
    return signed(size >= 1 !== y < 0 ? INFINITE : 0, isNegative);
  if (x < 0 && !Number.isInteger(y)) return NAN;
  if (size === 1) return signed(1, isNegative);
  const wanted = type === "f64" ? doublePowerOf : powerOf;
  const result = wanted(digitsOf(dyadicOf(x)), digitsOf(dyadicOf(y)), y < 0);
  if (typeof result === "boolean") return signed(result ? INFINITE : 0, isNegative);
  return signed(rounded(type, result), isNegative);
}

/** Replaces infinities by finite numbers of the same sign: two infinities count as equal magnitudes. */
const asFinite = (x: number, other: number): number =>
  Number.isFinite(x) ? (Number.isFinite(other) ? x : 0) : Math.sign(x);
function angle(type: FloatScalar, y: number, x: number): number {
  if (Number.isNaN(y) || Number.isNaN(x)) return NAN;
  const [b, a] = [asFinite(y, x), asFinite(x, y)];
  const isNegative = isMinus(y);
  if (b === 0) return signed(isMinus(x) ? wrap(type, Math.PI) : 0, isNegative);
  if (a === 0) return signed(wrap(type, Math.PI / 2), isNegative);
  return signed(rounded(type, angleOf(digitsOf(dyadicOf(b)), digitsOf(dyadicOf(a)), x < 0)), isNegative);
}
/** A double that is not nearly halfway between two values of the type. */
const wrap = (type: FloatScalar, x: number): number => nearest(type, dyadicOf(x));

function hypotenuse(type: FloatScalar, x: number, y: number): number {
  if (!Number.isFinite(x) && !Number.isNaN(x)) return INFINITE;
  if (!Number.isFinite(y) && !Number.isNaN(y)) return INFINITE;
  if (Number.isNaN(x) || Number.isNaN(y)) return NAN;
  if (x === 0 || y === 0) return Math.abs(x) + Math.abs(y);
  const [a, b] = [dyadicOf(x), dyadicOf(y)];
  const e = Math.min(a.e, b.e) - 64;
  const square = (a.n << BigInt(a.e - e)) ** 2n + (b.n << BigInt(b.e - e)) ** 2n;
  const root = wholeRoot(square, 2n);
  return nearest(type, { n: 2n * root + (root * root === square ? 0n : 1n), e: e - 1 });
}

export const ELEMENTARY_BINARY: Readonly<Record<BinaryElementary, FunctionSpec>> = {
  pow: row(
    "x^y, within 0.5000001 ulp, 0.53 of f64, with the exact cases of IEEE 754-2019, 9.2.1: pow",
    power,
  ),
  atan2: row(
    "the angle of the point (x, y), in radians, within 0.5000001 ulp, 0.51 of f64; y comes first",
    angle,
  ),
  hypot: row("√(x² + y²); ∞ if one of them is infinite", hypotenuse),
};
