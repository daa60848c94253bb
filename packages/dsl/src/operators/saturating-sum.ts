import { requireArguments, requireType } from "@groupwise/core/target";
import { callerOf } from "../base/place.ts";
import { requireRecord, requireValue } from "../base/values.ts";
import { type OperatorDefinition, operator } from "../declare/operator.ts";
import { i32, i64, type ScalarType, select } from "../declare/scalar-type.ts";
import type { I32Value, I64Value, Operands } from "../values/value.ts";
import { endsOf, isUnsigned, standIn, type UnsignedScalar } from "./types.ts";

/**
 * Sums that saturate at the greatest value instead of wrapping: `saturatingSum(u32).reduce(x)`.
 *
 * For unsigned integers only. With signs it is not associative: (2147483647 + 1) + -1 would be 2147483646,
 * and 2147483647 + (1 + -1) is 2147483647. For signed integers use {@link saturatingSteps}.
 *
 * Over no items: 0. Laws: associative and commutative bit for bit: it is min(the true sum, the greatest value).
 * @throws GroupwiseError `bad-usage`
 * @example
 * ```ts
 * import { pipeline, saturatingSum, u32 } from "@groupwise/dsl";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const example = pipeline("example", { x: u32 }, ({ x }) => ({ total: saturatingSum(u32).reduce(x) }));
 * const program = await jsRuntime().compile(example);
 * const { total } = await program.run({ x: Uint32Array.of(4294967295, 1) });
 * console.log(total); // [4294967295]
 * ```
 */
export function saturatingSum<S extends UnsignedScalar>(
  type: ScalarType<S>,
): OperatorDefinition<ScalarType<S>> {
  requireArguments(arguments, "saturatingSum", ["type"]);
  requireType("saturatingSum", type, isUnsigned, callerOf(saturatingSum));
  const unsigned = standIn<"u32">(type);
  const { lowest, highest } = endsOf(unsigned);
  const made = operator(`saturating_sum_${type.type}`, unsigned, {
    commutative: true,
    identity: lowest,
    combine: (a, b) => {
      const sum = a.add(b);
      return select(sum.lt(a), highest, sum);
    },
  });
  return made as unknown as OperatorDefinition<ScalarType<S>>;
}

const { lowest: LEAST, highest: GREATEST } = /*@__PURE__*/ endsOf({ type: "i32" });

/** The map x ↦ clamp(x + add, low, high). */
export type SaturatingStep = {
  readonly add: ScalarType<"i64">;
  readonly low: ScalarType<"i32">;
  readonly high: ScalarType<"i32">;
};
/** The values of {@link SaturatingStep}. */
export interface SaturatingStepValues {
  readonly add: I64Value;
  readonly low: I32Value;
  readonly high: I32Value;
}

const clamped = (x: I64Value, low: I32Value | number, high: I32Value | number): I32Value => {
  const wide = (end: I32Value | number): I64Value | bigint =>
    typeof end === "number" ? BigInt(end) : end.toI64();
  return x.max(wide(low)).min(wide(high)).toI32();
};

/**
 * The result of a loop of saturating i32 additions, step by step:
 * `saturated(saturatingSteps().scanInclusive(saturatingStep(x)))`. A step is the map x ↦ clamp(x + add, low,
 * high), and the composition of two such maps is such a map. Composition is associative, although saturating addition
 * itself is not.
 *
 * Over no items: the identity map. `add` is 0 if the map is constant, so that equal maps are equal
 * records; it fits in 33 bits. Laws: associative bit for bit on steps and their combinations; not
 * commutative.
 * @example
 * ```ts
 * import { i32, pipeline, saturated, saturatingStep, saturatingSteps } from "@groupwise/dsl";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const example = pipeline("example", { x: i32 }, ({ x }) => ({ level: saturated(saturatingSteps().scanInclusive(saturatingStep(x))) }));
 * const program = await jsRuntime().compile(example);
 * const { level } = await program.run({ x: Int32Array.of(2147483647, 1, -1) });
 * console.log(level); // [2147483647, 2147483647, 2147483646]
 * ```
 */
export function saturatingSteps(): OperatorDefinition<SaturatingStep> {
  requireArguments(arguments, "saturatingSteps", []);
  return operator(
    "saturating_steps_i32",
    { add: i64, low: i32, high: i32 },
    {
      identity: { add: 0n, low: LEAST, high: GREATEST },
      combine: (first, then) => {
        const low = clamped(first.low.toI64().add(then.add), then.low, then.high);
        const high = clamped(first.high.toI64().add(then.add), then.low, then.high);
        return { add: select(low.eq(high), 0n, first.add.add(then.add)), low, high };
      },
    },
  );
}

/**
 * One addition, as an operand of {@link saturatingSteps}.
 * @example
 * ```ts
 * import { i32, pipeline, saturated, saturatingStep, saturatingSteps } from "@groupwise/dsl";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const example = pipeline("example", { x: i32 }, ({ x }) => ({ level: saturated(saturatingSteps().scanInclusive(saturatingStep(x))) }));
 * const program = await jsRuntime().compile(example);
 * const { level } = await program.run({ x: Int32Array.of(2147483647, 1, -1) });
 * console.log(level); // [2147483647, 2147483647, 2147483646]
 * ```
 */
export function saturatingStep(value: I32Value): SaturatingStepValues {
  requireArguments(arguments, "saturatingStep", ["value"]);
  requireValue("the value of saturatingStep", value, "toI64");
  const add = value.toI64();
  return {
    add,
    low: clamped(add.add(BigInt(LEAST)), LEAST, GREATEST),
    high: clamped(add.add(BigInt(GREATEST)), LEAST, GREATEST),
  };
}

/**
 * The result of the steps for a start value; default 0.
 * @example
 * ```ts
 * import { i32, pipeline, saturated, saturatingStep, saturatingSteps } from "@groupwise/dsl";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const example = pipeline("example", { x: i32 }, ({ x }) => ({ level: saturated(saturatingSteps().scanInclusive(saturatingStep(x))) }));
 * const program = await jsRuntime().compile(example);
 * const { level } = await program.run({ x: Int32Array.of(2147483647, 1, -1) });
 * console.log(level); // [2147483647, 2147483647, 2147483646]
 * ```
 */
export function saturated(steps: SaturatingStepValues, start: Operands["i32"] = 0): I32Value {
  requireArguments(arguments, "saturated", ["steps", "start"]);
  requireRecord("the steps of saturated", steps, "add", "low", "high");
  const from = typeof start === "number" ? i32(start) : start;
  requireValue("the start of saturated", from, "toI64");
  return clamped(from.toI64().add(steps.add), steps.low, steps.high);
}
