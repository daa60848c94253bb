/** Doubles on words from and to floats and integers. */

import type { Code } from "../../../language/build.ts";
import type { Expr } from "../../../language/expr.ts";
import {
  add,
  and,
  binary,
  call,
  constant,
  eq,
  lt,
  ne,
  select,
  sub,
  u32,
} from "../../../language/make-expr.ts";
import type { Fn } from "../../../language/module.ts";
import {
  bitsOf,
  define,
  floatOf,
  INFINITY,
  MAGNITUDE,
  magnitudeOf,
  QUIET_NAN,
  SIGN,
} from "../base/define.ts";
import { SHL_U64, SHR_U64 } from "../base/int64.ts";
import {
  bit,
  callPair,
  clz,
  clzPair,
  isZero,
  negPair,
  or,
  type Pair,
  returnPair,
  shl,
  shlBy,
  shr,
  signed,
} from "../base/pair.ts";
import { exponentOf, INFINITE, isNaN64, ONE, signOf } from "./pack.ts";

/** The difference of the exponent biases of doubles and floats. */
const BIAS = ONE - 127;

const F64_OF_F32: Fn = define("f64_of_f32", {
  doc: "The bits of a float, converted to the equal double.",
  params: ["bits"],
  type: "u32",
  returns: "u32",
  body: (code, [x]) => {
    const magnitude = code.let("magnitude", magnitudeOf(x as Expr));
    const sign = code.let("sign", and(x as Expr, SIGN));
    code.if(binary("ge", magnitude, INFINITY), (then) => {
      const quiet = select(binary("gt", magnitude, INFINITY), 0x80000, 0);
      then.return(u32(0), or(or(sign, INFINITE), quiet));
    });
    code.if(eq(magnitude, 0), (then) => then.return(u32(0), sign));
    // A subnormal's leading digit comes to where it counts as one of the exponent.
    const subnormal = lt(magnitude, 0x800000);
    const shift = code.let("shift", select(subnormal, sub(clz(magnitude), 8), 0));
    const digits = code.let("digits", shl(magnitude, shift));
    const exponent = shl(sub(BIAS, shift), 20);
    code.return(shl(digits, 29), or(sign, add(shr(digits, 3), exponent)));
  },
  width: 2,
});

const PACK_F32: Fn = define("pack_f32", {
  doc: "The bits of the float nearest to a significand whose top bit is 1 and has this biased exponent; the lowest bit may be sticky.",
  params: ["sign", "exponent", "digits"],
  type: "u32",
  returns: "u32",
  body: (code, args) => {
    const [sign, exponent, digits] = args as [Expr, Expr, Expr];
    code.if(lt(constant("i32", 254), signed(exponent)), (then) => then.return(or(sign, INFINITY)));
    const isSmall = code.let("subnormal", lt(signed(exponent), constant("i32", 1)));
    const by = code.let("by", select(isSmall, binary("min", sub(1, exponent), 31), 0));
    const kept = code.let("kept", shr(digits, by));
    const sticky = code.let("sticky", or(kept, bit(ne(shl(kept, by), digits))));
    const rest = add(and(sticky, 0xff), and(shr(sticky, 8), 1));
    const up = bit(binary("gt", rest, 0x80));
    const head = select(isSmall, 0, shl(sub(exponent, 1), 23));
    code.return(add(add(sign, head), add(shr(sticky, 8), up)));
  },
});
const packFloat = (sign: Expr, exponent: Expr, digits: Expr): Expr =>
  call(PACK_F32.name, "u32", [sign, exponent, digits]);
const sticky = (word: Expr, below: Expr): Expr => or(word, bit(ne(below, 0)));

const F32_OF_F64: Fn = define("f32_of_f64", {
  doc: "A double, converted to the bits of the nearest float, ties to even.",
  params: ["lo", "hi"],
  type: "u32",
  returns: "u32",
  body: (code, args) => {
    const [lo, hi] = args as [Expr, Expr];
    const sign = code.let("sign", signOf({ lo, hi }));
    code.if(isNaN64({ lo, hi }), (then) => then.return(u32(QUIET_NAN)));
    const exponent = code.let("exponent", exponentOf({ lo, hi }));
    // Subnormal doubles get a leading 1 that they have not; they end at 0 all the same.
    const digits = shlBy(code, { lo, hi }, 11);
    code.return(packFloat(sign, sub(exponent, BIAS), sticky(or(digits.hi, SIGN), digits.lo)));
  },
});

