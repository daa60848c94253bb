/**
 * Elementary functions. Of halves and singles: the value of the type nearest to the exact result, found with as many
 * digits as necessary. Of doubles: the results of the algorithms in `double`.
 */

import type { FloatScalar, ScalarKind } from "../tables/scalar.ts";
import { type Dyadic, dyadicOf, nearest } from "./digits/exact.ts";
import { digitsOf, type SignedDigits } from "./digits/fixed.ts";
import * as real from "./digits/real.ts";
import { DOUBLES, NEAREST_DOUBLES } from "./doubles.ts";
import type { FunctionSpec, UnaryElementary } from "./spec.ts";

const FLOAT: readonly ScalarKind[] = ["float"];
const { NaN: NAN, POSITIVE_INFINITY: INFINITE } = Number;
const NEAR = 256n;
const MOST = 600;
const REMEMBERED = 1 << 12;

/** A few of the last units off. */
export type Approximate = (x: Dyadic, p: number) => Dyadic;
/** Ziv's strategy: digits are added until no error of the approximation changes what is nearest. */
function decided(type: FloatScalar, x: number, approximate: Approximate): number {
  const given = dyadicOf(x);
  const small = Math.max(0, -lengthOf(given) - given.e);
  for (let p = 64 + small; ; p *= 2) {
    const { n, e } = approximate(given, p);
    if (p > MOST + 2 * small) return nearest(type, { n, e });
    if (n < 2n * NEAR && n > -2n * NEAR) continue;
    const low = nearest(type, { n: n - NEAR, e });
    if (low === nearest(type, { n: n + NEAR, e })) return low;
  }
}
const lengthOf = ({ n }: Dyadic): number => (n < 0n ? -n : n).toString(2).length;
const fixed = ({ n, e }: Dyadic, p: number): bigint => real.shifted(n, e + p);
const one = (p: number): bigint => 1n << BigInt(p);

/** Caches results, because laws and the reference compute the same values many times. */
function remembered(apply: (type: FloatScalar, x: number) => number): FunctionSpec["apply"] {
  const known = new Map<string, number>();
  return (type, [x]) => {
    const key = `${type} ${Object.is(x, -0) ? "-0" : x}`;
    const value = known.get(key) ?? apply(type as FloatScalar, x as number);
    if (known.size >= REMEMBERED) known.clear();
    known.set(key, value);
    return value;
  };
}
interface Definition {
  readonly summary: string;
  /** The result if no digits are needed: special values, and magnitudes from `reach` on. */
  readonly ends: (x: number, reach: number) => number | undefined;
  readonly approximate: Approximate;
}
const define = (summary: string, ends: Definition["ends"], approximate: Approximate): Definition => ({
  summary,
  ends,
  approximate,
});
/** Beyond this every power is too large or too small. */
const REACH: Readonly<Record<FloatScalar, number>> = { f16: 200, f32: 200, f64: 1100 };
function row(op: UnaryElementary, { summary, ends, approximate }: Definition): FunctionSpec {
  const double = DOUBLES[op];
  const digits = (type: FloatScalar, x: number): number =>
    type === "f64" && double ? rounded(double(digitsOf(dyadicOf(x)), x < 0)) : decided(type, x, approximate);
  return {
    on: FLOAT,
    ...(double || NEAREST_DOUBLES.includes(op) ? {} : { lacking: ["f64"] }),
    rest: [],
    result: "own",
    summary,
    apply: remembered((type, x) => (Number.isNaN(x) ? NAN : (ends(x, REACH[type]) ?? digits(type, x)))),
  };
}
const rounded = ({ digits, exponent, isNegative }: SignedDigits): number =>
  nearest("f64", { n: isNegative ? -digits : digits, e: exponent - 63 });
/** Of a function of fixed-point numbers. */
const plain =
  (f: (x: bigint, p: number) => bigint): Approximate =>
  (x, p) => ({ n: f(fixed(x, p), p), e: -p });
const scaled = ({ n, e }: { readonly n: bigint; readonly e: number }, p: number): Dyadic => ({ n, e: e - p });
const beyond = (x: number, reach: number, below: number, above: number): number | undefined =>
  x > reach ? above : x < -reach ? below : undefined;
const near0 = (x: number): number | undefined => (x === 0 ? x : undefined);
const odd = (x: number, limit: number, last: number): number | undefined =>
  Math.abs(x) >= limit ? Math.sign(x) * last : near0(x);
