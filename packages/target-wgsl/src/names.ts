/** Names of the emitter, distinct from those of the pipeline and the lowering. */
import {
  atomicArrays,
  type Kernel,
  type Module,
  marked,
  Names,
  rowArrays,
  unmarked,
  walk,
} from "@groupwise/core/kernel";
import type { Chosen } from "./spelling.ts";

export interface ModuleNames extends Omit<Chosen, "shared" | "isAtomic"> {
  readonly paramsType: string;
  /** Work-group arrays stand outside of functions: each kernel's have names of their own. */
  shared(kernel: Kernel, array: string): string;
  /** Whether the elements of an array of device memory are atomics. */
  isAtomic(array: string): boolean;
}

export function chooseNames(module: Module): ModuleNames {
  const names = new Names(taken(module));
  const fresh = (hint: string): string => marked(names.fresh(hint));
  const chosen = {
    params: fresh("params"),
    paramsType: fresh("Params"),
    localIndex: fresh("local_index"),
    groupId: fresh("group_id"),
    groupCount: fresh("group_count"),
    subgroupSize: fresh("subgroup_size"),
  };
  const shared = new Map<string, string>();
  for (const kernel of module.kernels) {
    for (const { name } of kernel.shared)
      shared.set(`${kernel.name} ${name}`, fresh(`${kernel.name}_${name}`));
  }
  const atomics = atomicArrays(module);
  const rows = new Map([...rowArrays(module.kernels)].map((name) => [name, fresh(`${name}_rows`)]));
  return {
    ...chosen,
    isAtomic: (array) => atomics.has(unmarked(array)),
    shared: (kernel, array) => shared.get(`${kernel.name} ${array}`) as string,
    rows: (array) => rows.get(unmarked(array)) as string,
  };
}

function* taken({ buffers, functions, kernels, params }: Module): Generator<string> {
  for (const { name } of [...buffers, ...functions, ...kernels, ...params]) yield name;
  for (const { body } of [...functions, ...kernels]) {
    for (const stmt of walk(body)) if ("name" in stmt) yield stmt.name;
  }
}
