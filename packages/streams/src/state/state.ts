/** States: the intermediate result of a pipeline's scans and reduces over the items of a range, as plain data. */

import { OBJECT, optional, requireArguments, TEXT, type Wanted } from "@groupwise/ir/base/arguments.js";
import { errorOf } from "@groupwise/ir/base/errors.js";
import type { Operator } from "@groupwise/ir/document/operator.js";
import { applierOf, identityOf } from "@groupwise/ir/document/operator-apply.js";
import { OPERATOR, STATE } from "@groupwise/ir/document/shapes.js";
import { sameValue } from "@groupwise/ir/tables/literal.js";
import { OPS, type Op, opExists } from "@groupwise/ir/tables/op.js";
import type { Scalar, ScalarValue } from "@groupwise/ir/tables/scalar.js";
import { isExactOperator } from "@groupwise/lower/parts/operator.js";
import { type Block, type Combine, foldCover, joinCovers, type Total } from "./cover.ts";

/** The version of the format of states that this release writes and reads. */
export const STATE_VERSION = 1;
/** Items are counted in 64 bits. */
export const LAST_ITEM: bigint = 2n ** 64n;

/** A built-in operator on an element type. */
export interface StateBuiltin {
  readonly op: Op;
  readonly type: Scalar;
}
/** The operator of a scan: a built-in one, or a user-defined one with its definition. */
export type StateOperator = StateBuiltin | Operator;

/** The state of a scan whose operator gives different bits in another grouping: the cover of the range. */
export interface CoverState {
  readonly kind: "cover";
  readonly operator: StateOperator;
  readonly blocks: readonly Block[];
}
/** The state of a scan whose operator is exactly associative: one total, the identity over no items. */
export interface TotalState {
  readonly kind: "total";
  readonly operator: StateOperator;
  readonly total: Total;
}
/** The state of one scan or reduce. */
export type ScanState = CoverState | TotalState;

/** A result of an earlier round, which later rounds use. */
export interface RoundResult {
  readonly name: string;
  readonly type: Scalar;
  readonly value: ScalarValue;
}
/** A round of a pipeline that reads its items several times. */
export interface StateRound {
  /** From 1. */
  readonly number: number;
  /** The number of rounds. */
  readonly of: number;
  /** The results of the rounds before it. */
  readonly results: readonly RoundResult[];
}

/** The state of all scans and reduces of a pipeline over a range; it is immutable. */
export interface State {
  readonly format: "groupwise-state";
  readonly version: typeof STATE_VERSION;
  /** The name of the pipeline. */
  readonly pipeline: string;
  /** The first item. */
  readonly from: bigint;
  /** The first item after the range. */
  readonly to: bigint;
  /** The round to which it belongs; absent if the pipeline has one round. */
  readonly round?: StateRound;
  /** One for each operator and operand, in the order of the pipeline. */
  readonly scans: readonly ScanState[];
}

const isBuiltin = (operator: StateOperator): operator is StateBuiltin => "op" in operator;

const OF_STATE: Wanted = {
  want: "the operator of a state",
  is: (value) =>
    OBJECT.is(value) &&
    (isBuiltin(value as StateOperator)
      ? opExists((value as StateBuiltin).op, (value as StateBuiltin).type)
      : OPERATOR.is(value)),
};
/** Operators of states. */
export const OPERATORS: Wanted = {
  want: "a list of operators of states",
  is: (value) => Array.isArray(value) && value.every(OF_STATE.is),
};
const PLACE: Wanted = { want: "a bigint", is: (value) => typeof value === "bigint" };

/** Whether all groupings give the same bits. */
const isExact = (operator: StateOperator): boolean =>
  isBuiltin(operator) ? OPS[operator.op].exactlyAssociative(operator.type) : isExactOperator(operator);

/**
 * The element types of a total.
 * @category Authors
 */
export function typesOfState(operator: StateOperator): readonly Scalar[] {
  requireArguments(arguments, "typesOfState", { operator: OF_STATE });
  return isBuiltin(operator) ? [operator.type] : operator.fields.map(({ type }) => type);
}

/**
 * The total of no items.
 * @category Authors
 */
export function identityOfState(operator: StateOperator): Total {
  requireArguments(arguments, "identityOfState", { operator: OF_STATE });
  return isBuiltin(operator) ? [OPS[operator.op].identity(operator.type)] : identityOf(operator);
}

/** The operator on totals. */
export function combineOf(operator: StateOperator): Combine {
  if (!isBuiltin(operator)) return applierOf(operator);
  const { op, type } = operator;
  return ([a], [b]) => [OPS[op].apply(type, a as never, b as never)];
}

