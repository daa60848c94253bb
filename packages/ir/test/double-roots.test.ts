/** Roots of f64 are the nearest doubles: exact products compare the results with the middles beside them. */
import { describe, expect, it } from "vitest";
import { FUNCTION_ROWS } from "../src/functions/functions.ts";
import type { ElementaryFunction } from "../src/functions/spec.ts";
import { besides, exactly, type Fraction, fraction, order, plus, times } from "./exact-floats.ts";
import { fc, test } from "./fast-check.ts";

const { NaN: NAN, POSITIVE_INFINITY: INFINITE } = Number;
const of = (op: ElementaryFunction, ...x: number[]): number => FUNCTION_ROWS[op].apply("f64", x) as number;
const HALF = fraction(1n, 2n);
const square = (x: Fraction): Fraction => times(x, x);
/** The order of a number beside the root, by that of what the root solves. */
type Compare = (beside: Fraction) => number;
/** Of a positive result that is finite. Where the exact one is a middle itself, the last digit is even. */
function expectNearest(got: number, compare: Compare, what: string): void {
  const middle = (up: boolean): Fraction => times(plus(exactly(got), exactly(besides("f64", got, up))), HALF);
  const [below, above] = [compare(middle(false)), compare(middle(true))];
  if (below > 0 || above < 0) expect.fail(`${what} is not ${got}`);
  if (below === 0 || above === 0) expect(BigInt(got / 2 ** Math.ceil(Math.log2(got) - 53)) % 2n).toBe(0n);
}
function cubeRoot(x: number): void {
  const size = Math.abs(of("cbrt", x));
  expect(Object.is(of("cbrt", -x), -of("cbrt", x))).toBe(true);
  expectNearest(size, (y) => order(times(square(y), y), exactly(Math.abs(x))), `cbrt(${x})`);
}
function inverseRoot(x: number): void {
  expectNearest(of("rsqrt", x), (y) => order(times(square(y), exactly(x)), fraction(1n)), `rsqrt(${x})`);
}
function hypotenuse(x: number, y: number): void {
  const got = of("hypot", x, y);
  expect([of("hypot", y, x), of("hypot", -x, y)]).toEqual([got, got]);
  const sum = plus(square(exactly(x)), square(exactly(y)));
  // Half a unit above the greatest double, everything is infinite.
  const last = square(exactly(2 ** 970 * (2 ** 54 - 1)));
  if (!Number.isFinite(got)) expect(order(sum, last)).toBeGreaterThanOrEqual(0);
  else if (got === Number.MAX_VALUE) expect(order(sum, last)).toBeLessThan(0);
  else expectNearest(got, (z) => order(square(z), sum), `hypot(${x}, ${y})`);
}

const HARD = [5e-324, 1.5e-323, 2 ** -1022, 1e-300, 1 - 2 ** -53, 1, 1 + 2 ** -52, 2, 3, 8, 27, 1e300];
const positive = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true, min: 5e-324 }),
  fc.double({ noNaN: true, min: 0.125, max: 8 }),
  fc.double({ noNaN: true, min: 5e-324, max: 2 ** -1020 }),
);
/** Odd numbers of 54 digits: middles between doubles. */
const middles = fc.bigInt({ min: 1n << 52n, max: (1n << 53n) - 1n }).map((n) => 2n * n + 1n);
const powers = fc.integer({ min: -900, max: 900 });

describe("of f64, the nearest double to", () => {
  it("hard roots", () => {
    for (const x of HARD) {
      cubeRoot(x);
      inverseRoot(x);
      for (const y of HARD) hypotenuse(x, y);
    }
  });
  test("a cube root", () => fc.property(positive, cubeRoot));
  test("a cube root next to a tie", () =>
    fc.property(middles, powers, (m, e) => cubeRoot(Number(m ** 3n) * 2 ** -162 * 2 ** e)));
  test("an inverse root", () => fc.property(positive, inverseRoot));
  test("an inverse root next to a tie", () =>
    fc.property(middles, powers, (m, e) => inverseRoot(Number((1n << 320n) / m ** 2n) * 2 ** -212 * 2 ** e)));
  test("a hypotenuse", () => fc.property(positive, positive, hypotenuse));
  test("a hypotenuse of legs of like size", () =>
    fc.property(
      positive,
      fc.integer({ min: -40, max: 40 }),
      fc.double({ noNaN: true, min: 1, max: 2 }),
      (x, e, f) => {
        const y = x * f * 2 ** e;
        if (y > 0 && Number.isFinite(y)) hypotenuse(x, y);
      },
    ));
  it("hypotenuses that are ties", () => {
    // 5 times an odd number, of 54 digits, with legs of 53 and fewer: both sides of even.
    for (const m of [2n ** 51n + 1n, 2n ** 51n + 3n, 3602879701896397n, 3602879701896395n])
      hypotenuse(Number(3n * m), Number(4n * m));
  });
});
it("returns exact roots exactly, and has special values", () => {
  expect([of("cbrt", -27), of("cbrt", 2 ** -1074), of("rsqrt", 2 ** -1074)]).toEqual([
    -3,
    2 ** -358,
    2 ** 537,
  ]);
  expect([of("cbrt", -0), of("cbrt", -INFINITE), of("cbrt", NAN)]).toEqual([-0, -INFINITE, NAN]);
  expect([of("rsqrt", -0), of("rsqrt", INFINITE), of("rsqrt", -1)]).toEqual([-INFINITE, 0, NAN]);
  expect([of("hypot", NAN, -INFINITE), of("hypot", NAN, 1), of("hypot", -0, -0)]).toEqual([INFINITE, NAN, 0]);
  expect([of("hypot", 3e-320, 4e-320), of("hypot", 1e308, 1.7e308)]).toEqual([5e-320, INFINITE]);
});
