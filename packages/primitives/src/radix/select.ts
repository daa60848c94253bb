import type { ArrayType, DeviceArray, DeviceCount, PipelineSource } from "@groupwise/core";
import { errorOf, NUMBER, type RunArrays, required, type Wanted, whole } from "@groupwise/core/target";
import {
  type BoolValue,
  param,
  pipeline,
  table,
  type U32Value,
  type U64Value,
  u32,
  u64,
} from "@groupwise/dsl";
import { type Primitive, primitive, type Steps } from "../base/primitive.ts";
import { type ElementType, elementOf, standIn } from "../base/stand-in.ts";
import { countByDigit, countOf, DIGIT_BITS, DIGITS, GROUP_SIZE } from "./digit.ts";
import type { Key } from "./order.ts";
import { arraysOf, keyFor, type PairSort, type RadixSortOptions, sortOf } from "./radix-sort.ts";
import { type SortedArrays, sortPipelines, sortSteps } from "./sort-steps.ts";
import { digitIn } from "./windows.ts";

// Counts of digits by work-group.
/** Arrays of the work-groups' digits, and the items of steps over them. */
interface Counting {
  readonly counts: Readonly<Record<string, DeviceArray>>;
  /** A cell for each digit of each work-group: the number of keys that precede its own. */
  readonly offsets: DeviceArray<"u32">;
  readonly cells: number | DeviceCount;
}

/** Makes the arrays; if the number of items is in device memory, a step computes the number of cells. */
function countingOf(
  steps: Steps<{ readonly cells: PipelineSource }>,
  items: number | DeviceCount,
  n: number,
): Counting {
  const groups = Math.ceil(n / GROUP_SIZE);
  const names = ["count0", "count1", "count2", "count3", "first"] as const;
  const counts = Object.fromEntries(names.map((name) => [name, steps.array("u32", groups)]));
  const max = DIGITS * groups;
  const offsets = steps.array("u32", max);
  if (typeof items === "number") return { counts, offsets, cells: max };
  const cells = steps.array("u32", 1);
  steps.run("cells", { items: items.count, at: items.at ?? 0, most: items.max, cells }, { n: 1 });
  return { counts, offsets, cells: { count: cells, max } };
}

// A selection processes digits from the most significant one: counts determine the digit of the wanted key, and
// the next round counts only keys with the same higher digits. Nothing moves.
const isWide = ({ as }: Key): boolean => (as.type as string) === "u64";

/** The initial state: only the rank of the wanted key is known. */
const startSelection = (key: Key): PipelineSource =>
  pipeline(`select-start-${key.as.type}`, { nth: param(u32) }, ({ nth }) => ({
    known: isWide(key) ? u64(0n) : u32(0),
    rest: nth,
  }));

/** The number of keys of each work-group with each digit, among the keys with the known digits. */
const countAgreeing = (key: Key): PipelineSource =>
  pipeline(
    `select-count-${key.name}`,
    { keys: standIn(key.type), known: table(key.as), shift: param(u32) },
    ({ keys, known, shift }, context) => {
      const bits = key.encode(keys);
      const above = (bits as U64Value)
        .xor(known.at(0) as unknown as U64Value)
        .shr(shift)
        .shr(DIGIT_BITS);
      return { ...countByDigit(digitIn(bits, shift, DIGITS - 1), context, above.toBool().not()) };
    },
    { workGroupSize: GROUP_SIZE },
  );

const groupsOf = (items: U32Value): U32Value => items.add(GROUP_SIZE - 1).div(GROUP_SIZE);
const cellsOf = (items: U32Value): U32Value => groupsOf(items).mul(DIGITS);

/** A cell for each digit of each work-group, ordered by digit: the number of keys that precede its own. */
const addCounts: PipelineSource = pipeline(
  "select-offsets",
  { count0: table(u32), count1: table(u32), count2: table(u32), count3: table(u32), first: table(u32) },
  (counts, { index, size }) => {
    const groups = size().div(DIGITS);
    const digit = index().div(groups);
    const group = index().sub(digit.mul(groups));
    return { offsets: countOf(counts, digit, group).scanExclusive("add") };
  },
);

/** The number of cells for a number of items in device memory. */
const countCells: PipelineSource = pipeline(
  "select-cells",
  { items: table(u32), at: param(u32), most: param(u32) },
  ({ items, at, most }) => ({ cells: cellsOf(items.at(at).min(most)) }),
);

