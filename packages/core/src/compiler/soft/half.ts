/** Halves in 32-bit floats: rounding, and conversion to and from 16 bits. All operations are on bits. */

import type { Expr } from "../kernel/expr.ts";
import { add, and, binary, call, lt, mul, select, sub, u32 } from "../kernel/make-expr.ts";
import type { Fn } from "../kernel/module.ts";
import { bitsOf, define, floatOf, INFINITY, isNaNBits, magnitudeOf, SIGN } from "./base/define.ts";
import { clz, or, shl, shr } from "./base/pair.ts";

/** 2^-24 and 2^-14 as floats: the least half, and the least with all its digits. */
const LEAST = 0x33800000;
const NORMAL = 0x38800000;
/** 2^16, past the largest half. */
const TOO_LARGE = 0x47800000;
/** The difference of the exponent biases of floats and halves. */
const BIAS = 0x38000000;
/** The float exponent of 2^-14, below which each power of two costs a digit. */
const NORMAL_EXPONENT = 113;

const signOf = (bits: Expr): Expr => and(bits, u32(SIGN));
/** The number of a float's digits that the half does not have, for magnitudes of at least 2^-24. */
const droppedFrom = (magnitude: Expr): Expr =>
  sub(u32(NORMAL_EXPONENT + 13), binary("min", shr(magnitude, 23), u32(NORMAL_EXPONENT)));

const ROUND = define("round_f16", {
  doc: "The bits of a float, rounded to the nearest half, ties to even.",
  params: ["bits"],
  type: "u32",
  returns: "u32",
  body: (code, [x]) => {
    const bits = x as Expr;
    code.if(isNaNBits(bits), (then) => then.return(bits));
    const magnitude = code.let("magnitude", magnitudeOf(bits));
    // Half of the least one is the tie, and goes to 0.
    const tiny = select(binary("gt", magnitude, u32(LEAST - 0x800000)), u32(LEAST), u32(0));
    code.if(lt(magnitude, u32(LEAST)), (then) => then.return(or(signOf(bits), tiny)));
    const drop = code.let("drop", droppedFrom(magnitude));
    const odd = and(shr(magnitude, drop), u32(1));
    const belowHalf = sub(shl(u32(1), sub(drop, u32(1))), u32(1));
    const raised = add(add(magnitude, belowHalf), odd);
    const rounded = code.let("rounded", shl(shr(raised, drop), drop));
    code.return(or(signOf(bits), select(binary("ge", rounded, u32(TOO_LARGE)), u32(INFINITY), rounded)));
  },
});

const TO_BITS = define("f16_bits_of_f32", {
  doc: "The bits of a float, converted to the 16 bits of the nearest half, ties to even.",
  params: ["bits"],
  type: "u32",
  returns: "u32",
  body: (code, [x]) => {
    code.if(isNaNBits(x as Expr), (then) => then.return(u32(0x7e00)));
    const rounded = code.let("rounded", call(ROUND.name, "u32", [x as Expr]));
    const magnitude = code.let("magnitude", magnitudeOf(rounded));
    // The digits that stay; 0 has its leading one dropped with the rest.
    const digits = or(and(rounded, u32(0x7fffff)), u32(0x800000));
    const small = shr(digits, binary("min", droppedFrom(magnitude), u32(24)));
    const normal = binary("min", shr(sub(magnitude, u32(BIAS)), 13), u32(0x7c00));
    code.return(or(shr(signOf(rounded), 16), select(lt(magnitude, u32(NORMAL)), small, normal)));
  },
});

const OF_BITS = define("f32_bits_of_f16", {
  doc: "The low 16 bits, a half, converted to the bits of the equal float.",
  params: ["bits"],
  type: "u32",
  returns: "u32",
  body: (code, [x]) => {
    const bits = x as Expr;
    const sign = code.let("sign", shl(and(bits, u32(0x8000)), 16));
    const magnitude = code.let("magnitude", and(bits, u32(0x7fff)));
    code.if(binary("ge", magnitude, u32(0x7c00)), (then) => {
      then.return(or(sign, or(u32(INFINITY), shl(magnitude, 13))));
    });
    code.if(binary("ge", magnitude, u32(0x400)), (then) => {
      then.return(or(sign, add(shl(magnitude, 13), u32(BIAS))));
    });
    code.if(binary("eq", magnitude, u32(0)), (then) => then.return(sign));
    const zeros = code.let("zeros", clz(magnitude));
    // The leading digit comes to 2^23, where it counts as one of the exponent.
    const digits = shl(magnitude, sub(zeros, u32(8)));
    code.return(or(sign, add(digits, mul(sub(u32(133), zeros), u32(0x800000)))));
  },
});

/** The half nearest to an f32, ties to even, as an f32. */
export const roundHalf = (x: Expr): Expr => floatOf(call(ROUND.name, "u32", [bitsOf(x)]));
/** The f32 that equals the half in the low 16 bits of a u32. */
export const floatOfHalfBits = (bits: Expr): Expr => floatOf(call(OF_BITS.name, "u32", [bits]));
/** The 16 bits of the half nearest to an f32, ties to even, as a u32; a NaN becomes 0x7e00. */
export const halfBitsOf = (x: Expr): Expr => call(TO_BITS.name, "u32", [bitsOf(x)]);

/** Callees before callers. */
export const HALF_FUNCTIONS: readonly Fn[] = [ROUND, TO_BITS, OF_BITS];
