import { check, type Operator, type Pipeline } from "@groupwise/core";
import {
  ANY,
  BOOLEAN,
  type CollectiveForm,
  errorOf,
  FUNCTION,
  PipelineNodes,
  optionsOf as readOptions,
  required,
  type Wanted,
} from "@groupwise/core/target";
import { COMBINE_OPTIONS, optionsOf } from "../base/choice.ts";
import { literalOf } from "../base/literal.ts";
import { refuseUnused } from "../base/misuse.ts";
import { callerOf } from "../base/place.ts";
import type { CombineOptions, FloatCollectiveOptions, ScanWithTotal } from "../values/value.ts";
import { authored, collect, settingOf } from "./collective.ts";
import { DeclaredExpr, type Owner, operandOf, use } from "./expr.ts";
import { graphOf, instantiate, sideOf } from "./operator-ir.ts";
import {
  flatten,
  type Leaf,
  leavesOf,
  type RecordHost,
  type RecordOf,
  type RecordOperand,
  type RecordResult,
  type RecordTypeOf,
  unflatten,
} from "./record.ts";

/** `R` without inference from this position. */
type Told<R> = [R][R extends unknown ? 0 : never];

/** The definition of an operator. */
export interface OperatorRules<R> {
  /** Combines two records; `left` holds the earlier items. It runs once, immediately. */
  readonly combine: (left: RecordOf<R>, right: RecordOf<R>) => RecordResult<Told<R>>;
  /** The identity: it does not change the other operand; the result over no items. */
  readonly identity: RecordHost<Told<R>>;
  /** Claims that the operands may be swapped; default false. */
  readonly commutative?: boolean;
}

/** How a collective of records runs. */
export interface RecordCollectiveOptions<R> extends CombineOptions {
  /** The value that precedes the first item of the range or of each segment. */
  readonly seed?: RecordOperand<R>;
}

/** A monoid on records. */
export interface OperatorDefinition<R = unknown> {
  readonly name: string;
  /** The records' type. */
  readonly record: R;
  /** The operator in the form of documents. */
  readonly ir: Operator;
  /** The identity, as constants. */
  readonly identity: RecordOf<R>;
  /** Combines two records, item by item; not a collective. */
  combine(left: RecordOperand<R>, right: RecordOperand<R>): RecordOf<R>;
  /** All records of the scope combined; the identity if there are no items. */
  reduce(record: RecordOperand<R>, options?: RecordCollectiveOptions<R>): RecordOf<R>;
  /** The records up to and including the item's own combined. */
  scanInclusive(record: RecordOperand<R>, options?: RecordCollectiveOptions<R>): RecordOf<R>;
  /** The records before the item's own combined; the identity for the first item. */
  scanExclusive(record: RecordOperand<R>, options?: RecordCollectiveOptions<R>): RecordOf<R>;
  /** Scans and their total, in one pass. */
  scanWithTotal(record: RecordOperand<R>, options?: RecordCollectiveOptions<R>): ScanWithTotal<RecordOf<R>>;
}

/**
 * Declares an operator on records: a function that is associative, at least up to rounding, and its identity.
 * It need not be commutative: the left record always holds the earlier items. `checkLaws` tests the claims.
 * @param name letters, digits and underscores
 * @param record the records' type: an element type, or nested objects and lists of element types: `{ value:
 * f32, index: u32 }`
 * @throws GroupwiseError the first violated rule, with the source location
 * @example
 * ```ts
 * import { operator, pipeline, u32 } from "@groupwise/dsl";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const larger = operator("larger", u32, {
 *   combine: (left, right) => left.max(right),
 *   identity: 0,
 *   commutative: true,
 * });
 * const example = pipeline("example", { x: u32 }, ({ x }) => ({
 *   longest: larger.reduce(x),
 * }));
 * const program = await jsRuntime().compile(example);
 * const { longest } = await program.run({ x: Uint32Array.of(3, 9, 4) });
 * console.log(longest); // [9]
 * ```
 */
export function operator<const R extends object>(
  name: string,
  record: R & RecordTypeOf<R>,
  rules: OperatorRules<R>,
): OperatorDefinition<R> {
  return definitionOf(String(name), record, rules, callerOf(operator)) as unknown as OperatorDefinition<R>;
}

type Collective = (
  form: CollectiveForm,
  value: unknown,
  options: unknown,
  where: string | undefined,
) => unknown;
type Called = (value: unknown, options?: unknown) => unknown;