/**
 * From the cells of digits and work-groups: the digit of the wanted key, and its rank among the keys with
 * that digit.
 */
const chooseDigit = (key: Key): PipelineSource =>
  pipeline(
    `select-digit-${key.as.type}`,
    { offsets: u32, known: table(key.as), rest: table(u32), shift: param(u32) },
    ({ offsets, known, rest, shift }, { index, size }) => {
      // The keys below a digit are those before its first cell. The wanted digit is the last one with few
      // enough keys below it.
      const isFirst = index().rem(size().div(DIGITS)).eq(0);
      const fits = isFirst.and(offsets.le(rest.at(0)));
      const digit = fits.toU32().reduce("add").sub(1);
      const below = fits.select(offsets, 0).reduce("max");
      const own = (isWide(key) ? digit.toU64() : digit) as U32Value;
      return { knownNow: known.at(0).or(own.shl(shift)), restNow: rest.at(0).sub(below) };
    },
  );

/** The key itself. */
const takeOne = (key: Key): PipelineSource =>
  pipeline(`select-take-${key.name}`, { known: table(key.as) }, ({ known }) => ({
    value: elementOf(key.type, key.decode(known.at(0))),
  }));

/** The items before the wanted one and the first ones equal to it, at most k: whether an item is one, its place among them, their number. */
function firstOf(key: Key, keys: U32Value, known: U32Value, rest: U32Value): First {
  const bits = key.encode(keys) as U32Value;
  const isLess = bits.lt(known);
  const isEqual = bits.eq(known);
  const less = isLess.toU32().scanWithTotal("add");
  const equal = isEqual.toU32().scanWithTotal("add");
  const room = rest.add(1);
  return {
    isFirst: isLess.or(isEqual.and(equal.before.lt(room))),
    before: less.before.add(equal.before.min(room)),
    count: less.total.add(equal.total.min(room)),
  };
}
interface First {
  readonly isFirst: BoolValue;
  /** The number of earlier items that are among them. */
  readonly before: U32Value;
  readonly count: U32Value;
}

const selected = (key: Key) => ({
  ...{ keys: standIn(key.type), known: table(key.as), rest: table(u32), k: param(u32) },
});

/** The first k items and their indexes. They keep their order. */
const takeFirst = (key: Key): PipelineSource =>
  pipeline(`select-first-${key.name}`, selected(key), ({ keys, known, rest, k }, { index }) => {
    const { isFirst, before, count } = firstOf(key, keys, known.at(0), rest.at(0));
    const options = { to: before, where: isFirst, capacity: k };
    return {
      picked: elementOf(key.type, keys).scatter(options),
      places: index().scatter(options),
      count,
    };
  });

/** The first k items apart, and all items with the others behind the first k. They keep their order. */
const partFirst = (key: Key, pairs: ElementType | undefined): PipelineSource => {
  const name = `select-part-${[key.name, ...(pairs ? [pairs.type] : [])].join("-")}`;
  const inputs = { ...selected(key), ...(pairs && { values: standIn(pairs) }) };
  return pipeline(name, inputs, ({ keys, known, rest, k, ...given }, { index }) => {
    const { isFirst, before, count } = firstOf(key, keys, known.at(0), rest.at(0));
    const first = { to: before, where: isFirst, capacity: k };
    const all = { to: isFirst.select(before, count.add(index()).sub(before)) };
    const own = elementOf(key.type, keys);
    const made = { picked: own.scatter(first), sorted: own.scatter(all), count };
    if (!pairs) return made;
    const carried = elementOf(pairs, (given as unknown as Record<"values", U32Value>).values);
    return { ...made, carried: carried.scatter(first), moved: carried.scatter(all) };
  });
};

/** The direction of the order. */
export interface SelectOptions {
  /** Larger keys first; NaNs are still last. */
  readonly descending?: boolean;
}

const K: Wanted = /*@__PURE__*/ required(/*@__PURE__*/ whole(1, 2 ** 32 - 1));

/** The rank of the item: 0 for the first in sorted order. */
export type SelectNumbers = { readonly nth: number };
/** The number of items. */
export type TopNumbers = { readonly k: number };

