/** Detects sums of equal values with opposite signs, which a compiler may replace by 0. */

import type { BinaryOp } from "@groupwise/ir/tables/expr-op.js";
import { decodeLiteral } from "@groupwise/ir/tables/literal.js";
import type { Scalar } from "@groupwise/ir/tables/scalar.js";
import type { Expr } from "../../language/expr.ts";
import { TRAITS } from "../../language/intrinsics.ts";
import { partsOf } from "../../language/map-expr.ts";
import type { Stmt } from "../../language/stmt.ts";
import { walk } from "../../language/walk.ts";
import { isShort } from "../base/short.ts";
import { nameOf, targetOf } from "./flow.ts";

type Test = (e: Expr) => boolean;

/**
 * Whether a compiler could take a sum of two expressions for the difference of equal values, as in -(x * y) + x * y: one of them has a
 * negative among its parts, and both are computed, so that each has a guard.
 */
export function cancelling(body: readonly Stmt[]): (left: Expr, right: Expr) => boolean {
  // Most kernels have no sum of two computed floats, and need not be searched for negatives.
  let isGiven: Test | undefined;
  let isNegated: Test | undefined;
  return (left, right) => {
    isGiven ??= given(body);
    if (isGiven(left) || isGiven(right)) return false;
    isNegated ??= negated(body);
    return isNegated(left) || isNegated(right);
  };
}

/** Whether an operator on a float's bits leaves the sign bit as it is, or clears it; `or` may set it by a constant. */
const KEEPS_SIGN: Readonly<Record<BinaryOp, boolean>> = {
  ...{ and: true, or: true, shl: true, shr: true, xor: false },
  ...{ add: false, sub: false, mul: false, div: false, rem: false },
  ...{ min: false, max: false, absdiff: false, gcd: false },
  ...{ eq: false, ne: false, lt: false, le: false, gt: false, ge: false },
};
const isInteger = ({ type }: Expr): boolean => type === "u32" || type === "i32";
const SIGN = 0x80000000;

/** An operation that negates a float, on the float or on its bits. */
function negates(e: Expr): boolean {
  if (e.kind === "unary") return isShort(e) ? e.op === "neg" : isInteger(e);
  if (e.kind === "const" && isShort(e)) return Number(decodeLiteral(e.type, e.value)) < 0;
  if (e.kind !== "binary" || !isInteger(e)) return false;
  const setsSign = [e.left, e.right].some((x) => x.kind === "const" && Number(x.value) >>> 0 >= SIGN);
  return !KEEPS_SIGN[e.op] || (e.op === "or" && setsSign);
}

/** The parts of a value: conditions, indexes and integers that are converted cannot hold its sign. */
function sourcesOf(e: Expr): readonly Expr[] {
  if (e.kind === "load") return [];
  const isOfBits = isInteger(e) || e.kind === "bitcast" || e.kind === "join";
  return partsOf(e).filter((part) => isShort(part) || (isOfBits && isInteger(part)));
}

/** Whether a float may be the negative of another expression, or an integer the bits of such a float. */
function negated(body: readonly Stmt[]): Test {
  const names = new Set<string>();
  const isNamed: Test = (e) => {
    const name = nameOf(e);
    return name !== undefined && names.has(keyOf(name, e));
  };
  /** Each expression is visited once, since large ones share their parts. */
  const test = (): Test => {
    const known = new Map<Expr, boolean>();
    const is = (e: Expr): boolean => {
      const found = known.get(e) ?? (negates(e) || isNamed(e) || sourcesOf(e).some(is));
      known.set(e, found);
      return found;
    };
    return is;
  };
  for (let before = -1; before !== names.size; ) {
    before = names.size;
    const is = test();
    for (const stmt of walk(body)) {
      if (stmt.kind === "load-row" && names.has(keyOf(stmt.array, stmt))) names.add(keyOf(stmt.name, stmt));
      const target = targetOf(stmt);
      if (target === undefined) continue;
      for (const value of valuesOf(stmt)) if (is(value)) names.add(keyOf(target, value));
    }
  }
  return test();
}

/** Another block may give a name to a value of another type. */
const keyOf = (name: string, { type }: { readonly type: Scalar }): string => `${name} ${type}`;

/** The value that a statement writes, without its index. */
export const valuesOf = (stmt: Stmt): readonly Expr[] =>
  stmt.kind === "store-row" ? stmt.values : "value" in stmt ? [stmt.value] : [];

/** Whether a statement names what memory or other work-items have. */
const isRead = ({ kind }: Stmt): boolean => Boolean(TRAITS[kind].reads || TRAITS[kind].meets);

/** Values that no expression of the work-item computed. */
function given(body: readonly Stmt[]): Test {
  const written = new Set<string>();
  const names = new Set<string>();
  const computed = new Set<string>();
  const is: Test = (e) =>
    e.kind === "param" ||
    e.kind === "const" ||
    (e.kind === "load" && (e.space === "work-group" || !written.has(e.array))) ||
    isGivenName(nameOf(e) ?? "");
  // Another block may give the name to a value that is computed.
  const isGivenName = (name: string): boolean => names.has(name) && !computed.has(name);
  for (const stmt of walk(body)) if ("array" in stmt && TRAITS[stmt.kind].writes) written.add(stmt.array);
  for (const stmt of walk(body)) {
    const isFresh = isRead(stmt) && !("array" in stmt && written.has(stmt.array));
    if (!("name" in stmt)) continue;
    (isFresh || (stmt.kind === "let" && is(stmt.value)) ? names : computed).add(stmt.name);
  }
  return is;
}
