/** IEEE 754 binary64 on two words: taking it apart, and putting it together with one rounding. */
import type { Code } from "../../../language/build.ts";
import type { Expr } from "../../../language/expr.ts";
import { add, and, binary, call, constant, eq, lt, ne, sub, u32 } from "../../../language/make-expr.ts";
import type { Fn } from "../../../language/module.ts";
import { define, magnitudeOf, SIGN } from "../base/define.ts";
import { SHL_U64 } from "../base/int64.ts";
import {
  bit,
  callPair,
  isZero,
  or,
  type Pair,
  shl,
  shlBy,
  shr,
  shrBy,
  signed,
  wordsOf,
} from "../base/pair.ts";
import { DIGIT_FUNCTIONS, leadingZeros, shrSticky } from "./digits.ts";

/** High words: infinity, the quiet NaN, and the bits of the fraction. */
export const INFINITE = 0x7ff00000;
export const QUIET = 0x7ff80000;
export const FRACTION = 0xfffff;
const LARGEST_EXPONENT = 0x7ff;
/** The biased exponent of 1. */
export const ONE = 1023;

export const signOf = (x: Pair): Expr => and(x.hi, SIGN);
export const exponentOf = (x: Pair): Expr => and(shr(x.hi, 20), LARGEST_EXPONENT);
const IS_NAN: Fn = define("is_nan_f64", {
  doc: "The double is NaN.",
  params: ["lo", "hi"],
  type: "u32",
  returns: "bool",
  body: (code, [lo, hi]) => {
    const any = bit(ne(lo as Expr, 0));
    code.return(binary("gt", or(magnitudeOf(hi as Expr), any), INFINITE));
  },
});
export const isNaN64 = ({ lo, hi }: Pair): Expr => call(IS_NAN.name, "bool", [lo, hi]);
export const eitherIsNaN = (a: Pair, b: Pair): Expr => or(isNaN64(a), isNaN64(b));
export const isZero64 = ({ lo, hi }: Pair): Expr => isZero({ lo, hi: magnitudeOf(hi) });
export const returnNaN = (code: Code): void => code.return(u32(0), u32(QUIET));

const PACK: Fn = define("pack_f64", {
  doc: "The double nearest to the words, if their top bit has this biased exponent; the lowest bit may be sticky.",
  params: ["sign", "exponent", "lo", "hi"],
  type: "u32",
  returns: "u32",
  body: (code, args) => {
    const [sign, exponent, lo, hi] = args as [Expr, Expr, Expr, Expr];
    code.if(isZero({ lo, hi }), (then) => then.return(u32(0), sign));
    const zeros = code.let("zeros", leadingZeros({ lo, hi }));
    const top = callPair(code, "top", SHL_U64, [lo, hi, zeros]);
    const low = code.var("low", top.lo);
    const high = code.var("high", top.hi);
    const biased = code.var("biased", sub(exponent, zeros));
    code.if(binary("ge", sub(biased, 1), LARGEST_EXPONENT - 1), (then) => {
      const isLarge = lt(constant("i32", ONE), signed(biased));
      then.if(isLarge, (inner) => inner.return(u32(0), or(sign, INFINITE)));
      then.comment("subnormal: the exponent is 1, and there is no hidden bit to add");
      const small = shrSticky(then, "small", { lo: low, hi: high }, sub(1, biased));
      then.assign(low, small.lo);
      then.assign(high, small.hi);
      then.assign(biased, u32(1));
    });
    code.comment("keep 53 bits; round to nearest even");
    const kept = shrBy(code, { lo: low, hi: high }, 11);
    const rest = add(and(low, 0x7ff), and(shr(low, 11), 1));
    const up = code.let("up", bit(binary("gt", rest, 0x400)));
    const sum = code.let("sum", add(kept.lo, up));
    const head = add(add(sign, shl(sub(biased, 1), 20)), kept.hi);
    code.return(sum, add(head, bit(lt(sum, up))));
  },
  width: 2,
});
/** The double nearest to the number with the digits of the words whose top bit has the exponent. */
export const pack = (code: Code, sign: Expr, exponent: Expr, words: Pair): Pair =>
  callPair(code, "packed", PACK, [sign, exponent, ...wordsOf(words)]);

const UNPACK: Fn = define("unpack_f64", {
  doc: "The significand of a finite double with its leading 1 in the top bit, and its biased exponent; all 0 for 0.",
  params: ["lo", "hi"],
  type: "u32",
  returns: "u32",
  body: (code, args) => {
    const [lo, hi] = args as [Expr, Expr];
    const exponent = code.let("exponent", exponentOf({ lo, hi }));
    const fraction = code.let("fraction", and(hi, FRACTION));
    code.if(eq(exponent, 0), (then) => {
      const zeros = then.let("zeros", leadingZeros({ lo, hi: fraction }));
      const top = callPair(then, "top", SHL_U64, [lo, fraction, zeros]);
      then.return(top.lo, top.hi, sub(12, zeros));
    });
    const digits = shlBy(code, { lo, hi: fraction }, 11);
    code.return(digits.lo, or(digits.hi, SIGN), exponent);
  },
  width: 3,
});
/** Digits and exponent of a finite double. */
export function unpack(code: Code, hint: string, x: Pair): { digits: Pair; exponent: Expr } {
  const [lo, hi, exponent] = code.call(hint, UNPACK, [x.lo, x.hi]) as [Expr, Expr, Expr];
  return { digits: { lo, hi }, exponent };
}

export const PACK_FUNCTIONS: readonly Fn[] = [IS_NAN, ...DIGIT_FUNCTIONS, PACK, UNPACK];
