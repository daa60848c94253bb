/** Names of the emitter, distinct from those of the pipeline and the lowering. */
import {
  allExprs,
  arraysOf,
  atomicArrays,
  fixed,
  type Module,
  marked,
  Names,
  rowArrays,
  unitsOf,
  unmarked,
  walk,
} from "@groupwise/core/kernel";
import type { Chosen } from "./spelling.ts";

export interface WgslNames extends Omit<Chosen, "shared" | "isAtomic" | "stored"> {
  readonly paramsType: string;
  /** The argument of entry points that gives the work-group, and its type. */
  readonly ids: string;
  readonly idsType: string;
  /** The names that are declared outside of functions, or are arguments of entry points. */
  readonly outside: readonly string[];
  /** Whether the elements of an array of device memory are atomics, in every kernel that has no other name for it. */
  isAtomic(array: string): boolean;
  /** The name under which kernels have atomics of an array that others write as plain words, if there are both. */
  atomic(array: string): string | undefined;
}

/** Arrays of narrow elements whose words some kernels write whole, and others bit by bit. */
function mixedArrays(module: Module): ReadonlySet<string> {
  const mixed = new Set<string>();
  const packed = module.buffers.filter((buffer) => unitsOf(buffer) < 1);
  for (const kernel of module.kernels) {
    const own = atomicArrays({ kernels: [kernel] });
    for (const { name, access } of arraysOf(kernel, packed, module.functions))
      if (access === "write" && !own.has(name)) mixed.add(name);
  }
  // Functions use one name.
  for (const { body } of module.functions)
    for (const e of allExprs(body)) if (e.kind === "load") mixed.delete(e.array);
  return mixed;
}

export function chooseNames(module: Module): WgslNames {
  const names = new Names(taken(module));
  const fresh = (hint: string): string => marked(names.fresh(hint));
  const ids = fresh("work_group");
  const chosen = {
    params: fresh("params"),
    paramsType: fresh("Params"),
    localIndex: fresh("local_index"),
    subgroupSize: fresh("subgroup_size"),
    groupId: `${ids}.${fixed(IDS.groupId[1])}`,
    groupCount: `${ids}.${fixed(IDS.groupCount[1])}`,
    ids,
    idsType: fresh("WorkGroup"),
  };
  const atomics = atomicArrays(module);
  const mixed = [...mixedArrays(module)].filter((name) => atomics.has(name));
  const beside = new Map(mixed.map((name) => [name, fresh(`${name}_bits`)]));
  const rows = new Map([...rowArrays(module.kernels).keys()].map((name) => [name, fresh(`${name}_rows`)]));
  const words = [
    ids,
    chosen.params,
    chosen.paramsType,
    chosen.idsType,
    chosen.localIndex,
    chosen.subgroupSize,
  ];
  return {
    ...chosen,
    outside: [...words, ...rows.values(), ...beside.values()].map(unmarked),
    isAtomic: (array) => atomics.has(unmarked(array)) && !beside.has(unmarked(array)),
    atomic: (array) => beside.get(unmarked(array)),
    rows: (array) => rows.get(unmarked(array)) as string,
  };
}

/** The id of a work-group, and its names in texts. */
export const IDS = { groupId: ["workgroup_id", "id"], groupCount: ["num_workgroups", "count"] } as const;

function* taken({ buffers, functions, kernels, params }: Module): Generator<string> {
  const arrays = kernels.flatMap(({ shared }) => shared);
  for (const { name } of [...buffers, ...functions, ...kernels, ...params, ...arrays]) yield name;
  for (const { body } of [...functions, ...kernels]) {
    for (const stmt of walk(body)) if ("name" in stmt) yield stmt.name;
  }
}
