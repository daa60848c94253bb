/** The arrays and launch scalars of kernels that functions access, for languages in which functions take them as arguments. */
import { TRAITS } from "../language/intrinsics.ts";
import type { Buffer, Fn, LaunchParam, Module, SharedArray } from "../language/module.ts";
import { allExprs, walk } from "../language/walk.ts";
import { sharedArrays } from "./arrays.ts";

/** What a function takes of a kernel, also for the functions that it calls. */
export interface Taken {
  readonly params: readonly LaunchParam[];
  readonly buffers: readonly { readonly buffer: Buffer; readonly isRead: boolean }[];
  readonly shared: readonly SharedArray[];
}

/** Names of arrays and launch scalars; `changed` has those of device memory that are not only read. */
interface Names {
  readonly used: Set<string>;
  readonly changed: Set<string>;
}

/** The names of what a function takes, in the order of its arguments. */
export const takenNames = ({ params, buffers, shared }: Taken): readonly string[] => [
  ...[...shared, ...buffers.map(({ buffer }) => buffer), ...params].map(({ name }) => name),
];

/** By name of a function: what it takes. Equal work-group arrays of several kernels have equal names ({@link shareArrays}). */
export function takenBy(module: Module): ReadonlyMap<string, Taken> {
  const found = new Map<string, Names>();
  // Callees precede callers.
  for (const fn of module.functions) found.set(fn.name, namesOf(fn, found));
  const arrays = sharedArrays(module);
  return new Map(
    [...found].map(([fn, { used, changed }]) => {
      const buffers = module.buffers
        .filter(({ name }) => used.has(name))
        .map((buffer) => ({ buffer, isRead: !changed.has(buffer.name) }));
      const isUsed = ({ name }: { readonly name: string }): boolean => used.has(name);
      return [fn, { params: module.params.filter(isUsed), buffers, shared: arrays.filter(isUsed) }];
    }),
  );
}

function namesOf({ body }: Fn, known: ReadonlyMap<string, Names>): Names {
  const [used, changed] = [new Set<string>(), new Set<string>()];
  const take = (fn: string): void => {
    for (const name of known.get(fn)?.used ?? []) used.add(name);
    for (const name of known.get(fn)?.changed ?? []) changed.add(name);
  };
  for (const e of allExprs(body)) {
    if (e.kind === "param") used.add(e.name);
    else if (e.kind === "call") take(e.fn);
    else if (e.kind === "load" && e.space !== "private") used.add(e.array);
  }
  for (const stmt of walk(body)) {
    if (stmt.kind === "call") take(stmt.fn);
    else if ("array" in stmt && !("space" in stmt && stmt.space === "private")) {
      used.add(stmt.array);
      const { writes, atomic, meets } = TRAITS[stmt.kind];
      if (writes || atomic || meets) changed.add(stmt.array);
    }
  }
  return { used, changed };
}
