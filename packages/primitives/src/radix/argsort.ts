import type { ArrayType, PipelineSource } from "@groupwise/core";
import { errorOf, optionsOf, recordOf, TEXTS } from "@groupwise/core/target";
import { type Primitive, primitive } from "../base/primitive.ts";
import type { ElementType } from "../base/stand-in.ts";
import { orderPipelines, orderSteps } from "./by-order.ts";
import { keyFor } from "./radix-sort.ts";
import type { SelectOptions } from "./select.ts";
import { bitRange, SORT_NUMBERS, type SortNumbers } from "./windows.ts";

type Sources = Record<string, PipelineSource>;

/**
 * The indexes of n keys in sorted order: item `order[i]` is the i-th of them. Equal keys keep their order; the order is that of
 * `radixSort`, -0 before +0 and NaNs last in either direction.
 *
 * `keys`: n items. `order`: n indexes. A step for each eight bits of the keys, each as in a `radixSort` with indexes as values. Errors:
 * `bad-usage` for more bits than the type has.
 *
 * Source: as `radixSort`; `numpy.argsort` with `kind="stable"`, `cub::DeviceRadixSort::SortPairs` of a sequence.
 * @example
 * ```ts
 * import { f32 } from "@groupwise/dsl";
 * import { argsort } from "@groupwise/primitives";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const { order } = await argsort(f32).runOn(jsRuntime(), { keys: Float32Array.of(30, 10, 20) });
 * console.log(order); // [1, 2, 0]
 * ```
 */
export function argsort<S extends ArrayType>(
  type: ElementType<S>,
  options?: SelectOptions,
): Primitive<{ readonly keys: S }, { readonly order: "u32" }, SortNumbers> {
  const key = keyFor("argsort", type, options);
  const name = `argsort-${key.name}`;
  return primitive<{ readonly keys: S }, { readonly order: "u32" }, Sources, SortNumbers>(name, {
    inputs: { keys: type.type },
    outputs: { order: "u32" },
    pipelines: orderPipelines([key]),
    numbers: SORT_NUMBERS,
    lengths: ({ keys }) => ({ order: keys }),
    steps: (steps, { keys, order }, { items, n }, numbers) => {
      const by = [{ key, given: { keys }, ...bitRange(name, numbers, key.bits) }];
      orderSteps(steps, { by, items, n, to: order });
    },
  });
}

/** Element types of keys by name, the first of which decides first. */
export type KeyTypes = Readonly<Record<string, ElementType>>;

/** Options of a sort by several keys. */
export interface LexSortOptions<K extends KeyTypes = KeyTypes> {
  /** The names of the keys of which larger ones are first. */
  readonly descending?: readonly (keyof K & string)[];
}

/** See {@link lexSort}. */
export type LexSort<K extends KeyTypes> = Primitive<
  { readonly [N in keyof K]: K[N]["type"] },
  { readonly order: "u32" }
>;

/**
 * The indexes of n items in the order of two or more keys: the first decides, the next where it is equal, as in `ORDER BY`. Items that are
 * equal in all keys keep their order. Each key's order is that of `radixSort`: -0 is before +0, and NaNs are last.
 *
 * One input of n items for each key, by its name. `order`: n indexes. A step for each eight bits of all keys; the first by each key reads
 * it in the order so far.
 * @param keys an element type for each key, by name
 * @throws GroupwiseError `bad-usage` for no keys, or a descending one that is not among them; `bad-name` for a name that does not begin with a letter,
 * and for `order`
 *
 * Source: as `radixSort`; `numpy.lexsort`, whose last key decides first.
 * @example
 * ```ts
 * import { f32, u32 } from "@groupwise/dsl";
 * import { lexSort } from "@groupwise/primitives";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const { order } = await lexSort({ year: u32, price: f32 }, { descending: ["price"] }).runOn(jsRuntime(), { year: Uint32Array.of(2001, 2000, 2001), price: Float32Array.of(5, 7, 9) });
 * console.log(order); // [1, 2, 0]
 * ```
 */
export function lexSort<const K extends KeyTypes>(keys: K, options?: LexSortOptions<K>): LexSort<K> {
  const types = Object.entries(recordOf(keys, "the keys of lexSort"));
  const names = types.map(([name]) => name);
  const { descending = [] } = optionsOf(options, { descending: TEXTS }, "the options of lexSort");
  const down = descending as readonly string[];
  checkNames(names, down);
  const by = types.map(([name, type]) =>
    keyFor(`key ${name} of lexSort`, type as ElementType, { descending: down.includes(name) }),
  );
  const first = names[0] as string;
  const made = primitive<Record<string, ArrayType>, Record<string, ArrayType>, Sources>(
    `lex-sort-${by.map(({ name }) => name).join("-")}`,
    {
      inputs: Object.fromEntries(names.map((name, i) => [name, by[i]?.type.type as ArrayType])),
      outputs: { order: "u32" },
      pipelines: orderPipelines(by),
      lengths: (sizes) => ({ order: sizes[first] as number }),
      steps: (steps, arrays, { items, n }) => {
        const order = arrays.order as never;
        const all = by.map((key, i) => ({ key, given: { keys: arrays[names[i] as string] as never } }));
        orderSteps(steps, { by: all, items, n, to: order });
      },
    },
  );
  return made as unknown as LexSort<K>;
}

/** Objects list names that are numbers first, and one array cannot be a key and the result. */
const NAME = /^(?!order$)[A-Za-z]\w*$/;

/** @throws GroupwiseError `bad-usage`, `bad-name` */
function checkNames(names: readonly string[], descending: readonly string[]): void {
  const bad = names.find((name) => !NAME.test(name));
  if (bad !== undefined) throw errorOf("bad-name", { name: bad, what: "a key of lexSort" });
  const strange = descending.find((name) => !names.includes(name));
  if (names.length > 0 && strange === undefined) return;
  const reason = names.length === 0 ? "lexSort has no keys" : `lexSort has no key ${JSON.stringify(strange)}`;
  throw errorOf("bad-usage", { reason, hint: "pass types by name, for example { year: u32, price: f32 }" });
}
