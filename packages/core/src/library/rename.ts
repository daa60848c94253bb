/** Calls by other names: a library's functions stand beside code of other people. */
import { type Expr, mapParts } from "../kernel/expr.ts";
import { mapStmt, type Stmt } from "../kernel/stmt.ts";

/** The statements, with calls of the named functions going to their new names. */
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
