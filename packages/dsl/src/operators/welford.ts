import { requireArguments, requireType } from "@groupwise/core/target";
import { callerOf } from "../base/place.ts";
import { requireRecord, requireValue } from "../base/values.ts";
import { type OperatorDefinition, operator } from "../declare/operator.ts";
import { type ScalarType, select, u32 } from "../declare/scalar-type.ts";
import type { F32Value, F64Value, U32Value, Values } from "../values/value.ts";
import { converted, standIn } from "./types.ts";

/** Element types that hold counts large enough. */
type WelfordScalar = "f32" | "f64";

/** The number of values, their mean, and the sum of the squares of their differences from it. */
export type Moments<S extends WelfordScalar> = {
  readonly count: ScalarType<"u32">;
  readonly mean: ScalarType<S>;
  readonly m2: ScalarType<S>;
};
/** The values of {@link Moments}. */
export interface MomentValues<S extends WelfordScalar> {
  readonly count: U32Value;
  readonly mean: Values[S];
  readonly m2: Values[S];
}

/**
 * Mean and variance in one pass, without the cancellation of a sum of squares:
 * `variance(welford(f32).reduce(moments(x)))`.
 *
 * Source: Welford, "Note on a method for calculating corrected sums of squares and products" (1962), in the
 * form that combines two parts: Chan, Golub, LeVeque, "Updating formulae and a pairwise algorithm for
 * computing sample variances" (1979), eq. 2.1.
 *
 * Rounding: the relative error of the variance is about log2(n) roundings, times the condition number of the
 * data. A NaN or an infinity among the values makes mean and variance NaN. Over no items: all 0, and
 * `variance` NaN. Counts are exact below 2^32; as weights they round, in f32 above 2^24. Laws: associative up
 * to rounding; the identity is one bit for bit. Exchanging the operands changes the rounding, so it is not
 * declared commutative.
 * @throws GroupwiseError `bad-usage`
 * @example
 * ```ts
 * import { f32, moments, pipeline, variance, welford } from "@groupwise/dsl";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const example = pipeline("example", { x: f32 }, ({ x }) => {
 *   const all = welford(f32).reduce(moments(x));
 *   return { mean: all.mean, variance: variance(all) };
 * });
 * const program = await jsRuntime().compile(example);
 * const { mean } = await program.run({ x: Float32Array.of(1, 2, 6) });
 * console.log(mean); // [3]
 * ```
 */
export function welford<S extends WelfordScalar>(type: ScalarType<S>): OperatorDefinition<Moments<S>> {
  requireArguments(arguments, "welford", ["type"]);
  requireType("welford", type, (name) => name === "f32" || name === "f64", callerOf(welford));
  const float = standIn<"f32">(type);
  const made = operator(
    `welford_${type.type}`,
    { count: u32, mean: float, m2: float },
    {
      identity: { count: 0, mean: 0, m2: 0 },
      combine: (a, b) => {
        const count = a.count.add(b.count);
        const [before, share] = [
          converted(a.count, float),
          converted(b.count, float).div(converted(count, float)),
        ];
        const delta = b.mean.sub(a.mean);
        const mean = a.mean.add(delta.mul(share));
        const m2 = a.m2.add(b.m2).add(delta.mul(delta.mul(before.mul(share))));
        // If one side is empty, the other is returned unchanged, including infinities.
        const [isFirst, isEmpty] = [a.count.eq(0), b.count.eq(0)];
        const pick = (left: F32Value, right: F32Value, both: F32Value): F32Value =>
          select(isEmpty, left, select(isFirst, right, both));
        return { count, mean: pick(a.mean, b.mean, mean), m2: pick(a.m2, b.m2, m2) };
      },
    },
  );
  return made as unknown as OperatorDefinition<Moments<S>>;
}

/**
 * One value, as an operand of {@link welford}.
 * @example
 * ```ts
 * import { f32, moments, outputs, pipeline, welford } from "@groupwise/dsl";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const example = pipeline("example", { x: f32 }, ({ x }) => outputs({ all: welford(f32).reduce(moments(x)) }));
 * const program = await jsRuntime().compile(example);
 * const { all_mean } = await program.run({ x: Float32Array.of(1, 2, 6) });
 * console.log(all_mean); // [3]
 * ```
 */
export function moments<V extends F32Value | F64Value>(value: V): MomentValues<V["type"]> {
  requireArguments(arguments, "moments", ["value"]);
  requireValue("the value of moments", value, "sub");
  // x - x is 0 for a finite number, and NaN for infinities and NaN.
  const m2 = (value as F32Value).sub(value as F32Value);
  return { count: u32(1), mean: value, m2 } as unknown as MomentValues<V["type"]>;
}

/**
 * The mean square of the differences from the mean; NaN over no values.
 * @example
 * ```ts
 * import { f32, moments, pipeline, variance, welford } from "@groupwise/dsl";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const example = pipeline("example", { x: f32 }, ({ x }) => ({ spread: variance(welford(f32).reduce(moments(x))) }));
 * const program = await jsRuntime().compile(example);
 * const { spread } = await program.run({ x: Float32Array.of(1, 3) });
 * console.log(spread); // [1]
 * ```
 */
export function variance<S extends WelfordScalar>(all: MomentValues<S>): Values[S] {
  requireArguments(arguments, "variance", ["record"]);
  requireRecord("the record of variance", all, "count", "m2");
  const { count, m2 } = all;
  const float = standIn<"f32">({ type: m2.type });
  return (m2 as unknown as F32Value).div(converted(count, float)) as unknown as Values[S];
}

/**
 * The sample variance: divided by the count minus one; NaN for fewer than two values.
 * @example
 * ```ts
 * import { f32, moments, pipeline, sampleVariance, welford } from "@groupwise/dsl";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const example = pipeline("example", { x: f32 }, ({ x }) => ({ spread: sampleVariance(welford(f32).reduce(moments(x))) }));
 * const program = await jsRuntime().compile(example);
 * const { spread } = await program.run({ x: Float32Array.of(1, 3) });
 * console.log(spread); // [2]
 * ```
 */
export function sampleVariance<S extends WelfordScalar>(all: MomentValues<S>): Values[S] {
  requireArguments(arguments, "sampleVariance", ["record"]);
  requireRecord("the record of sampleVariance", all, "count", "m2");
  const { count, m2 } = all;
  const float = standIn<"f32">({ type: m2.type });
  const fewer = converted(count, float).sub(1).max(0);
  return (m2 as unknown as F32Value).div(fewer) as unknown as Values[S];
}
