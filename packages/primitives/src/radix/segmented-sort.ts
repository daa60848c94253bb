/**
 * A sort within segments of any lengths. Items of short segments count those of their segment that precede them, in one pass; those of
 * long segments are sorted by segment and key, digit by digit.
 */
import type { ArrayType, DeviceArray, PipelineSource } from "@groupwise/core";
import { type Wanted, whole } from "@groupwise/core/target";
import {
  type BoolValue,
  compaction,
  param,
  pipeline,
  select,
  table,
  type U32Value,
  u32,
} from "@groupwise/dsl";
import { requireElements } from "../base/arguments.ts";
import { segmentsIn } from "../base/by-offsets.ts";
import { type Primitive, primitive } from "../base/primitive.ts";
import { type ElementType, elementOf, standIn } from "../base/stand-in.ts";
import { orderPipelines, orderSteps } from "./by-order.ts";
import { type Key, keyOf } from "./order.ts";
import { type RadixSortOptions, sortOf } from "./radix-sort.ts";

/** Items of a segment that is sorted by counting. */
const SHORT = 32;
/** The place of an item that has none: of a short segment's among those of long ones, and of a long one's where all are short. */
const NOWHERE = 0xffff_ffff;

/** The segments of items, the bits of their keys, and the offsets of segments. */
interface Segmented {
  readonly segments: U32Value;
  readonly bits: U32Value;
  readonly offsets: { at(index: U32Value): U32Value };
}

interface Placed {
  /** Whether the item's segment has more items. */
  readonly isLong: BoolValue;
  readonly place: U32Value;
}

/** Each segment's number where it begins, 0 elsewhere; an empty one has no place. */
const mark = /*@__PURE__*/ pipeline(
  "sort-segments-mark",
  { offsets: table(u32), items: param(u32) },
  ({ offsets, items }, { index }) => {
    const [from, to] = [offsets.at(index()), offsets.at(index().add(1))];
    return { marks: index().scatter({ to: from, where: from.lt(to), capacity: items }) };
  },
);

/** Each item's segment, and the bits of its key. */
const spread = (key: Key): PipelineSource =>
  pipeline(
    `sort-segments-spread-${key.name}`,
    { marks: u32, keys: standIn(key.type) },
    ({ marks, keys }) => ({
      segments: marks.scanInclusive("max"),
      bits: key.encode(keys) as U32Value,
    }),
  );

/** An item of a segment, and its place if it is among the items of a segment of at most `longest` items. */
function placeIn(longest: number, { segments, bits, offsets }: Segmented, index: U32Value): Placed {
  const [from, to] = [offsets.at(segments), offsets.at(segments.add(1))];
  const length = to.sub(from);
  const isInside = index.ge(from).and(index.lt(to));
  const isBefore = (place: number): BoolValue => {
    const at = from.add(place);
    const other = bits.at(at);
    return u32(place)
      .lt(length)
      .and(other.lt(bits).or(other.eq(bits).and(at.lt(index))));
  };
  const rank = Array.from({ length: longest }, (_, place) => isBefore(place).toU32()).reduce((sum, one) =>
    sum.add(one),
  );
  return {
    isLong: isInside.and(length.gt(longest)),
    place: isInside.select(from.add(rank), index),
  };
}

/** Where items of short segments come from, and the items of long ones in their order. Items outside all segments stay. */
const count = (key: Key): PipelineSource =>
  pipeline(
    `sort-segments-count-${key.as.type}`,
    { segments: u32, bits: key.as, offsets: table(u32) },
    (given, { index }) => {
      const { isLong, place } = placeIn(SHORT, given as Segmented, index());
      const long = compaction(isLong);
      return {
        from: index().scatter({ to: place, where: isLong.not() }),
        longs: index().scatter(long),
        longAt: isLong.select(long.to, NOWHERE),
        total: long.length,
      };
    },
  );

/** The items of segments that are all short, each at its place; one of a longer segment has none. */
const put = (key: Key, pairs: ElementType | undefined, longest: number): PipelineSource => {
  const name = ["sort-segments-put", key.name, ...(pairs ? [pairs.type] : []), longest].join("-");
  const inputs = { segments: u32, bits: key.as, offsets: table(u32), keys: standIn(key.type) };
  return pipeline(name, { ...inputs, ...(pairs && { values: standIn(pairs) }) }, (given, { index }) => {
    const { isLong, place } = placeIn(longest, given as Segmented, index());
    const to = isLong.select(u32(NOWHERE), place);
    const sorted = elementOf(key.type, given.keys).scatter({ to });
    if (!pairs) return { sorted };
    const { values } = given as unknown as { readonly values: U32Value };
    return { sorted, moved: elementOf(pairs, values).scatter({ to }) };
  });
};

/** The items, each from its place. */
const take = (type: ElementType, pairs: ElementType | undefined): PipelineSource => {
  const name = `sort-segments-take-${[type.type, ...(pairs ? [pairs.type] : [])].join("-")}`;
  const inputs = { from: u32, longAt: u32, order: table(u32), keys: table(standIn(type)) };
  if (!pairs)
    return pipeline(name, inputs, ({ from, longAt, order, keys }) => {
      const place = select(longAt.eq(NOWHERE), from, order.at(longAt));
      return { sorted: elementOf(type, keys.at(place)) };
    });
  return pipeline(name, { ...inputs, values: table(standIn(pairs)) }, (given) => {
    const { from, longAt, order, keys, values } = given;
    const place = select(longAt.eq(NOWHERE), from, order.at(longAt));
    return { sorted: elementOf(type, keys.at(place)), moved: elementOf(pairs, values.at(place)) };
  });
};

