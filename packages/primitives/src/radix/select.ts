import type { ArrayType, DeviceArray, DeviceCount, PipelineSource } from "@groupwise/core";
import { errorOf, NUMBER, type RunArrays, required, type Wanted, whole } from "@groupwise/core/target";
import { u32 } from "@groupwise/dsl";
import { type Primitive, primitive, type Steps } from "../base/primitive.ts";
import type { ElementType } from "../base/stand-in.ts";
import { countingOf } from "./counting.ts";
import { DIGIT_BITS } from "./digit.ts";
import type { Key } from "./order.ts";
import { arraysOf, keyFor, type PairSort, type RadixSortOptions, sortOf } from "./radix-sort.ts";
import {
  addCounts,
  chooseDigit,
  countAgreeing,
  countCells,
  partFirst,
  startSelection,
  takeFirst,
  takeOne,
} from "./select-pipelines.ts";
import { type SortedArrays, sortPipelines, sortSteps } from "./sort-steps.ts";

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
