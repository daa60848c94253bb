import type { ArrayType, PipelineSource } from "@groupwise/core";
import { param, pipeline, table, u32 } from "@groupwise/dsl";
import { columnOf, itemAt, rowOf } from "@groupwise/dsl/rows";
import { AXIS, type AxisNumbers, shapeOfItems } from "./base/axis.ts";
import { type Primitive, primitive } from "./base/primitive.ts";
import { type ElementType, elementOf, standIn } from "./base/stand-in.ts";
import { orderPipelines, orderSteps } from "./radix/by-order.ts";
import { keyOf } from "./radix/order.ts";
import { keyFor } from "./radix/radix-sort.ts";
import type { SelectOptions } from "./radix/select.ts";
import { bitRange, SORT_NUMBERS, type SortNumbers } from "./radix/windows.ts";

/** The row of each item. */
const rowsOf = /*@__PURE__*/ pipeline(
  "rows-of-items",
  { length: param(u32), inner: param(u32) },
  (shape, { index }) => ({ rows: rowOf(index(), shape) }),
);
const ROW = /*@__PURE__*/ keyOf(u32, false);

/** The item with the rank of each item's place in its row. */
const takeRanked = (type: ElementType): PipelineSource =>
  pipeline(
    `take-ranked-${type.type}`,
    { keys: table(standIn(type)), order: table(u32), length: param(u32), inner: param(u32) },
    ({ keys, order, ...shape }, { index }) => {
      const [row, column] = [rowOf(index(), shape), columnOf(index(), shape)];
      const at = order.at(itemAt(row, column, { length: shape.length }));
      return { sorted: elementOf(type, keys.at(at)), from: columnOf(at, shape) };
    },
  );

/** The shape, and the bits to sort by. */
export type AxisSortNumbers = AxisNumbers & SortNumbers;

/**
 * The items of each row along an axis in sorted order, and the place in the row from which each comes (argsort).
 *
 * `keys`: n items of shape `[outer, length, inner]`, which `along(shape, axis)` gives. `sorted`, `from`: n, in the same shape. The
 * order is that of `radixSort`, with its `beginBit` and `endBit`: equal keys keep their order, NaNs are last. All bits of keys are kept, but
 * for NaNs of `f16` and `bf16`. Over no items: none. A step for each eight bits of keys and of the number of rows, and two passes.
 * @throws GroupwiseError as `axisScan` and `radixSort`
 * @example
 * ```ts
 * import { f32 } from "@groupwise/dsl";
 * import { along, axisSort } from "@groupwise/primitives";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const { sorted, from } = await axisSort(f32).runOn(jsRuntime(), { keys: Float32Array.of(3, 1, 2, 5, 4, 6) }, along([2, 3], 1));
 * console.log(sorted); // [1, 2, 3, 4, 5, 6]
 * console.log(from); // [1, 2, 0, 1, 0, 2]
 * ```
 */
export function axisSort<S extends ArrayType>(
  type: ElementType<S>,
  options?: SelectOptions,
): Primitive<{ readonly keys: S }, { readonly sorted: S; readonly from: "u32" }, AxisSortNumbers> {
  const key = keyFor("axisSort", type, options);
  const name = `axis-sort-${key.name}`;
  type Outputs = { readonly sorted: S; readonly from: "u32" };
  return primitive<{ readonly keys: S }, Outputs, Record<string, PipelineSource>, AxisSortNumbers>(name, {
    inputs: { keys: type.type },
    outputs: { sorted: type.type, from: "u32" },
    pipelines: { ...orderPipelines([ROW, key]), rowsOf, take: takeRanked(type) },
    numbers: { ...AXIS, ...SORT_NUMBERS },
    lengths: ({ keys }) => ({ sorted: keys, from: keys }),
    steps: (steps, { keys, sorted, from }, items, numbers: AxisSortNumbers) => {
      const range = bitRange(name, numbers, key.bits);
      const { rows, length, inner } = shapeOfItems(name, items, numbers);
      const n = items.n;
      if (n === 0) return;
      const [row, order] = [steps.array("u32", n), steps.array("u32", n)];
      if (rows > 1) steps.run("rowsOf", { length, inner, rows: row }, { n });
      const by = [
        { key: ROW, given: { keys: row }, end: Math.ceil(Math.log2(rows)) },
        { key, given: { keys }, ...range },
      ];
      orderSteps(steps, { by, items: n, n, to: order });
      steps.run("take", { keys, order, length, inner, sorted, from }, { n });
    },
  });
}
