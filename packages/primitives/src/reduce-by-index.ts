import type { ArrayType, DeviceArray, DeviceCount, PipelineSource, Scalar } from "@groupwise/core";
import { errorOf, type OpFor, oneOf, optionsOf } from "@groupwise/core/target";
import {
  type BoolValue,
  bool,
  ends,
  type OperatorDefinition,
  param,
  pipeline,
  type ScalarType,
  select,
  starts,
  type Table,
  table,
  type U32Value,
  u32,
} from "@groupwise/dsl";
import { CAPACITY } from "./base/arguments.ts";
import { scanOf } from "./base/by-flags.ts";
import { type ColumnScalars, monoidOf, type RecordMonoid } from "./base/monoid.ts";
import { type Primitive, primitive, type Steps } from "./base/primitive.ts";
import { keyOf } from "./radix/order.ts";
import { type SortedArrays, sortPipelines, sortSteps } from "./radix/sort-steps.ts";

/** Options of {@link reduceByIndex}. */
export interface ReduceByIndexOptions {
  /** Items whose key is not below `groups`: an error of the run (`scatter-outside`), or left out; default: an error. */
  readonly outside?: "error" | "drop";
}

/** See {@link reduceByIndex}. */
export type ReduceByIndex<R> = Primitive<
  ColumnScalars<"x", R> & { readonly keys: "u32" },
  ColumnScalars<"results", R> & { readonly counts: "u32" },
  { readonly groups: number }
>;

/**
 * The items of each group combined, in any order of keys (group by), with a user-defined operator or a built-in one and its type. The
 * operator need not commute.
 *
 * `x`: n items; for records one array for each scalar, `x_index`. `keys`: n numbers of groups, below the number `groups`. `results`,
 * `counts`: `groups` elements; an empty group has the identity, and 0. The items of a group are combined in the order of their
 * indexes, and with the brackets of a reduction of that group alone: its bits, floats included, do not depend on other groups.
 *
 * A stable sort by key, which takes a step of each column for each eight bits of `groups`; then groups, larger ones first, begin at multiples of the
 * next power of two, and one segmented scan over at most 2 n lanes combines them. Sums of integers in few groups are faster by
 * `weightedHistogram`, and sorted keys by `reduceByKey`.
 * @throws GroupwiseError `scatter-outside` for a key that is not below `groups`, unless it is dropped; `too-many-items` for n from 2^31
 * on, if the operator is not exactly associative
 *
 * Source: Henriksen and others, "Compiling generalized histograms for GPU" (2020), for the operation.
 * @example
 * ```ts
 * import { f32 } from "@groupwise/dsl";
 * import { reduceByIndex } from "@groupwise/primitives";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const { results, counts } = await reduceByIndex("add", f32).runOn(jsRuntime(), { x: Float32Array.of(1, 2, 3), keys: Uint32Array.of(1, 0, 1) }, { groups: 3 });
 * console.log(results); // [2, 4, 0]
 * console.log(counts); // [1, 2, 0]
 * ```
 */
export function reduceByIndex<S extends Scalar>(
  op: OpFor<S>,
  type: ScalarType<S>,
  options?: ReduceByIndexOptions,
): ReduceByIndex<ScalarType<S>>;
export function reduceByIndex<R>(
  operator: OperatorDefinition<R>,
  options?: ReduceByIndexOptions,
): ReduceByIndex<R>;
export function reduceByIndex(op: unknown, ...rest: readonly unknown[]): unknown {
  const monoid = monoidOf("reduceByIndex", op, rest[0]);
  const given = typeof op === "string" ? rest[1] : rest[0];
  const { outside } = optionsOf(given, { outside: oneOf("error", "drop") }, "the options of reduceByIndex");
  const [values, results] = [monoid.scalars("x"), monoid.scalars("results")];
  const name = `reduce-by-index-${monoid.name}`;
  return primitive<Named, Named, Stages, { readonly groups: number }>(name, {
    inputs: { ...values, keys: "u32" },
    outputs: { ...results, counts: "u32" },
    pipelines: stagesOf(monoid, outside === "drop"),
    outside: ["a key is not below `groups`", 'pass more groups, or the option `outside: "drop"`'],
    numbers: { groups: CAPACITY },
    lengths: (_, { groups }) =>
      Object.fromEntries([...Object.keys(results), "counts"].map((key) => [key, groups])),
    steps: (steps, arrays, { items, n }, { groups }) => {
      const room = monoid.isExact ? n : 2 * n;
      if (room >= 2 ** 32)
        throw errorOf("too-many-items", { n, limit: 2 ** 31 - 1, why: "a range of 2 n lanes" }, name);
      const { keys, ...columns } = arrays as Arrays;
      const [x, made] = [among(values, columns), among(results, columns)];
      const sorted = sortedItems(steps, { keys: keys as U32s, columns: x, items, n, groups });
      const bounds = u32s(steps, groups, "starts", "ends");
      steps.run("bounds", { keys: sorted.keys, groups, ...bounds }, { n: items });
      const { slots, total } = placedGroups(steps, bounds, groups);
      const heads = steps.array("bool", room);
      const spread = arraysOf(steps, values, room, "spread");
      const to = { starts: bounds.starts, slots, groups, room, heads };
      steps.run("spread", { keys: sorted.keys, ...sorted.columns, ...to, ...spread }, { n: items });
      const sums = arraysOf(steps, monoid.scalars("sums"), room, "sums");
      const scan = { ...renamed(spread, "spread", "x"), starts: heads, ...sums };
      steps.run("scan", scan, { n: { count: total, max: room } });
      steps.run("take", { ...bounds, slots, ...sums, ...made, counts: arrays.counts as U32s }, { n: groups });
    },
  });
}

