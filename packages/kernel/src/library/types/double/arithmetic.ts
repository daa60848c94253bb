/** Sum, product and quotient of doubles on words: exact digits first, then one rounding. */
import type { Code } from "../../../language/build.ts";
import type { Expr } from "../../../language/expr.ts";
import {
  add,
  and,
  binary,
  constant,
  eq,
  lt,
  mul,
  ne,
  select,
  sub,
  u32,
} from "../../../language/make-expr.ts";
import type { Fn } from "../../../language/module.ts";
import { define, magnitudeOf, SIGN } from "../base/define.ts";
import { MUL_U32, ofPairs, SHL_U64 } from "../base/int64.ts";
import {
  addPair,
  addWord,
  below,
  bit,
  callPair,
  each,
  namedPair,
  or,
  type Pair,
  returnPair,
  shl,
  shlBy,
  shr,
  shrBy,
  shrSigned,
  signed,
  subPair,
  wordsOf,
  xor,
} from "../base/pair.ts";
import { exponentOf24, leadingZeros, shrSticky } from "./digits.ts";
import { eitherIsNaN, FRACTION, INFINITE, isZero64, ONE, pack, returnNaN, unpack } from "./pack.ts";

const HIDDEN = FRACTION + 1;

/** Bits that a sum has below the digits of the larger addend; rounding drops one more, because its highest digit may be one place higher. */
const BELOW = 9;
const DROPPED = BELOW + 1;
/** High words of totals below this have lost 22 digits at least, or are negative. */
const CANCELLED = 1 << 7;
const againstCancelled = (op: "lt" | "ge", hi: Expr): Expr =>
  binary(op, signed(hi), constant("i32", CANCELLED));
/** The high word is at least this if an operand is not finite: it has lost 150 of its exponent at most. */
const LARGE = INFINITE - 150 * HIDDEN;

/** A significand from the third highest bit down, and its exponent; subnormals have that of the least normal numbers. */
interface Addend {
  readonly digits: Pair;
  readonly exponent: Expr;
}

function addendOf(code: Code, hint: string, { lo, hi }: Pair): Addend {
  const exponent = code.let(`${hint}_exponent`, shr(binary("max", hi, HIDDEN), 20));
  // Less the exponent but for 1 of it, which is the hidden bit of normal numbers.
  const digits = code.let(`${hint}_digits`, sub(add(hi, HIDDEN), shl(exponent, 20)));
  return { digits: shlBy(code, { lo, hi: digits }, BELOW), exponent };
}

/** The high word, by the exponent of the highest digit where the total was before it was shifted. A hidden bit adds 1 to it. */
const magnitudeAt = (exponent: Expr, by: Expr, hi: Expr): Expr => add(hi, shl(sub(exponent, by), 20));

const RARE_SUM: Fn = define("rare_sum_f64", {
  doc: "a + b if it is large, or if many digits of their exact total cancel; the exponent is that of the larger.",
  params: ["a_lo", "a_hi", "b_lo", "b_hi", "exponent", "lo", "hi", "rounded_lo", "rounded_hi"],
  type: "u32",
  returns: "u32",
  body: (code, args) => {
    const pairAt = (at: number): Pair => ({ lo: args[at] as Expr, hi: args[at + 1] as Expr });
    const [a, b, exponent, exact, rounded] = [pairAt(0), pairAt(2), args[4] as Expr, pairAt(5), pairAt(7)];
    const [left, right] = [code.let("left", magnitudeOf(a.hi)), code.let("right", magnitudeOf(b.hi))];
    const sign = code.let("sign", and(select(lt(left, right), b.hi, a.hi), SIGN));
    // Where digits cancel, what is rounded is less: it has no exponent above 1896.
    const largest = binary("max", binary("max", left, right), rounded.hi);
    code.if(binary("ge", largest, INFINITE), (then) => {
      const opposite = and(eq(binary("min", left, right), INFINITE), ne(a.hi, b.hi));
      then.if(or(eitherIsNaN(a, b), opposite), returnNaN);
      then.return(u32(0), or(sign, INFINITE));
    });
    code.if(againstCancelled("ge", exact.hi), (then) => then.return(rounded.lo, or(sign, rounded.hi)));
    code.comment("nothing to round: only operands whose exponents differ by 1 at most cancel so many digits");
    const negative = code.let("negative", shrSigned(exact.hi, 31));
    const mask = { lo: negative, hi: negative };
    const total = namedPair(code, "total", subPair(code, each(xor, exact, mask), mask));
    const by = code.let("by", binary("min", sub(leadingZeros(total), 1), exponent));
    const kept = shrBy(code, callPair(code, "top", SHL_U64, [total.lo, total.hi, by]), DROPPED);
    code.return(kept.lo, or(xor(sign, and(negative, SIGN)), magnitudeAt(exponent, by, kept.hi)));
  },
  width: 2,
});

