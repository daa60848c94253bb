/** Gives work-group arrays names of the module, so that functions of several kernels can use them. */
import { Names } from "@groupwise/ir/base/names.js";
import type { RoutineArrays } from "../capabilities/capabilities.ts";
import type { Expr } from "../language/expr.ts";
import { each, mapParts } from "../language/map-expr.ts";
import type { Kernel, Module, SharedArray } from "../language/module.ts";
import type { Stmt } from "../language/stmt.ts";
import { atomicArrays } from "../language/uses.ts";
import { mapStmt, walk } from "../language/walk.ts";

/**
 * The module with one array in place of equal arrays of several kernels, so that a function can use it; arrays that differ
 * have different names. Arrays that are arguments of functions may differ in length.
 */
export function shareArrays(module: Module, arrays: RoutineArrays): Module {
  const names = new Names(namesOf(module));
  const found = new Map<string, string>();
  const kernels = module.kernels.map((kernel) => {
    const atomics = atomicArrays({ kernels: [kernel] }, "work-group");
    const nameOf = ({ name, type, length }: SharedArray): string => {
      const size = arrays === "module-arrays" ? length : "";
      const key = [name, type, size, atomics.has(name)].join(" ");
      const known = found.get(key) ?? names.fresh(name);
      found.set(key, known);
      return known;
    };
    const pairs = kernel.shared.map((array) => [array.name, nameOf(array)] as const);
    const renamed = new Map(pairs.filter(([before, after]) => before !== after));
    return renamed.size > 0 ? withNames(kernel, renamed) : kernel;
  });
  return { ...module, kernels };
}

/** The work-group arrays of a module whose arrays are shared. */
export const sharedArrays = ({ kernels }: Module): readonly SharedArray[] => [
  ...new Map(kernels.flatMap(({ shared }) => shared).map((array) => [array.name, array])).values(),
];

function* namesOf({ params, buffers, kernels, functions }: Module): Generator<string> {
  for (const { name } of [...params, ...buffers, ...kernels, ...functions]) yield name;
  for (const { body } of [...kernels, ...functions])
    for (const stmt of walk(body)) {
      if ("name" in stmt) yield stmt.name;
      // Its function takes the title.
      if (stmt.kind === "routine") yield stmt.title;
    }
}

function withNames(kernel: Kernel, names: ReadonlyMap<string, string>): Kernel {
  const nameOf = (array: string): string => names.get(array) ?? array;
  const expr = (e: Expr): Expr => {
    const mapped = mapParts(e, expr);
    const isShared = mapped.kind === "load" && mapped.space === "work-group";
    return isShared ? { ...mapped, array: nameOf(mapped.array) } : mapped;
  };
  const block = (stmts: readonly Stmt[]): readonly Stmt[] =>
    each(stmts, (stmt) => {
      const mapped = mapStmt(stmt, expr, block);
      const isShared = mapped.kind === "uniform-load" || ("space" in mapped && mapped.space === "work-group");
      return isShared ? { ...mapped, array: nameOf(mapped.array) } : mapped;
    });
  const shared = kernel.shared.map((array) => ({ ...array, name: nameOf(array.name) }));
  return { ...kernel, shared, body: block(kernel.body) };
}
