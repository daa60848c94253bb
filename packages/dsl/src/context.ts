import type { Query } from "@groupwise/core";
import { asValue, Expr, type Owner } from "./expr.ts";
import { callerOf } from "./place.ts";
import type { U32Value } from "./value.ts";

/** Where an item stands (OpenCL C's work-item functions). */
export interface Context {
  /** The item's place in the whole range, from 0. */
  index(): U32Value;
  /** The item's place in its work-group, from 0. */
  localIndex(): U32Value;
  /** The work-group's number, from 0; one value for each work-group. */
  groupIndex(): U32Value;
  /** The number of items; one value for all. */
  size(): U32Value;
  /** The number of items of this work-group: the last one may have fewer. */
  groupSize(): U32Value;
  /** The work-group size that was asked for; one value for all. */
  enqueuedGroupSize(): U32Value;
  /** The number of work-groups; one value for all. */
  numGroups(): U32Value;
}

const QUERIES: Readonly<Record<keyof Context, Query>> = {
  index: "global-id",
  localIndex: "local-id",
  groupIndex: "group-id",
  size: "global-size",
  groupSize: "local-size",
  enqueuedGroupSize: "enqueued-local-size",
  numGroups: "num-groups",
};

export function contextOf(owner: Owner): Context {
  const entries = Object.entries(QUERIES).map(([name, query]) => {
    const ask = (): U32Value => {
      const at = owner.places ? callerOf(ask) : undefined;
      return asValue(new Expr("u32", { kind: "query", query, dimension: 0 }, [], at, owner));
    };
    return [name, ask];
  });
  return Object.freeze(Object.fromEntries(entries)) as Context;
}