/**
 * The item with a given rank in sorted order, without sorting: the median, a quantile.
 *
 * `keys`: n items. `value`: one element, element `nth` of the result of `radixSort`. If a count on the device
 * is too small for it, the value is undefined. A pass over the keys for each four bits of their type. Errors:
 * `bad-usage` for a rank outside n.
 *
 * Source: Alabi and others, "Fast k-selection algorithms for graphics processing units" (2012), radix select.
 * @example
 * ```ts
 * import { f32 } from "@groupwise/dsl";
 * import { selectNth } from "@groupwise/primitives";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const { value } = await selectNth(f32).runOn(jsRuntime(), { keys: Float32Array.of(5, 1, 4, 2, 3) }, { nth: 2 });
 * console.log(value); // [3]
 * ```
 */
export function selectNth<S extends ArrayType>(
  type: ElementType<S>,
  options?: SelectOptions,
): Primitive<{ readonly keys: S }, { readonly value: S }, SelectNumbers> {
  const key = keyFor("selectNth", type, options);
  const name = `select-nth-${key.name}`;
  return primitive(name, {
    inputs: { keys: type.type },
    outputs: { value: type.type },
    pipelines: { ...selectPipelines(key), take: takeOne(key) },
    numbers: { nth: required(NUMBER) },
    lengths: () => ({ value: 1 }),
    steps: (steps, { keys, value }, { items, n }, { nth }) => {
      checkWhole(name, "nth", nth, 0, n - 1);
      const { known } = selectSteps(steps, { key, keys, items, n, nth });
      steps.run("take", { known, value }, { n: 1 });
    },
  });
}

/**
 * The first k items of the sorted order, in that order, and their indexes: the k smallest, or the largest
 * with `descending`. Of equal items the first ones are taken.
 *
 * `keys`: n items. `top`, `from`: min(k, n) elements, of which `count[0]` are valid (all, if the host knows
 * n). A pass over the keys for each four bits of their type, one that selects the k items, and a sort of those.
 * Errors: `bad-argument` for a k below 1.
 * @example
 * ```ts
 * import { f32 } from "@groupwise/dsl";
 * import { topK } from "@groupwise/primitives";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const { top, from } = await topK(f32, { descending: true }).runOn(jsRuntime(), { keys: Float32Array.of(5, 1, 4, 2, 3) }, { k: 2 });
 * console.log(top); // [5, 4]
 * console.log(from); // [0, 2]
 * ```
 */
export function topK<S extends ArrayType>(
  type: ElementType<S>,
  options?: SelectOptions,
): Primitive<
  { readonly keys: S },
  { readonly top: S; readonly from: "u32"; readonly count: "u32" },
  TopNumbers
> {
  const key = keyFor("topK", type, options);
  const name = `top-k-${key.name}`;
  return primitive(name, {
    inputs: { keys: type.type },
    outputs: { top: type.type, from: "u32", count: "u32" },
    pipelines: { ...sortPipelines(key, u32), ...selectPipelines(key), first: takeFirst(key) },
    numbers: { k: K },
    lengths: ({ keys }, { k }) => ({ top: Math.min(k, keys), from: Math.min(k, keys), count: 1 }),
    counts: { top: "count", from: "count" },
    steps: (steps, { keys, top, from, count }, { items, n }, { k }) => {
      const most = Math.min(k, n);
      const first = { picked: steps.array(type.type, most), places: steps.array("u32", most) };
      const state = selectSteps(steps, { key, keys, items, n, nth: k - 1 });
      steps.run("first", { keys, ...state, k: most, ...first, count }, { n: items });
      const arrays = { keys: first.picked, values: first.places, sorted: top, moved: from };
      sortSteps(steps, {
        key,
        arrays,
        items: typeof items === "number" ? most : { count, max: most },
        n: most,
      });
    },
  });
}

/** Keys, and values with them, of which the first k are sorted. */
export type PartialSort<S extends ArrayType, V extends ArrayType> = Primitive<
  PairSort<S, V>["inputs"],
  PairSort<S, V>["outputs"],
  TopNumbers
>;

/**
 * The first k items of the sorted order, in that order, and behind them the others, in theirs. The order and its options are those of `radixSort`.
 *
 * `keys`, `values`: n items, unchanged. `sorted`, `moved`: n items; all are sorted for a k of n or more. A pass over the keys for each
 * four bits of their type, one that moves all items, and a sort of k. Errors: `bad-argument` for a k below 1.
 *
 * Source: `std::partial_sort`, with an order of the rest; select as in `topK`.
 * @example
 * ```ts
 * import { f32 } from "@groupwise/dsl";
 * import { partialSort } from "@groupwise/primitives";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const { sorted } = await partialSort(f32).runOn(jsRuntime(), { keys: Float32Array.of(5, 1, 4, 2, 3) }, { k: 2 });
 * console.log(sorted); // [1, 2, 5, 4, 3]
 * ```
 */
