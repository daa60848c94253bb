import type { DeviceArray, DeviceCount, PipelineSource, Scalar } from "@groupwise/core";
import { ANY, BOOLEAN, errorOf, NUMBER, optionsOf, requireType } from "@groupwise/core/target";
import type { AnyScalarType, ScalarType } from "@groupwise/dsl";
import { type Primitive, primitive, type Steps } from "../base/primitive.ts";
import { type Key, keyOf } from "./order.ts";
import { moveItems, SORT_BITS } from "./pipelines.ts";

/** Options of a sort. */
export interface RadixSortOptions<V extends Scalar = Scalar> {
  /** The element type of values that move with their keys; default: no values. */
  readonly pairs?: ScalarType<V>;
  /** Larger keys first; equal keys keep their order. */
  readonly descending?: boolean;
}

/** Options of each use of a sort. */
export type SortNumbers = {
  /**
   * The number of low bits in which keys may differ: 16 for integers from 0 to 65535. Each eight bits take one
   * step. Of an i32 or a float the bits count from the lowest of 32, of an f16 of 16, of a 64-bit
   * type of 64.
   */
  readonly bits?: number;
};

/** A sort without values: `keys` to `sorted`. */
export type KeySort<S extends Scalar> = Primitive<{ readonly keys: S }, { readonly sorted: S }, SortNumbers>;
/** A sort of keys with values: `keys` and `values` to `sorted` and `moved`. */
export type PairSort<S extends Scalar, V extends Scalar> = Primitive<
  { readonly keys: S; readonly values: V },
  { readonly sorted: S; readonly moved: V },
  SortNumbers
>;

/**
 * Sorts n keys, and values with them; equal keys keep their order. Numbers ascend, or descend, where -0 is less than +0
 * and false less than true; NaNs are last in either direction, and their payload may change. Nothing is allocated on the host or
 * read back.
 *
 * `keys`, `values`: n items, unchanged. `sorted`, `moved`: n items. Four steps for 32 bits: each moves all items by
 * stable ranks of 256 keys, which takes two passes over the keys. Errors: `bad-usage` for more bits than the type has.
 *
 * Source: Zagha and Blelloch, "Radix sort for vector multiprocessors" (1991).
 */
export function radixSort<S extends Scalar>(
  type: ScalarType<S>,
  options?: RadixSortOptions<never> & { readonly pairs?: undefined },
): KeySort<S>;
export function radixSort<S extends Scalar, V extends Scalar>(
  type: ScalarType<S>,
  options: RadixSortOptions<V> & { readonly pairs: ScalarType<V> },
): PairSort<S, V>;
export function radixSort(
  type: AnyScalarType,
  options?: { readonly pairs?: AnyScalarType; readonly descending?: boolean },
): unknown {
  requireType("radixSort", type);
  const read = optionsOf(options, OPTIONS, "the options of radixSort");
  const { pairs, descending = false } = read as NonNullable<typeof options>;
  if (pairs !== undefined) requireType("radixSort with pairs", pairs);
  const key = keyOf(type, descending);
  const name = ["radix-sort", key.name, ...(pairs ? [pairs.type] : [])].join("-");
  const inputs = { keys: type.type, ...(pairs && { values: pairs.type }) };
  const outputs = { sorted: type.type, ...(pairs && { moved: pairs.type }) };
  return primitive<Named, Named, SortPipelines, SortNumbers>(name, {
    inputs,
    outputs,
    pipelines: sortPipelines(key, pairs),
    numbers: { bits: NUMBER },
    lengths: ({ keys }) => ({ sorted: keys as number, ...(pairs && { moved: keys as number }) }),
    steps: (steps, arrays, { items, n }, { bits = key.bits }) =>
      sortSteps(steps, { key, arrays: arrays as SortArrays, items, n, bits: bitsOf(name, bits, key) }),
  });
}

const OPTIONS = { pairs: ANY, descending: BOOLEAN };

type Named = { readonly [name: string]: Scalar };
type SortArrays = { readonly [K in "keys" | "sorted"]: DeviceArray<Scalar> } & {
  readonly [K in "values" | "moved"]?: DeviceArray<Scalar>;
};
type SortPipelines = ReturnType<typeof sortPipelines>;

/** The form of keys between rounds: a type that one round sorts is not converted. */
const betweenOf = (key: Key): Key => (key.bits <= SORT_BITS ? key : key.between);

/** Equal pipelines are compiled once: for u32 the first round equals all others. */
export function sortPipelines(
  key: Key,
  pairs: AnyScalarType | undefined,
): Record<"moveFirst" | "move" | "moveLast", PipelineSource> {
  const between = betweenOf(key);
  return {
    moveFirst: moveItems(key, between, pairs),
    move: moveItems(between, between, pairs),
    moveLast: moveItems(between, key, pairs),
  };
}

/** The items to sort, and the bits of the key to sort by. */
export interface SortedArrays {
  readonly key: Key;
  readonly arrays: SortArrays;
  readonly items: number | DeviceCount;
  readonly n: number;
  readonly bits?: number;
}

/** The steps of a sort of n items. */
export function sortSteps(
  steps: Steps<SortPipelines>,
  { key, arrays, items, n, bits = key.bits }: SortedArrays,
): void {
  const between = betweenOf(key);
  // Keys with another form between rounds need a first round that converts them, and a last round that converts them back.
  const passes = Math.max(between === key ? 1 : 2, Math.ceil(bits / SORT_BITS));
  const keys = placesOf(steps, {
    passes,
    n,
    from: arrays.keys,
    to: arrays.sorted,
    between: between.type.type,
  });
  const { values, moved } = arrays;
  const carried =
    values && moved && placesOf(steps, { passes, n, from: values, to: moved, between: values.type });
  for (let pass = 0; pass < passes; pass++) {
    const shift = pass * SORT_BITS;
    const isFirst = pass === 0;
    const move = isFirst ? "moveFirst" : pass === passes - 1 ? "moveLast" : "move";
    const [from, to] = [keys(pass), keys(pass + 1)];
    const both = carried && { carried: carried(pass), moved: carried(pass + 1) };
    steps.run(move, { keys: from, sorted: to, shift, ...both }, { n: items });
  }
}

function bitsOf(name: string, bits: number, { bits: all }: Key): number {
  if (Number.isInteger(bits) && bits >= 0 && bits <= all) return bits;
  const reason = `bits is ${JSON.stringify(String(bits))}`;
  throw errorOf("bad-usage", { reason, hint: `use a whole number from 0 to ${all}` }, name);
}

/** The passes of a sort, and the arrays between them. */
interface PassPlaces {
  readonly passes: number;
  readonly n: number;
  readonly from: DeviceArray;
  readonly to: DeviceArray;
  readonly between: Scalar;
}

/**
 * The arrays of the items before each round and after the last: they alternate so that the items end in the
 * output.
 */
function placesOf(
  steps: Pick<Steps<SortPipelines>, "array">,
  { passes, n, from, to, between }: PassPlaces,
): (pass: number) => DeviceArray {
  const isSame = to.type === between;
  const own = passes > 1 ? steps.array(between, n) : to;
  const other = passes > 2 && !isSame ? steps.array(between, n) : to;
  return (pass) => {
    if (pass === 0) return from;
    if (pass === passes) return to;
    return (passes - pass) % 2 === 1 ? own : other;
  };
}