/** e^x, e^-x, of p fraction bits. */
function powers(x: bigint, p: number): [bigint, bigint] {
  const { n, e } = real.exp(x, p);
  return [real.shifted(n, e), real.shifted(real.over(one(p), n, p), -e)];
}
const POWERS = {
  exp: define(
    "e^x; of -∞ it is 0",
    (x, reach) => beyond(x, reach, 0, INFINITE) ?? (x === 0 ? 1 : undefined),
    (x, p) => scaled(real.exp(fixed(x, p), p), p),
  ),
  exp2: define(
    "2^x; of -∞ it is 0",
    (x, reach) => beyond(x, reach, 0, INFINITE) ?? (x === 0 ? 1 : undefined),
    (x, p) => {
      const whole = fixed(x, p) >> BigInt(p);
      const { n, e } = real.exp(((fixed(x, p) - (whole << BigInt(p))) * real.ln2(p)) >> BigInt(p), p);
      return { n, e: e + Number(whole) - p };
    },
  ),
  expm1: define(
    "e^x - 1; zeros keep the sign",
    (x, reach) => beyond(x, reach, -1, INFINITE) ?? near0(x),
    plain((x, p) => powers(x, p)[0] - one(p)),
  ),
  sinh: define(
    "the hyperbolic sine; zeros keep the sign",
    (x, reach) => odd(x, reach, INFINITE),
    plain((x, p) => powers(x, p).reduce((a, b) => a - b) >> 1n),
  ),
  cosh: define(
    "the hyperbolic cosine",
    (x, reach) => (Math.abs(x) >= reach ? INFINITE : x === 0 ? 1 : undefined),
    plain((x, p) => powers(x, p).reduce((a, b) => a + b) >> 1n),
  ),
  tanh: define(
    "the hyperbolic tangent; zeros keep the sign",
    (x) => odd(x, 32, 1),
    plain((x, p) => {
      const [a, b] = powers(x, p);
      return real.over(a - b, a + b, p);
    }),
  ),
  sigmoid: define(
    "1 / (1 + e^-x)",
    (x, reach) => beyond(x, reach, 0, 1) ?? (x === 0 ? 0.5 : undefined),
    (x, p) => {
      const { n, e } = real.exp(fixed(x, p), p);
      // Digits of small results: e^x / (1 + e^x), scaled.
      const sum = e < 0 ? one(p) + real.shifted(n, e) : n + real.shifted(one(p), -e);
      return { n: real.over(n, sum, p), e: Math.min(e, 0) - p };
    },
  ),
};

const logarithm = (x: number): number | undefined =>
  x === 0 ? -INFINITE : x < 0 ? NAN : x === INFINITE ? x : x === 1 ? 0 : undefined;
const LOGARITHMS = {
  log: define("the natural logarithm; -∞ of zeros, NaN of negative numbers", logarithm, (x, p) => ({
    n: logOf(x, p),
    e: -p,
  })),
  log2: define("the logarithm to base 2; -∞ of zeros, NaN of negative numbers", logarithm, (x, p) => {
    // Powers of two are exact.
    const places = lengthOf(x) - 1;
    const { n } = { n: logOf({ n: x.n, e: -places }, p) };
    return { n: real.over(n, real.ln2(p), p) + (BigInt(x.e + places) << BigInt(p)), e: -p };
  }),
  log1p: define(
    "log(1 + x); -∞ of -1, NaN below, zeros keep the sign",
    (x) => (x === 0 || x === INFINITE ? x : x === -1 ? -INFINITE : x < -1 ? NAN : undefined),
    plain(real.log1p),
  ),
};
function logOf(x: Dyadic, p: number): bigint {
  const places = lengthOf(x);
  const e = x.e + places;
  return real.log(real.shifted(x.n, p - places), p) + BigInt(e) * real.ln2(p);
}

