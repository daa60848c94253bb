/** First steps of logarithms: they are right or undecided, and seldom undecided. */

import { FUNCTION_ROWS } from "@groupwise/ir/functions/functions.js";
import { describe, expect, it } from "vitest";
import { QUICK_LOGARITHMS } from "../src/library/types/quick/log.ts";
import { bitsOf, bitsOfCall, floatOf } from "./calls.ts";

/** Logarithms, whose first steps give a NaN's bits where they do not decide. */
const LOGARITHMS = ["log", "log2", "log1p"] as const;
type Logarithm = (typeof LOGARITHMS)[number];
const OPEN = 0x7fc00000;
/** @param given bits of the operand */
const quickLog = (op: Logarithm, given: number): number =>
  bitsOfCall(`quick_${op}`, [given], QUICK_LOGARITHMS);
const logarithm = (op: Logarithm, given: number): number =>
  bitsOf(FUNCTION_ROWS[op].apply("f32", [floatOf(given)]) as number);
/** The number of operands that are left undecided; those that are decided are right. */
function openOf(op: Logarithm, operands: readonly number[]): number {
  const got = operands.map((x) => [x, quickLog(op, x)] as const);
  const decided = got.filter(([, result]) => result !== OPEN);
  for (const [x, result] of decided) expect([x, result]).toEqual([x, logarithm(op, x)]);
  return got.length - decided.length;
}
/** The bits of those whose logarithms are nearest to the middle of two floats, among all normal numbers. */
const HARD_FOR: Readonly<Record<Logarithm, readonly number[]>> = {
  log: [
    0x65d890d3, 0x4c5d65a5, 0x4d604ebe, 0x41178feb, 0x1f116ab8, 0x66a8c860, 0x3c413d3a, 0x6f31a8ec,
    0x38dcbe38, 0x4665a9a6, 0x5ee8984e, 0x3bf86ef0,
  ],
  log2: [0x3ea07ab9, 0x40207ab9, 0x64914a90, 0x00914a90, 0x34d54996, 0x3b7fc006, 0x447fc006, 0x64eb8090],
  log1p: [
    0x35400003, 0xb53ffffd, 0x65d890d3, 0x3efd81ad, 0x3710001b, 0xb70fffe5, 0x55185f82, 0x41078feb,
    0x66a8c860, 0xbb0ec8c4, 0x6f31a8ec, 0x3770004b,
  ],
};
/** The bits of numbers for which a step with a fifth of the bound is wrong, of some of each function with a quarter. */
const MOVED_FOR: Readonly<Record<Logarithm, readonly number[]>> = {
  log: [0x39935f44, 0x3f62bdaf, 0x3f63ac72, 0x3f774414, 0x3f9239e4, 0x3f92e2f7, 0x3fb2ac01, 0x404dc250],
  log2: [
    0x3f7f6775, 0x3f7f4799, 0x3f24a053, 0x3f5f1491, 0x3f5f472e, 0x3f9b07e2, 0x3f1b2790, 0x3f1b009c,
    0x3f83dd49, 0x3f193a8f, 0x3fb74679, 0x3f884cbd,
  ],
  log1p: [
    0xb94bfc9d, 0x3e1b2016, 0x3e164e7b, 0x3e2342ad, 0xb8811e11, 0x3e1dae4e, 0x3e1d1736, 0x3fe657a5,
    0x3e18442a, 0x3e166f5e, 0xb88b98a9, 0x3e15fa62,
  ],
};
const spread = (count: number, from: number, size: number): readonly number[] =>
  Array.from({ length: count }, (_, i) => from + Math.floor(((i * 0.6180339887498949) % 1) * size));

const besides = (numbers: readonly number[]): readonly number[] =>
  numbers.flatMap((x) => [-2, -1, 0, 1, 2].map((by) => bitsOf(x) + by));