/** Options of a sort within segments. */
export interface SegmentedSortOptions<V extends ArrayType = ArrayType> extends RadixSortOptions<V> {
  /**
   * The most items of a segment, 1 to 32, if it is known: the sort is then three steps, of which one compares each item with as many others. Items of
   * a longer segment are an error of the run, `scatter-outside`. Default: segments of any lengths.
   */
  readonly longest?: number;
}

const LONGEST: Wanted = /*@__PURE__*/ whole(1, SHORT);

/** See {@link segmentedSort}. */
export type SegmentedKeySort<S extends ArrayType> = Primitive<
  { readonly keys: S; readonly offsets: "u32" },
  { readonly sorted: S }
>;
/** See {@link segmentedSort}. */
export type SegmentedPairSort<S extends ArrayType, V extends ArrayType> = Primitive<
  { readonly keys: S; readonly values: V; readonly offsets: "u32" },
  { readonly sorted: S; readonly moved: V }
>;

/**
 * Sorts the keys of each segment, and values with them; equal keys keep their order. The order and its options are those of `radixSort`: -0
 * is before +0, NaNs are last, and keep their payload here, but for those of `f16` and `bf16`.
 *
 * `keys`, `values`: n items, unchanged. `offsets`: m + 1 non-decreasing numbers, segment s being the items from `offsets[s]` up to
 * `offsets[s + 1]`, at most n. `sorted`, `moved`: n items; those outside all segments stay where they are. Segments of any lengths: four
 * steps over all items, of which one compares each item of a segment of at most 32 with the others of it; items of longer segments also take a step of
 * `argsort` for each eight bits of the key and of m.
 * @throws GroupwiseError `scatter-outside` if a segment begins past the items
 *
 * Source: `cub::DeviceSegmentedSort`, whose small segments are sorted by one warp. Rank by counting: Knuth, vol. 3, 5.2, algorithm C.
 * @example
 * ```ts
 * import { f32 } from "@groupwise/dsl";
 * import { segmentedSort } from "@groupwise/primitives";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const { sorted } = await segmentedSort(f32).runOn(jsRuntime(), { keys: Float32Array.of(3, 1, 2, 5, 4), offsets: Uint32Array.of(0, 3, 5) });
 * console.log(sorted); // [1, 2, 3, 4, 5]
 * ```
 */
export function segmentedSort<S extends ArrayType>(
  type: ElementType<S>,
  options?: SegmentedSortOptions<never> & { readonly pairs?: undefined },
): SegmentedKeySort<S>;
export function segmentedSort<S extends ArrayType, V extends ArrayType>(
  type: ElementType<S>,
  options: SegmentedSortOptions<V> & { readonly pairs: ElementType<V> },
): SegmentedPairSort<S, V>;
export function segmentedSort(type: ElementType, options?: SegmentedSortOptions): unknown {
  const { key, pairs, read } = sortOf("segmentedSort", type, options, { longest: LONGEST });
  const longest = read.longest as number | undefined;
  const [segment, bitsKey] = [keyOf(u32, false), keyOf(key.as, false)];
  const name = ["segmented-sort", key.name, pairs?.type, longest].filter(Boolean).join("-");
  return primitive<Named, Named, Record<string, PipelineSource>>(name, {
    inputs: { keys: type.type, ...(pairs && { values: pairs.type }), offsets: "u32" },
    outputs: { sorted: type.type, ...(pairs && { moved: pairs.type }) },
    pipelines: {
      ...{ mark, spread: spread(key) },
      ...(longest === undefined
        ? { count: count(key), take: take(type, pairs), ...orderPipelines([segment, bitsKey], true) }
        : { put: put(key, pairs, longest) }),
    },
    lengths: ({ keys }) => ({ sorted: keys as number, ...(pairs && { moved: keys as number }) }),
    steps: (steps, arrays, { items, n }) => {
      const { keys, values, sorted, moved } = arrays;
      if (values) requireElements("values", values, n, name);
      const offsets = arrays.offsets as DeviceArray<"u32">;
      const words = (): DeviceArray<"u32"> => steps.array("u32", n);
      const [marks, segments] = [words(), words()];
      const bits = steps.array(key.as.type, n);
      const m = segmentsIn(offsets.length);
      const pair = pairs && { values, moved };
      steps.run("mark", { offsets, items: n, marks }, { n: m });
      steps.run("spread", { marks, keys, segments, bits } as never, { n: items });
      if (longest !== undefined) {
        steps.run("put", { segments, bits, offsets, keys, sorted, ...pair } as never, { n: items });
        return;
      }
      const [from, longs, longAt, total] = [words(), words(), words(), steps.array("u32", 1)];
      // The marks are not read after the second step.
      const order = marks;
      steps.run("count", { segments, bits, offsets, from, longs, longAt, total }, { n: items });
      const by = [
        { key: segment, array: segments, end: 32 - Math.clz32(Math.max(0, m - 1)) },
        { key: bitsKey, array: bits, end: key.bits },
      ];
      orderSteps(steps, { by, items: { count: total, max: n }, n, from: longs, to: order });
      steps.run("take", { from, longAt, order, keys, sorted, ...pair } as never, { n: items });
    },
  });
}

type Named = { readonly [name: string]: ArrayType };
