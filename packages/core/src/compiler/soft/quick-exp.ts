/** A first step of e^x in few operations, which tells whether it decides the rounding (Ziv, Fast evaluation of elementary functions, 1991). */
import { ln2, shifted } from "../../ir/functions/digits/real.ts";
import type { Code } from "../kernel/build.ts";
import type { Expr } from "../kernel/expr.ts";
import {
  add,
  and,
  binary,
  bitcast,
  cast,
  constant,
  lt,
  mul,
  ne,
  select,
  sub,
  u32,
} from "../kernel/make-expr.ts";
import type { Fn } from "../kernel/module.ts";
import { define, floatOf, magnitudeOf, SIGN } from "./base/define.ts";

const P = 128;
const LN2 = ln2(P);
/** Of log 2: 16 fraction bits, whose product with k is exact, and the rest as a float. */
const LN2_FIRST = Number(shifted(LN2, 16 - P)) / 2 ** 16;
const REST = LN2 - (shifted(LN2, 16 - P) << BigInt(P - 16));
const LN2_REST = Number(shifted(REST, 80 - P)) / 2 ** 80;
/** The rest in units of 2^-48 / 24, modulo 2^32. */
const LN2_UNITS = Number(BigInt.asUintN(32, shifted(24n * REST + (1n << BigInt(P - 49)), 48 - P)));
/** The bits of 87: e^x is a normal number below it. */
const LIMIT = 0x42ae0000;
/** 1.5 * 2^23 and 1.5 * 2^11: sums with them are rounded to whole numbers, and to 12 fraction bits. */
const TO_WHOLE = 12582912;
const TO_STEPS = 3072;
const STEP = 2 ** -12;
/** The error is less than this many units of 2^-40, or of 2^-39 if e^r >= 1: see docs/decisions/elementary-functions.md. */
const DOUBT = 24;
/** (e^s - 1 - s - s²/2 - s³/6 - s⁴/24) / s⁵, within 2^-41.7 of e^s for |s| < 0.3469. */
const REST_OF_SERIES = [
  0x1111112 * 2 ** -31,
  0x16c1694 * 2 ** -34,
  0x1a017ce * 2 ** -37,
  0x1a105a0 * 2 ** -40,
  0x1727990 * 2 ** -43,
];

const bitsOf = (x: number): number => new Uint32Array(Float32Array.of(x).buffer)[0] as number;
const f32 = (x: number): Expr => constant("f32", Math.fround(x));
const shl = (x: Expr, by: number | Expr): Expr => binary("shl", x, typeof by === "number" ? u32(by) : by);
const shr = (x: Expr, by: number | Expr): Expr => binary("shr", x, typeof by === "number" ? u32(by) : by);
const bits = (x: Expr): Expr => bitcast("u32", x);
const asFloat = (x: Expr): Expr => cast("f32", bitcast("i32", x));
/** A whole number of units of 2^-40. */
const units = (x: Expr): Expr => bits(cast("i32", mul(x, f32(2 ** 40))));
/** The sum a + x b. */
const plus = (a: Expr, x: Expr, b: Expr): Expr => add(a, mul(x, b));

/** The operand: x = k log 2 + s + t, s a whole number of steps of 2^-12, |t| <= 2^-13. */
interface Reduced {
  /** Whole numbers as u32: k modulo 2^32, the same in the last digits of a float, and s in steps. */
  readonly k: Expr;
  readonly powers: Expr;
  readonly steps: Expr;
  /** x - s less the exact part of k log 2: a float with no error. */
  readonly first: Expr;
  readonly s: Expr;
  readonly t: Expr;
}
function reduced(code: Code, x: Expr): Reduced {
  const powers = code.let("powers", bits(plus(f32(TO_WHOLE), x, f32(Math.LOG2E))));
  const k = code.let("k", sub(powers, u32(bitsOf(TO_WHOLE))));
  const whole = code.let("whole", asFloat(k));
  // The sign of the powers is 0, which compilers do not know: they cannot regroup across it.
  const rest = bits(sub(x, mul(whole, f32(LN2_FIRST))));
  const exact = code.let("exact", floatOf(binary("or", rest, and(powers, u32(SIGN)))));
  const r = sub(exact, mul(whole, f32(LN2_REST)));
  const steps = code.let("steps", sub(bits(add(r, f32(TO_STEPS))), u32(bitsOf(TO_STEPS))));
  const s = code.let("s", mul(asFloat(steps), f32(STEP)));
  const first = code.let("first", sub(exact, s));
  const t = code.let("t", sub(first, mul(whole, f32(LN2_REST))));
  return { k, powers, steps, first, s, t };
}

