/** Minima and maxima of floats so far have a function of their own. */
import {
  type BinaryExpr,
  type Expr,
  type Module,
  mapParts,
  mapStmt,
  type Stmt,
} from "@groupwise/core/kernel";
import { isFloat } from "@groupwise/core/target";

/** The names of variables that statements assign, and of copies of them. */
function variablesIn(stmts: readonly Stmt[], names: Set<string>): void {
  for (const stmt of stmts)
    if (stmt.kind === "var") names.add(stmt.name);
    else if (stmt.kind === "let" && isIn(names, stmt.value)) names.add(stmt.name);
}

const isIn = (names: ReadonlySet<string>, expr: Expr): boolean => expr.kind === "var" && names.has(expr.name);

const isExtremum = (expr: Expr): expr is BinaryExpr =>
  expr.kind === "binary" && (expr.op === "min" || expr.op === "max") && isFloat(expr.type);

/**
 * The module with calls of `running_min_…` and `running_max_…`, where the left operand of a minimum or maximum of floats is a variable: what a loop carries
 * from item to item, in loops of one thread.
 */
export function withRunning(module: Module): Module {
  const names = new Set<string>();
  const expr = (e: Expr): Expr => {
    const inner = mapParts(e, expr);
    if (!isExtremum(inner) || !isIn(names, inner.left)) return inner;
    const { op, type, left, right } = inner;
    return { kind: "call", fn: `running_${op}_${type}`, type, args: [left, right] };
  };
  const block = (stmts: readonly Stmt[]): readonly Stmt[] => {
    variablesIn(stmts, names);
    return stmts.map((stmt) => mapStmt(stmt, expr, block));
  };
  return { ...module, kernels: module.kernels.map((kernel) => ({ ...kernel, body: block(kernel.body) })) };
}
