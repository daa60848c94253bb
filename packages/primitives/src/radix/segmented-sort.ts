/**
 * A sort within segments of any lengths. Items of short segments count those of their segment that precede them, in one pass; those of
 * long segments are then sorted by segment and key, digit by digit. Steps for these come last: a host that waits for their number does so
 * while the device does that pass.
 */
import type { ArrayType, DeviceArray, DeviceCount, PipelineSource } from "@groupwise/core";
import { type Wanted, whole } from "@groupwise/core/target";
import {
  type BoolValue,
  bits,
  compaction,
  param,
  pipeline,
  type Table,
  type TableType,
  table,
  type U32Value,
  u32,
} from "@groupwise/dsl";
import { requireElements } from "../base/arguments.ts";
import { PAST_ITEMS, segmentsIn } from "../base/by-offsets.ts";
import { type Primitive, primitive } from "../base/primitive.ts";
import { type ElementType, elementOf, standIn } from "../base/stand-in.ts";
import { moveOrder, orderPipelines, orderSteps } from "./by-order.ts";
import { type Key, keyOf } from "./order.ts";
import { WINDOW } from "./pipelines.ts";
import { type RadixSortOptions, sortOf } from "./radix-sort.ts";
import { bitRange, SORT_NUMBERS, type SortNumbers, windowOf } from "./windows.ts";

// A bit for each item, which is 1 where a segment begins: one word of 32 items and its neighbours say where the segment of an item begins
// and ends, if it has at most 32 items, and which items belong to longer segments.
/** Items of a word, and the most items of a segment that its neighbours show. */
const WORD = 32;

/** The bits of starts, and the offsets of segments, of which the first and the last are read. */
interface Starts {
  readonly starts: Table<"u32">;
  readonly offsets: Table<"u32">;
}
const STARTS: { readonly starts: TableType<"u32">; readonly offsets: TableType<"u32"> } = {
  starts: /*@__PURE__*/ table(u32),
  offsets: /*@__PURE__*/ table(u32),
};

/** A bit where each segment begins; an empty one has none. */
const mark: PipelineSource = /*@__PURE__*/ pipeline(
  "sort-segments-mark",
  { offsets: table(u32), items: param(u32) },
  ({ offsets, items }, { index }) => {
    const [from, to] = [offsets.at(index()), offsets.at(index().add(1))];
    const where = from.lt(to);
    return { starts: bits(where).scatter({ to: from, where, capacity: items }) };
  },
);

/** Ones in the low bits: `count` of at most 32. */
const lowBits = (count: U32Value): U32Value =>
  count.ge(WORD).select(0xffff_ffff, u32(1).shl(count.and(31)).sub(1));

/** The first item of all segments, and the one after the last. */
const rangeOf = ({ offsets }: Starts): readonly [U32Value, U32Value] => [
  offsets.at(0),
  offsets.at(offsets.length.max(1).sub(1)),
];

/** The words before, at and after a place; 0 outside. */
function wordsAt({ starts }: Starts, word: U32Value): readonly [U32Value, U32Value, U32Value] {
  const after = word.add(1);
  return [
    word.eq(0).select(u32(0), starts.at(word.max(1).sub(1))),
    starts.at(word),
    after.lt(starts.length).select(starts.at(after), 0),
  ];
}

/** The segment of an item. */
interface Segment {
  readonly isInside: BoolValue;
  readonly from: U32Value;
  /** Of a segment of more than {@link WORD} items: more than that, but not always its length. */
  readonly length: U32Value;
}

/** The segment of an item. */
function segmentOf(given: Starts, index: U32Value): Segment {
  const [word, bit] = [index.shr(5), index.and(31)];
  const [before, own, after] = wordsAt(given, word);
  const [first, end] = rangeOf(given);
  const base = word.mul(WORD);
  const upTo = own.and(lowBits(bit.add(1)));
  const next = own.shr(bit).shr(1);
  const from = upTo.ne(0).select(base.add(31).sub(upTo.clz()), base.sub(1).sub(before.clz()));
  const to = next.ne(0).select(index.add(1).add(next.ctz()), base.add(WORD).add(after.ctz()));
  return { isInside: index.ge(first).and(index.lt(end)), from, length: to.min(end).sub(from) };
}

/** Whether an item belongs to a segment of more than 32 items. */
function isInLong(given: Starts, index: U32Value): BoolValue {
  const { isInside, length } = segmentOf(given, index);
  return isInside.and(length.gt(WORD));
}

