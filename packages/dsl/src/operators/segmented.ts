import type { Op, Scalar } from "@groupwise/core";
import {
  decodeLiteral,
  LIST,
  OPS,
  type OpFor,
  requireArgument,
  requireArguments,
  requireType,
  shaped,
} from "@groupwise/core/target";
import { callerOf } from "../base/place.ts";
import { applies } from "../declare/methods.ts";
import { type OperatorDefinition, operator } from "../declare/operator.ts";
import { flatten, type RecordType, unflatten } from "../declare/record.ts";
import { bool, type ScalarType, select, typeOf } from "../declare/scalar-type.ts";
import type { AnyValue, BoolValue } from "../values/value.ts";

/** A record, and whether it starts a segment. */
export type InSegment<R> = {
  readonly starts: ScalarType<"bool">;
  readonly of: R;
};
/** The built-in operators that combine values as they are: integers as predicates must be made bool first. */
export type PlainOpFor<S extends Scalar> = S extends "bool"
  ? OpFor<S>
  : Exclude<OpFor<S>, `logical-${string}`>;

/** A definition without the record's type: the signatures below state it. */
interface Bare extends Pick<OperatorDefinition, "record" | "ir"> {
  combine(left: unknown, right: unknown): unknown;
}

function plain(op: Op, type: ScalarType<Scalar>, at: string | undefined): unknown {
  type Combine = Readonly<Record<string, (right: unknown) => never>>;
  return operator(op.replace("-", "_"), type as ScalarType<"u32">, {
    commutative: true,
    identity: OPS[op].identity(typeOf(type, at)) as number,
    combine: (a, b) => (a as unknown as Combine)[OPS[op].elementwise]?.(b) as never,
  });
}

const OPERATOR = /*@__PURE__*/ shaped(
  'the name of an operator, for example "add", or the result of `operator`',
  {
    ir: /*@__PURE__*/ shaped("an operator", { fields: LIST }),
  },
);

/**
 * Any operator lifted to segments: `starts` marks the first item of a segment, and values before a start are
 * dropped. A scan returns for each item the operator's result within its segment; a reduce returns that of the
 * last segment. The option `segments` of every scan does this automatically; use lifted operators for your
 * own records.
 *
 * Source: Blelloch, "Prefix sums and their applications" (1990), 1.5; Schwartz, "Ultracomputers" (1980).
 *
 * Over no items: no start, and the operator's identity. Rounding, ties and NaN: those of the operator.
 * Laws: associative, with an identity, if the operator is, with the same bits; never commutative.
 * @throws GroupwiseError `unknown-type`, and what `operator` throws
 * @example
 * ```ts
 * import { f32, pipeline, segmented } from "@groupwise/dsl";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const example = pipeline("example", { x: f32 }, ({ x }) => {
 *   const sums = segmented("add", f32).scanInclusive({ starts: x.eq(0), of: x });
 *   return { sum: sums.of };
 * });
 * const program = await jsRuntime().compile(example);
 * const { sum } = await program.run({ x: Float32Array.of(1, 2, 0, 4) });
 * console.log(sum); // [1, 3, 0, 4]
 * ```
 */
export function segmented<R extends RecordType>(
  lifted: OperatorDefinition<R>,
): OperatorDefinition<InSegment<R>>;
export function segmented<S extends Scalar>(
  op: PlainOpFor<S>,
  type: ScalarType<S>,
): OperatorDefinition<InSegment<ScalarType<S>>>;
export function segmented(lifted: unknown, type?: unknown): unknown {
  requireArguments(arguments, "segmented", typeof lifted === "string" ? ["operator", "type"] : ["operator"]);
  const at = callerOf(segmented);
  if (typeof lifted === "string") {
    requireType("segmented", type, undefined, at);
    applies(OPS, lifted, (type as ScalarType<Scalar>).type, at);
  }
  const of = (
    typeof lifted === "string" ? plain(lifted as Op, type as ScalarType<Scalar>, at) : lifted
  ) as Bare;
  requireArgument(of, OPERATOR, "the operator of segmented", at);
  const { record, ir } = of;
  const identity = ir.fields.map((field) => decodeLiteral(field.type, field.identity));
  type Side = { readonly starts: BoolValue; readonly of: unknown };
  const rules = {
    identity: { starts: false, of: unflatten(record, identity) },
    combine: (a: Side, b: Side) => {
      const own = flatten(record, b.of, "the right record", at) as AnyValue[];
      const both = flatten(record, of.combine(a.of, b.of), "both records", at) as AnyValue[];
      const parts = own.map((value, i) => select(b.starts, value as never, both[i] as never));
      return { starts: a.starts.or(b.starts), of: unflatten(record, parts) };
    },
  };
  return operator(
    `segmented_${ir.name}`.slice(0, 64),
    { starts: bool, of: record as typeof bool },
    rules as never,
  );
}