/**
 * The kind of a scan's state.
 * @category Authors
 */
export function kindOfState(operator: StateOperator): ScanState["kind"] {
  requireArguments(arguments, "kindOfState", { operator: OF_STATE });
  return isExact(operator) ? "total" : "cover";
}

/** The state of a scan over no items. */
export const emptyScan = (operator: StateOperator): ScanState =>
  isExact(operator)
    ? { kind: "total", operator, total: identityOfState(operator) }
    : { kind: "cover", operator, blocks: [] };

/**
 * The state of an empty range that begins at an item.
 * @example
 * ```ts
 * import { emptyState } from "@groupwise/core/state";
 *
 * console.log(emptyState("total", []).to); // 0n
 * ```
 */
export function emptyState(pipeline: string, operators: readonly StateOperator[], at: bigint = 0n): State {
  requireArguments(arguments, "emptyState", { pipeline: TEXT, operators: OPERATORS, at: optional(PLACE) });
  const scans = operators.map(emptyScan);
  return { format: "groupwise-state", version: STATE_VERSION, pipeline, from: at, to: at, scans };
}

/** The prefix at the end of a state that begins at item 0; undefined over no items. */
export function prefixOf(scan: ScanState): Total | undefined {
  return scan.kind === "total" ? scan.total : foldCover(scan.blocks, combineOf(scan.operator));
}

/** Whether two states belong to the same round, with the same results of the rounds before it. */
export function sameRound(a: StateRound | undefined, b: StateRound | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (a.number !== b.number || a.of !== b.of || a.results.length !== b.results.length) return false;
  return a.results.every(({ name, type, value }, i) => {
    const other = b.results[i] as RoundResult;
    return name === other.name && type === other.type && sameValue(value, other.value);
  });
}

/** A text that is equal for equal operators; source locations and the order of properties do not matter. */
export const operatorKey = (operator: StateOperator): string =>
  JSON.stringify(operator, (_, value: unknown) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(
      Object.entries(value)
        .filter(([name]) => name !== "at")
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    );
  });

export const areSameOperators = (a: StateOperator, b: StateOperator): boolean =>
  a === b || operatorKey(a) === operatorKey(b);

/**
 * Merges the states of two adjacent ranges. It is exactly associative: merging the states of all parts in any grouping gives the
 * same state, also for floats and for operators that do not commute.
 * @param left of the earlier range
 * @param right of the range that begins where `left` ends
 * @throws GroupwiseError `bad-state` if the ranges are not adjacent, or the states are of different pipelines
 * @example
 * ```ts
 * import { f32, pipeline, scalar } from "@groupwise/dsl";
 * import { mergeStates, stepper } from "@groupwise/core/state";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const total = pipeline("total", { x: f32 }, ({ x }) => ({ sum: scalar(x.reduce("add")) }));
 * const steps = await stepper(jsRuntime(), total);
 * const left = await steps.stateOf({ x: Float32Array.of(1, 2) }, { from: 0n });
 * const right = await steps.stateOf({ x: Float32Array.of(3) }, { from: 2n });
 * const whole = mergeStates(left, right);
 * console.log(whole.to); // 3n
 * ```
 */
export function mergeStates(left: State, right: State): State {
  requireArguments(arguments, "mergeStates", { "first state": STATE, "second state": STATE });
  const fail = (reason: string): never => {
    throw errorOf("bad-state", { reason }, left.pipeline);
  };
  if (left.pipeline !== right.pipeline) fail(`one is of ${left.pipeline}, the other of ${right.pipeline}`);
  if (!sameRound(left.round, right.round))
    fail("they are of different rounds, or of rounds with other results before them");
  if (left.to !== right.from) fail(`one ends at item ${left.to}, the other begins at item ${right.from}`);
  if (left.scans.length !== right.scans.length) fail("they are of different scans");
  const scans = left.scans.map((scan, i) => mergeScans(scan, right.scans[i] as ScanState, fail));
  return { ...left, to: right.to, scans };
}

function mergeScans(left: ScanState, right: ScanState, fail: (reason: string) => never): ScanState {
  const { operator } = left;
  if (!areSameOperators(operator, right.operator)) fail("they are of different operators");
  const combine = combineOf(operator);
  if (left.kind === "total" && right.kind === "total")
    return { ...left, total: combine(left.total, right.total) };
  if (left.kind === "cover" && right.kind === "cover")
    return { ...left, blocks: joinCovers(left.blocks, right.blocks, combine) };
  return fail("they are of different kinds");
}
