/** Sum, product and quotient of doubles on words: exact digits first, then one rounding. */
import type { Code } from "../../kernel/build.ts";
import type { Expr } from "../../kernel/expr.ts";
import { add, and, binary, eq, lt, mul, ne, select, sub, u32 } from "../../kernel/make-expr.ts";
import type { Fn } from "../../kernel/module.ts";
import { magnitudeOf, SIGN } from "../base/define.ts";
import { MUL_U32, ofPairs } from "../base/int64.ts";
import {
  addPair,
  addWord,
  below,
  bit,
  callPair,
  each,
  namedPair,
  not,
  or,
  type Pair,
  returnPair,
  shl,
  shlBy,
  shr,
  shrBy,
  shrSigned,
  subPair,
  xor,
} from "../base/pair.ts";
import { exponentOfWord, shrSticky } from "./digits.ts";
import { eitherIsNaN, FRACTION, INFINITE, isNaN64, isZero64, ONE, pack, returnNaN, unpack } from "./pack.ts";

const HIDDEN = FRACTION + 1;

/** Bits that a sum has below the digits of the larger addend; rounding drops one more, because its highest digit may be one place higher. */
const BELOW = 9;
const DROPPED = BELOW + 1;

/** A significand from the third highest bit down, and its exponent; subnormals have that of the least normal numbers. */
interface Addend {
  readonly digits: Pair;
  readonly exponent: Expr;
}

function addendOf(code: Code, hint: string, lo: Expr, magnitude: Expr): Addend {
  const exponent = code.let(`${hint}_exponent`, binary("max", shr(magnitude, 20), u32(1)));
  // Less the exponent but for 1 of it, which is the hidden bit of normal numbers.
  const hi = code.let(`${hint}_digits`, sub(add(magnitude, u32(HIDDEN)), shl(exponent, 20)));
  return { digits: shlBy(code, { lo, hi }, BELOW), exponent };
}

/** Moves the highest digit to the second highest bit, those of subnormals only as far as the exponent allows, and rounds. */
function roundSum(code: Code, total: Pair, exponent: Expr): Pair {
  // An empty high word is left by cancellation, which leaves no digits in the lowest bits; but for numbers whose exponent allows no shift so far.
  const far = code.let("far", and(eq(total.hi, u32(0)), binary("ge", exponent, u32(31))));
  const high = code.let("high", select(far, shr(total.lo, 1), total.hi));
  const low = code.let("low", select(far, u32(0), total.lo));
  const most = code.let("most", sub(exponent, select(far, u32(31), u32(0))));
  const by = code.let("by", binary("min", sub(u32(157), exponentOfWord(high)), most));
  // On GPUs, products have units of their own beside those of shifts.
  const unit = code.let("unit", shl(u32(1), by));
  const top = {
    lo: code.let("top_lo", mul(low, unit)),
    hi: code.let("top_hi", add(mul(high, unit), shr(shr(low, 1), sub(u32(31), by)))),
  };
  const odd = and(shr(top.lo, DROPPED), u32(1));
  const lo = code.let("raised_lo", add(add(top.lo, u32((1 << BELOW) - 1)), odd));
  const hi = code.let("raised_hi", add(top.hi, bit(lt(lo, top.lo))));
  const kept = shrBy(code, { lo, hi }, DROPPED);
  // A hidden bit adds 1 to the exponent.
  return { lo: kept.lo, hi: code.let("magnitude", add(kept.hi, shl(sub(most, by), 20))) };
}

/** Branches only for what is not finite: where work-items of a subgroup take different branches, each of them executes all. */
export const ADD_F64: Fn = ofPairs("add_f64", "a + b, rounded to nearest even.", (code, a, b) => {
  const [left, right] = [code.let("left", magnitudeOf(a.hi)), code.let("right", magnitudeOf(b.hi))];
  const swap = code.let("swap", below(code, "lt", { lo: a.lo, hi: left }, { lo: b.lo, hi: right }));
  const large = {
    lo: code.let("large_lo", select(swap, b.lo, a.lo)),
    hi: code.let("large_hi", binary("max", left, right)),
  };
  const small = { lo: select(swap, a.lo, b.lo), hi: code.let("small_hi", binary("min", left, right)) };
  const x = addendOf(code, "x", large.lo, large.hi);
  const y = addendOf(code, "y", code.let("small_lo", small.lo), small.hi);
  code.comment("if the signs differ: the complement of y, and 1 in a bit that x does not use");
  const differ = code.let("differ", shrSigned(xor(a.hi, b.hi), 31));
  const addend = { lo: or(x.digits.lo, and(differ, u32(1))), hi: x.digits.hi };
  const aligned = shrSticky(code, "aligned", y.digits, sub(x.exponent, y.exponent));
  const sum = addPair(code, addend, each(xor, aligned, { lo: differ, hi: differ }));
  const total = namedPair(code, "total", sum);
  const sign = code.let("sign", and(select(swap, b.hi, a.hi), u32(SIGN)));
  const { lo, hi } = roundSum(code, total, x.exponent);
  code.if(binary("ge", binary("max", large.hi, hi), u32(INFINITE)), (then) => {
    // If only one operand is NaN or infinite, it is the larger one.
    const opposite = and(ne(differ, u32(0)), eq(small.hi, u32(INFINITE)));
    then.if(or(isNaN64(large), opposite), returnNaN);
    then.return(u32(0), or(sign, u32(INFINITE)));
  });
  const isNothing = eq(or(or(total.lo, total.hi), not(differ)), u32(0));
  code.return(lo, select(isNothing, u32(0), or(sign, hi)));
});

