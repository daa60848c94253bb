/** The arrays of shared memory that statements and functions access. */

import { TRAITS } from "../language/intrinsics.ts";
import type { Fn } from "../language/module.ts";
import type { Stmt } from "../language/stmt.ts";
import { allExprs, isBarrier, walk } from "../language/walk.ts";

/** The functions of a module, and the arrays that they access. */
export class Functions {
  private readonly byName: ReadonlyMap<string, Fn>;
  private readonly known = new Map<string, Accesses>();

  constructor(functions: readonly Fn[]) {
    this.byName = new Map(functions.map((fn) => [fn.name, fn]));
  }

  accesses(name: string): Accesses {
    const before = this.known.get(name);
    if (before) return before;
    const body = this.byName.get(name)?.body ?? [];
    const found = accessesOf(body, this);
    this.known.set(name, found);
    return found;
  }
}

/** Arrays of shared memory that statements read and write. */
interface Accesses {
  readonly reads: ReadonlySet<string>;
  readonly writes: ReadonlySet<string>;
  readonly hasBarrier: boolean;
}

/** The array of an access: of one that several share, that which it was. */
export const arrayOf = ({
  array,
  held = array,
}: {
  readonly array: string;
  readonly held?: string;
}): string => held;

const isPrivate = (of: object): boolean => "space" in of && of.space === "private";

export function accessesOf(body: readonly Stmt[], functions: Functions): Accesses {
  const [reads, writes] = [new Set<string>(), new Set<string>()];
  let hasBarrier = false;
  const called = (fn: string): void => {
    const inner = functions.accesses(fn);
    for (const name of inner.reads) reads.add(name);
    for (const name of inner.writes) writes.add(name);
    hasBarrier ||= inner.hasBarrier;
  };
  for (const e of allExprs(body)) {
    if (e.kind === "load" && !isPrivate(e)) reads.add(arrayOf(e));
    if (e.kind === "call") called(e.fn);
  }
  for (const stmt of walk(body)) {
    hasBarrier ||= isBarrier(stmt);
    if (stmt.kind === "call") called(stmt.fn);
    if ("array" in stmt && !isPrivate(stmt)) (TRAITS[stmt.kind].writes ? writes : reads).add(arrayOf(stmt));
  }
  return { reads, writes, hasBarrier };
}
