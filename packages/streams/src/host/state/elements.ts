/** Scatters whose elements are in the order of their items: the number of elements is part of the state. */

import type { HostArray } from "@groupwise/ir/tables/scalar.js";
import type { Carried, CarriedScan } from "../../state/carry.ts";

/** By scatter: a number of elements, modulo 2^32. */
export type ElementCounts = ReadonlyMap<string, number>;

/** The tables or outputs of a state by name. */
type Arrays = Readonly<Record<string, unknown>>;

function totalsIn({ scans, appended }: Carried, arrays: Arrays, side: "from" | "to"): ElementCounts {
  const totalOf = (scan: number): number => {
    const [name] = (scans[scan] as CarriedScan)[side] as [string];
    return Number((arrays[name] as HostArray)[0]);
  };
  return new Map([...appended].map(([name, scan]) => [name, totalOf(scan)]));
}

/** The number of elements of all items before a piece. @param own the tables of the state before it */
export const elementsBefore = (carried: Carried, own: Arrays): ElementCounts =>
  totalsIn(carried, own, "from");

/** The number of elements of the items of a piece, at most 2^30. @param outputs with those of the state after it */
export function elementsOfPiece(carried: Carried, own: Arrays, outputs: Arrays): ElementCounts {
  const before = elementsBefore(carried, own);
  const after = totalsIn(carried, outputs, "to");
  return new Map([...after].map(([name, total]) => [name, (total - (before.get(name) as number)) >>> 0]));
}
