import type { ArrayType, DeviceArray, PipelineSource } from "@groupwise/core";
import { ANY, BOOLEAN, optionsOf, requireArrayType } from "@groupwise/core/target";
import { pipeline, type Table, table } from "@groupwise/dsl";
import { requireElements } from "../base/arguments.ts";
import { type Primitive, primitive } from "../base/primitive.ts";
import { type ElementType, elementOf, standIn } from "../base/stand-in.ts";
import type { RadixSortOptions } from "../radix/radix-sort.ts";
import { dividePipelines, divideSteps, mergedAt, mergedInputs } from "./merged.ts";
import { type SortedOrder, sortedOrder } from "./order.ts";

/** A merge without values. */
export type KeyMerge<S extends ArrayType> = Primitive<
  { readonly a: S; readonly b: S },
  { readonly merged: S }
>;
/** A merge of keys with values. */
export type PairMerge<S extends ArrayType, V extends ArrayType> = Primitive<
  { readonly a: S; readonly b: S; readonly valuesA: V; readonly valuesB: V },
  { readonly merged: S; readonly moved: V }
>;

function join(order: SortedOrder, pairs: ElementType | undefined): PipelineSource {
  const name = `merge-${[order.name, ...(pairs ? [pairs.type] : [])].join("-")}`;
  const held = pairs && table(standIn(pairs));
  const inputs = { ...mergedInputs(order), ...(held && { valuesA: held, valuesB: held }) };
  return pipeline(name, inputs, (given, at) => {
    const { value, isFromA, before } = mergedAt(order, given, at);
    const merged = elementOf(order.type, value);
    if (!pairs) return { merged };
    const { valuesA, valuesB } = given as unknown as Readonly<Record<"valuesA" | "valuesB", Table<"u32">>>;
    const carried = isFromA.select(valuesA.at(before.a), valuesB.at(before.b));
    return { merged, moved: elementOf(pairs, carried) };
  });
}

/**
 * Two sorted arrays as one, and values with them. Stable: equal items keep their order, those of `a` before those of `b`.
 *
 * `a`, `b`, and `valuesA`, `valuesB`: n and m items, which do not descend (with `descending`, do not ascend). `merged`, `moved`: n + m
 * items. -0 equals +0, so that zeros are in the order of the arrays; NaNs equal one another and are last. The number of items of `a` can
 * be on the device, that of `b` is the length of its array. Two steps: blocks of 512 items search both arrays by 32 pairs of reads, then eight items
 * at a time their block by 9, and go on by a read for each. Of arrays that are not sorted, `merged` has some of their items.
 *
 * Source: Green, McColl, Bader, "GPU merge path" (2012). `cub::DeviceMerge`, `thrust::merge`, `std::merge`.
 * @example
 * ```ts
 * import { f32 } from "@groupwise/dsl";
 * import { merge } from "@groupwise/primitives";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const { merged } = await merge(f32).runOn(jsRuntime(), { a: Float32Array.of(1, 2, 5), b: Float32Array.of(2, 3) });
 * console.log(merged); // [1, 2, 2, 3, 5]
 * ```
 */
export function merge<S extends ArrayType>(
  type: ElementType<S>,
  options?: RadixSortOptions<never> & { readonly pairs?: undefined },
): KeyMerge<S>;
export function merge<S extends ArrayType, V extends ArrayType>(
  type: ElementType<S>,
  options: RadixSortOptions<V> & { readonly pairs: ElementType<V> },
): PairMerge<S, V>;
export function merge(type: ElementType, options?: RadixSortOptions): unknown {
  const read = optionsOf(options, { pairs: ANY, descending: BOOLEAN }, "the options of merge");
  const { pairs, descending } = read as RadixSortOptions;
  const order = sortedOrder("merge", type, { descending });
  if (pairs !== undefined) requireArrayType("merge with pairs", pairs);
  const name = `merge-${[order.name, ...(pairs ? [pairs.type] : [])].join("-")}`;
  const lengthOf = ({ a, b }: Readonly<Record<string, number>>): number => Number(a) + Number(b);
  return primitive<Named, Named, ReturnType<typeof dividePipelines> & { readonly join: PipelineSource }>(
    name,
    {
      inputs: {
        ...{ a: type.type, b: type.type },
        ...(pairs && { valuesA: pairs.type, valuesB: pairs.type }),
      },
      outputs: { merged: type.type, ...(pairs && { moved: pairs.type }) },
      pipelines: { ...dividePipelines(order), join: join(order, pairs) },
      lengths: (sizes) => ({ merged: lengthOf(sizes), ...(pairs && { moved: lengthOf(sizes) }) }),
      steps: (steps, arrays, items) => {
        const { b, valuesA, valuesB } = arrays as Readonly<Record<string, DeviceArray>>;
        if (valuesA) requireElements("valuesA", valuesA, items.n, name);
        if (b && valuesB) requireElements("valuesB", valuesB, b.length, name);
        const { blocks, all } = divideSteps(steps, arrays as Parameters<typeof divideSteps>[1], items);
        steps.run("join", { ...arrays, blocks }, { n: all });
      },
    },
  );
}

type Named = { readonly [name: string]: ArrayType };
