/** bfloat16, the upper half of a 32-bit float: conversion to and from 16 bits. All operations are on bits. */
import type { Expr } from "../../language/expr.ts";
import { add, and, call, u32 } from "../../language/make-expr.ts";
import type { Fn } from "../../language/module.ts";
import { bitsOf, define, floatOf, isNaNBits } from "./base/define.ts";
import { shl, shr } from "./base/pair.ts";

const TO_BITS = define("bf16_bits_of_f32", {
  doc: "The bits of a float, converted to the 16 bits of the nearest bfloat16, ties to even.",
  params: ["bits"],
  type: "u32",
  returns: "u32",
  body: (code, [x]) => {
    const bits = x as Expr;
    code.if(isNaNBits(bits), (then) => then.return(u32(0x7fc0)));
    const odd = and(shr(bits, 16), 1);
    // Past the largest one this carries into the exponent, to infinity.
    code.return(shr(add(add(bits, 0x7fff), odd), 16));
  },
});

/** The f32 that equals the bfloat16 in the low 16 bits of a u32. */
export const floatOfBfloatBits = (bits: Expr): Expr => floatOf(shl(bits, 16));
/** The 16 bits of the bfloat16 nearest to an f32, ties to even, as a u32; a NaN becomes 0x7fc0. */
export const bfloatBitsOf = (x: Expr): Expr => call(TO_BITS.name, "u32", [bitsOf(x)]);

/** Callees before callers. */
export const BFLOAT_FUNCTIONS: readonly Fn[] = [TO_BITS];
