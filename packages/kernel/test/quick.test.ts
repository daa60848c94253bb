/** First steps that decide a rounding: they are right or undecided, and seldom undecided. */

import { FUNCTION_ROWS } from "@groupwise/ir/functions/functions.js";
import { expect, it } from "vitest";
import { fc } from "../../ir/test/fast-check.ts";
import { anyOf } from "../../ir/test/support.ts";
import type { Expr } from "../src/language/expr.ts";
import { add, bitcast, u32 } from "../src/language/make-expr.ts";
import { mapParts } from "../src/language/map-expr.ts";
import type { Fn } from "../src/language/module.ts";
import { DIVIDE_FUNCTIONS } from "../src/library/types/divide.ts";
import { QUICK_EXP } from "../src/library/types/quick/exp.ts";
import { mapBlock } from "../src/passes/base/pass.ts";
import { bitsOf, bitsOfCall, floatOf } from "./calls.ts";

/** The bits of the result, or 0. */
const quickExp = (x: number): number => bitsOfCall("quick_exp", [bitsOf(x)], [QUICK_EXP]);
const exp = (x: number): number => bitsOf(FUNCTION_ROWS.exp.apply("f32", [x]) as number);

it("returns e^x, and leaves at most one of a hundred numbers undecided", () => {
  const open: number[] = [];
  for (let i = 0; i < 2000; i++) {
    const x = Math.fround(((i * 0.6180339887498949) % 1) * 174 - 87);
    const got = quickExp(x);
    if (got === 0) open.push(x);
    else expect([x, got]).toEqual([x, exp(x)]);
  }
  expect(open.length).toBeLessThan(20);
});

it("decides numbers that are nearly 0", () => {
  const small = [0, -0, 2 ** -149, -(2 ** -126), 2 ** -30, 2 ** -27, -(2 ** -26), 2 ** -23, -(2 ** -20)];
  for (const x of small) expect([x, quickExp(x)]).toEqual([x, exp(x)]);
});

it("leaves infinities, NaN and subnormal results to the exact function", () => {
  for (const x of [Number.NaN, Number.POSITIVE_INFINITY, -88, 88.1, -100]) expect(quickExp(x)).toBe(0);
});

/** The bits of those whose powers are nearest to the middle of two floats, among all from 2^-5 to 88 and their opposites. */
const HARD = [
  0xc16912cd, 0x3d1a274e, 0x4001b249, 0x40315b33, 0x4288942b, 0x3fe67199, 0xc0781533, 0x41cbf87b, 0xc13d6631,
  0x4034d02b, 0x40dd70cb, 0xbfbfa14b,
];
it("leaves results next to a tie undecided", () => {
  for (const x of HARD) {
    expect(quickExp(floatOf(x))).toBe(0);
  }
});

/** The bits of numbers for which a step with a bound of 3 units is wrong, of the last two with one of 10. */
const MOVED = [
  0x3e79e13d, 0x3e7a26aa, 0x3e9dcd3e, 0x3ea33164, 0x3eafae57, 0x3eb1b3ee, 0x3eb85d55, 0x3f8a92c3, 0x3fdc24b1,
  0x404cd723, 0xc0ff2c3e, 0xc1befb08,
];
it("leaves results undecided that its own error would change", () => {
  for (const x of MOVED) {
    expect(quickExp(floatOf(x))).toBe(0);
  }
});

/** Division where the language's own quotient of normal numbers is so many units off. */
const offBy = (units: number): readonly Fn[] => {
  const change = (e: Expr): Expr => {
    const inner = mapParts(e, change);
    const isQuotient = inner.kind === "binary" && inner.op === "div" && inner.type === "f32";
    return isQuotient ? bitcast("f32", add(bitcast("u32", inner), u32(units >>> 0))) : inner;
  };
  return DIVIDE_FUNCTIONS.map((fn) => ({ ...fn, body: mapBlock(fn.body, change) }));
};
it.each([0, 1, -1, 2, -2, 3, -3, 5, -5, 90, -90])(
  "quotients are correctly rounded if the language's are %i units off",
  (units) => {
    const functions = offBy(units);
    const pair = fc.tuple(anyOf("f32"), anyOf("f32")) as fc.Arbitrary<[number, number]>;
    const near = fc.tuple(
      fc.integer({ min: 2 ** 23, max: 2 ** 24 - 1 }),
      fc.integer({ min: 2 ** 23, max: 2 ** 24 - 1 }),
    );
    fc.assert(
      fc.property(fc.oneof(pair, near), ([x, y]) => {
        const got = bitsOfCall("div_f32", [bitsOf(x), bitsOf(y)], functions);
        const want = Math.fround(x / y);
        if (Number.isNaN(want)) expect(got & 0x7fffffff).toBeGreaterThan(0x7f800000);
        else expect([x, y, got]).toEqual([x, y, bitsOf(want)]);
      }),
      { numRuns: process.env.GROUPWISE_FULL ? 300 : 100 },
    );
  },
);
