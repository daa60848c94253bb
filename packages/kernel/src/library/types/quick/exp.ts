/** A first step of e^x in few operations, which reports whether it decides the rounding (Ziv, Fast evaluation of elementary functions, 1991). */
import { ln2, shifted } from "@groupwise/ir/functions/digits/real.js";
import type { Code } from "../../../language/build.ts";
import type { Expr } from "../../../language/expr.ts";
import { add, binary, mul, select, sub } from "../../../language/make-expr.ts";
import type { Fn } from "../../../language/module.ts";
import { define, floatOf, magnitudeOf } from "../base/define.ts";
import { asFloat, bits, f32, f32Bits, guardBy, horner, plus, roundedSum } from "./parts.ts";

const P = 128;
const LN2 = ln2(P);
/** Of log 2: 16 fraction bits, whose product with k is exact, 16 digits that follow, whose product is exact too, and the rest. */
const LN2_FIRST = Number(shifted(LN2, 16 - P)) / 2 ** 16;
const LN2_NEXT = (Number(shifted(LN2, 36 - P) % 2n ** 20n) + 1) >> 1;
const LN2_LAST =
  Number(LN2 - (shifted(LN2, 16 - P) << BigInt(P - 16)) - (BigInt(LN2_NEXT) << BigInt(P - 35))) / 2 ** P;
/** The bits of 87: e^x is a normal number below it. */
const LIMIT = 0x42ae0000;
/** 1.5 * 2^23 and 1.5 * 2^11: sums with them are rounded to whole numbers, and to 12 fraction bits. */
const TO_WHOLE = 12582912;
const TO_STEPS = 3072;
const STEP = 2 ** -12;
/** The error is less than this many units of 2^-40: see docs/decisions/first-steps.md. */
const DOUBT = 48;
/** (e^s - 1 - s - s²/2 - s³/6 - s⁴/24) / s⁵, within 2^-41.7 of e^s for |s| < 0.3469. */
const REST_OF_SERIES = [
  0x1111112 * 2 ** -31,
  0x16c1694 * 2 ** -34,
  0x1a017ce * 2 ** -37,
  0x1a105a0 * 2 ** -40,
  0x1727990 * 2 ** -43,
];

/** The operand: x = k log 2 + s + t, s a whole number of steps of 2^-12, |t| <= 2^-13. */
interface Reduced {
  /** A float, as bits: the last digits are k. */
  readonly powers: Expr;
  /** s in steps, a whole number as u32. */
  readonly steps: Expr;
  readonly s: Expr;
  readonly t: Expr;
  /** t without its last part, which is the other number: both are exact. */
  readonly first: Expr;
  readonly last: Expr;
  /** The same float: compilers cannot regroup across it, because they do not know that the sign of the powers is 0. */
  readonly guarded: (x: Expr) => Expr;
}
function reduced(code: Code, x: Expr): Reduced {
  const powers = code.let("powers", bits(plus(f32(TO_WHOLE), x, f32(Math.LOG2E))));
  const guarded = guardBy(powers);
  const k = code.let("k", asFloat(sub(powers, f32Bits(TO_WHOLE))));
  const next = f32(LN2_NEXT * 2 ** -35);
  const exact = code.let("exact", guarded(sub(x, mul(k, f32(LN2_FIRST)))));
  const nearest = add(sub(exact, mul(k, next)), f32(TO_STEPS));
  const steps = code.let("steps", sub(bits(nearest), f32Bits(TO_STEPS)));
  const s = code.let("s", mul(asFloat(steps), f32(STEP)));
  const first = code.let("first", guarded(sub(guarded(sub(exact, s)), mul(k, next))));
  const last = code.let("last", mul(k, f32(LN2_LAST)));
  return { powers, steps, s, t: code.let("t", sub(first, last)), first, last, guarded };
}

/** e^s - 1, its first four terms alone, and e^(s + t) without the first five of s, and t. */
function floats(code: Code, { s, t, last }: Reduced): { readonly terms: Expr; readonly small: Expr } {
  const square = code.let("square", mul(s, s));
  const tail = mul(s, horner(s, REST_OF_SERIES.map(f32)));
  const rest = code.let("rest", mul(mul(square, square), tail));
  const terms = code.let("terms", plus(s, square, horner(s, [f32(1 / 2), f32(1 / 6), f32(1 / 24)])));
  const behind = code.let("behind", mul(t, mul(t, f32(1 / 2))));
  const product = mul(add(terms, rest), add(t, behind));
  return { terms, small: code.let("small", add(add(behind, product), sub(rest, last))) };
}

/** 24 (1 + s + s²/2 + s³/6 + s⁴/24) in units of 2^-48, modulo 2^32: its first digits are those of floats. */
const exactSum = (n: Expr): Expr => mul(n, mul(n, add(mul(n, add(n, 4 << 12)), 12 << 24)));

/**
 * e^x = 2^k e^(s + t), |s + t| < 0.3469. The sum of five terms of s is a float of 22 fraction bits, and a small distance from it, which fits a word
 * in units of 2^-48 / 24. The sum of all parts rounds in the same way with the bound of the error and without it, or is undecided.
 */
function fill(code: Code, given: Expr): void {
  const parts = reduced(code, floatOf(given));
  const { powers, steps, first, guarded } = parts;
  const { terms, small } = floats(code, parts);
  const estimate = code.let("estimate", bits(add(terms, f32(3))));
  const distance = asFloat(sub(exactSum(steps), mul(estimate, (24 << 26) >>> 0)));
  const whole = code.let("whole", guarded(sub(floatOf(magnitudeOf(estimate)), f32(2))));
  const { most, isOpen } = roundedSum(code, guarded, [whole, first], {
    left: (lost) => plus(add(lost, small), distance, f32(2 ** -51 / 3)),
    doubt: () => f32(DOUBT * 2 ** -40),
  });
  const isSpecial = binary("ge", magnitudeOf(given), LIMIT);
  code.return(select(binary("or", isOpen, isSpecial), 0, add(most, binary("shl", powers, 23))));
}

export const QUICK_EXP: Fn = define("quick_exp", {
  doc: "The bits of the f32 nearest to e^x for the bits of x, or 0 if the exact function has to decide.",
  params: ["bits"],
  type: "u32",
  returns: "u32",
  body: (code, [given]) => fill(code, given as Expr),
});
