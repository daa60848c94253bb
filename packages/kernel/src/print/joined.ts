/** Joins nested conditions. */
import type { Expr } from "../language/expr.ts";
import { binary } from "../language/make-expr.ts";
import { partsOf } from "../language/map-expr.ts";
import type { IfStmt } from "../language/stmt.ts";

/** Whether an expression may be computed even if it is not needed: it reads no array, and has no division. */
const isTotal = (e: Expr): boolean =>
  e.kind !== "load" &&
  e.kind !== "call" &&
  !(e.kind === "binary" && (e.op === "div" || e.op === "rem")) &&
  partsOf(e).every(isTotal);

/** The `if` joined with another `if` that is the only statement of its block. */
export function joined(stmt: IfStmt): IfStmt {
  const [inner] = stmt.then;
  if (inner?.kind !== "if" || stmt.then.length > 1) return stmt;
  if (stmt.otherwise.length + inner.otherwise.length > 0 || !isTotal(inner.condition)) return stmt;
  return joined({ ...stmt, condition: binary("and", stmt.condition, inner.condition), then: inner.then });
}
