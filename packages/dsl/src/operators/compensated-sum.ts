import { requireArguments, requireType } from "@groupwise/core/target";
import { callerOf } from "../base/place.ts";
import { type OperatorDefinition, operator } from "../declare/operator.ts";
import { type ScalarType, select } from "../declare/scalar-type.ts";
import { type FloatScalar, isFloat, standIn } from "./types.ts";

/** A sum and its rounding error. */
export type Compensated<S extends FloatScalar> = {
  readonly sum: ScalarType<S>;
  readonly error: ScalarType<S>;
};

/**
 * Sums of floats with about twice the digits: `compensatedSum(f32).reduce({ sum: x, error: 0 }).sum`.
 *
 * A record is the unevaluated sum `sum + error`, with `sum` the float nearest to it. Source: the exact error of an
 * addition is Knuth's TwoSum ("The art of computer programming" 2, 4.2.2, theorem B); pairs are added as in
 * Dekker, "A floating-point technique for extending the available precision" (1971). It needs every operation
 * rounded once and none contracted or reordered, which all targets guarantee.
 *
 * Rounding: error of a sum of n values at most about log2(n) · 2^-2p of the sum of their magnitudes (p digits: 24
 * for f32), where a plain sum has log2(n) · 2^-p. A NaN, or infinities of both signs, give NaN; one infinity gives
 * itself, with an error of 0. Over no items: 0.
 * Laws: commutative bit for bit; associative up to rounding; the identity only changes -0 to +0.
 * @throws GroupwiseError `bad-usage`
 * @example
 * ```ts
 * import { compensatedSum, f32, outputs, pipeline } from "@groupwise/dsl";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const example = pipeline("example", { x: f32 }, ({ x }) => outputs({ total: compensatedSum(f32).reduce({ sum: x, error: 0 }) }));
 * const program = await jsRuntime().compile(example);
 * const { total_sum } = await program.run({ x: Float32Array.of(1, 2) });
 * console.log(total_sum); // [3]
 * ```
 */
export function compensatedSum<S extends FloatScalar>(
  type: ScalarType<S>,
): OperatorDefinition<Compensated<S>> {
  requireArguments(arguments, "compensatedSum", ["type"]);
  requireType("compensatedSum", type, isFloat, callerOf(compensatedSum));
  const float = standIn<"f32">(type);
  const made = operator(
    `compensated_sum_${type.type}`,
    { sum: float, error: float },
    {
      commutative: true,
      identity: { sum: 0, error: 0 },
      combine: (a, b) => {
        const sum = a.sum.add(b.sum);
        const right = sum.sub(a.sum);
        const left = sum.sub(right);
        const lost = a.sum.sub(left).add(b.sum.sub(right));
        const error = lost.add(a.error.add(b.error));
        const high = sum.add(error);
        const low = error.sub(high.sub(sum));
        // An infinity has no rounding error; the formulas would give NaN.
        const keeps = high.sub(high).eq(0);
        return { sum: select(keeps, high, sum), error: select(keeps, low, 0) };
      },
    },
  );
  return made as unknown as OperatorDefinition<Compensated<S>>;
}
