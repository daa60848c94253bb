import { errorOf, requireArguments, requireType } from "@groupwise/core/target";
import { callerOf } from "../base/place.ts";
import { type OperatorDefinition, operator } from "../declare/operator.ts";
import { constant, type ScalarType, select } from "../declare/scalar-type.ts";
import type { Hosts } from "../values/value.ts";
import { endsOf, hostOf, isUnsigned, standIn, type UnsignedScalar } from "./types.ts";

/**
 * Sums modulo a number, 1 to the greatest value of the type: `modularSum(u32, 1_000_000_007).reduce(x.rem(1_000_000_007))`.
 *
 * Operands must be below the modulus: apply `rem` first. Then no sum overflows, for any modulus. A sum with
 * `rem` applied afterwards could overflow, and would not be associative. Over no items: 0. Laws: associative
 * and commutative bit for bit on residues.
 * @throws GroupwiseError `bad-usage`
 * @example
 * ```ts
 * import { modularSum, pipeline, u32 } from "@groupwise/dsl";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const example = pipeline("example", { x: u32 }, ({ x }) => ({ total: modularSum(u32, 10).reduce(x) }));
 * const program = await jsRuntime().compile(example);
 * const { total } = await program.run({ x: Uint32Array.of(7, 8) });
 * console.log(total); // [5]
 * ```
 */
export function modularSum<S extends UnsignedScalar>(
  type: ScalarType<S>,
  modulus: Hosts[S],
): OperatorDefinition<ScalarType<S>> {
  requireArguments(arguments, "modularSum", ["type", "modulus"]);
  const at = callerOf(modularSum);
  requireType("modularSum", type, isUnsigned, at);
  const isWhole =
    typeof modulus === typeof hostOf(type, 0) && (typeof modulus === "bigint" || Number.isInteger(modulus));
  if (!isWhole || modulus < 1 || modulus > endsOf(type).highest) {
    const hint = `use a whole number from 1 to ${endsOf(type).highest}`;
    throw errorOf("bad-usage", { reason: `${String(modulus)} is not a modulus of ${type.type}`, hint }, at);
  }
  const unsigned = standIn<"u32">(type);
  const made = operator(`sum_modulo_${modulus}_${type.type}`, unsigned, {
    commutative: true,
    identity: hostOf(unsigned, 0),
    combine: (a, b) => {
      const room = constant(unsigned, modulus as number).sub(b);
      return select(a.ge(room), a.sub(room), a.add(b));
    },
  });
  return made as unknown as OperatorDefinition<ScalarType<S>>;
}
