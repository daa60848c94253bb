/** Floats of at most 32 bits, which compilers may treat inexactly; a native f64 is IEEE 754 wherever it exists. */

import type { Scalar } from "@groupwise/ir/tables/scalar.js";
import type { Expr } from "../../language/expr.ts";
import { bitcast, join, word } from "../../language/make-expr.ts";

export const isShort = ({ type }: Expr): boolean => type === "f32" || type === "f16";

/** The least numbers that are not subnormal. */
export const LEAST_NORMAL: Readonly<Record<"f16" | "f32", number>> = { f16: 2 ** -14, f32: 2 ** -126 };

/** The bits of a short float as u32, and back. */
export const bitsOf = (e: Expr): Expr => (e.type === "f16" ? word(0, e) : bitcast("u32", e));
export const floatOf = (type: Scalar, bits: Expr): Expr =>
  type === "f16" ? join("f16", [bits]) : bitcast(type, bits);