/** The items of a word that belong to segments of more than 32 items, and whether such a one begins in it: at most one does. */
function longIn(given: Starts, word: U32Value): { readonly items: U32Value; readonly begins: BoolValue } {
  const [before, own, after] = wordsAt(given, word);
  const [first, end] = rangeOf(given);
  const base = word.mul(WORD);
  const afterEnd = base.add(WORD).add(after.ctz()).min(end);
  // The segment of the items before the first that begins here, and the last that does.
  const head = own.ctz();
  const headFrom = base.sub(1).sub(before.clz());
  const headEnd = own.eq(0).select(afterEnd, base.add(head).min(end));
  const isHeadLong = before.eq(0).or(headEnd.sub(headFrom).gt(WORD));
  const last = u32(31).sub(own.clz().min(31));
  const begins = own.ne(0).and(afterEnd.sub(base.add(last)).gt(WORD));
  const inside = lowBits(end.max(base).sub(base).min(WORD)).and(
    lowBits(first.max(base).sub(base).min(WORD)).not(),
  );
  const heads = isHeadLong.select(lowBits(head), 0);
  const tails = begins.select(lowBits(last).not(), 0);
  return { items: heads.or(tails).and(inside), begins };
}

/**
 * For each word: the items of long segments up to its end, and the long segments that begin up to there. `any`: all items if there are such
 * items up to the word's end, otherwise 0. The last elements are those of all words, without a pass of their own.
 */
const findLong: PipelineSource = /*@__PURE__*/ pipeline(
  "sort-segments-find",
  { ...STARTS, items: param(u32) },
  (given, { index }) => {
    const { items, begins } = longIn(given, index());
    const counts = items.popcount().scanInclusive("add");
    return {
      counts,
      numbers: begins.toU32().scanInclusive("add"),
      any: counts.eq(0).select(u32(0), given.items),
    };
  },
);

/** Whether the segment of an item begins in its word. */
const isHere = ({ starts }: Pick<Starts, "starts">, index: U32Value): BoolValue =>
  starts
    .at(index.shr(5))
    .and(lowBits(index.and(31).add(1)))
    .ne(0);

/** The place of an item of a long segment among all such items: such a segment is the last that begins in a word, and the first in the next one. */
function longPlace(given: Starts & { readonly counts: Table<"u32"> }, index: U32Value): U32Value {
  const [word, bit] = [index.shr(5), index.and(31)];
  const [, end] = rangeOf(given);
  const here = isHere(given, index);
  const later = end.sub(word.mul(WORD)).min(WORD).sub(bit);
  const count = given.counts.at(here.select(word, word.max(1).sub(1)));
  return here.select(count.sub(later), count.add(bit));
}

/** The items of long segments. Unlike a scatter to their places, a compaction clears nothing where there are none. */
const listLong: PipelineSource = /*@__PURE__*/ pipeline("sort-segments-list", STARTS, (given, { index }) => ({
  order: index().scatter(compaction(isInLong(given, index()))),
}));

/** The number of an item's segment among long ones. */
function numberOf(given: { readonly [K in "starts" | "numbers"]: Table<"u32"> }, index: U32Value): U32Value {
  const word = index.shr(5);
  return given.numbers.at(isHere(given, index).select(word, word.max(1).sub(1))).sub(1);
}

/** The place of an item that has none: one of a long segment where all are short. */
const NOWHERE = 0xffff_ffff;

/** The window of a range of bits; a mask of 64 bits is a bigint. */
function maskOf({ as }: Key, begin: number, end: number): { readonly shift: number; readonly mask: unknown } {
  const { shift, mask } = windowOf(begin, end);
  return { shift, mask: (as.type as string) === "u64" ? BigInt.asUintN(end - begin, -1n) : mask };
}

/** Whether keys are their bits. */
const areBits = (key: Key): boolean => key.name === key.as.type;

/** The bits to sort by. The mask has the type of the bits. */
const encode = (key: Key): PipelineSource =>
  pipeline(
    `sort-segments-bits-${key.name}`,
    { keys: standIn(key.type), shift: param(u32), mask: param(key.as) },
    ({ keys, shift, mask }) => ({ bits: (key.encode(keys) as U32Value).shr(shift).and(mask) }),
  );

interface Given extends Starts {
  readonly keys: U32Value;
  readonly bits?: U32Value;
  readonly values?: U32Value;
}

/**
 * An item's place in a segment of at most `longest` items: the smaller ones, and the equal ones before it. Each comparison sets a bit of a
 * word, so that the segment's length is applied once.
 */
