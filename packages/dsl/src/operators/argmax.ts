import { requireArguments, requireType } from "@groupwise/core/target";
import { callerOf } from "../base/place.ts";
import { type OperatorDefinition, operator } from "../declare/operator.ts";
import type { ScalarType } from "../declare/scalar-type.ts";
import { select, u32 } from "../declare/scalar-type.ts";
import type { F32Value, U32Value } from "../values/value.ts";
import { endsOf, isFloat, isNumeric, type NumericScalar, standIn } from "./types.ts";

/** A value and its index. */
export type Indexed<S extends NumericScalar> = {
  readonly value: ScalarType<S>;
  readonly index: ScalarType<"u32">;
};
/** See {@link argmax}. */
export type ArgOperator<S extends NumericScalar> = OperatorDefinition<Indexed<S>>;

const NOWHERE = 0xffffffff;

interface Item {
  readonly value: F32Value;
  readonly index: U32Value;
}

function extreme(name: string, type: ScalarType<NumericScalar>, wins: "gt" | "lt", worst: number): unknown {
  const value = standIn<"f32">(type);
  return operator(
    name,
    { value, index: u32 },
    {
      commutative: true,
      identity: { value: worst, index: NOWHERE },
      combine: (a: Item, b: Item) => {
        const isLower = b.index.lt(a.index);
        let isBetter = b.value[wins](a.value);
        let isTie = b.value.eq(a.value);
        if (isFloat(type.type)) {
          const [aIsNaN, bIsNaN] = [a.value.ne(a.value), b.value.ne(b.value)];
          isBetter = isBetter.or(bIsNaN.and(aIsNaN.not()));
          isTie = isTie.or(bIsNaN.and(aIsNaN));
        }
        const takesB = isBetter.or(isTie.and(isLower));
        return { value: select(takesB, b.value, a.value), index: select(takesB, b.index, a.index) };
      },
    },
  );
}

/**
 * The greatest value and its index: `argmax(f32).reduce({ value: x, index: index() })`.
 *
 * Ties go to the lower index, and -0 ties with +0. NaN compares above every number, as in `max`; among
 * several NaNs the lowest index wins, as in NumPy. Over no items: the least value (-INF for floats) at index
 * 2^32 - 1. Laws: associative and commutative bit for bit, if all indexes differ.
 * @throws GroupwiseError `bad-usage`
 * @example
 * ```ts
 * import { argmax, f32, outputs, pipeline } from "@groupwise/dsl";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const example = pipeline("example", { x: f32 }, ({ x }, { index }) => outputs({ best: argmax(f32).reduce({ value: x, index: index() }) }));
 * const program = await jsRuntime().compile(example);
 * const { best_value, best_index } = await program.run({ x: Float32Array.of(1, 5, 5) });
 * console.log(best_value); // [5]
 * console.log(best_index); // [1]
 * ```
 */
export function argmax<S extends NumericScalar>(type: ScalarType<S>): ArgOperator<S> {
  requireArguments(arguments, "argmax", ["type"]);
  requireType("argmax", type, isNumeric, callerOf(argmax));
  return extreme(`argmax_${type.type}`, type as never, "gt", endsOf(type).lowest as number) as ArgOperator<S>;
}

/**
 * The least value and its index: `argmin(f32).reduce({ value: x, index: index() })`.
 *
 * Ties go to the lower index, and -0 ties with +0. NaN compares below every number, as in `min`; among
 * several NaNs the lowest index wins, as in NumPy. Over no items: the greatest value (+INF for floats) at
 * index 2^32 - 1. Laws: associative and commutative bit for bit, if all indexes differ.
 * @throws GroupwiseError `bad-usage`
 * @example
 * ```ts
 * import { argmin, f32, outputs, pipeline } from "@groupwise/dsl";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const example = pipeline("example", { x: f32 }, ({ x }, { index }) => outputs({ least: argmin(f32).reduce({ value: x, index: index() }) }));
 * const program = await jsRuntime().compile(example);
 * const { least_value, least_index } = await program.run({ x: Float32Array.of(3, 1, 1) });
 * console.log(least_value); // [1]
 * console.log(least_index); // [1]
 * ```
 */
export function argmin<S extends NumericScalar>(type: ScalarType<S>): ArgOperator<S> {
  requireArguments(arguments, "argmin", ["type"]);
  requireType("argmin", type, isNumeric, callerOf(argmin));
  return extreme(
    `argmin_${type.type}`,
    type as never,
    "lt",
    endsOf(type).highest as number,
  ) as ArgOperator<S>;
}