const endless = (x: number): number | undefined => (Number.isFinite(x) ? undefined : NAN);
const within = (x: number): number | undefined => (Math.abs(x) > 1 ? NAN : undefined);
const beside = (x: bigint, p: number): bigint => real.wholeRoot((one(p) << BigInt(p)) - x * x, 2n);
const signed = (x: bigint, f: (magnitude: bigint) => bigint): bigint => (x < 0n ? -f(-x) : f(x));
const CIRCLE = {
  sin: define(
    "the sine, in radians; NaN of infinities, zeros keep the sign",
    (x) => endless(x) ?? near0(x),
    plain((x, p) => real.circle(x, p).sin),
  ),
  cos: define(
    "the cosine, in radians; NaN of infinities",
    (x) => endless(x) ?? (x === 0 ? 1 : undefined),
    plain((x, p) => real.circle(x, p).cos),
  ),
  tan: define(
    "the tangent, in radians; NaN of infinities, zeros keep the sign",
    (x) => endless(x) ?? near0(x),
    plain((x, p) => {
      const { sin, cos } = real.circle(x, p);
      return real.over(sin, cos, p);
    }),
  ),
  asin: define(
    "the angle of a sine, in radians; NaN beyond 1, zeros keep the sign",
    (x) => within(x) ?? near0(x),
    plain((x, p) => signed(x, (y) => real.angle(y, beside(x, p), p))),
  ),
  acos: define(
    "the angle of a cosine, in radians; NaN beyond 1, +0 of 1",
    (x) => within(x) ?? (x === 1 ? 0 : undefined),
    plain((x, p) => {
      const angle = real.angle(beside(x, p), x < 0n ? -x : x, p);
      return x < 0n ? real.pi(p) - angle : angle;
    }),
  ),
  atan: define(
    "the angle of a tangent, in radians; zeros keep the sign",
    (x) => near0(x),
    plain((x, p) => signed(x, (y) => real.angle(y, one(p), p))),
  ),
};

const AREAS = {
  asinh: define(
    "the inverse hyperbolic sine; zeros and infinities are their own",
    (x) => (Number.isFinite(x) ? near0(x) : x),
    plain((x, p) => signed(x, (y) => real.log(y + real.wholeRoot(y * y + one(2 * p), 2n), p))),
  ),
  acosh: define(
    "the inverse hyperbolic cosine; NaN below 1, +0 of 1",
    (x) => (x < 1 ? NAN : x === 1 ? 0 : x === INFINITE ? x : undefined),
    plain((x, p) => real.log(x + real.wholeRoot(x * x - one(2 * p), 2n), p)),
  ),
  atanh: define(
    "the inverse hyperbolic tangent; ±∞ of ±1, NaN beyond, zeros keep the sign",
    (x) => within(x) ?? (Math.abs(x) === 1 ? x * INFINITE : near0(x)),
    plain((x, p) => signed(x, (y) => real.log(real.over(one(p) + y, one(p) - y, p), p) >> 1n)),
  ),
};

const OTHERS = {
  erf: define(
    "the error function; zeros keep the sign",
    (x) => odd(x, 6, 1),
    plain((x, p) => signed(x, (y) => real.erf(y, p))),
  ),
  cbrt: define(
    "the cube root; zeros and infinities are their own",
    (x) => (Number.isFinite(x) ? near0(x) : x),
    ({ n, e }, p) => {
      const third = Math.floor(e / 3);
      const digits = (n < 0n ? -n : n) << BigInt(3 * p + e - 3 * third);
      const whole = real.wholeRoot(digits, 3n);
      return { n: n < 0n ? -whole : whole, e: third - p };
    },
  ),
  rsqrt: define(
    "1 / √x; ±∞ of zeros, NaN of negative numbers",
    (x) => (x === 0 ? 1 / x : x < 0 ? NAN : x === INFINITE ? 0 : undefined),
    ({ n, e }, p) => {
      const half = Math.floor(e / 2);
      return {
        n: real.wholeRoot((1n << BigInt(2 * p + 64)) / (n << BigInt(e - 2 * half)), 2n),
        e: -p - 32 - half,
      };
    },
  ),
};

const DEFINITIONS: Readonly<Record<UnaryElementary, Definition>> = {
  ...POWERS,
  ...LOGARITHMS,
  ...CIRCLE,
  ...AREAS,
  ...OTHERS,
};
const NAMES = Object.keys(DEFINITIONS) as UnaryElementary[];
export const ELEMENTARY_UNARY = Object.fromEntries(
  NAMES.map((op) => [op, row(op, DEFINITIONS[op])]),
) as Readonly<Record<UnaryElementary, FunctionSpec>>;

/** Approximations of the functions with any number of digits, for operands that are not special cases. */
export const approximationOf = (op: UnaryElementary): Approximate => DEFINITIONS[op].approximate;
