/** Renames calls: a library's functions are mixed with other code. */
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { mapParts } from "@groupwise/kernel/language/map-expr.js";
import type { Stmt } from "@groupwise/kernel/language/stmt.js";
import { mapStmt } from "@groupwise/kernel/language/walk.js";

/** The statements with renamed calls. */
export function mapCalls(stmts: readonly Stmt[], names: ReadonlyMap<string, string>): readonly Stmt[] {
  const nameOf = (fn: string): string => names.get(fn) ?? fn;
  const expr = (e: Expr): Expr => {
    const mapped = mapParts(e, expr);
    return mapped.kind === "call" ? { ...mapped, fn: nameOf(mapped.fn) } : mapped;
  };
  const block = (list: readonly Stmt[]): readonly Stmt[] =>
    list.map((stmt) => {
      const mapped = mapStmt(stmt, expr, block);
      return mapped.kind === "call" ? { ...mapped, fn: nameOf(mapped.fn) } : mapped;
    });
  return block(stmts);
}