/** e^r - 1 as a float, and without the first five terms of e^s, s and t in it. */
function floats(code: Code, { s, t }: Reduced): { readonly power: Expr; readonly small: Expr } {
  const square = code.let("square", mul(s, s));
  const tail = REST_OF_SERIES.map(f32).reduceRight((sum, c) => plus(c, s, sum));
  const last = code.let("last", mul(s, tail));
  const tops = [f32(1 / 2), f32(1 / 6), add(f32(1 / 24), last)].reduceRight((sum, c) => plus(c, s, sum));
  const most = code.let("most", plus(s, square, tops));
  const behind = code.let("behind", mul(mul(t, t), plus(f32(1 / 2), t, f32(1 / 6))));
  const near = code.let("near", add(t, behind));
  const product = code.let("product", mul(most, near));
  return {
    power: code.let("power", add(most, add(near, product))),
    small: code.let("small", add(add(behind, product), mul(mul(square, square), last))),
  };
}

/** 24 (1 + s + s²/2 + s³/6 + s⁴/24) in units of 2^-48, modulo 2^32: its first digits are those of floats. */
const exactSum = (n: Expr): Expr =>
  mul(n, mul(n, add(mul(n, add(n, u32(4 << 12))), u32((12 << 24) >>> 0))));

/** e^x = 2^k e^r, |r| < 0.3469. The estimate of e^r, of 22 fraction bits, is moved by its distance from the sum, which fits a word. */
function fill(code: Code, given: Expr): void {
  code.if(binary("ge", magnitudeOf(given), u32(LIMIT)), (then) => then.return(u32(0)));
  const parts = reduced(code, floatOf(given));
  const { power, small } = floats(code, parts);
  const estimate = code.let("estimate", bits(add(power, f32(3))));
  const others = code.let("others", add(units(parts.first), units(small)));
  const known = sub(add(exactSum(parts.steps), mul(others, u32(24 << 8))), mul(parts.k, u32(LN2_UNITS)));
  const distance = asFloat(sub(known, mul(estimate, u32((24 << 26) >>> 0))));

  code.comment("the digits after the last decide the rounding, unless they are close to halfway");
  const below = code.let("below", shr(bits(power), 31));
  const unit = select(ne(below, u32(0)), f32(2 ** -8 / 24), f32(2 ** -9 / 24));
  const moved = code.let("moved", bits(cast("i32", mul(distance, unit))));
  const isInDoubt = lt(and(add(moved, u32(0x8000 + DOUBT)), u32(0xffff)), u32(2 * DOUBT));
  code.if(isInDoubt, (then) => then.return(u32(0)));
  const digits = shl(estimate, add(below, u32(1)));
  const rounded = add(digits, bits(shr(bitcast("i32", add(moved, u32(0x8000))), 16)));
  const exponent = add(select(ne(below, u32(0)), u32(125 << 23), u32((126 - 256) * 2 ** 23 + 2 ** 32)), shl(parts.powers, 23));
  code.return(add(exponent, rounded));
}

/** The only functions of floats that are not exact: their result is tested, and is the same wherever it is given. */
export const QUICK_FUNCTIONS: readonly Fn[] = [
  define("quick_exp", {
    doc: "The bits of the f32 nearest to e^x for the bits of x, or 0 if the exact function has to decide.",
    params: ["bits"],
    type: "u32",
    returns: "u32",
    body: (code, [given]) => fill(code, given as Expr),
  }),
];
