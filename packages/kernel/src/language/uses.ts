/** The arrays and parameters of a module that its kernels use. */

import type { Fn, Kernel } from "./module.ts";
import type { Stmt } from "./stmt.ts";
import { accessUse, allExprs, isAccess, spaceOf, walk, widthOf } from "./walk.ts";

/** The arrays of device memory that kernels read or write as vectors, and how many elements these have. */
export function rowArrays(kernels: readonly Kernel[]): ReadonlyMap<string, number> {
  const stmts = kernels.flatMap(({ body }) => walk(body));
  return new Map(
    stmts.flatMap((stmt): [string, number][] => {
      return stmt.kind === "load-row" || stmt.kind === "store-row" ? [[stmt.array, widthOf(stmt)]] : [];
    }),
  );
}

/** Of these the arrays that one of the kernels also reads or writes by element. */
export function mixedArrays(kernels: readonly Kernel[]): ReadonlySet<string> {
  const found = kernels.flatMap((kernel) => {
    const rows = rowArrays([kernel]);
    if (rows.size === 0) return [];
    const stored = walk(kernel.body).flatMap((stmt) =>
      stmt.kind === "store" && stmt.space === "storage" ? [stmt.array] : [],
    );
    const single = [...loadsOf(kernel.body), ...stored];
    return single.filter((array) => rows.has(array));
  });
  return new Set(found);
}

/** How a kernel uses the arrays of device memory. */
export interface ArrayUse {
  readonly name: string;
  readonly access: "read" | "write" | "read-write";
}

/** The arrays that a kernel accesses, also through functions, in the order of the module's list. */
export function arraysOf(
  kernel: Kernel,
  all: readonly { readonly name: string }[],
  functions: readonly Fn[] = [],
): ArrayUse[] {
  const reads = new Set<string>();
  const writes = new Set<string>();
  const called = callsOf(kernel.body);
  // Callees precede callers.
  for (const { name, body } of functions.toReversed()) {
    if (!called.has(name)) continue;
    const uses = usesOf(body);
    for (const array of uses.loads) reads.add(array);
    for (const fn of uses.calls) called.add(fn);
  }
  for (const array of loadsOf(kernel.body)) reads.add(array);
  for (const stmt of walk(kernel.body)) {
    if (!isAccess(stmt) || spaceOf(stmt) !== "storage") continue;
    const uses = accessUse(stmt);
    if (uses.reads) reads.add(stmt.array);
    if (uses.writes) writes.add(stmt.array);
  }
  return inOrder(new Set([...reads, ...writes]), all).map(({ name }) => ({
    name,
    access: !writes.has(name) ? "read" : reads.has(name) ? "read-write" : "write",
  }));
}

const places = new WeakMap<readonly { readonly name: string }[], ReadonlyMap<string, number>>();

/** The members of a list with one of the names, in order; a list is indexed once for all kernels. */
function inOrder<T extends { readonly name: string }>(names: ReadonlySet<string>, all: readonly T[]): T[] {
  const place = places.get(all) ?? new Map(all.map(({ name }, i) => [name, i]));
  places.set(all, place);
  const found = [...names].flatMap((name) => place.get(name) ?? []);
  return found.sort((a, b) => a - b).map((i) => all[i] as T);
}

interface Uses {
  readonly calls: ReadonlySet<string>;
  readonly loads: readonly string[];
}

const known = new WeakMap<readonly Stmt[], Uses>();

/** The functions that a function calls and the arrays that it loads from; found once for all kernels. */
function usesOf(body: readonly Stmt[]): Uses {
  const uses = known.get(body) ?? { calls: callsOf(body), loads: loadsOf(body) };
  known.set(body, uses);
  return uses;
}

/** Functions that expressions call. */
const callsOf = (stmts: readonly Stmt[]): Set<string> =>
  new Set(allExprs(stmts).flatMap((e) => (e.kind === "call" ? [e.fn] : [])));

/** Arrays of device memory that statements load from. */
function loadsOf(stmts: readonly Stmt[]): string[] {
  const arrays: string[] = [];
  for (const e of allExprs(stmts)) if (e.kind === "load" && e.space === "storage") arrays.push(e.array);
  return arrays;
}

/** The launch scalars that a kernel uses, in the order of the module's list. */
export function paramsOf<P extends { readonly name: string }>(kernel: Kernel, all: readonly P[]): P[] {
  const used = new Set<string>();
  for (const expr of allExprs(kernel.body)) if (expr.kind === "param") used.add(expr.name);
  return inOrder(used, all);
}
