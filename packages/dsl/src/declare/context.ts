import { NUMBER, type Query, requireArgument } from "@groupwise/core/target";
import { callerOf } from "../base/place.ts";
import type { U32Value } from "../values/value.ts";
import { asValue, DeclaredExpr, type Owner } from "./expr.ts";

/**
 * Work-item functions. The first part returns linear numbers for any number of dimensions. The second part has
 * OpenCL C's functions, whose argument is a dimension (default 0); for dimensions that the range does not
 * have, ids are 0 and sizes 1.
 */
export interface Context {
  /** The item's number in the whole range, from 0: the index of its element in every input. */
  index(): U32Value;
  /** The item's number in its work-group, from 0. */
  localIndex(): U32Value;
  /** The work-group's number, from 0: the index of its element in outputs with one value per work-group. */
  groupIndex(): U32Value;
  /** The number of items; uniform. */
  size(): U32Value;
  /** The number of items of this work-group: those at the end of a dimension may have fewer. */
  groupSize(): U32Value;
  /** The number of items of a full work-group; uniform. */
  enqueuedGroupSize(): U32Value;

  /** The number of dimensions; uniform. */
  workDim(): U32Value;
  /** The number of items; uniform. */
  globalSize(dimension?: number): U32Value;
  /** The item's id in the range, plus the run's `globalOffset`. */
  globalId(dimension?: number): U32Value;
  /** The number of items of this work-group: the last one may have fewer. */
  localSize(dimension?: number): U32Value;
  /** The work-group size that the pipeline states; uniform. */
  enqueuedLocalSize(dimension?: number): U32Value;
  /** The item's id in its work-group, from 0. */
  localId(dimension?: number): U32Value;
  /** The number of work-groups; uniform. */
  numGroups(dimension?: number): U32Value;
  /** The work-group's id, from 0; uniform in the work-group. */
  groupId(dimension?: number): U32Value;
  /** The first global id: the run's `globalOffset`; uniform. */
  globalOffset(dimension?: number): U32Value;
  /** The item's number in the whole range, from 0, dimension 0 varying fastest. */
  globalLinearId(): U32Value;
  /** The item's number among the existing items of its work-group, from 0, dimension 0 varying fastest. */
  localLinearId(): U32Value;
}

/** The functions of the specification, one query each. */
const QUERIES = {
  workDim: "work-dim",
  globalSize: "global-size",
  globalId: "global-id",
  localSize: "local-size",
  enqueuedLocalSize: "enqueued-local-size",
  localId: "local-id",
  numGroups: "num-groups",
  groupId: "group-id",
  globalOffset: "global-offset",
  globalLinearId: "global-linear-id",
  localLinearId: "local-linear-id",
} as const satisfies Partial<Record<keyof Context, Query>>;

type Ask = (query: Query, dimension: number) => DeclaredExpr;
type Short = Exclude<keyof Context, keyof typeof QUERIES>;

/** One number from one number per dimension. */
const product = (dimensions: number, part: (dimension: number) => DeclaredExpr): DeclaredExpr =>
  Array.from({ length: dimensions }, (_, d) => part(d)).reduce((a, b) => calculate("mul", a, b));

const calculate = (op: "add" | "mul", a: DeclaredExpr, b: DeclaredExpr): DeclaredExpr =>
  (a as unknown as Record<typeof op, (b: DeclaredExpr) => DeclaredExpr>)[op](b);

const SHORT: Readonly<Record<Short, (ask: Ask, dimensions: number) => DeclaredExpr>> = {
  index: (ask) => ask("global-linear-id", 0),
  localIndex: (ask) => ask("local-linear-id", 0),
  groupIndex: (ask, dimensions) => {
    const last = dimensions - 1;
    return Array.from({ length: last }, (_, i) => last - 1 - i).reduce(
      (rest, d) => calculate("add", calculate("mul", rest, ask("num-groups", d)), ask("group-id", d)),
      ask("group-id", last),
    );
  },
  size: (ask, dimensions) => product(dimensions, (d) => ask("global-size", d)),
  groupSize: (ask, dimensions) => product(dimensions, (d) => ask("local-size", d)),
  enqueuedGroupSize: (ask, dimensions) => product(dimensions, (d) => ask("enqueued-local-size", d)),
};

/** @param dimensions of the pipeline under construction */
export function contextOf(owner: Owner, dimensions: number): Context {
  const placed = (caller: unknown): string | undefined => (owner.places ? callerOf(caller) : undefined);
  const query = (name: Query, dimension: number, at: string | undefined): DeclaredExpr =>
    new DeclaredExpr("u32", { kind: "query", query: name, dimension }, [], at, { owner });
  const long = Object.entries(QUERIES).map(([name, asked]) => {
    const ask = (dimension: number = 0): U32Value => {
      const at = placed(ask);
      requireArgument(dimension, NUMBER, `the dimension of ${name}`, at);
      return asValue(query(asked, dimension, at));
    };
    return [name, ask];
  });
  const short = Object.entries(SHORT).map(([name, make]) => {
    const ask = (): U32Value => {
      const at = placed(ask);
      return asValue(make((asked, dimension) => query(asked, dimension, at), dimensions));
    };
    return [name, ask];
  });
  return Object.freeze(Object.fromEntries([...long, ...short])) as Context;
}
