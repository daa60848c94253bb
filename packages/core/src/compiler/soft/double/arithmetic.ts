/** Sum, product and quotient of doubles on words: exact digits first, then one rounding. */
import type { Code } from "../../kernel/build.ts";
import type { Expr } from "../../kernel/expr.ts";
import { add, and, binary, eq, ne, select, sub, u32 } from "../../kernel/make-expr.ts";
import type { Fn } from "../../kernel/module.ts";
import { magnitudeOf, SIGN } from "../base/define.ts";
import { MUL_U32, ofPairs } from "../base/int64.ts";
import {
  addPair,
  addWord,
  below,
  bit,
  callPair,
  choose,
  isZero,
  namedPair,
  or,
  type Pair,
  returnPair,
  shlBy,
  shrBy,
  subPair,
  xor,
} from "../base/pair.ts";
import {
  eitherIsNaN,
  exponentOf,
  FRACTION,
  INFINITE,
  isNaN64,
  isZero64,
  ONE,
  pack,
  returnNaN,
  shrSticky,
  signOf,
  unpack,
} from "./pack.ts";

const HIDDEN = FRACTION + 1;

/** The digits with ten bits below them for digits that are shifted out, and two above. */
const addendOf = (code: Code, hint: string, x: Pair, exponent: Expr): Pair => {
  const hidden = select(eq(exponent, u32(0)), u32(0), u32(HIDDEN));
  const hi = code.let(`${hint}_digits`, or(and(x.hi, u32(FRACTION)), hidden));
  return shlBy(code, { lo: x.lo, hi }, 10);
};

export const ADD_F64: Fn = ofPairs("add_f64", "a + b, rounded to nearest even.", (code, a, b) => {
  const magnitudes = [a, b].map(({ lo, hi }) => ({ lo, hi: magnitudeOf(hi) })) as [Pair, Pair];
  const swap = code.let("swap", below(code, "lt", ...magnitudes));
  const x = namedPair(code, "x", choose(code, "swap", swap, b, a));
  const y = namedPair(code, "y", choose(code, "swap", swap, a, b));
  const differ = code.let("differ", binary("ge", xor(x.hi, y.hi), u32(SIGN)));
  code.if(binary("ge", magnitudeOf(x.hi), u32(INFINITE)), (then) => {
    // If only one operand is NaN or infinite, it is x, the larger one.
    const opposite = and(differ, eq(magnitudeOf(y.hi), u32(INFINITE)));
    then.if(or(isNaN64(x), opposite), returnNaN);
    returnPair(then, x);
  });
  const ex = code.let("x_exponent", exponentOf(x));
  const ey = code.let("y_exponent", exponentOf(y));
  const large = namedPair(code, "large", addendOf(code, "x", x, ex));
  // Subnormals have the exponent of the least normal numbers.
  const distance = sub(binary("max", ex, u32(1)), binary("max", ey, u32(1)));
  const small = shrSticky(code, "small", addendOf(code, "y", y, ey), distance);
  const sum = namedPair(
    code,
    "total",
    choose(code, "differ", differ, subPair(code, large, small), addPair(code, large, small)),
  );
  const sign = select(and(differ, isZero(sum)), u32(0), signOf(x));
  returnPair(code, pack(code, sign, add(binary("max", ex, u32(1)), u32(1)), sum));
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
