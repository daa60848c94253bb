/** The arrays, parameters, functions and types of a module that its kernels use. */
import type { Scalar } from "@groupwise/ir/tables/scalar.js";
import type { SharedSpace, Space } from "./expr.ts";
import { memoryOf, valueIn } from "./memory.ts";
import type { Fn, Kernel, Module } from "./module.ts";
import type { Stmt } from "./stmt.ts";
import { accessUse, allExprs, isAccess, isAtomic, spaceOf, walk, widthOf } from "./walk.ts";

/** What a block uses. */
export interface BlockUses {
  /** Functions. */
  readonly calls: ReadonlySet<string>;
  /** Arrays that expressions load from. */
  readonly loads: ReadonlySet<string>;
  readonly params: ReadonlySet<string>;
  readonly types: ReadonlySet<Scalar>;
  /** By memory: the arrays that statements access by atomic operations. */
  readonly atomics: Readonly<Record<Space, ReadonlySet<string>>>;
}

const known = new WeakMap<readonly Stmt[], BlockUses>();

/** Found once for each block, as passes and printers ask for it again. */
export function usesOfBlock(body: readonly Stmt[]): BlockUses {
  const uses = known.get(body) ?? usesIn(body);
  known.set(body, uses);
  return uses;
}

function usesIn(body: readonly Stmt[]): BlockUses {
  const [calls, loads, params] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const types = new Set<Scalar>();
  const atomics: Record<Space, Set<string>> = {
    storage: new Set(),
    "work-group": new Set(),
    private: new Set(),
  };
  for (const e of allExprs(body)) {
    types.add(e.type);
    if (e.kind === "call") calls.add(e.fn);
    else if (e.kind === "load") loads.add(e.array);
    else if (e.kind === "param") params.add(e.name);
  }
  for (const stmt of walk(body)) {
    if (stmt.kind === "array") types.add(stmt.type);
    else if (stmt.kind === "call") calls.add(stmt.fn);
    else if (isAccess(stmt) && isAtomic(stmt)) atomics[spaceOf(stmt)].add(stmt.array);
  }
  return { calls, loads, params, types, atomics };
}

/** The arrays of a space that several work-items may change at once: all access to them is atomic. */
export const atomicArrays = (
  { kernels }: Pick<Module, "kernels">,
  space: SharedSpace = "storage",
): ReadonlySet<string> => new Set(kernels.flatMap(({ body }) => [...usesOfBlock(body).atomics[space]]));

/** The types that a module's text names: of parameters, memory, arrays and values, read or not. */
export function typesIn({ params, buffers, kernels, functions }: Module): ReadonlySet<Scalar> {
  const types = new Set(buffers.map((buffer) => valueIn(memoryOf(buffer))));
  for (const { type } of [...params, ...kernels.flatMap(({ shared }) => shared)]) types.add(type);
  for (const { body } of [...kernels, ...functions])
    for (const type of usesOfBlock(body).types) types.add(type);
  return types;
}

/** The arrays of device memory that kernels read or write as vectors, and how many elements these have. */
export function rowArrays(kernels: readonly Kernel[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const { body } of kernels)
    for (const stmt of walk(body))
      if (stmt.kind === "load-row" || stmt.kind === "store-row") found.set(stmt.array, widthOf(stmt));
  return found;
}

/**
 * Of these the arrays that one of the kernels also reads or writes by element.
 * @param functions those whose loads count as the kernels'
 */
export function mixedArrays(kernels: readonly Kernel[], functions: readonly Fn[] = []): ReadonlySet<string> {
  const found = kernels.flatMap((kernel) => {
    const rows = rowArrays([kernel]);
    if (rows.size === 0) return [];
    const stored = walk(kernel.body).flatMap((stmt) =>
      stmt.kind === "store" && stmt.space === "storage" ? [stmt.array] : [],
    );
    const single = [...loadsOf(kernel, functions), ...stored];
    return single.filter((array) => rows.has(array));
  });
  return new Set(found);
}

/** The arrays that a kernel's expressions load from, also through functions. */
function loadsOf({ body }: Kernel, functions: readonly Fn[]): ReadonlySet<string> {
  const own = usesOfBlock(body);
  const loads = new Set(own.loads);
  const called = new Set(own.calls);
  // Callees precede callers.
  for (const fn of functions.toReversed()) {
    if (!called.has(fn.name)) continue;
    const uses = usesOfBlock(fn.body);
    for (const array of uses.loads) loads.add(array);
    for (const callee of uses.calls) called.add(callee);
  }
  return loads;
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
  const reads = new Set(loadsOf(kernel, functions));
  const writes = new Set<string>();
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

/** The launch scalars that a kernel uses, in the order of the module's list. */
export function paramsOf<P extends { readonly name: string }>(kernel: Kernel, all: readonly P[]): P[] {
  return inOrder(usesOfBlock(kernel.body).params, all);
}
