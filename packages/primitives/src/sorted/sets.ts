/**
 * Operations on sorted arrays as multisets: an item that `a` has m times and `b` n times is in the union max(m, n) times, in the intersection
 * min(m, n) times, in the difference max(m - n, 0) times, and in the symmetric difference |m - n| times. The k-th of equal items of an array
 * is matched if the other has k of them.
 */
import type { ArrayType, DeviceArray, DeviceCount, PipelineSource } from "@groupwise/core";
import { type BoolValue, bool, compaction, param, pipeline, type Table, table, u32 } from "@groupwise/dsl";
import { type Primitive, primitive } from "../base/primitive.ts";
import { type ElementType, elementOf, standIn } from "../base/stand-in.ts";
import { dividePipelines, divideSteps, itemAt, mergedAt, mergedInputs, pairOf } from "./merged.ts";
import { type SortedOptions, type SortedOrder, sortedOrder } from "./order.ts";

/** See {@link setUnion} and the others. */
export type SetOperation<S extends ArrayType> = Primitive<
  { readonly a: S; readonly b: S },
  { readonly result: S; readonly count: "u32" }
>;

/** The items of an array that are in the result: all, those that are matched, those that are not, or none. */
type Kept = "all" | "matched" | "unmatched" | "none";

const both = (a: number, b: number): number => a + b;

const RULES = {
  setUnion: { a: "all", b: "unmatched", most: both },
  setIntersection: { a: "matched", b: "none", most: Math.min },
  setDifference: { a: "unmatched", b: "none", most: (a) => a },
  setSymmetricDifference: { a: "unmatched", b: "unmatched", most: both },
} as const satisfies Readonly<Record<string, { a: Kept; b: Kept; most(a: number, b: number): number }>>;

const KEPT: { readonly [K in Kept]: (isMatched: () => BoolValue) => BoolValue } = {
  all: () => bool(true),
  matched: (isMatched) => isMatched(),
  unmatched: (isMatched) => isMatched().not(),
  none: () => bool(false),
};
/** Whether ranks decide. */
const isCounted = (kept: Kept): boolean => kept.endsWith("matched");

/** How many equal items precede each one. */
const rankEqual = (order: SortedOrder): PipelineSource =>
  pipeline(`set-ranks-${order.name}`, { x: standIn(order.type) }, ({ x }, { index }) => {
    const isFirst = index()
      .eq(0)
      .or(order.isSame(x, x.at(index().sub(1))).not());
    return { ranks: index().sub(isFirst.select(index(), 0).scanInclusive("max")) };
  });

/** How many items of `a` precede each item of the merged order. */
const place = (order: SortedOrder): PipelineSource =>
  pipeline(`set-places-${order.name}`, mergedInputs(order), (given, at) => ({
    taken: mergedAt(order, given, at).before.a,
  }));

/** The items of the merged order that are in the result. */
function keep(
  name: string,
  order: SortedOrder,
  rule: { readonly a: Kept; readonly b: Kept },
): PipelineSource {
  const inputs = {
    ...{ ...pairOf(order), taken: u32, room: param(u32) },
    ...(isCounted(rule.a) && { ranksA: table(u32) }),
    ...(isCounted(rule.b) && { ranksB: table(u32) }),
  };
  return pipeline(name, inputs, ({ a, b, taken, room, ...ranks }, { index, size }) => {
    const { ranksA, ranksB } = ranks as unknown as Readonly<Record<"ranksA" | "ranksB", Table<"u32">>>;
    const before = { a: taken, b: index().sub(taken) };
    const { value, isFromA } = itemAt(order, { a, b }, before, size().sub(b.length));
    // Equal items of b are the next ones, those of a the last ones.
    const isInB = (): BoolValue => {
      const next = before.b.add(ranksA.at(before.a));
      return next.lt(b.length).and(order.isSame(b.at(next), value));
    };
    const isInA = (): BoolValue => {
      const back = ranksB.at(before.b).add(1);
      return back.le(before.a).and(order.isSame(a.at(before.a.sub(back)), value));
    };
    const where = isFromA.and(KEPT[rule.a](isInB)).or(isFromA.not().and(KEPT[rule.b](isInA)));
    const kept = compaction(where);
    return {
      result: elementOf(order.type, value).scatter({ ...kept, capacity: room }),
      count: kept.length,
    };
  });
}

