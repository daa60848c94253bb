/** Variables of loops that are only offsets into arrays. */
import type { Expr } from "../language/expr.ts";
import { partsOf } from "../language/map-expr.ts";
import type { ForStmt } from "../language/stmt.ts";
import { exprsOf, walk } from "../language/walk.ts";

/**
 * Whether a loop takes several items at a time, and its body uses the variable only as `i` or `i + c` in indices, with `c` below the step. Multiples of
 * a power of two below 2^32 leave room for `c`, so sums have the same value in wider types.
 */
export function isOffset({ name, from, step, body }: ForStmt): boolean {
  if (step === 1 || !Number.isInteger(Math.log2(step)) || from.kind !== "const" || from.value !== 0)
    return false;
  const isIndex = (e: Expr): boolean =>
    (e.kind === "var" && e.name === name) ||
    (e.kind === "binary" &&
      e.op === "add" &&
      e.left.kind === "var" &&
      e.left.name === name &&
      e.right.kind === "const" &&
      Number(e.right.value) < step);
  const isFine = (e: Expr): boolean => {
    if (e.kind === "var") return e.name !== name;
    return (e.kind === "load" && isIndex(e.index)) || partsOf(e).every(isFine);
  };
  return walk(body).every(
    (stmt) =>
      (stmt.kind === "store" && isIndex(stmt.index) && isFine(stmt.value)) || exprsOf(stmt).every(isFine),
  );
}
