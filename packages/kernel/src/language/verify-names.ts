/** The verifier's facts about names. */
import type { Scalar } from "@groupwise/ir/tables/scalar.js";
import type { Builtin } from "./expr.ts";
import type { Interval } from "./interval.ts";
import type { Buffer, Fn, LaunchParam, Module } from "./module.ts";
import { allExprs } from "./walk.ts";

export interface DeclaredNames {
  readonly type: Scalar;
  /** The number of values; more than 1 for the results of a call, which only `part` reads. */
  readonly width?: number;
  /** The number of elements of a vector. */
  readonly vector?: number;
  readonly mutable: boolean;
  readonly uniform: boolean;
  readonly interval: Interval;
}
export interface Sized {
  readonly type: Scalar;
  readonly length: number;
}

/** Whether it is the same for all work-items of a group. */
export const UNIFORM: Readonly<Record<Builtin, boolean>> = {
  "local-id": false,
  "group-id": true,
  "group-size": true,
  "subgroup-size": true,
  cell: false,
};

const byName = <T extends { readonly name: string }>(list: readonly T[]): ReadonlyMap<string, T> =>
  new Map(list.map((one) => [one.name, one]));

/** Everything that kernels refer to by name. */
export interface ModuleNames {
  readonly buffers: ReadonlyMap<string, Buffer>;
  readonly functions: ReadonlyMap<string, Fn>;
  readonly params: ReadonlyMap<string, LaunchParam>;
  /** By function: whether it loads from device memory; computed on demand. */
  readonly loading: Map<string, boolean>;
}

export const knownOf = (module: Pick<Module, "buffers" | "functions" | "params">): ModuleNames => ({
  buffers: byName(module.buffers),
  functions: byName(module.functions),
  params: byName(module.params),
  loading: new Map(),
});

/** Whether a function loads from device memory, directly or through the functions that it calls. */
export function loadsIn(module: ModuleNames, name: string): boolean {
  const { loading, functions } = module;
  const before = loading.get(name);
  if (before !== undefined) return before;
  const loads = allExprs(functions.get(name)?.body ?? []).some(
    (e) => (e.kind === "load" && e.space === "storage") || (e.kind === "call" && loadsIn(module, e.fn)),
  );
  loading.set(name, loads);
  return loads;
}
