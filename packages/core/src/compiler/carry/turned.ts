/** Kernels over arrays whose last element is the first item. */
import { Names } from "../../ir/base/names.ts";
import type { Expr } from "../kernel/expr.ts";
import { param, sub, u32 } from "../kernel/make-expr.ts";
import { mapParts } from "../kernel/map-expr.ts";
import type { LaunchParam, Module } from "../kernel/module.ts";
import type { Stmt } from "../kernel/stmt.ts";
import { mapStmt } from "../kernel/walk.ts";
import { namesOf } from "../passes/base/names-of.ts";
import { expandRows } from "../passes/rows.ts";

/** The module in which item i is the element n - 1 - i of every input and output of items. Vectors would have the items in the wrong order. */
export function turned(module: Module): Module {
  const { name } = module.params.find(({ role }) => role === "length") as LaunchParam;
  const arrays = new Set(
    module.buffers
      .filter(({ role, elements }) => (role === "input" || role === "output") && elements === "n")
      .map((buffer) => buffer.name),
  );
  const isTurned = (array: string): boolean => arrays.has(array);
  const last = sub(param(name, "u32"), u32(1));
  const expr = (given: Expr): Expr => {
    const e = mapParts(given, expr);
    if (e.kind !== "load" || e.space !== "storage" || !isTurned(e.array)) return e;
    return { ...e, index: sub(last, e.index) };
  };
  const block = (stmts: readonly Stmt[]): readonly Stmt[] =>
    stmts.map((given) => {
      const stmt = mapStmt(given, expr, block);
      if (stmt.kind !== "store" || stmt.space !== "storage" || !isTurned(stmt.array)) return stmt;
      return { ...stmt, index: sub(last, stmt.index) };
    });
  const names = new Names(namesOf(module), false);
  const kernels = module.kernels.map((kernel) => ({
    ...kernel,
    body: block(expandRows(kernel, names, isTurned).body),
  }));
  return { ...module, kernels };
}