const F32_OF_U64: Fn = define("f32_of_u64", {
  doc: "The bits of the float nearest to the words, with the sign, ties to even.",
  params: ["sign", "lo", "hi"],
  type: "u32",
  returns: "u32",
  body: (code, args) => {
    const [sign, lo, hi] = args as [Expr, Expr, Expr];
    code.if(isZero({ lo, hi }), (then) => then.return(u32(0)));
    const zeros = code.let("zeros", clzPair(code, { lo, hi }));
    const top = callPair(code, "top", SHL_U64, [lo, hi, zeros]);
    code.return(packFloat(sign, sub(127 + 63, zeros), sticky(top.hi, top.lo)));
  },
});

const WHOLE: Fn = define("whole_f64", {
  doc: "The magnitude of a double, truncated, at most 2^64 - 1; NaN becomes 0.",
  params: ["lo", "hi"],
  type: "u32",
  returns: "u32",
  body: (code, args) => {
    const x: Pair = { lo: args[0] as Expr, hi: args[1] as Expr };
    const exponent = code.let("exponent", exponentOf(x));
    code.if(or(lt(exponent, ONE), isNaN64(x)), (then) => then.return(u32(0), u32(0)));
    code.if(binary("gt", exponent, ONE + 63), (then) => then.return(u32(0xffffffff), u32(0xffffffff)));
    const digits = shlBy(code, x, 11);
    const whole = callPair(code, "whole", SHR_U64, [digits.lo, or(digits.hi, SIGN), sub(ONE + 63, exponent)]);
    returnPair(code, whole);
  },
  width: 2,
});

const I64_OF_F64: Fn = define("i64_of_f64", {
  doc: "Truncates; saturates outside i64; NaN becomes 0.",
  params: ["lo", "hi"],
  type: "u32",
  returns: "u32",
  body: (code, args) => {
    const x: Pair = { lo: args[0] as Expr, hi: args[1] as Expr };
    const whole = callPair(code, "whole", WHOLE, [x.lo, x.hi]);
    const tooLarge = code.let("too_large", binary("ge", whole.hi, SIGN));
    code.if(lt(x.hi, SIGN), (then) => {
      then.if(tooLarge, (inner) => inner.return(u32(0xffffffff), u32(MAGNITUDE)));
      returnPair(then, whole);
    });
    code.if(tooLarge, (then) => then.return(u32(0), u32(SIGN)));
    returnPair(code, negPair(code, whole));
  },
  width: 2,
});

/** f64 to i64. */
export const integerOfDouble = (code: Code, x: Pair): Pair =>
  callPair(code, "integer", I64_OF_F64, [x.lo, x.hi]);
/** f32 to f64. */
export const doubleOfFloat = (code: Code, x: Expr): Pair => callPair(code, "double", F64_OF_F32, [bitsOf(x)]);
/** f64 to f32. */
export const floatOfDouble = (x: Pair): Expr => floatOf(call(F32_OF_F64.name, "u32", [x.lo, x.hi]));
/** A signed magnitude of 64 bits to f32; the sign is the word's top bit, and its others are 0. */
export const floatOfMagnitude = (sign: Expr, x: Pair): Expr =>
  floatOf(call(F32_OF_U64.name, "u32", [sign, x.lo, x.hi]));
/** See the function's own line. */
export const wholeOf = (code: Code, x: Pair): Pair => callPair(code, "whole", WHOLE, [x.lo, x.hi]);

export const CONVERT64_FUNCTIONS: readonly Fn[] = [
  F64_OF_F32,
  PACK_F32,
  F32_OF_F64,
  F32_OF_U64,
  WHOLE,
  I64_OF_F64,
];