export function partialSort<S extends ArrayType>(
  type: ElementType<S>,
  options?: RadixSortOptions<never> & { readonly pairs?: undefined },
): Primitive<{ readonly keys: S }, { readonly sorted: S }, TopNumbers>;
export function partialSort<S extends ArrayType, V extends ArrayType>(
  type: ElementType<S>,
  options: RadixSortOptions<V> & { readonly pairs: ElementType<V> },
): PartialSort<S, V>;
export function partialSort(type: ElementType, options?: RadixSortOptions): unknown {
  const { key, pairs } = sortOf("partialSort", type, options);
  const name = ["partial-sort", key.name, ...(pairs ? [pairs.type] : [])].join("-");
  return primitive<Named, Named, PartPipelines, TopNumbers>(name, {
    ...arraysOf(key, pairs),
    pipelines: { ...sortPipelines(key, pairs), ...selectPipelines(key), part: partFirst(key, pairs) },
    numbers: { k: K },
    lengths: ({ keys }) => ({ sorted: keys as number, ...(pairs && { moved: keys as number }) }),
    steps: (steps, arrays, { items, n }, { k }) => {
      const { keys, values, sorted, moved } = arrays as SortedArrays["arrays"];
      const most = Math.min(k, n);
      const picked = steps.array(type.type, most);
      const count = steps.array("u32", 1);
      const carried = pairs && { values: steps.array(pairs.type, most), moved: moved?.slice(0, most) };
      const state = selectSteps(steps, { key, keys, items, n, nth: k - 1 });
      const all = { sorted, ...(carried && { values, carried: carried.values, moved }) };
      steps.run("part", { keys, ...state, k: most, picked, count, ...all } as RunArrays, { n: items });
      sortSteps(steps, {
        ...{ key, n: most, items: typeof items === "number" ? most : { count, max: most } },
        arrays: { keys: picked, sorted: sorted.slice(0, most), ...carried } as SortedArrays["arrays"],
      });
    },
  });
}

type Named = { readonly [name: string]: ArrayType };
type PartPipelines = ReturnType<typeof sortPipelines> & SelectPipelines & { readonly part: PipelineSource };

type SelectPipelines = ReturnType<typeof selectPipelines>;
interface Selected {
  /** Bits of the wanted key. */
  readonly known: DeviceArray;
  /** The number of equal keys that precede it. */
  readonly rest: DeviceArray;
}

function selectPipelines(
  key: Key,
): Record<"cells" | "start" | "agreeing" | "offsets" | "choose", PipelineSource> {
  return {
    cells: countCells,
    start: startSelection(key),
    agreeing: countAgreeing(key),
    offsets: addCounts,
    choose: chooseDigit(key),
  };
}

/** The items of a selection, and the place to select. */
interface Selection {
  readonly key: Key;
  readonly keys: DeviceArray;
  readonly items: number | DeviceCount;
  readonly n: number;
  readonly nth: number;
}

/** Finds the key with a rank in sorted order, one digit in each round. */
function selectSteps(steps: Steps<SelectPipelines>, { key, keys, items, n, nth }: Selection): Selected {
  const { counts, offsets, cells } = countingOf(steps, items, n);
  const make = (): Selected => ({
    known: steps.array(key.as.type, 1),
    rest: steps.array("u32", 1),
  });
  let [state, other] = [make(), make()];
  steps.run("start", { nth, ...state }, { n: 1 });
  for (let pass = Math.ceil(key.bits / DIGIT_BITS) - 1; pass >= 0; pass--) {
    const shift = pass * DIGIT_BITS;
    steps.run("agreeing", { keys, known: state.known, shift, ...counts }, { n: items });
    const now = { knownNow: other.known, restNow: other.rest };
    steps.run("offsets", { ...counts, offsets }, { n: cells });
    steps.run("choose", { offsets, ...state, shift, ...now }, { n: cells });
    [state, other] = [other, state];
  }
  return state;
}

function checkWhole(name: string, what: string, got: number, from: number, to: number): void {
  if (Number.isInteger(got) && got >= from && got <= to) return;
  const reason = `${what} is ${JSON.stringify(String(got))}`;
  const hint = from <= to ? `use a whole number from ${from} to ${to}` : "the range has no items";
  throw errorOf("bad-usage", { reason, hint }, name);
}
