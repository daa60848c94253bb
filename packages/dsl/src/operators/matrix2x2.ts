import { requireArguments, requireType } from "@groupwise/core/target";
import { callerOf } from "../base/place.ts";
import { type OperatorDefinition, operator } from "../declare/operator.ts";
import type { ScalarType } from "../declare/scalar-type.ts";
import type { F32Value } from "../values/value.ts";
import { hostOf, isNumeric, type NumericScalar, standIn } from "./types.ts";

/** A matrix by rows: `m[row][column]`. */
export type Matrix2x2<S extends NumericScalar> = {
  readonly m: readonly [readonly [ScalarType<S>, ScalarType<S>], readonly [ScalarType<S>, ScalarType<S>]];
};

/**
 * Products of 2 × 2 matrices in the order of the items: the scan is M[0] · M[1] · … · M[i], as row vectors are
 * multiplied, v · M[0] · M[1]. For column vectors, where the latest is on the left, pass transposed matrices and
 * transpose the result. Recurrences of two terms are such products: Fibonacci numbers are the powers of (1 1; 1 0).
 *
 * Source: Blelloch, "Prefix sums and their applications" (1990), 1.4.1.
 *
 * Over no items: the unit matrix. Integers wrap. NaN and infinities spread as in the sums of products.
 * Laws: associative, for integers bit for bit, for floats up to rounding; not commutative. Infinite elements meet
 * 0 · ∞ and ∞ - ∞: then NaN can result on one side only.
 * @throws GroupwiseError `bad-usage`
 * @example
 * ```ts
 * import { matrix2x2, pipeline, u32 } from "@groupwise/dsl";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const example = pipeline("example", { x: u32 }, ({ x }) => {
 *   const power = matrix2x2(u32).scanInclusive({ m: [[x, 1], [1, 0]] });
 *   return { fibonacci: power.m[0][1] };
 * });
 * const program = await jsRuntime().compile(example);
 * const { fibonacci } = await program.run({ x: Uint32Array.of(1, 1, 1, 1) });
 * console.log(fibonacci); // [1, 1, 2, 3]
 * ```
 */
export function matrix2x2<S extends NumericScalar>(type: ScalarType<S>): OperatorDefinition<Matrix2x2<S>> {
  requireArguments(arguments, "matrix2x2", ["type"]);
  requireType("matrix2x2", type, isNumeric, callerOf(matrix2x2));
  const number = standIn<"f32">(type);
  const [zero, one] = [hostOf(number, 0), hostOf(number, 1)];
  type Row = readonly [F32Value, F32Value];
  const row = ([x, y]: Row, [[a, b], [c, d]]: readonly [Row, Row]): Row => [
    x.mul(a).add(y.mul(c)),
    x.mul(b).add(y.mul(d)),
  ];
  const made = operator(
    `matrix2x2_${type.type}`,
    {
      m: [
        [number, number],
        [number, number],
      ],
    },
    {
      identity: {
        m: [
          [one, zero],
          [zero, one],
        ],
      },
      combine: (a, b) => ({ m: [row(a.m[0], b.m), row(a.m[1], b.m)] as const }),
    },
  );
  return made as unknown as OperatorDefinition<Matrix2x2<S>>;
}