/** Makes the collectives of an operator. */
function collectivesOf(
  collective: Collective,
): Readonly<Record<"reduce" | "scanInclusive" | "scanExclusive" | "scanWithTotal", Called>> {
  const reduce = (value: unknown, options?: unknown): unknown =>
    collective("reduce", value, options, callerOf(reduce));
  const scanInclusive = (value: unknown, options?: unknown): unknown =>
    collective("scan-inclusive", value, options, callerOf(scanInclusive));
  const scanExclusive = (value: unknown, options?: unknown): unknown =>
    collective("scan-exclusive", value, options, callerOf(scanExclusive));
  const scanWithTotal = (value: unknown, options?: unknown): unknown => {
    const where = callerOf(scanWithTotal);
    return Object.freeze({
      scan: collective("scan-inclusive", value, options, where),
      before: collective("scan-exclusive", value, options, where),
      total: collective("reduce", value, options, where),
    });
  };
  return { reduce, scanInclusive, scanExclusive, scanWithTotal };
}

const RULES: Readonly<Record<keyof OperatorRules<unknown>, Wanted>> = {
  combine: /*@__PURE__*/ required(FUNCTION),
  identity: ANY,
  commutative: BOOLEAN,
};

// Records are untyped in this function: the signature above states the types.
function definitionOf(name: string, record: unknown, rules: unknown, at: string | undefined): object {
  const own = readOptions(rules, RULES, `the rules of the operator ${name.slice(0, 64)}`, at);
  const leaves = leavesOf(record, at);
  const ir = irOf(name, record, leaves, own as unknown as OperatorRules<unknown>, at);
  const values = (value: unknown, what: string, where: string | undefined): DeclaredExpr[] =>
    flatten(record, value, what, where).map((part, i) => {
      const { name: field, type } = leaves[i] as Leaf;
      return operandOf(type, part, `${what}: ${field}`, where);
    });
  const asRecord = (exprs: readonly DeclaredExpr[]): unknown => unflatten<unknown>(record, exprs);
  const collective: Collective = (form, value, options, where) => {
    const operands = values(value, `the operand of ${ir.name}`, where);
    const given = optionsOf(options as Omit<FloatCollectiveOptions, "order">, COMBINE_OPTIONS, where);
    const seedOf = (seed: unknown): DeclaredExpr[] => values(seed, `the seed of ${ir.name}`, where);
    return asRecord(collect(authored(ir), form, operands, settingOf(given, seedOf, where), where));
  };
  const combine = (left: unknown, right: unknown): unknown => {
    const where = callerOf(combine);
    const [a, b] = [values(left, "the left record", where), values(right, "the right record", where)];
    return asRecord(instantiate(ir, a, b, where));
  };
  const constants = ir.fields.map(
    ({ type, identity }) => new DeclaredExpr(type, { kind: "const", type, value: identity }, [], at),
  );
  const identity = asRecord(constants);
  return Object.freeze({
    name,
    record,
    ir,
    identity,
    combine,
    ...collectivesOf(collective),
  } satisfies Record<keyof OperatorDefinition, unknown>);
}

function irOf(
  name: string,
  record: unknown,
  leaves: readonly Leaf[],
  { combine, identity, commutative = false }: OperatorRules<unknown>,
  at: string | undefined,
): Operator {
  const owner: Owner = { places: true, dimensions: 1, conditions: new Set() };
  const identities = flatten(record, identity, "the identity", at);
  const fields = leaves.map(({ name: field, type }, i) =>
    Object.freeze({ name: field, type, identity: literalOf(type, identities[i], at) }),
  );
  const [left, right] = (["left", "right"] as const).map((side) =>
    unflatten(record, sideOf(fields, side, owner)),
  );
  const result = flatten(record, combine(left as never, right as never), "the result of combine", at);
  const results = result.map((part, i) => {
    const { name: field, type } = leaves[i] as Leaf;
    const expr = operandOf(type, part, `the result of combine: ${field}`, at);
    if (expr.owner && expr.owner !== owner) throw errorOf("foreign-value", undefined, expr.place ?? at);
    return expr;
  });
  use(results);
  refuseUnused(owner.conditions, at);
  const made: Operator = Object.freeze({
    name,
    fields: Object.freeze(fields),
    commutative,
    ...graphOf(name, results, at),
  });
  check(trial(made));
  return made;
}

/** The smallest pipeline with the operator, for `check`. */
function trial(operator: Operator): Pipeline {
  const list = new PipelineNodes();
  const of = operator.fields.map(({ type }, i) => list.input(`x${i}`, type));
  const own = { form: "reduce", operator: 0, field: 0, scope: "device" } as const;
  list.output("result", list.add({ kind: "user-collective", ...own, of }));
  return list.pipeline("operator", [1], [operator]);
}