type Named = Readonly<Record<string, Scalar>>;
type Arrays = Readonly<Record<string, DeviceArray<Scalar>>>;
type U32s = DeviceArray<"u32">;
type Stages = ReturnType<typeof stagesOf>;
type Tables = Readonly<Record<string, Table<"u32">>>;

/** Sizes of groups are sorted by their number of leading zeros, from 0 to 32. */
const SIZES = 33;
/** The name of the pipeline that sorts values of a type. */
const moveOf = (type: ArrayType): string => `move-${type}`;

const NUMBER = /*@__PURE__*/ keyOf(u32, false);

/** Adds the steps of a stable sort by numbers that are less than `below`, with values. */
function sortByNumber(
  steps: Steps<Stages>,
  sorted: Pick<SortedArrays, "items" | "n"> & {
    readonly arrays: Required<SortedArrays["arrays"]>;
  },
  below: number,
): void {
  const move = moveOf(sorted.arrays.values.type);
  sortSteps(steps as never, { key: NUMBER, move, ...sorted, end: Math.ceil(Math.log2(below)) });
}

const renamed = <T>(
  list: Readonly<Record<string, T>>,
  from: string,
  to: string,
): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(list).map(([key, value]) => [key.replace(from, to), value]));
const among = (names: object, arrays: Arrays): Arrays =>
  Object.fromEntries(Object.keys(names).map((key) => [key, arrays[key] as DeviceArray<Scalar>]));
const arraysOf = (steps: Steps<Stages>, types: Named, length: number, prefix: string): Arrays =>
  Object.fromEntries(
    Object.entries(types).map(([key, type]) => [key.replace(/^[a-z]+/, prefix), steps.array(type, length)]),
  );
const u32s = <K extends string>(steps: Steps<Stages>, length: number, ...names: K[]): Record<K, U32s> =>
  Object.fromEntries(names.map((name) => [name, steps.array("u32", length)])) as Record<K, U32s>;

interface Unsorted {
  readonly keys: U32s;
  readonly columns: Arrays;
  readonly items: number | DeviceCount;
  readonly n: number;
  readonly groups: number;
}

/** Keys in order, and the columns with them, of which each is sorted: a gather would cost more. Keys outside come last. */
function sortedItems(
  steps: Steps<Stages>,
  { keys: given, columns, items, n, groups }: Unsorted,
): { readonly keys: U32s; readonly columns: Arrays } {
  const { keys, number } = u32s(steps, n, "keys", "number");
  steps.run("enter", { keys: given, groups, number }, { n: items });
  const sorted = Object.entries(columns).map(([name, values]) => {
    const moved = steps.array(values.type, n);
    sortByNumber(steps, { arrays: { keys: number, values, sorted: keys, moved }, items, n }, groups + 1);
    return [name, moved] as const;
  });
  return { keys, columns: Object.fromEntries(sorted) };
}

/** The lane from which each group is combined: larger groups first, so that each begins at a multiple of its lanes. */
function placedGroups(
  steps: Steps<Stages>,
  bounds: { readonly starts: U32s; readonly ends: U32s },
  groups: number,
): { readonly slots: U32s; readonly total: U32s } {
  const { zeros, group, sorted, order, slots } = u32s(
    steps,
    groups,
    "zeros",
    "group",
    "sorted",
    "order",
    "slots",
  );
  const total = steps.array("u32", 1);
  steps.run("sizes", { ...bounds, zeros, group }, { n: groups });
  const arrays = { keys: zeros, values: group, sorted, moved: order };
  sortByNumber(steps, { arrays, items: groups, n: groups }, SIZES);
  steps.run("place", { order, ...bounds, slots, total }, { n: groups });
  return { slots, total };
}