/** One of them is infinite or NaN. */
const isSpecial = (a: Pair, b: Pair): Expr =>
  binary("ge", binary("max", magnitudeOf(a.hi), magnitudeOf(b.hi)), u32(INFINITE));

export const MUL_F64: Fn = ofPairs("mul_f64", "a * b, rounded to nearest even.", (code, a, b) => {
  const sign = code.let("sign", and(xor(a.hi, b.hi), u32(SIGN)));
  code.if(isSpecial(a, b), (then) => {
    then.if(or(eitherIsNaN(a, b), or(isZero64(a), isZero64(b))), returnNaN);
    then.return(u32(0), or(sign, u32(INFINITE)));
  });
  const x = unpack(code, "x", a);
  const y = unpack(code, "y", b);
  const product = (hint: string, p: Expr, q: Expr): Pair => callPair(code, hint, MUL_U32, [p, q]);
  const low = product("low", x.digits.lo, y.digits.lo);
  const cross = product("cross", x.digits.lo, y.digits.hi);
  const other = product("other", x.digits.hi, y.digits.lo);
  const high = product("high", x.digits.hi, y.digits.hi);
  code.comment("the upper 64 of 128 bits; the lower bits are sticky");
  const second = addWord(code, "second", cross, low.hi);
  const third = addWord(code, "third", other, second.lo);
  const top = addWord(code, "top", addWord(code, "most", high, second.hi), third.hi);
  const sticky = bit(ne(or(low.lo, third.lo), u32(0)));
  const exponent = sub(add(x.exponent, y.exponent), u32(ONE - 1));
  returnPair(code, pack(code, sign, exponent, { lo: or(top.lo, sticky), hi: top.hi }));
});

/** Bits of a quotient: 53 or 54 digits, one to round by, and one that is sticky. */
const QUOTIENT = 56;

export const DIV_F64: Fn = ofPairs(
  "div_f64",
  "a / b, rounded to nearest even by long division.",
  (code, a, b) => {
    const sign = code.let("sign", and(xor(a.hi, b.hi), u32(SIGN)));
    const zeros = [a, b].map((x, i) => code.let(`${"ab"[i]}_zero`, isZero64(x))) as [Expr, Expr];
    code.if(or(isSpecial(a, b), or(...zeros)), (then) => {
      const infinite = [a, b].map(({ hi }) => eq(magnitudeOf(hi), u32(INFINITE))) as [Expr, Expr];
      then.if(or(eitherIsNaN(a, b), or(and(...zeros), and(...infinite))), returnNaN);
      then.return(u32(0), or(sign, select(or(infinite[0], zeros[1]), u32(INFINITE), u32(0))));
    });
    const x = unpack(code, "x", a);
    const y = unpack(code, "y", b);
    // One bit down, so that doubling the rest loses nothing.
    const divisor = namedPair(code, "divisor", shrBy(code, y.digits, 1));
    const start = shrBy(code, x.digits, 1);
    const rest = { lo: code.var("rest_lo", start.lo), hi: code.var("rest_hi", start.hi) };
    const quotient = { lo: code.var("quotient_lo", u32(0)), hi: code.var("quotient_hi", u32(0)) };
    code.for("step", u32(0), u32(QUOTIENT), (body) => {
      const fits = body.let("fits", below(body, "le", divisor, rest));
      const next = shlBy(body, quotient, 1);
      body.assign(quotient.hi, next.hi);
      body.assign(quotient.lo, or(next.lo, bit(fits)));
      body.if(fits, (then) => {
        const less = namedPair(then, "less", subPair(then, rest, divisor));
        then.assign(rest.lo, less.lo);
        then.assign(rest.hi, less.hi);
      });
      const doubled = shlBy(body, rest, 1);
      body.assign(rest.hi, doubled.hi);
      body.assign(rest.lo, doubled.lo);
    });
    const exponent = add(sub(x.exponent, y.exponent), u32(ONE + 64 - QUOTIENT));
    const sticky = bit(ne(or(rest.lo, rest.hi), u32(0)));
    returnPair(code, pack(code, sign, exponent, { lo: or(quotient.lo, sticky), hi: quotient.hi }));
  },
);

export const ARITHMETIC64_FUNCTIONS: readonly Fn[] = [ADD_F64, MUL_F64, DIV_F64];