function rankIn({ from, length }: Segment, bits: U32Value, index: U32Value, longest: number): U32Value {
  const own = index.sub(from);
  const word = Array.from({ length: longest }, (_, place) => {
    const other = bits.at(from.add(place));
    const isBefore = other.lt(bits).or(other.eq(bits).and(u32(place).lt(own)));
    return isBefore.select(u32(2 ** place), 0);
  }).reduce((all, one) => all.or(one));
  return word.and(lowBits(length)).popcount();
}

/** The place of each item that is sorted by counting: that of an item of a longer segment is given. */
function placeOf(given: Given, index: U32Value, longest: number, ofLong: U32Value): U32Value {
  const segment = segmentOf(given, index);
  const { isInside, from, length } = segment;
  const rank = rankIn(segment, given.bits ?? given.keys, index, longest);
  const isLong = isInside.and(length.gt(longest));
  return isLong.select(ofLong, isInside.select(from.add(rank), index));
}

/** The items at their places, in the order of bits or of keys. Those of longer segments have none if there are to be no such segments, and otherwise stay. */
const put = (
  key: Key,
  bits: ElementType | undefined,
  pairs: ElementType | undefined,
  longest: number | undefined,
): PipelineSource => {
  const name = ["sort-segments-put", key.name, bits && "by-bits", pairs?.type, longest]
    .filter(Boolean)
    .join("-");
  const inputs = {
    ...{ ...STARTS, keys: standIn(key.type) },
    ...(bits && { bits: standIn(bits) }),
    ...(pairs && { values: standIn(pairs) }),
  };
  return pipeline(name, inputs, (made, { index }) => {
    const given = made as unknown as Given;
    const ofLong = longest === undefined ? index() : u32(NOWHERE);
    const to = placeOf(given, index(), longest ?? WORD, ofLong);
    const sorted = elementOf(key.type, given.keys).scatter({ to });
    if (!pairs) return { sorted };
    return { sorted, moved: elementOf(pairs, given.values as U32Value).scatter({ to }) };
  });
};

/** The items of long segments in their order, over the array in which the others are at their places. */
const putLong = (type: ElementType): PipelineSource =>
  pipeline(
    `sort-segments-put-long-${type.type}`,
    { ...STARTS, counts: table(u32), order: table(u32), items: table(standIn(type)), put: standIn(type) },
    (given, { index }) => {
      const item = given.order.at(longPlace(given, index()));
      return { sorted: elementOf(type, isInLong(given, index()).select(given.items.at(item), given.put)) };
    },
  );

/** The first pass by segments: the number of an item's segment follows from its place. */
const beginSegments: PipelineSource = /*@__PURE__*/ pipeline(
  "order-next-segment",
  { order: u32, starts: table(u32), numbers: table(u32), ...WINDOW },
  (given) => moveOrder(numberOf(given, given.order), given.order, given.shift, given.mask) as never,
);

/** Options of a sort within segments. */
export interface SegmentedSortOptions<V extends ArrayType = ArrayType> extends RadixSortOptions<V> {
  /**
   * The most items of a segment, 1 to 32, if it is known: the sort is then two steps, three for keys other than u32 and u64, of which the last compares each item with as many others. Items of
   * a longer segment are an error of the run, `scatter-outside`. Default: segments of any lengths.
   */
  readonly longest?: number;
}

const LONGEST: Wanted = /*@__PURE__*/ whole(1, WORD);

/** See {@link segmentedSort}. */
export type SegmentedKeySort<S extends ArrayType> = Primitive<
  { readonly keys: S; readonly offsets: "u32" },
  { readonly sorted: S },
  SortNumbers
>;
/** See {@link segmentedSort}. */
export type SegmentedPairSort<S extends ArrayType, V extends ArrayType> = Primitive<
  { readonly keys: S; readonly values: V; readonly offsets: "u32" },
  { readonly sorted: S; readonly moved: V },
  SortNumbers
>;

