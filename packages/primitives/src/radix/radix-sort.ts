import type { ArrayType } from "@groupwise/core";
import { ANY, BOOLEAN, optionsOf, requireArrayType, type Wanted } from "@groupwise/core/target";
import { type Primitive, primitive } from "../base/primitive.ts";
import type { ElementType } from "../base/stand-in.ts";
import { type Key, keyOf } from "./order.ts";
import { type SortedArrays, type SortPipelines, sortPipelines, sortSteps } from "./sort-steps.ts";
import { bitRange, SORT_NUMBERS, type SortNumbers } from "./windows.ts";

/** Options of a sort. */
export interface RadixSortOptions<V extends ArrayType = ArrayType> {
  /** The element type of values that move with their keys; default: no values. */
  readonly pairs?: ElementType<V>;
  /** Larger keys first; equal keys keep their order. */
  readonly descending?: boolean;
}

/** A sort without values: `keys` to `sorted`. */
export type KeySort<S extends ArrayType> = Primitive<
  { readonly keys: S },
  { readonly sorted: S },
  SortNumbers
>;
/** A sort of keys with values: `keys` and `values` to `sorted` and `moved`. */
export type PairSort<S extends ArrayType, V extends ArrayType> = Primitive<
  { readonly keys: S; readonly values: V },
  { readonly sorted: S; readonly moved: V },
  SortNumbers
>;

/**
 * Sorts n keys, and values with them; equal keys keep their order. Numbers ascend, or descend, where -0 is less than +0
 * and false less than true; NaNs are last in either direction, and their payload may change. Nothing is allocated on the host or
 * read back.
 *
 * `keys`, `values`: n items, unchanged. `sorted`, `moved`: n items. A step for each eight bits, four for 32: each moves all items by
 * stable ranks of 256 keys, which takes two passes over the keys. Keys, and values, of a narrow type take one more, over the items. Between the
 * steps are n keys and n values. If the number of steps is even, a recording may have the array of `keys` as `sorted` too, and that of
 * `values` as `moved`. Keys that differ only outside `beginBit` to `endBit` keep their order. Errors: `bad-usage` for more bits than the type has.
 *
 * Source: Zagha and Blelloch, "Radix sort for vector multiprocessors" (1991). `cub::DeviceRadixSort`, where -0 equals +0.
 * @example
 * ```ts
 * import { f32, u32 } from "@groupwise/dsl";
 * import { radixSort } from "@groupwise/primitives";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const { sorted, moved } = await radixSort(f32, { pairs: u32 }).runOn(jsRuntime(), { keys: Float32Array.of(3, 1, 2), values: Uint32Array.of(30, 10, 20) });
 * console.log(sorted); // [1, 2, 3]
 * console.log(moved); // [10, 20, 30]
 * ```
 */
export function radixSort<S extends ArrayType>(
  type: ElementType<S>,
  options?: RadixSortOptions<never> & { readonly pairs?: undefined },
): KeySort<S>;
export function radixSort<S extends ArrayType, V extends ArrayType>(
  type: ElementType<S>,
  options: RadixSortOptions<V> & { readonly pairs: ElementType<V> },
): PairSort<S, V>;
export function radixSort(type: ElementType, options?: RadixSortOptions): unknown {
  const { key, pairs } = sortOf("radixSort", type, options);
  const name = ["radix-sort", key.name, ...(pairs ? [pairs.type] : [])].join("-");
  return primitive<Named, Named, SortPipelines, SortNumbers>(name, {
    ...arraysOf(key, pairs),
    pipelines: sortPipelines(key, pairs),
    over: { sorted: "keys", moved: "values" },
    numbers: SORT_NUMBERS,
    lengths: ({ keys }) => ({ sorted: keys as number, ...(pairs && { moved: keys as number }) }),
    steps: (steps, arrays, { items, n }, numbers) =>
      sortSteps(steps, {
        ...{ key, arrays: arrays as SortedArrays["arrays"], items, n },
        ...bitRange(name, numbers, key.bits),
      }),
  });
}

type Named = { readonly [name: string]: ArrayType };

/** The inputs and outputs of a sort of keys, and of values with them. */
export const arraysOf = (
  { type }: Key,
  pairs: ElementType | undefined,
): { readonly inputs: Named; readonly outputs: Named } => ({
  inputs: { keys: type.type, ...(pairs && { values: pairs.type }) },
  outputs: { sorted: type.type, ...(pairs && { moved: pairs.type }) },
});

/** The arguments of a sort. @param more options besides those of every sort @throws GroupwiseError `bad-argument`, `unknown-type`, `bad-usage` */
export function sortOf(
  what: string,
  type: ElementType,
  options: unknown,
  more: Readonly<Record<string, Wanted>> = {},
): {
  readonly key: Key;
  readonly pairs: ElementType | undefined;
  readonly read: Readonly<Record<string, unknown>>;
} {
  const read = optionsOf<string>(
    options,
    { pairs: ANY, descending: BOOLEAN, ...more },
    `the options of ${what}`,
  );
  const { pairs } = read as RadixSortOptions;
  const key = keyFor(what, type, { descending: read.descending });
  if (pairs !== undefined) requireArrayType(`${what} with pairs`, pairs);
  return { key, pairs, read };
}

/** A type of keys in the direction of the options. @throws GroupwiseError `bad-argument`, `unknown-type`, `bad-usage` */
export function keyFor(what: string, type: ElementType, options: unknown): Key {
  requireArrayType(what, type);
  const { descending = false } = optionsOf(options, { descending: BOOLEAN }, `the options of ${what}`);
  return keyOf(type, descending as boolean);
}
