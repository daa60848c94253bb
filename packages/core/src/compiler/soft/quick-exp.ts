/** A first step of e^x in few operations, which tells whether it decides the rounding (Ziv, Fast evaluation of elementary functions, 1991). */
import { ln2 } from "../../ir/functions/digits/real.ts";
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
/** Of log 2: 24 fraction bits, and the 32 that follow. */
const LN2_HIGH = Number(ln2(P) >> BigInt(P - 24));
const LN2_LOW = Number((ln2(P) >> BigInt(P - 56)) & 0xffff_ffffn);
/** 1 / log 2, of 14 fraction bits. */
const LOG2E = 23637;
/** The bits of 88: e^88 is finite. */
const LIMIT = 0x42b00000;
/** The error of the sum is less than this many units of 2^-41: at most 83 of 5 * 10^7 inputs, in whatever way a compiler groups and fuses sums. */
const DOUBT = 128;
const FACTORIALS = [1, 1, 2, 6, 24, 120, 720, 5040, 40320, 362880, 3628800];
const IN_PAIRS = 5;

const or = (a: Expr, b: Expr): Expr => binary("or", a, b);
const f32 = (x: number): Expr => constant("f32", Math.fround(x));
const shl = (x: Expr, by: number | Expr): Expr => binary("shl", x, typeof by === "number" ? u32(by) : by);
const shr = (x: Expr, by: number | Expr): Expr => binary("shr", x, typeof by === "number" ? u32(by) : by);
const asFloat = (x: Expr): Expr => cast("f32", x);
/** The first digits of a float: short ones have exact products and differences, and no compiler sees what was cut off. */
const first = (x: Expr, digits: 12 | 16): Expr =>
  floatOf(and(bitcast("u32", x), u32((-1 << (24 - digits)) >>> 0)));
/** The nearest short float, which leaves half as much. */
const nearest = (x: Expr): Expr => floatOf(and(add(bitcast("u32", x), u32(0x800)), u32(0xfffff000)));
const firstOf = (x: number): number => {
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, x);
  view.setUint32(0, view.getUint32(0) & 0xfffff000);
  return view.getFloat32(0);
};

/** |x| of the bits: 24 fraction bits with those before the point, and 32 more. It is 0 below 2^-27, where e^x rounds to 1. */
function fixedPoint(code: Code, magnitude: Expr): readonly [Expr, Expr] {
  const exponent = code.let("exponent", shr(magnitude, 23));
  const digits = code.let("digits", or(and(magnitude, u32(0x7fffff)), u32(0x800000)));
  const high = code.var("high", u32(0));
  const low = code.var("low", u32(0));
  code.if(binary("ge", exponent, u32(126)), (then) => {
    then.assign(high, shl(digits, sub(exponent, u32(126))));
  });
  code.if(lt(sub(exponent, u32(100)), u32(26)), (then) => {
    then.assign(high, shr(digits, sub(u32(126), exponent)));
    then.assign(low, shl(digits, sub(exponent, u32(94))));
  });
  return [high, low];
}

/** x - k log 2 in the same words; whole numbers, so that nothing rounds. */
function reduced(code: Code, [high, low]: readonly [Expr, Expr], k: Expr, isNegative: Expr): readonly Expr[] {
  const least = code.let("least", mul(k, u32(LN2_LOW & 0xffff)));
  const middle = code.let("middle", add(mul(k, u32(LN2_LOW >>> 16)), shr(least, 16)));
  const taken = code.let("taken", or(shl(middle, 16), and(least, u32(0xffff))));
  const borrow = select(lt(low, taken), u32(1), u32(0));
  const top = code.let("top", sub(sub(sub(high, mul(k, u32(LN2_HIGH))), shr(middle, 16)), borrow));
  const end = code.let("end", sub(low, taken));
  const opposite = sub(sub(u32(0), top), select(ne(end, u32(0)), u32(1), u32(0)));
  return [
    code.let("r_high", select(isNegative, opposite, top)),
    code.let("r_low", select(isNegative, sub(u32(0), end), end)),
  ];
}

