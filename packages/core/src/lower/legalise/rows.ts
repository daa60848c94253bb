/** Rows of four as single elements, where a kernel must see the array under one element type. */
import { add, type Expr, load, mapParts, u32, type VarExpr } from "../../kernel/expr.ts";
import { allExprs, type Kernel, mapStmt, type Stmt, walk } from "../../kernel/stmt.ts";

/** The kernel without rows of arrays that it uses element by element too. */
export function unmixRows(kernel: Kernel): Kernel {
  const single = new Set<string>();
  for (const expr of allExprs(kernel.body))
    if (expr.kind === "load" && expr.space === "storage") single.add(expr.array);
  for (const stmt of walk(kernel.body))
    if (stmt.kind === "store" && stmt.space === "storage") single.add(stmt.array);
  return expandRows(kernel, (array) => single.has(array));
}

/** The kernel without rows of some arrays. */
export function expandRows(kernel: Kernel, which: (array: string) => boolean): Kernel {
  const parts = new Map<string, readonly VarExpr[]>();
  const change = (e: Expr): Expr =>
    e.kind === "part" ? (parts.get(e.of)?.[e.index] ?? e) : mapParts(e, change);
  const block = (stmts: readonly Stmt[]): readonly Stmt[] => stmts.flatMap(one);
  const one = (stmt: Stmt): readonly Stmt[] => {
    if (stmt.kind === "load-row" && which(stmt.array)) {
      const names = [0, 1, 2, 3].map(
        (i): VarExpr => ({ kind: "var", name: `${stmt.name}_${i}`, type: stmt.type }),
      );
      parts.set(stmt.name, names);
      return names.map(({ name }, i) => ({
        kind: "let",
        name,
        value: load("storage", stmt.array, stmt.type, add(change(stmt.index), u32(i))),
      }));
    }
    if (stmt.kind === "store-row" && which(stmt.array))
      return stmt.values.map((value, i) => ({
        kind: "store",
        space: "storage",
        array: stmt.array,
        index: add(change(stmt.index), u32(i)),
        value: change(value),
      }));
    return [mapStmt(stmt, change, block)];
  };
  const hasSome = [...walk(kernel.body)].some(
    (stmt) => (stmt.kind === "load-row" || stmt.kind === "store-row") && which(stmt.array),
  );
  return hasSome ? { ...kernel, body: block(kernel.body) } : kernel;
}
