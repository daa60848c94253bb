/** Replaces expressions that no target prints, and those that compilers refuse or warn about, by others of the same value. */
import { BINARY } from "@groupwise/ir/tables/expr-op.js";
import { isFloat, SCALARS } from "@groupwise/ir/tables/scalar.js";
import type { Expr } from "../language/expr.ts";
import { isSameName } from "../language/fold-expr.ts";
import { constant, u32, unary, zeroOf } from "../language/make-expr.ts";
import { composed } from "../library/types/composed.ts";

/**
 * Expressions that no language handles safely: magnitudes of unsigned integers, constant divisors of 0 and -1, constant shifts past the width,
 * and comparisons of an integer with itself, which compilers report as a mistake.
 */
export function legalise(e: Expr): Expr {
  // Not every implementation keeps the highest bit.
  if (e.kind === "unary" && e.op === "abs" && SCALARS[e.type].kind === "uint") return e.of;
  if (e.kind !== "binary") return e;
  const others = composed(e);
  if (others) return others;
  // C spells a bool's exclusive or as a comparison.
  const compares = BINARY[e.op].compares || (e.op === "xor" && e.type === "bool");
  if (compares && !isFloat(e.left.type) && isSameName(e.left, e.right))
    return constant("bool", e.op === "eq" || e.op === "le" || e.op === "ge");
  if (e.right.kind !== "const") return e;
  const right = Number(e.right.value);
  const bits = SCALARS[e.type].bits;
  if ((e.op === "shl" || e.op === "shr") && right >= bits) return { ...e, right: u32(right % bits) };
  if ((e.op !== "div" && e.op !== "rem") || isFloat(e.type)) return e;
  if (right === 0) return e.op === "div" ? e.left : zeroOf(e.type);
  if (right === -1) return e.op === "div" ? unary("neg", e.left) : zeroOf(e.type);
  return e;
}