/**
 * Sorts the keys of each segment, and values with them; equal keys keep their order. The order and its options are those of `radixSort`: -0
 * is before +0, NaNs are last, and keep their payload here, but for those of `f16` and `bf16`.
 *
 * `keys`, `values`: n items, unchanged. `offsets`: m + 1 non-decreasing numbers, segment s being the items from `offsets[s]` up to
 * `offsets[s + 1]`, at most n. `sorted`, `moved`: n items; those outside all segments stay where they are. Keys that differ only outside
 * `beginBit` to `endBit` keep their order. Segments of any lengths: three steps, of which the last compares each item of a segment of at
 * most 32 with the others of it; one more for keys other than u32 and u64, and for some of their bits. Items of
 * longer segments also take a step that lists them, one of `argsort` for each eight bits of the key and of the number of such segments, and one
 * over all items that puts them to their places, two with values.
 * @throws GroupwiseError `scatter-outside` if a segment begins past the items, `bad-usage` for more bits than the type has
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
  const name = ["segmented-sort", key.name, pairs?.type, longest].filter(Boolean).join("-");
  const types = [type, ...(pairs ? [pairs] : [])];
  return primitive<Named, Named, Record<string, PipelineSource>, SortNumbers>(name, {
    inputs: { keys: type.type, ...(pairs && { values: pairs.type }), offsets: "u32" },
    outputs: { sorted: type.type, ...(pairs && { moved: pairs.type }) },
    pipelines: {
      ...{ mark, encode: encode(key), put: put(key, key.as, pairs, longest) },
      ...(areBits(key) && { putByKeys: put(key, undefined, pairs, longest) }),
      ...(longest === undefined && pipelinesFor(key, types)),
    },
    inPlace: Object.fromEntries(types.map((one) => [longOf(one), { sorted: "put" }])),
    outside:
      longest === undefined
        ? PAST_ITEMS
        : [
            `a segment has more than ${longest} items, or begins past the items`,
            "pass a larger `longest`, or none",
          ],
    numbers: SORT_NUMBERS,
    lengths: ({ keys }) => ({ sorted: keys as number, ...(pairs && { moved: keys as number }) }),
    steps: (steps, arrays, { items, n }, asked) => {
      const { begin, end } = bitRange(name, asked, key.bits);
      const isByKeys = areBits(key) && end - begin === key.bits;
      const { keys, values, sorted, moved } = arrays as Readonly<Record<string, DeviceArray>>;
      if (values) requireElements("values", values, n, name);
      const offsets = arrays.offsets as DeviceArray<"u32">;
      const words = Math.ceil(n / WORD);
      const m = segmentsIn(offsets.length);
      const starts = steps.array("u32", words);
      const bits = isByKeys ? undefined : steps.array(key.as.type, n);
      const run = (step: string, given: object, over: number | DeviceCount = items): void =>
        steps.run(step, given as never, { n: over });
      run("mark", { offsets, items: n, starts }, m);
      if (bits) run("encode", { keys, ...maskOf(key, begin, end), bits });
      const both = { keys, ...(bits && { bits }) };
      const putShort = (): void =>
        run(bits ? "put" : "putByKeys", {
          starts,
          offsets,
          ...both,
          sorted,
          ...(pairs && { values, moved }),
        });
      if (longest !== undefined) return putShort();
      const perWord = (): DeviceArray<"u32"> => steps.array("u32", Math.max(1, words));
      const [counts, numbers, any] = [perWord(), perWord(), perWord()];
      run("find", { starts, offsets, items: n, counts, numbers, any }, words);
      putShort();
      const order = steps.array("u32", n);
      const most = Math.min(m, Math.floor(n / (WORD + 1)));
      const last = Math.max(1, words) - 1;
      const ifAny = { count: any, at: last, max: n };
      orderSteps(steps, {
        by: [
          { key: SEGMENT, given: { starts, numbers }, end: 32 - Math.clz32(Math.max(0, most - 1)) },
          { key, given: { keys: keys as DeviceArray }, begin, end },
        ],
        fill: (to) => run("list", { starts, offsets, order: to }, ifAny),
        ...{ items: { count: counts, at: last, max: n }, n, to: order },
      });
      const placed = { starts, offsets, counts, order };
      run(longOf(type), { ...placed, items: keys, sorted }, ifAny);
      if (pairs) run(longOf(pairs), { ...placed, items: values, sorted: moved }, ifAny);
    },
  });
}

const SEGMENT = /*@__PURE__*/ keyOf(u32, false);

/** The name of the step that puts the items of long segments, of a type. */
const longOf = ({ type }: ElementType): string => `long-${type}`;

/** The steps for items of long segments. */
const pipelinesFor = (key: Key, types: readonly ElementType[]): Record<string, PipelineSource> => ({
  ...{ find: findLong, list: listLong },
  ...{ ...orderPipelines([SEGMENT, key], true), begin0: beginSegments },
  ...Object.fromEntries(types.map((type) => [longOf(type), putLong(type)])),
});

type Named = { readonly [name: string]: ArrayType };
