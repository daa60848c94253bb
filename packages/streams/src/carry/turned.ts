/** Kernels over arrays whose last element is the first item. */
import { Names } from "@groupwise/ir/base/names.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { add, param, permute, sub } from "@groupwise/kernel/language/make-expr.js";
import { mapParts } from "@groupwise/kernel/language/map-expr.js";
import type { LaunchParam, Module } from "@groupwise/kernel/language/module.js";
import type { Stmt } from "@groupwise/kernel/language/stmt.js";
import { mapStmt } from "@groupwise/kernel/language/walk.js";
import { namesOf } from "@groupwise/kernel/passes/base/names-of.js";
import { expandRows } from "@groupwise/kernel/passes/rows.js";

/** A vector with its elements in the other order. */
function backwards(e: Expr): Expr {
  const { width } = e;
  return width === undefined
    ? e
    : permute(
        Array.from({ length: width }, (_, i) => width - 1 - i),
        e,
      );
}

/** The module in which item i is the element n - 1 - i of every input and output of items. Rows would have the items in the wrong order. */
export function turned(module: Module): Module {
  const { name } = module.params.find(({ role }) => role === "length") as LaunchParam;
  const arrays = new Set(
    module.buffers
      .filter(({ role, elements }) => (role === "input" || role === "output") && elements === "n")
      .map((buffer) => buffer.name),
  );
  const isTurned = (array: string): boolean => arrays.has(array);
  const last = sub(param(name, "u32"), 1);
  /** Where the elements of so many items begin. */
  const lastOf = (index: Expr, width: number = 1): Expr => sub(last, add(index, width - 1));
  const expr = (given: Expr): Expr => {
    const e = mapParts(given, expr);
    if (e.kind !== "load" || e.space !== "storage" || !isTurned(e.array)) return e;
    return backwards({ ...e, index: lastOf(e.index, e.width) });
  };
  const block = (stmts: readonly Stmt[]): readonly Stmt[] =>
    stmts.map((given) => {
      const stmt = mapStmt(given, expr, block);
      if (stmt.kind !== "store" || stmt.space !== "storage" || !isTurned(stmt.array)) return stmt;
      return { ...stmt, index: lastOf(stmt.index, stmt.value.width), value: backwards(stmt.value) };
    });
  const names = new Names(namesOf(module));
  const kernels = module.kernels.map((kernel) => ({
    ...kernel,
    body: block(expandRows(kernel, names, isTurned).body),
  }));
  return { ...module, kernels };
}
