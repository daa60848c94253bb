/** Replaces vec4s by single elements if a kernel must access the array with one element type. */

import { Names } from "@groupwise/ir/base/names.js";
import type { Expr, VarExpr } from "../language/expr.ts";
import { add } from "../language/make-expr.ts";
import { mapParts } from "../language/map-expr.ts";
import type { Kernel, Module } from "../language/module.ts";
import { madeOf } from "../language/origin.ts";
import { type LoadRowStmt, ROW, type Stmt, type StoreRowStmt } from "../language/stmt.ts";
import { arraysOf, mixedArrays, rowArrays } from "../language/uses.ts";
import { mapStmt } from "../language/walk.ts";
import { namesOf } from "./base/names-of.ts";
import { type Around, mapKernels } from "./base/pass.ts";
import { sharesWords } from "./base/shared-words.ts";

/** The module without vec4s of arrays that a kernel also accesses by element, unless the implementation can do both. */
export function unmixRows(module: Module, around: Around): Module {
  if (around.capabilities.mixedRows === "any") return module;
  // Arrays of packed words are words in both uses.
  const inWords = module.buffers.filter((buffer) => sharesWords(around.capabilities, buffer));
  const kept = new Set([...inWords.map(({ name }) => name), ...twice(module, around)]);
  const names = new Names(namesOf(module));
  return mapKernels(module, (kernel) => {
    const mixed = mixedArrays([kernel]);
    return expandRows(kernel, names, (array) => mixed.has(array) && !kept.has(array));
  });
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

/** What takes the place of vec4s. */
export interface RowForm {
  /**
   * @param elements the names that the elements get
   * @param names those of the kernel
   */
  load(row: LoadRowStmt, elements: readonly VarExpr[], names: Names): readonly Stmt[];
  store(row: StoreRowStmt, names: Names): readonly Stmt[];
}

const BY_ELEMENT: RowForm = {
  load: ({ kind: _, name: __, width: ___, ...row }, elements) =>
    elements.map(
      ({ name }, i): Stmt => ({
        ...{ kind: "let", name },
        value: { ...row, kind: "load", space: "storage", index: add(row.index, i) },
      }),
    ),
  store: ({ kind: _, values, ...row }) =>
    values.map(
      (value, i): Stmt => ({ ...row, kind: "store", space: "storage", index: add(row.index, i), value }),
    ),
};

/** The kernel without vec4s of some arrays, whose elements get names. */
export function expandRows(
  kernel: Kernel,
  taken: Names,
  which: (array: string) => boolean,
  form: RowForm = BY_ELEMENT,
): Kernel {
  if (![...rowArrays([kernel]).keys()].some(which)) return kernel;
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
  const one = (given: Stmt): readonly Stmt[] => {
    const stmt = mapStmt(given, change, block);
    if ("name" in stmt) parts.delete(stmt.name);
    if (stmt.kind === "load-row" && which(stmt.array)) {
      const { name, width = ROW, type } = stmt;
      const named = Array.from({ length: width }, (_, i): VarExpr => {
        return { kind: "var", name: elementOf(`${name}${i}`), type };
      });
      parts.set(name, named);
      return form.load(stmt, named, names);
    }
    if (stmt.kind === "store-row" && which(stmt.array)) return form.store(stmt, names);
    return [stmt];
  };
  return { ...kernel, body: block(kernel.body) };
}