/** Three floats whose sum is e^r, for r as a short float and what is left of it: Horner's scheme, its last steps on pairs. */
function powerOf(code: Code, r: Expr, more: Expr): readonly [Expr, Expr, Expr] {
  const whole = code.let("r", add(r, more));
  const coefficients = FACTORIALS.map((n) => 1 / n);
  const tail = coefficients
    .slice(IN_PAIRS)
    .reduceRight<Expr | undefined>((sum, c) => (sum ? add(f32(c), mul(whole, sum)) : f32(c)), undefined);
  const start = code.let("power", tail as Expr);
  let head: Expr = code.let("head", first(start, 12));
  let rest: Expr = code.let("left", sub(start, head));
  let exact: Expr = rest;
  let small: Expr = rest;
  coefficients.slice(0, IN_PAIRS).reduceRight((_, c, i) => {
    const own = firstOf(c);
    const product = code.let("product", mul(r, head));
    const before = head;
    const sum = add(f32(own), product);
    head = code.let("head", i === 1 ? nearest(sum) : first(sum, 12));
    exact = code.let("exact", first(add(first(sub(f32(own), head), 16), product), 16));
    const cross = add(mul(r, rest), mul(more, add(before, rest)));
    small = code.let("small", c === own ? cross : add(cross, f32(c - own)));
    if (i > 0) rest = code.let("left", add(exact, small));
    return c;
  }, 0);
  return [head, exact, small];
}

const units = (x: Expr): Expr => cast("i32", mul(x, f32(2 ** 41)));
/** e^x = 2^k e^r, |r| < 0.351. */
function fill(code: Code, bits: Expr): void {
  const magnitude = code.let("magnitude", magnitudeOf(bits));
  code.if(binary("ge", magnitude, u32(LIMIT)), (then) => then.return(u32(0)));
  const isNegative = code.let("negative", ne(and(bits, u32(SIGN)), u32(0)));
  const x = fixedPoint(code, magnitude);
  const k = code.let("k", shr(add(mul(shr(x[0], 16), u32(LOG2E)), u32(1 << 21)), 22));
  const [high, low] = reduced(code, x, k, isNegative) as [Expr, Expr];
  const r = code.let("r_first", mul(asFloat(shr(bitcast("i32", high), 11)), f32(2 ** -13)));
  const others = or(shl(and(high, u32(0x7ff)), 21), shr(low, 11));
  const more = code.let("r_more", mul(asFloat(others), f32(2 ** -45)));
  const [head, exact, small] = powerOf(code, r, more);

  code.comment("the digits after the head decide the rounding, unless they are close to halfway");
  const below = code.let("below", shr(high, 31));
  const cut = code.let("cut", sub(u32(18), below));
  const half = shl(u32(1), sub(cut, u32(1)));
  const behind = code.let("behind", add(bitcast("u32", add(units(exact), units(small))), half));
  const lost = code.let("lost", and(behind, sub(shl(u32(1), cut), u32(1))));
  const isInDoubt = binary("ge", sub(lost, u32(DOUBT)), sub(shl(u32(1), cut), u32(2 * DOUBT)));
  const power = code.let("powers", select(isNegative, sub(u32(0), k), k));
  const isExtreme = binary("ge", add(power, u32(125)), u32(251));
  code.if(binary("or", isInDoubt, isExtreme), (then) => then.return(u32(0)));
  const digits = shl(cast("u32", mul(head, f32(2 ** 13))), sub(u32(28), cut));
  const rounded = add(digits, bitcast("u32", shr(bitcast("i32", behind), cut)));
  code.return(add(shl(sub(add(power, u32(126)), below), 23), rounded));
}

/** The only functions of floats that are not exact: their result is tested, and is the same wherever it is given. */
export const QUICK_FUNCTIONS: readonly Fn[] = [
  define("quick_exp", {
    doc: "The bits of the f32 nearest to e^x for the bits of x, or 0 if the exact function has to decide.",
    params: ["bits"],
    type: "u32",
    returns: "u32",
    body: (code, [bits]) => fill(code, bits as Expr),
  }),
];
