/** Elementary functions of f64 against series of more digits, and the host's special values. */
import { describe, expect, it } from "vitest";
import { type Dyadic, dyadicOf } from "../src/functions/digits/exact.ts";
import { approximationOf } from "../src/functions/elementary.ts";
import { FUNCTION_ROWS, isElementary } from "../src/functions/functions.ts";
import { isOn, type UnaryElementary } from "../src/functions/spec.ts";
import { fc, test } from "./fast-check.ts";

const { POSITIVE_INFINITY: INFINITE } = Number;
const UNARY = (Object.keys(FUNCTION_ROWS) as UnaryElementary[]).filter(
  (op) => isElementary(op) && isOn(FUNCTION_ROWS[op], "f64") && FUNCTION_ROWS[op].rest.length === 0,
);
const of = (op: UnaryElementary, x: number): number => FUNCTION_ROWS[op].apply("f64", [x]) as number;

const DIGITS = 140;
const lengthOf = (n: bigint): number => (n < 0n ? -n : n).toString(2).length;
/** The exact result, with 140 digits of small ones too. */
function exactOf(op: UnaryElementary, x: number): Dyadic {
  const given = dyadicOf(x);
  for (let p = DIGITS + Math.max(0, -given.e - lengthOf(given.n)); ; p += DIGITS) {
    const result = approximationOf(op)(given, p);
    if (lengthOf(result.n) >= DIGITS || p > 3000) return result;
  }
}
/** How far a double is from a number, in units of the last place of that number. */
function ulps(got: number, exact: Dyadic): number {
  const unit = Math.max(lengthOf(exact.n) + exact.e - 53, -1074);
  if (exact.n === 0n) return Math.abs(got) / 2 ** -1074;
  if (!Number.isFinite(got)) return lengthOf(exact.n) + exact.e > 1024 || unit >= 971 ? 0 : INFINITE;
  const { n, e } = dyadicOf(got);
  const least = Math.min(e, exact.e, unit);
  const difference = (n << BigInt(e - least)) - (exact.n << BigInt(exact.e - least));
  return Math.abs(Number((difference << 40n) >> BigInt(unit - least))) / 2 ** 40;
}
/** Results beyond 1100 and below -1100; of the error function beyond 6. */
const FAR: Readonly<Partial<Record<UnaryElementary, readonly [number, number]>>> = {
  exp: [INFINITE, 0],
  exp2: [INFINITE, 0],
  expm1: [INFINITE, -1],
  sinh: [INFINITE, -INFINITE],
  cosh: [INFINITE, INFINITE],
  tanh: [1, -1],
  sigmoid: [1, 0],
  erf: [1, -1],
};
/** Operands whose results the test of special values has. */
const SPECIAL = [0, -0, 1, -1, INFINITE, -INFINITE, Number.NaN];
/** IEEE 754-2019, 9.2.1: of 0, -0, 1, -1, ∞ and -∞, where that is no rounded value. */
const SPECIAL_RESULTS: Readonly<Partial<Record<UnaryElementary, readonly (number | undefined)[]>>> = {
  exp: [1, 1, undefined, undefined, INFINITE, 0],
  exp2: [1, 1, 2, 0.5, INFINITE, 0],
  expm1: [0, -0, undefined, undefined, INFINITE, -1],
  log: [-INFINITE, -INFINITE, 0, Number.NaN, INFINITE, Number.NaN],
  log2: [-INFINITE, -INFINITE, 0, Number.NaN, INFINITE, Number.NaN],
  log1p: [0, -0, undefined, -INFINITE, INFINITE, Number.NaN],
  sinh: [0, -0, undefined, undefined, INFINITE, -INFINITE],
  cosh: [1, 1, undefined, undefined, INFINITE, INFINITE],
  tanh: [0, -0, undefined, undefined, 1, -1],
  sigmoid: [0.5, 0.5, undefined, undefined, 1, 0],
  erf: [0, -0, undefined, undefined, 1, -1],
  sin: [0, -0, undefined, undefined, Number.NaN, Number.NaN],
  cos: [1, 1, undefined, undefined, Number.NaN, Number.NaN],
  tan: [0, -0, undefined, undefined, Number.NaN, Number.NaN],
  asin: [0, -0, undefined, undefined, Number.NaN, Number.NaN],
  acos: [undefined, undefined, 0, undefined, Number.NaN, Number.NaN],
  atan: [0, -0, undefined, undefined, undefined, undefined],
  asinh: [0, -0, undefined, undefined, INFINITE, -INFINITE],
  acosh: [Number.NaN, Number.NaN, 0, Number.NaN, INFINITE, Number.NaN],
  atanh: [0, -0, INFINITE, -INFINITE, Number.NaN, Number.NaN],
  cbrt: [0, -0, 1, -1, INFINITE, -INFINITE],
  rsqrt: [INFINITE, -INFINITE, 1, Number.NaN, 0, Number.NaN],
};
const BOUND = 0.52;
function expectNear(op: UnaryElementary, x: number): void {
  const got = of(op, x);
  const far = Math.abs(x) > (op === "erf" ? 6 : 1100) ? FAR[op] : undefined;
  if (far) {
    expect(got).toBe(far[x > 0 ? 0 : 1]);
    return;
  }
  if (x === 0 || !Number.isFinite(x) || SPECIAL_RESULTS[op]?.[SPECIAL.indexOf(x)] !== undefined) return;
  if (Number.isNaN(got)) return;
  const off = ulps(got, exactOf(op, x));
  if (off > BOUND) expect.fail(`${op}(${x}) is ${got}, ${off} ulp off`);
}

const MIDDLE = [1e-300, 5e-324, 2 ** -1022, 1e-20, 2 ** -60, 1e-9, 2 ** -13, 0.1, 0.25, 0.3465735902799727];
const HARD = [
  ...MIDDLE,
  ...[0.5, 0.75, 1 - 2 ** -53, 1, 1 + 2 ** -52, 1.5, 2, 2.5, 3, 4, 4.3, 5.2, 5.9, 6.1],
  ...[10, 18.9, 19.1, 22, 36.7, 37, 40, 100],
  ...[340.1, 708.3, 709.78, 709.79, 710.4, 745.1, 745.2, 800, 1022.5, 1024, 1074.6, 1090],
].flatMap((x) => [x, -x]);
const hard = fc.oneof(
  fc.double({ noNaN: true }),
  fc.double({ noNaN: true, min: -1, max: 1 }),
  fc.double({ noNaN: true, min: -40, max: 40 }),
  fc.double({ noNaN: true, min: -1100, max: 1100 }),
  fc.double({ noNaN: true, min: 0.5, max: 2 }),
  fc.integer({ min: -1100, max: 1100 }),
);

describe.each(UNARY)("%s of f64", (op) => {
  it("is within 0.52 ulp where operands are hard", () => {
    for (const x of HARD) expectNear(op, x);
  });
  it("has the special values of IEEE 754-2019, 9.2.1", () => {
    const known = SPECIAL_RESULTS[op] as readonly (number | undefined)[];
    expect(SPECIAL.map((x, i) => (i < 6 && known[i] === undefined ? undefined : of(op, x)))).toEqual([
      ...known,
      Number.NaN,
    ]);
  });
  test("is within 0.52 ulp", () =>
    fc.property(hard, (x) => {
      expectNear(op, x);
    }));
});
