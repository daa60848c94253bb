/** Names of the emitter's own making, away from all that the pipeline's author and the lowering chose. */
import { atomicArrays, type Kernel, type Module, Names, rowArrays, walk } from "@groupwise/core/kernel";
import type { Chosen } from "./spelling.ts";

export interface ModuleNames extends Omit<Chosen, "shared"> {
  readonly paramsType: string;
  /** Work-group arrays stand outside of functions: each kernel's have names of their own. */
  shared(kernel: Kernel, array: string): string;
}

export function chooseNames(module: Module): ModuleNames {
  const names = new Names(taken(module));
  const chosen = {
    params: names.fresh("params"),
    paramsType: names.fresh("Params"),
    localIndex: names.fresh("local_index"),
    groupId: names.fresh("group_id"),
    groupCount: names.fresh("group_count"),
    subgroupSize: names.fresh("subgroup_size"),
  };
  const shared = new Map<string, string>();
  for (const kernel of module.kernels) {
    for (const { name } of kernel.shared)
      shared.set(`${kernel.name} ${name}`, names.fresh(`${kernel.name}_${name}`));
  }
  const atomics = atomicArrays(module);
  // A name that is also one of the language's is written with an underscore behind.
  const known = <T>(has: (array: string) => T | undefined, array: string): T | undefined =>
    has(array) ?? has(array.replace(/_$/, ""));
  const rows = new Map([...rowArrays(module.kernels)].map((name) => [name, names.fresh(`${name}_rows`)]));
  return {
    ...chosen,
    isAtomic: (array) => known((name) => atomics.has(name) || undefined, array) ?? false,
    shared: (kernel, array) => shared.get(`${kernel.name} ${array}`) as string,
    rows: (array) => known((name) => rows.get(name), array) as string,
  };
}

function* taken({ buffers, functions, kernels, params }: Module): Generator<string> {
  for (const { name } of [...buffers, ...functions, ...kernels, ...params]) yield name;
  for (const { body } of [...functions, ...kernels]) {
    for (const stmt of walk(body)) if ("name" in stmt) yield stmt.name;
  }
}
