import { requireArguments, requireType } from "@groupwise/core/target";
import { callerOf } from "../base/place.ts";
import { type OperatorDefinition, operator } from "../declare/operator.ts";
import type { ScalarType } from "../declare/scalar-type.ts";
import { hostOf, isNumeric, type NumericScalar, standIn } from "./types.ts";

/** The map x ↦ a · x + b. */
export type AffineMap<S extends NumericScalar> = {
  readonly a: ScalarType<S>;
  readonly b: ScalarType<S>;
};

/**
 * Affine maps, one after the other: the map of the earlier items is applied first. The scan of the maps
 * x ↦ a[i] · x + b[i] solves the linear recurrence x[i] = a[i] · x[i-1] + b[i]: with x[-1] = s it is
 * `a · s + b` of the scan's record, and `b` alone if s is 0. Exponential smoothing is a = 1 - α, b = α · x[i].
 *
 * Source: Kogge, Stone, "A parallel algorithm for the efficient solution of a general class of recurrence
 * equations" (1973); Blelloch, "Prefix sums and their applications" (1990), 1.4.
 *
 * Over no items: the identity, a = 1 and b = 0. Integers wrap. NaN and infinities spread as in the products.
 * Laws: associative, for integers bit for bit, for floats up to rounding; not commutative. Infinite coefficients
 * meet 0 · ∞: then NaN can result on one side only.
 * @throws GroupwiseError `bad-usage`
 * @example
 * ```ts
 * import { affine, f32, pipeline } from "@groupwise/dsl";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const example = pipeline("example", { x: f32 }, ({ x }) => {
 *   const maps = { a: f32(0.5), b: x }; // y becomes 0.5 y + x
 *   return { y: affine(f32).scanInclusive(maps).b };
 * });
 * const program = await jsRuntime().compile(example);
 * const { y } = await program.run({ x: Float32Array.of(4, 4, 4) });
 * console.log(y); // [4, 6, 7]
 * ```
 */
export function affine<S extends NumericScalar>(type: ScalarType<S>): OperatorDefinition<AffineMap<S>> {
  requireArguments(arguments, "affine", ["type"]);
  requireType("affine", type, isNumeric, callerOf(affine));
  const number = standIn<"f32">(type);
  const [zero, one] = [hostOf(number, 0), hostOf(number, 1)];
  const made = operator(
    `affine_${type.type}`,
    { a: number, b: number },
    {
      identity: { a: one, b: zero },
      combine: (first, then) => ({ a: then.a.mul(first.a), b: then.a.mul(first.b).add(then.b) }),
    },
  );
  return made as unknown as OperatorDefinition<AffineMap<S>>;
}
