import type { DeviceArray, PipelineSource, Scalar } from "@groupwise/core";
import { BOOLEAN, optionsOf, requireType } from "@groupwise/core/target";
import { param, pipeline, type ScalarType, table, u32 } from "@groupwise/dsl";
import { AXIS, type AxisNumbers, columnOf, rowOf, shapeOfItems } from "./base/axis.ts";
import { type Primitive, primitive } from "./base/primitive.ts";
import { standIn } from "./base/stand-in.ts";
import { moveByNumber, sortByNumber } from "./radix/by-number.ts";
import { keyOf } from "./radix/order.ts";
import { sortPipelines, sortSteps } from "./radix/sort-steps.ts";

/** Options of {@link axisSort}. */
export interface AxisSortOptions {
  /** Larger keys first; NaNs are still last, and equal keys keep their order. */
  readonly descending?: boolean;
}

/** Index of each item. */
const number = /*@__PURE__*/ pipeline("number-items", {}, (_, { index }) => ({ indexes: index() }));

const rowsOf = /*@__PURE__*/ pipeline(
  "rows-of-items",
  { from: u32, length: param(u32), inner: param(u32) },
  ({ from, length, inner }) => ({ rows: rowOf(from, length, inner) }),
);

/** The item with the rank of each item's place in its row. */
const takeRanked = (type: { readonly type: Scalar }): PipelineSource =>
  pipeline(
    `take-ranked-${type.type}`,
    { keys: table(standIn(type)), order: table(u32), length: param(u32), inner: param(u32) },
    ({ keys, order, length, inner }, { index }) => {
      const place = rowOf(index(), length, inner)
        .mul(length)
        .add(columnOf(index(), length, inner));
      const at = order.at(place);
      return { sorted: keys.at(at), from: columnOf(at, length, inner) };
    },
  );

/**
 * The items of each row along an axis in sorted order, and the place in the row from which each comes (argsort).
 *
 * `keys`: n items of shape `[outer, length, inner]`, which `along(shape, axis)` gives. `sorted`, `from`: n, in the same shape. The
 * order is that of `radixSort`: equal keys keep their order, NaNs are last. All bits of keys are kept, but for NaNs of `f16`. Over no items: none. A sort of
 * all keys, one of their rows, which takes a step for each eight bits of the number of rows, and two passes.
 * @throws GroupwiseError as `axisScan`
 */
export function axisSort<S extends Scalar>(
  type: ScalarType<S>,
  options?: AxisSortOptions,
): Primitive<{ readonly keys: S }, { readonly sorted: S; readonly from: "u32" }, AxisNumbers> {
  requireType("axisSort", type);
  const { descending = false } = optionsOf(options, { descending: BOOLEAN }, "the options of axisSort");
  const key = keyOf(type, descending as boolean);
  const name = `axis-sort-${key.name}`;
  return primitive(name, {
    inputs: { keys: type.type },
    outputs: { sorted: type.type, from: "u32" as const },
    pipelines: {
      ...sortPipelines(key, u32),
      number,
      rowsOf,
      byRow: moveByNumber(u32),
      take: takeRanked(type),
    },
    numbers: AXIS,
    lengths: ({ keys }) => ({ sorted: keys, from: keys }),
    steps: (steps, { keys, sorted, from }, items, numbers: AxisNumbers) => {
      const { rows, length, inner } = shapeOfItems(name, items, numbers);
      const n = items.n;
      if (n === 0) return;
      const make = (): DeviceArray<"u32"> => steps.array("u32", n);
      const [indexes, byKey] = [make(), make()];
      steps.run("number", { indexes }, { n });
      const arrays = { keys, values: indexes, sorted: steps.array(type.type, n), moved: byKey };
      sortSteps(steps, { key, arrays, items: n, n });
      const order = rows === 1 ? byKey : make();
      if (rows > 1) {
        const ids = make();
        steps.run("rowsOf", { from: byKey, length, inner, rows: ids }, { n });
        const grouped = { keys: ids, values: byKey, sorted: make(), moved: order };
        sortByNumber(steps, "byRow", { ...grouped, items: n, n, below: rows });
      }
      steps.run("take", { keys, order, length, inner, sorted, from }, { n });
    },
  });
}
