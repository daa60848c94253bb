/** Conditions one within the other, as one. */
import type { Expr } from "../kernel/expr.ts";
import { binary } from "../kernel/make-expr.ts";
import { partsOf } from "../kernel/map-expr.ts";
import type { IfStmt } from "../kernel/stmt.ts";

/** Whether an expression may be computed where it is not needed: it reads no array, and divides nothing. */
const isTotal = (e: Expr): boolean =>
  e.kind !== "load" &&
  e.kind !== "call" &&
  !(e.kind === "binary" && (e.op === "div" || e.op === "rem")) &&
  partsOf(e).every(isTotal);

/** The `if` with the condition of another that is all of its block. */
export function joined(stmt: IfStmt): IfStmt {
  const [inner] = stmt.then;
  if (inner?.kind !== "if" || stmt.then.length > 1) return stmt;
  if (stmt.otherwise.length + inner.otherwise.length > 0 || !isTotal(inner.condition)) return stmt;
  return joined({ ...inner, condition: binary("and", stmt.condition, inner.condition) });
}
