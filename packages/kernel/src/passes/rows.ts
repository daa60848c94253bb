/** Replaces vec4s by single elements if a kernel must access the array with one element type. */

import { Names } from "@groupwise/ir/base/names.js";
import type { Expr, VarExpr } from "../language/expr.ts";
import { add, load } from "../language/make-expr.ts";
import { mapParts } from "../language/map-expr.ts";
import type { Kernel, Module } from "../language/module.ts";
import { madeOf } from "../language/origin.ts";
import type { Stmt } from "../language/stmt.ts";
import { arraysOf, mixedArrays } from "../language/uses.ts";
import { mapStmt, walk } from "../language/walk.ts";
import { namesOf } from "./base/names-of.ts";
import { type Around, mapKernels } from "./base/pass.ts";
import { sharesWords } from "./base/shared-words.ts";

/** The module without vec4s of arrays that a kernel also accesses by element, unless the implementation can do both. */
export function unmixRows(module: Module, around: Around): Module {
  if (around.capabilities.mixedRows === "any") return module;
  const { kernels, buffers } = module;
  const mixed = new Map(kernels.map((kernel) => [kernel, mixedArrays([kernel])]));
  if ([...mixed.values()].every((arrays) => arrays.size === 0)) return module;
  // Arrays of packed words are words in both uses.
  const inWords = buffers.filter((buffer) => sharesWords(around.capabilities, buffer));
  const kept = new Set([...inWords.map(({ name }) => name), ...twice(module, around)]);
  const names = new Names(namesOf(module), false);
  return mapKernels(module, (kernel) =>
    expandRows(kernel, names, (array) => mixed.get(kernel)?.has(array) === true && !kept.has(array)),
  );
}

/** Arrays that nobody writes, and that kernels may access by element and as vec4s at once. */
function twice({ kernels, buffers }: Module, { capabilities, wishes = {} }: Around): ReadonlySet<string> {
  const most = Number(capabilities.mixedRows ?? 0);
  const written = new Set(Object.values(wishes));
  const inputs = buffers.filter(
    ({ role, name }) => (role === "input" || role === "table") && !written.has(name),
  );
  const mixed = mixedArrays(kernels);
  const found = new Set(inputs.map(({ name }) => name).filter((name) => mixed.has(name)));
  const counts = kernels.map((kernel) => {
    const uses = arraysOf(kernel, buffers);
    return uses.length + uses.filter(({ name }) => found.has(name)).length;
  });
  return Math.max(...counts) <= most ? found : new Set();
}

/** The kernel without vec4s of some arrays, whose elements get names. */
export function expandRows(kernel: Kernel, taken: Names, which: (array: string) => boolean): Kernel {
  const names = taken.fork();
  // Blocks that do not contain one another may have vec4s of one name.
  const elements = new Map<string, string>();
  const elementOf = (hint: string): string => {
    const known = elements.get(hint) ?? names.fresh(hint);
    elements.set(hint, known);
    return known;
  };
  const parts = new Map<string, readonly VarExpr[]>();
  const change = (e: Expr): Expr =>
    e.kind === "part" ? (parts.get(e.of)?.[e.index] ?? e) : mapParts(e, change);
  const block = (stmts: readonly Stmt[]): readonly Stmt[] => stmts.flatMap((stmt) => madeOf(stmt, one(stmt)));
  const one = (stmt: Stmt): readonly Stmt[] => {
    if (stmt.kind === "load-row" && which(stmt.array)) {
      const names = [0, 1, 2, 3]
        .slice(0, stmt.width)
        .map((i): VarExpr => ({ kind: "var", name: elementOf(`${stmt.name}${i}`), type: stmt.type }));
      parts.set(stmt.name, names);
      return names.map(({ name }, i) => ({
        kind: "let",
        name,
        value: {
          ...load("storage", stmt.array, stmt.type, add(change(stmt.index), i)),
          ...(stmt.memory && { memory: stmt.memory }),
          ...(stmt.held && { held: stmt.held }),
        },
      }));
    }
    if (stmt.kind === "store-row" && which(stmt.array))
      return stmt.values.map((value, i) => ({
        kind: "store",
        space: "storage",
        array: stmt.array,
        index: add(change(stmt.index), i),
        value: change(value),
        ...(stmt.memory && { memory: stmt.memory }),
        ...(stmt.held && { held: stmt.held }),
      }));
    return [mapStmt(stmt, change, block)];
  };
  const hasSome = walk(kernel.body).some(
    (stmt) => (stmt.kind === "load-row" || stmt.kind === "store-row") && which(stmt.array),
  );
  return hasSome ? { ...kernel, body: block(kernel.body) } : kernel;
}
