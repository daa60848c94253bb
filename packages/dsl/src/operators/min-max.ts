import { requireArguments, requireType } from "@groupwise/core/target";
import { callerOf } from "../base/place.ts";
import { type OperatorDefinition, operator } from "../declare/operator.ts";
import type { ScalarType } from "../declare/scalar-type.ts";
import { endsOf, isNumeric, type NumericScalar, standIn } from "./types.ts";

/** The ends of a range. */
export type Ends<S extends NumericScalar> = {
  readonly min: ScalarType<S>;
  readonly max: ScalarType<S>;
};

/**
 * The least and the greatest value in one pass: `minMax(f32).reduce({ min: x, max: x })`.
 *
 * Both follow IEEE 754-2019 `minimum` and `maximum`, as the built-in operators do: a NaN makes both NaN, -0 < +0.
 * Over no items: the greatest value as `min`, the least as `max` (infinities for floats).
 * Laws: associative and commutative bit for bit.
 * @throws GroupwiseError `bad-usage`
 * @example
 * ```ts
 * import { f32, minMax, outputs, pipeline } from "@groupwise/dsl";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const example = pipeline("example", { x: f32 }, ({ x }) => outputs({ range: minMax(f32).reduce({ min: x, max: x }) }));
 * const program = await jsRuntime().compile(example);
 * const { range_min, range_max } = await program.run({ x: Float32Array.of(3, 1, 2) });
 * console.log(range_min); // [1]
 * console.log(range_max); // [3]
 * ```
 */
export function minMax<S extends NumericScalar>(type: ScalarType<S>): OperatorDefinition<Ends<S>> {
  requireArguments(arguments, "minMax", ["type"]);
  requireType("minMax", type, isNumeric, callerOf(minMax));
  const { lowest, highest } = endsOf(standIn<"f32">(type));
  const [min, max] = [standIn<"f32">(type), standIn<"f32">(type)];
  const made = operator(
    `min_max_${type.type}`,
    { min, max },
    {
      commutative: true,
      identity: { min: highest, max: lowest },
      combine: (a, b) => ({ min: a.min.min(b.min), max: a.max.max(b.max) }),
    },
  );
  return made as unknown as OperatorDefinition<Ends<S>>;
}