function setOperation<S extends ArrayType>(
  what: keyof typeof RULES,
  type: ElementType<S>,
  options: SortedOptions | undefined,
): SetOperation<S> {
  const order = sortedOrder(what, type, options);
  const rule = RULES[what];
  const name = `${what.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}-${order.name}`;
  type Arrays = { readonly [N in string]: ArrayType };
  const made = primitive<
    Arrays,
    Arrays,
    ReturnType<typeof dividePipelines> & Readonly<Record<"ranks" | "place" | "keep", PipelineSource>>
  >(name, {
    inputs: { a: type.type, b: type.type },
    outputs: { result: type.type, count: "u32" },
    pipelines: {
      ...dividePipelines(order),
      ...{ ranks: rankEqual(order), place: place(order), keep: keep(name, order, rule) },
    },
    outside: ["the arrays are not sorted", "sort them, in the direction of the option `descending`"],
    lengths: ({ a, b }) => ({ result: rule.most(Number(a), Number(b)), count: 1 }),
    counts: { result: "count" },
    steps: (steps, arrays, items) => {
      const { a, b } = arrays as Readonly<Record<"a" | "b", DeviceArray>>;
      const ranksOf = (x: DeviceArray, n: number, own: number | DeviceCount): DeviceArray<"u32"> => {
        const ranks = steps.array("u32", n);
        steps.run("ranks", { x, ranks }, { n: own });
        return ranks;
      };
      const ranksA = isCounted(rule.a) && { ranksA: ranksOf(a, items.n, items.items) };
      const ranksB = isCounted(rule.b) && { ranksB: ranksOf(b, b.length, b.length) };
      const { blocks, all } = divideSteps(steps, { a, b }, items);
      const taken = steps.array("u32", items.n + b.length);
      steps.run("place", { a, b, blocks, taken }, { n: all });
      const room = rule.most(items.n, b.length);
      steps.run("keep", { ...arrays, taken, room, ...ranksA, ...ranksB }, { n: all });
    },
  });
  return made as unknown as SetOperation<S>;
}

/**
 * The items of two sorted arrays, those that are in both once: all of `a`, and of `b` those that are not matched, merged.
 *
 * `a`, `b`: n and m items, which do not descend (with `descending`, do not ascend), possibly several times the same. `result`: n + m elements, of
 * which `count[0]` are valid, sorted. Multisets: an item that `a` has k times and `b` l times is there max(k, l) times. -0 equals +0, and the one of
 * `a` is kept; NaNs equal one another and are last. Over no items: none, and 0. The number of items of `a` can be on the device, that of
 * `b` is the length of its array. The two steps of `merge`, which store a number for each item, a scan of an array for ranks among equal items (two of a symmetric
 * difference), and the scan of a compaction.
 * @throws GroupwiseError `scatter-outside` if arrays are not sorted and more items are kept than the result has elements
 *
 * Source: `thrust::set_union`, `std::set_union`.
 * @example
 * ```ts
 * import { f32 } from "@groupwise/dsl";
 * import { setUnion } from "@groupwise/primitives";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const { result } = await setUnion(f32).runOn(jsRuntime(), { a: Float32Array.of(1, 2, 5), b: Float32Array.of(2, 3) });
 * console.log(result); // [1, 2, 3, 5]
 * ```
 */
export function setUnion<S extends ArrayType>(
  type: ElementType<S>,
  options?: SortedOptions,
): SetOperation<S> {
  return setOperation("setUnion", type, options);
}

/**
 * The items of `a` that are also in `b`, matched one by one: min(k, l) times what `a` has k times and `b` l times.
 *
 * As {@link setUnion}, but `result`: min(n, m) elements.
 *
 * Source: `thrust::set_intersection`, `std::set_intersection`.
 * @example
 * ```ts
 * import { f32 } from "@groupwise/dsl";
 * import { setIntersection } from "@groupwise/primitives";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const { result } = await setIntersection(f32).runOn(jsRuntime(), { a: Float32Array.of(1, 2, 5), b: Float32Array.of(2, 3) });
 * console.log(result); // [2]
 * ```
 */
export function setIntersection<S extends ArrayType>(
  type: ElementType<S>,
  options?: SortedOptions,
): SetOperation<S> {
  return setOperation("setIntersection", type, options);
}

/**
 * The items of `a` that are not in `b`, matched one by one: the last k - l of what `a` has k times and `b` l times.
 *
 * As {@link setUnion}, but `result`: n elements.
 *
 * Source: `thrust::set_difference`, `std::set_difference`.
 * @example
 * ```ts
 * import { f32 } from "@groupwise/dsl";
 * import { setDifference } from "@groupwise/primitives";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const { result } = await setDifference(f32).runOn(jsRuntime(), { a: Float32Array.of(1, 2, 5), b: Float32Array.of(2, 3) });
 * console.log(result); // [1, 5]
 * ```
 */
export function setDifference<S extends ArrayType>(
  type: ElementType<S>,
  options?: SortedOptions,
): SetOperation<S> {
  return setOperation("setDifference", type, options);
}

/**
 * The items of each array that are not in the other, matched one by one: the last |k - l| of what `a` has k times and `b` l times.
 *
 * As {@link setUnion}.
 *
 * Source: `thrust::set_symmetric_difference`, `std::set_symmetric_difference`.
 * @example
 * ```ts
 * import { f32 } from "@groupwise/dsl";
 * import { setSymmetricDifference } from "@groupwise/primitives";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const { result } = await setSymmetricDifference(f32).runOn(jsRuntime(), { a: Float32Array.of(1, 2, 5), b: Float32Array.of(2, 3) });
 * console.log(result); // [1, 3, 5]
 * ```
 */
export function setSymmetricDifference<S extends ArrayType>(
  type: ElementType<S>,
  options?: SortedOptions,
): SetOperation<S> {
  return setOperation("setSymmetricDifference", type, options);
}
