import type { Scalar } from "@groupwise/core";
import { type OpFor, requireArguments, requireType } from "@groupwise/core/target";
import {
  ends,
  type OperatorDefinition,
  type PipelineDefinition,
  pipeline,
  type ScalarType,
  type Scatter,
  starts,
  type U32Value,
} from "@groupwise/dsl";
import { type ColumnScatters, type ColumnTypes, monoidNames, monoidOf } from "./base/monoid.ts";
import { standIn, type TypeOf } from "./base/stand-in.ts";

/** See {@link reduceByKey}. */
export type ReduceByKey<K extends Scalar, R> = PipelineDefinition<
  { readonly keys: TypeOf<K> } & ColumnTypes<"x", R>,
  { readonly runs: Scatter<K>; readonly count: U32Value } & ColumnScatters<"results", R>
>;

/**
 * The values of each run of equal keys combined (with sorted keys: of each key), with a user-defined operator
 * or a built-in one and its type. The operator need not commute.
 *
 * `keys`, `x`: n items; for records one array for each scalar, `x_index`. `runs`, `results`: n elements, of
 * which `count[0]` are valid. Over no items: none, and 0. Keys: -0 equals +0 and the first is kept; a NaN is
 * a run of its own. One pass: a sum numbers the runs, a segmented scan combines, and the last item of each
 * run writes its result. Floats combine in the order of the whole range: the bits of a run depend on its
 * position.
 * @example
 * ```ts
 * import { f32, u32 } from "@groupwise/dsl";
 * import { reduceByKey } from "@groupwise/primitives";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const program = await jsRuntime().compile(reduceByKey(u32, "add", f32));
 * const { runs, results, count } = await program.run({ keys: Uint32Array.of(7, 7, 3), x: Float32Array.of(1, 2, 4) });
 * console.log(runs); // [7, 3]
 * console.log(results); // [3, 4]
 * console.log(count); // [2]
 * ```
 */
export function reduceByKey<K extends Scalar, S extends Scalar>(
  key: ScalarType<K>,
  op: OpFor<S>,
  type: ScalarType<S>,
): ReduceByKey<K, ScalarType<S>>;
export function reduceByKey<K extends Scalar, R>(
  key: ScalarType<K>,
  operator: OperatorDefinition<R>,
): ReduceByKey<K, R>;
export function reduceByKey(
  key: { readonly type: Scalar },
  op: unknown,
  type?: { readonly type: Scalar },
): unknown {
  requireArguments(arguments, "reduceByKey", ["key", ...monoidNames(op)]);
  requireType("reduceByKey", key);
  const monoid = monoidOf("reduceByKey", op, type);
  const inputs = { keys: standIn(key), ...monoid.types("x") };
  return pipeline(`reduce-by-key-${key.type}-${monoid.name}`, inputs, ({ keys, ...values }) => {
    const [first, last] = [starts(keys), ends(keys)];
    const { scan, total } = first.toU32().scanWithTotal("add");
    const to = scan.sub(1);
    const sums = monoid.scanInclusive(monoid.record("x", values), { segments: first });
    const results = Object.entries(monoid.columns("results", sums)).map(
      ([name, sum]) => [name, sum.scatter({ to, where: last, length: total })] as const,
    );
    return {
      runs: keys.scatter({ to, where: first, length: total }),
      ...Object.fromEntries(results),
      count: total,
    };
  });
}
