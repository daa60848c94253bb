/** Replaces vec4s by single elements if a kernel must access the array with one element type. */

import type { Expr, VarExpr } from "../kernel/expr.ts";
import { add, load, u32 } from "../kernel/make-expr.ts";
import { mapParts } from "../kernel/map-expr.ts";
import type { Kernel, Module } from "../kernel/module.ts";
import type { Stmt } from "../kernel/stmt.ts";
import { allExprs, mapStmt, walk } from "../kernel/walk.ts";
import { type Around, mapKernels } from "./base/pass.ts";
import { sharesWords } from "./base/shared-words.ts";

/** The module without vec4s of arrays that a kernel also accesses by element. */
export function unmixRows(module: Module, { capabilities }: Around): Module {
  // Arrays of packed words are words in both uses.
  const inWords = module.buffers.filter((buffer) => sharesWords(capabilities, buffer));
  const mixable = new Set(inWords.map(({ name }) => name));
  return mapKernels(module, (kernel) => unmixKernel(kernel, mixable));
}

function unmixKernel(kernel: Kernel, mixable: ReadonlySet<string>): Kernel {
  const single = new Set<string>();
  for (const expr of allExprs(kernel.body))
    if (expr.kind === "load" && expr.space === "storage") single.add(expr.array);
  for (const stmt of walk(kernel.body))
    if (stmt.kind === "store" && stmt.space === "storage") single.add(stmt.array);
  return expandRows(kernel, (array) => single.has(array) && !mixable.has(array));
}

/** The kernel without vec4s of some arrays. */
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
        value: {
          ...load("storage", stmt.array, stmt.type, add(change(stmt.index), u32(i))),
          ...(stmt.memory && { memory: stmt.memory }),
        },
      }));
    }
    if (stmt.kind === "store-row" && which(stmt.array))
      return stmt.values.map((value, i) => ({
        kind: "store",
        space: "storage",
        array: stmt.array,
        index: add(change(stmt.index), u32(i)),
        value: change(value),
        ...(stmt.memory && { memory: stmt.memory }),
      }));
    return [mapStmt(stmt, change, block)];
  };
  const hasSome = [...walk(kernel.body)].some(
    (stmt) => (stmt.kind === "load-row" || stmt.kind === "store-row") && which(stmt.array),
  );
  return hasSome ? { ...kernel, body: block(kernel.body) } : kernel;
}
