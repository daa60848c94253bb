/**
 * Halves in 32-bit floats: rounding, and conversion to and from 16 bits. Float operations are exact here, but for overflow to infinity, and neither
 * take nor give a subnormal, which a device may flush.
 */

import { wordOf } from "@groupwise/ir/tables/convert-value.js";
import { decodeLiteral } from "@groupwise/ir/tables/literal.js";
import type { Expr } from "../../language/expr.ts";
import {
  add,
  and,
  binary,
  bitcast,
  call,
  constant,
  eq,
  lt,
  mul,
  select,
  sub,
  u32,
  unary,
} from "../../language/make-expr.ts";
import type { Fn } from "../../language/module.ts";
import { bitsOf, define, floatOf, INFINITY, isNaNBits, magnitudeOf, QUIET_NAN, SIGN } from "./base/define.ts";
import { or, shl, shr } from "./base/pair.ts";
import { HALF_NAMES } from "./half-names.ts";

/** 2^-24 and 2^-14 as floats: the least half, and the least with all its digits. */
const LEAST = 0x33800000;
const NORMAL = 0x38800000;
/** 2^16, past the largest half. */
const TOO_LARGE = 0x47800000;
/** The float exponent of 2^-14, below which each power of two costs a digit. */
const NORMAL_EXPONENT = 113;

const signOf = (bits: Expr): Expr => and(bits, SIGN);
/** The number of a float's digits that the half does not have, for magnitudes of at least 2^-24. */
const droppedFrom = (magnitude: Expr): Expr =>
  sub(NORMAL_EXPONENT + 13, binary("min", shr(magnitude, 23), NORMAL_EXPONENT));

const ROUND = define(HALF_NAMES.round, {
  doc: "The bits of a float, rounded to the nearest half, ties to even.",
  params: ["bits"],
  type: "u32",
  returns: "u32",
  body: (code, [x]) => {
    const bits = x as Expr;
    // Without digits that a half has not, which sums would round.
    code.if(isNaNBits(bits), (then) => then.return(u32(QUIET_NAN)));
    const magnitude = code.let("magnitude", magnitudeOf(bits));
    // Half of the least one is the tie, and goes to 0.
    const tiny = select(binary("gt", magnitude, LEAST - 0x800000), LEAST, 0);
    code.if(lt(magnitude, LEAST), (then) => then.return(or(signOf(bits), tiny)));
    const drop = code.let("drop", droppedFrom(magnitude));
    const odd = and(shr(magnitude, drop), 1);
    const belowHalf = sub(shl(1, sub(drop, 1)), 1);
    const raised = add(add(magnitude, belowHalf), odd);
    const rounded = code.let("rounded", shl(shr(raised, drop), drop));
    code.return(or(signOf(bits), select(binary("ge", rounded, TOO_LARGE), INFINITY, rounded)));
  },
});

/** 2^112: the largest half times it lies below the largest float, and the next power of two is infinity. */
const RAISE = 2 ** 112;
const LOWER = 2 ** -112;
/** The float exponents of halves times 2^112 end with the exponents of halves. Those below belong to numbers of fewer digits. */
const RAISED_BIAS = 0x70000000;
/** The NaN that rounding up would carry into the sign is taken for this one. */
const LAST_NAN = 0x7fffefff;
const DIGITS_DROPPED = 0x1fff;
const signed = (value: number): Expr => constant("i32", value);
const f32 = (value: number): Expr => constant("f32", value);

/**
 * A sum below 2^-14 is a multiple of 2^-24 and needs no rounding, so all sums keep 11 digits. Times 2^112, those past the largest half
 * carry into the exponent of infinity.
 */
const ROUND_SUM = define(HALF_NAMES.sum, {
  doc: "A sum or a difference of two halves, rounded to the nearest half, ties to even.",
  params: ["x"],
  type: "f32",
  returns: "f32",
  body: (code, [x]) => {
    const bits = code.let("bits", bitcast("i32", mul(x as Expr, f32(RAISE))));
    const odd = and(binary("shr", bits, 13), signed(1));
    const raised = add(add(binary("min", bits, signed(LAST_NAN)), signed(DIGITS_DROPPED >> 1)), odd);
    code.return(mul(floatOf(and(raised, signed(~DIGITS_DROPPED))), f32(LOWER)));
  },
});

const TO_BITS = define(HALF_NAMES.toBits, {
  doc: "The 16 bits of a float that is a half.",
  params: ["x"],
  type: "f32",
  returns: "u32",
  body: (code, [given]) => {
    const x = given as Expr;
    const bits = code.let("bits", bitsOf(x));
    // The digits of a small one come below the exponent 0 of halves.
    const small = add(mul(unary("abs", x), f32(RAISE / 2)), f32(2 ** 97));
    const raised = select(lt(magnitudeOf(bits), NORMAL), small, mul(x, f32(RAISE)));
    code.return(or(and(shr(bits, 16), 0x8000), and(shr(bitsOf(raised), 13), 0x7fff)));
  },
});

const NEAREST_BITS = define(HALF_NAMES.nearestBits, {
  doc: "The bits of a float, converted to the 16 bits of the nearest half, ties to even.",
  params: ["bits"],
  type: "u32",
  returns: "u32",
  body: (code, [x]) => {
    code.if(isNaNBits(x as Expr), (then) => then.return(u32(0x7e00)));
    code.return(call(TO_BITS.name, "u32", [floatOf(call(ROUND.name, "u32", [x as Expr]))]));
  },
});

const OF_BITS = define(HALF_NAMES.ofBits, {
  doc: "The half in the low 16 bits, as a float.",
  params: ["bits"],
  type: "u32",
  returns: "f32",
  body: (code, [x]) => {
    const bits = x as Expr;
    const raised = code.let("raised", floatOf(or(shl(and(bits, 0x7fff), 13), RAISED_BIAS)));
    const isSmall = eq(and(bits, 0x7c00), 0);
    const magnitude = select(isSmall, sub(mul(raised, f32(2)), f32(2 ** 98)), raised);
    // The bits of 2^-112, with the sign.
    const factor = or(shl(and(bits, 0x8000), 16), 0x07800000);
    code.return(mul(magnitude, floatOf(factor)));
  },
});

/** The half nearest to an f32, ties to even, as an f32. */
export const roundHalf = (x: Expr): Expr => floatOf(call(ROUND.name, "u32", [bitsOf(x)]));
/** The same for a sum or a difference of two halves. */
export const roundHalfSum = (x: Expr): Expr => call(ROUND_SUM.name, "f32", [x]);
/** The f32 that equals the half in the low 16 bits of a u32. */
export const floatOfHalfBits = (bits: Expr): Expr => call(OF_BITS.name, "f32", [bits]);
/** The 16 bits of a half that is held as an f32, as a u32; a NaN stays one. Compilers that compute those of a constant may flush it. */
export const bitsOfHalf = (x: Expr): Expr =>
  x.kind === "const"
    ? u32(wordOf("f16", decodeLiteral("f32", x.value) as number, 0))
    : call(TO_BITS.name, "u32", [x]);
/** The 16 bits of the half nearest to an f32, ties to even, as a u32; a NaN becomes 0x7e00. */
export const halfBitsOf = (x: Expr): Expr => call(NEAREST_BITS.name, "u32", [bitsOf(x)]);

/** Callees before callers. */
export const HALF_FUNCTIONS: readonly Fn[] = [ROUND, ROUND_SUM, TO_BITS, NEAREST_BITS, OF_BITS];