/** Branches only for what is rare: where work-items of a subgroup take different branches, each of them executes all. */
export const ADD_F64: Fn = ofPairs("add_f64", "a + b, rounded to nearest even.", (code, a, b) => {
  const [left, right] = [code.let("left", magnitudeOf(a.hi)), code.let("right", magnitudeOf(b.hi))];
  // By the high words alone: if they are equal and the signs differ, the total may be negative and is cancelled.
  const swap = code.let("swap", lt(left, right));
  const large = {
    lo: code.let("large_lo", select(swap, b.lo, a.lo)),
    hi: code.let("large_hi", binary("max", left, right)),
  };
  const small = {
    lo: code.let("small_lo", select(swap, a.lo, b.lo)),
    hi: code.let("small_hi", binary("min", left, right)),
  };
  const [x, y] = [addendOf(code, "x", large), addendOf(code, "y", small)];
  code.comment("if the signs differ: the complement of y, and 1 in a bit that x does not use");
  const differ = code.let("differ", shrSigned(xor(a.hi, b.hi), 31));
  const addend = { lo: sub(x.digits.lo, differ), hi: x.digits.hi };
  const aligned = shrSticky(code, "aligned", y.digits, sub(x.exponent, y.exponent));
  const total = namedPair(
    code,
    "total",
    addPair(code, addend, each(xor, aligned, { lo: differ, hi: differ })),
  );
  code.comment("the highest digit to the second highest bit, or as far as the exponent allows");
  const place = exponentOf24(shr(total.hi, 7));
  const by = code.let("by", binary("min", sub(150, place), x.exponent));
  // On GPUs, products have units of their own beside those of shifts.
  const unit = code.let("unit", shl(1, by));
  const lo = code.let("top_lo", mul(total.lo, unit));
  const hi = add(mul(total.hi, unit), shr(shr(total.lo, 1), sub(31, by)));
  const odd = and(shr(lo, DROPPED), 1);
  const raised = code.let("raised_lo", add(add(lo, (1 << BELOW) - 1), odd));
  const top = { lo: raised, hi: code.let("raised_hi", add(hi, bit(lt(raised, lo)))) };
  const kept = shrBy(code, top, DROPPED);
  const magnitude = code.let("magnitude", magnitudeAt(x.exponent, by, kept.hi));
  const any = code.let("any", ne(or(total.lo, total.hi), 0));
  const isCancelled = and(againstCancelled("lt", total.hi), any);
  code.if(or(isCancelled, binary("ge", magnitude, LARGE)), (then) => {
    const known = [...wordsOf(a, b), x.exponent, total.lo, total.hi, kept.lo, magnitude];
    returnPair(then, callPair(then, "rare", RARE_SUM, known));
  });
  const sign = and(select(swap, b.hi, a.hi), SIGN);
  // A zero is negative if both operands are, which are zeros then.
  const zero = and(and(a.hi, b.hi), SIGN);
  code.return(kept.lo, select(any, or(sign, magnitude), zero));
});

/** One of them is infinite or NaN. */
const isSpecial = (a: Pair, b: Pair): Expr =>
  binary("ge", binary("max", magnitudeOf(a.hi), magnitudeOf(b.hi)), INFINITE);

export const MUL_F64: Fn = ofPairs("mul_f64", "a * b, rounded to nearest even.", (code, a, b) => {
  const sign = code.let("sign", and(xor(a.hi, b.hi), SIGN));
  code.if(isSpecial(a, b), (then) => {
    then.if(or(eitherIsNaN(a, b), or(isZero64(a), isZero64(b))), returnNaN);
    then.return(u32(0), or(sign, INFINITE));
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
  const sticky = bit(ne(or(low.lo, third.lo), 0));
  const exponent = sub(add(x.exponent, y.exponent), ONE - 1);
  returnPair(code, pack(code, sign, exponent, { lo: or(top.lo, sticky), hi: top.hi }));
});

/** Bits of a quotient: 53 or 54 digits, one to round by, and one that is sticky. */
const QUOTIENT = 56;

export const DIV_F64: Fn = ofPairs(
  "div_f64",
  "a / b, rounded to nearest even by long division.",
  (code, a, b) => {
    const sign = code.let("sign", and(xor(a.hi, b.hi), SIGN));
    const zeros = [a, b].map((x, i) => code.let(`${"ab"[i]}_zero`, isZero64(x))) as [Expr, Expr];
    code.if(or(isSpecial(a, b), or(...zeros)), (then) => {
      const infinite = [a, b].map(({ hi }) => eq(magnitudeOf(hi), INFINITE)) as [Expr, Expr];
      then.if(or(eitherIsNaN(a, b), or(and(...zeros), and(...infinite))), returnNaN);
      then.return(u32(0), or(sign, select(or(infinite[0], zeros[1]), INFINITE, 0)));
    });
    const x = unpack(code, "x", a);
    const y = unpack(code, "y", b);
    // One bit down, so that doubling the rest loses nothing.
    const divisor = namedPair(code, "divisor", shrBy(code, y.digits, 1));
    const start = shrBy(code, x.digits, 1);
    const rest = { lo: code.var("rest_lo", start.lo), hi: code.var("rest_hi", start.hi) };
    const quotient = { lo: code.var("quotient_lo", u32(0)), hi: code.var("quotient_hi", u32(0)) };
    code.for("step", 0, QUOTIENT, (body) => {
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
    const exponent = add(sub(x.exponent, y.exponent), ONE + 64 - QUOTIENT);
    const sticky = bit(ne(or(rest.lo, rest.hi), 0));
    returnPair(code, pack(code, sign, exponent, { lo: or(quotient.lo, sticky), hi: quotient.hi }));
  },
);

export const ARITHMETIC64_FUNCTIONS: readonly Fn[] = [RARE_SUM, ADD_F64, MUL_F64, DIV_F64];