const SMALL_POWERS = [11, 12, 13, 14, 16, 18];
/** Ranges of bits, numbers whose logarithms are nearly 0, beside changes of the factor, that are exact, and that the exact functions decide. */
interface Operands {
  readonly ranges: readonly (readonly [count: number, from: number, size: number])[];
  readonly near: readonly number[];
  readonly ends: readonly number[];
  readonly exact: readonly (readonly [x: number, result: number])[];
  readonly others: readonly number[];
}
const { NaN: NOT, POSITIVE_INFINITY: INFINITE } = Number;
/** All normal numbers below 2^127, and those between 1/2 and 2. */
const RANGES: Operands["ranges"] = [
  [2000, 0x00800000, 0x7e800000],
  [1000, 0x3f000000, 0x01000000],
];
const OF_FLOATS: Omit<Operands, "exact"> = {
  ranges: RANGES,
  near: [
    // Without the curvature between a step and its operand log is wrong for these.
    ...[0x3f7ffc6a, 0x3f7ffd27, 0x3f80023c, 0x3f800244],
    ...SMALL_POWERS.flatMap((power) => [
      ...spread(20, bitsOf(1 + 2 ** -power), 2 ** (23 - power)),
      ...spread(20, bitsOf(1 - 2 ** -power), 2 ** (23 - power)),
    ]),
  ],
  ends: besides([8 / 9, 8 / 7, 0.697265625, 2 * 0.697265625, 4 / 3, 4 / 5, 3 * 2 ** -127, 3e38]),
  others: [NOT, INFINITE, -INFINITE, 0, -0, -1, -0.5, 2 ** -127, 2 ** -149],
};
const OPERANDS: Readonly<Record<Logarithm, Operands>> = {
  log: { ...OF_FLOATS, exact: [[1, 0]] },
  log2: { ...OF_FLOATS, exact: [-126, -31, -1, 0, 1, 5, 127].map((power) => [2 ** power, power]) },
  log1p: {
    ranges: [...RANGES, [1000, 0x80800000, 0x3f000000], [1000, 0xbd000000, 0x02800000]],
    near: [...SMALL_POWERS, 25, 60, 125].flatMap((power) => [
      ...spread(20, bitsOf(2 ** -power), 2 ** 23),
      ...spread(20, bitsOf(-(2 ** -power)), 2 ** 23),
    ]),
    ends: besides([
      -1 / 9,
      1 / 7,
      -0.302734375,
      0.39453125,
      1 / 3,
      -1 / 5,
      1,
      2 ** 24,
      2 ** -30,
      1e38,
      -0.9999,
    ]),
    exact: [
      [2 ** -126, 2 ** -126],
      [-(2 ** -100), -(2 ** -100)],
    ],
    others: [NOT, INFINITE, -INFINITE, 0, -0, -1, -1.5, -3e38, 2 ** 127, 2 ** -127, -(2 ** -149)],
  },
};

describe.each(LOGARITHMS)("the first step of %s", (op) => {
  const { ranges, near, ends, exact, others } = OPERANDS[op];
  it.each(ranges)(
    "is right for %i operands, and leaves at most one of 200 undecided",
    (count, from, size) => {
      expect(openOf(op, spread(count, from, size))).toBeLessThan(count / 200);
    },
  );

  it("keeps the digits of results that are nearly 0", () => {
    expect(openOf(op, [...new Set(near)])).toBeLessThan(5);
  });

  it("is right where the factor of its operand changes, and at ends of ranges", () => {
    expect(openOf(op, ends)).toBeLessThan(3);
  });

  it("decides where results are exact", () => {
    for (const [x, result] of exact) expect([x, quickLog(op, bitsOf(x))]).toEqual([x, bitsOf(result)]);
  });

  it("leaves zeros, numbers out of its range, subnormal numbers, infinities and NaN to the exact function", () => {
    for (const x of others) expect([x, quickLog(op, bitsOf(x))]).toEqual([x, OPEN]);
    expect(quickLog(op, 0xffffffff)).toBe(OPEN);
  });

  it("leaves results next to a tie undecided", () => {
    for (const x of HARD_FOR[op]) expect([x, quickLog(op, x)]).toEqual([x, OPEN]);
  });

  it("leaves results undecided that its own error would change", () => {
    for (const x of MOVED_FOR[op]) expect([x, quickLog(op, x)]).toEqual([x, OPEN]);
  });
});