function stagesOf(monoid: RecordMonoid, drops: boolean) {
  const types = [u32, ...Object.values(monoid.types("x"))];
  const moves = Object.fromEntries(
    types.map((type) => [moveOf(type.type), sortPipelines(NUMBER, type).move]),
  );
  return {
    ...moves,
    enter,
    bounds: drops ? boundsWithin : boundsOfAll,
    sizes,
    place: monoid.isExact ? placeTight : placeAligned,
    spread: spreadOf(monoid),
    scan: scanOf(monoid, "inclusive"),
    take: takeOf(monoid),
  } satisfies Readonly<Record<string, PipelineSource>>;
}

const enter = /*@__PURE__*/ pipeline("enter-keys", { keys: u32, groups: param(u32) }, ({ keys, groups }) => ({
  number: keys.min(groups),
}));

/** The first item of each group among sorted ones, and the one past the last. */
const boundsOf = (drops: boolean): PipelineSource =>
  pipeline(
    `group-bounds${drops ? "-within" : ""}`,
    { keys: u32, groups: param(u32) },
    ({ keys, groups }, { index }) => {
      const kept = (edge: BoolValue): BoolValue => (drops ? edge.and(keys.lt(groups)) : edge);
      return {
        starts: index().scatter({ to: keys, where: kept(starts(keys)), capacity: groups }),
        ends: index()
          .add(1)
          .scatter({ to: keys, where: kept(ends(keys)), capacity: groups }),
      };
    },
  );
const boundsOfAll = /*@__PURE__*/ boundsOf(false);
const boundsWithin = /*@__PURE__*/ boundsOf(true);

const sizes = /*@__PURE__*/ pipeline(
  "group-sizes",
  { starts: u32, ends: u32 },
  ({ starts, ends }, { index }) => ({
    zeros: ends.sub(starts).sub(1).clz(),
    group: index(),
  }),
);

const placeOf = (name: string, lanesOf: (size: U32Value) => U32Value): PipelineSource =>
  pipeline(
    name,
    { order: u32, starts: table(u32), ends: table(u32) },
    ({ order, starts, ends }, { size }) => {
      const { before, total } = lanesOf(ends.at(order).sub(starts.at(order))).scanWithTotal("add");
      return { slots: before.scatter({ to: order, capacity: size() }), total };
    },
  );
const placeTight = /*@__PURE__*/ placeOf("place-groups", (size) => size);
const placeAligned = /*@__PURE__*/ placeOf("place-aligned-groups", (size) =>
  size.eq(0).select(0, u32(1).shl(u32(32).sub(size.sub(1).clz()))),
);

const tablesOf = (types: Readonly<Record<string, ScalarType<"u32">>>) =>
  Object.fromEntries(Object.entries(types).map(([key, type]) => [key, table(type)]));

/** Each item goes to its group's lanes. */
const spreadOf = (monoid: RecordMonoid): PipelineSource => {
  const places = { starts: table(u32), slots: table(u32), groups: param(u32), room: param(u32) };
  const inputs = { keys: u32, ...places, ...monoid.types("x") };
  return pipeline(`spread-groups-${monoid.name}`, inputs, (given, { index }) => {
    const { keys, starts, slots, groups, room, ...x } = given;
    const [isIn, rank] = [keys.lt(groups), index().sub(starts.at(keys))];
    const to = slots.at(keys).add(rank);
    const spread = Object.entries(x as Readonly<Record<string, U32Value>>).map(([key, value]) => {
      const one = value.scatter({ to, where: isIn, capacity: room });
      return [key.replace("x", "spread"), one] as const;
    });
    const heads = bool(true)
      .perItem()
      .scatter({ to, where: isIn.and(rank.eq(0)), capacity: room });
    return { heads, ...Object.fromEntries(spread) };
  });
};

/** The combined items of each group. */
const takeOf = (monoid: RecordMonoid): PipelineSource => {
  const inputs = { starts: u32, ends: u32, slots: u32, ...tablesOf(monoid.types("sums")) };
  return pipeline(`take-groups-${monoid.name}`, inputs, (given) => {
    const { starts, ends, slots, ...sums } = given as typeof given & Tables;
    const counts = ends.sub(starts);
    const identity = monoid.columns("sums", monoid.identity);
    const results = Object.entries(sums as Tables).map(([key, sum]) => {
      const last = sum.at(slots.add(counts).sub(1));
      return [key.replace("sums", "results"), select(counts.eq(0), identity[key] as U32Value, last)] as const;
    });
    return { counts, ...Object.fromEntries(results) };
  });
};
