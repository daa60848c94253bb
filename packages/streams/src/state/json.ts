/** The JSON form of states: whole numbers of 64 bits as decimal digits, values as literals, operators in a list of their own. */

import { requireArguments } from "@groupwise/ir/base/arguments.js";
import { errorOf } from "@groupwise/ir/base/errors.js";
import { Checker } from "@groupwise/ir/document/check.js";
import { checkOperator } from "@groupwise/ir/document/check-operator.js";
import type { Operator } from "@groupwise/ir/document/operator.js";
import { STATE } from "@groupwise/ir/document/shapes.js";
import { operatorSchema } from "@groupwise/ir/schema/mirror.js";
import { pathText, plainCopy, quote } from "@groupwise/ir/schema/plain.js";
import { decodeLiteral, encodeLiteral, type Literal } from "@groupwise/ir/tables/literal.js";
import { OP_NAMES, type Op, opExists } from "@groupwise/ir/tables/op.js";
import { SCALAR_NAMES, type Scalar, type ScalarValue } from "@groupwise/ir/tables/scalar.js";
import * as z from "zod/mini";
import type { Total } from "./cover.ts";
import { requireState } from "./fit.ts";
import {
  emptyScan,
  kindOfState,
  operatorKey,
  type RoundResult,
  type ScanState,
  STATE_VERSION,
  type State,
  type StateOperator,
  type StateRound,
  typesOfState,
} from "./state.ts";

/** The JSON form of a block. */
export interface BlockJson {
  readonly start: string;
  readonly level: number;
  readonly total: readonly Literal[];
}
/** The JSON form of the state of a scan; `operator` is a position in the list of operators. */
export interface ScanJson {
  readonly operator: number | { readonly op: Op; readonly type: Scalar };
  readonly blocks?: readonly BlockJson[];
  readonly total?: readonly Literal[];
}
/** The JSON form of a round. */
export interface RoundJson {
  readonly number: number;
  readonly of: number;
  readonly results: readonly { readonly name: string; readonly type: Scalar; readonly value: Literal }[];
}
/** The JSON form of a state. */
export interface StateJson {
  readonly format: "groupwise-state";
  readonly version: typeof STATE_VERSION;
  readonly pipeline: string;
  readonly from: string;
  readonly to: string;
  /** Absent if the pipeline has one round. */
  readonly round?: RoundJson;
  /** The user-defined operators; absent if there is none. */
  readonly operators?: readonly Operator[];
  readonly scans: readonly ScanJson[];
}

/** The user-defined operators in a state, each once. */
export function operatorsOf({ scans }: Pick<State, "scans">): Operator[] {
  const own = scans.flatMap(({ operator }) => ("op" in operator ? [] : [operator]));
  return [...new Map(own.map((operator) => [operatorKey(operator), operator])).values()];
}

/**
 * The plain JSON data of a state.
 * @example
 * ```ts
 * import { f32, pipeline, scalar } from "@groupwise/dsl";
 * import { mergeStates, parseState, stateToJson, stepper } from "@groupwise/core/state";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const total = pipeline("total", { x: f32 }, ({ x }) => ({ sum: scalar(x.reduce("add")) }));
 * const steps = await stepper(jsRuntime(), total);
 * const left = await steps.stateOf({ x: Float32Array.of(1, 2) }, { from: 0n });
 * const right = await steps.stateOf({ x: Float32Array.of(3) }, { from: 2n });
 * const text = JSON.stringify(stateToJson(left));
 * console.log(mergeStates(parseState(JSON.parse(text)), right).to); // 3n
 * ```
 */
export function stateToJson(state: State): StateJson {
  requireArguments(arguments, "stateToJson", { state: STATE });
  requireState(state);
  const { scans, pipeline, format, version } = state;
  const operators = operatorsOf(state);
  const keys = operators.map(operatorKey);
  const written = scans.map((scan): ScanJson => {
    const { operator } = scan;
    const name = "op" in operator ? operator : keys.indexOf(operatorKey(operator));
    const total = (values: Total): Literal[] =>
      typesOfState(operator).map((type, i) => encodeLiteral(type, values[i] as ScalarValue));
    if (scan.kind === "total") return { operator: name, total: total(scan.total) };
    const blocks = scan.blocks.map((block) => ({
      start: String(block.start),
      level: block.level,
      total: total(block.total),
    }));
    return { operator: name, blocks };
  });
  const [from, to] = [String(state.from), String(state.to)];
  const round = state.round && roundToJson(state.round);
  const own = { ...(round && { round }), ...(operators.length > 0 && { operators }) };
  return { format, version, pipeline, from, to, ...own, scans: written };
}

const roundToJson = ({ results, ...round }: StateRound): RoundJson => ({
  ...round,
  results: results.map((one) => ({ ...one, value: encodeLiteral(one.type, one.value) })),
});

function schemaOf() {
  const count = z.string().check(z.regex(/^(0|[1-9][0-9]{0,19})$/));
  const literal = z.union([z.number(), z.boolean(), z.string().check(z.maxLength(32))]);
  const total = z.array(literal).check(z.maxLength(32));
  const names = <T extends string>(list: readonly T[]) => z.enum(list as readonly [T, ...T[]]);
  const builtin = z.strictObject({ op: names<Op>(OP_NAMES), type: names<Scalar>(SCALAR_NAMES) });
  const level = z.int().check(z.gte(0), z.lte(64));
  const blocks = z.array(z.strictObject({ start: count, level, total })).check(z.maxLength(128));
  const scan = z.strictObject({
    operator: z.union([z.int().check(z.gte(0)), builtin]),
    blocks: z.exactOptional(blocks),
    total: z.exactOptional(total),
  });
  const name = z.string().check(z.maxLength(256));
  const result = z.strictObject({ name, type: names<Scalar>(SCALAR_NAMES), value: literal });
  const position = z.int().check(z.gte(1));
  const results = z.array(result).check(z.maxLength(4096));
  const round = z.strictObject({ number: position, of: position, results });
  return z.strictObject({
    format: z.literal("groupwise-state"),
    version: z.literal(STATE_VERSION),
    pipeline: name,
    from: count,
    to: count,
    round: z.exactOptional(round),
    operators: z.exactOptional(z.array(operatorSchema()).check(z.maxLength(64))),
    scans: z.array(scan).check(z.maxLength(4096)),
  });
}
let schema: ReturnType<typeof schemaOf> | undefined;

const fail = (reason: string, where: string, cause?: unknown): never => {
  throw errorOf("bad-state", { reason }, where, cause);
};

/** Data with the shape of a state and valid operators. */
function shaped(input: unknown): StateJson {
  const data = plainCopy(typeof input === "string" ? textOf(input) : input);
  const version = (data as { version?: unknown } | null)?.version;
  if (version !== undefined && version !== STATE_VERSION)
    throw errorOf("bad-version", { version, supported: STATE_VERSION }, "version");
  schema ??= schemaOf();
  const parsed = schema.safeParse(data);
  if (!parsed.success) {
    const [issue] = parsed.error.issues as [z.core.$ZodIssue];
    const got = issue.path.reduce<unknown>((of, key) => (of as Record<PropertyKey, unknown>)[key], data);
    const keys = issue.code === "unrecognized_keys" ? issue.keys.map(quote).join(", ") : undefined;
    const reason = keys ? `it has the unknown key ${keys}` : `${quote(got)} is invalid there`;
    return fail(reason, pathText(issue.path));
  }
  const json = parsed.data as StateJson;
  for (const [i, operator] of (json.operators ?? []).entries()) requireOperator(operator, `operators[${i}]`);
  return json;
}

/**
 * Reads a state from an untrusted source.
 * @param input the JSON text of a state, or its plain data
 * @throws GroupwiseError `bad-json`, `bad-version`, `bad-state`, or the code of the rule that an operator violates
 * @example
 * ```ts
 * import { f32, pipeline, scalar } from "@groupwise/dsl";
 * import { mergeStates, parseState, stateToJson, stepper } from "@groupwise/core/state";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const total = pipeline("total", { x: f32 }, ({ x }) => ({ sum: scalar(x.reduce("add")) }));
 * const steps = await stepper(jsRuntime(), total);
 * const left = await steps.stateOf({ x: Float32Array.of(1, 2) }, { from: 0n });
 * const right = await steps.stateOf({ x: Float32Array.of(3) }, { from: 2n });
 * const text = JSON.stringify(stateToJson(left));
 * console.log(mergeStates(parseState(JSON.parse(text)), right).to); // 3n
 * ```
 */
export function parseState(input: unknown): State {
  requireArguments(arguments, "parseState", ["input"]);
  const json = shaped(input);
  const { operators = [] } = json;
  const scans = json.scans.map((scan, i) => scanOf(scan, operators, `scans[${i}]`));
  const state: State = { ...outlineOf(json), scans };
  requireState(state);
  return state;
}

/** A state without its totals: the empty state of its operators, with the ends of its range. */
export function parseOutline(text: string): State {
  const json = shaped(text);
  const { scans, operators = [] } = json;
  const empty = scans.map(({ operator }, i) => emptyScan(operatorOf(operator, operators, `scans[${i}]`)));
  return { ...outlineOf(json), scans: empty };
}

function outlineOf({ format, version, pipeline, from, to, round }: StateJson): Omit<State, "scans"> {
  const own = round && { round: { ...round, results: round.results.map(resultOf) } };
  return { format, version, pipeline, from: BigInt(from), to: BigInt(to), ...own };
}

function resultOf(json: RoundJson["results"][number], i: number): RoundResult {
  const { type, value } = json;
  const where = `round.results[${i}].value`;
  return {
    ...json,
    value: decodeLiteral(type, value) ?? fail(`${quote(value)} is no value of ${type}`, where),
  };
}

function textOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw errorOf("bad-json", { reason: "a state is one object" }, "state", cause);
  }
}

/** The rules of operators of documents. */
function requireOperator(operator: Operator, where: string): void {
  const none = {
    format: "groupwise-pipeline",
    version: 1,
    name: "state",
    workGroupSize: [1],
    nodes: [],
  } as const;
  const checker = new Checker(none, `${where}, `);
  checkOperator(operator, where, checker);
  const [first] = checker.problems;
  if (first) throw first;
}

function operatorOf(name: ScanJson["operator"], operators: readonly Operator[], at: string): StateOperator {
  const where = `${at}.operator`;
  if (typeof name === "number") return operators[name] ?? fail(`there is no operator ${name}`, where);
  return opExists(name.op, name.type) ? name : fail(`${name.op} does not exist for ${name.type}`, where);
}

function scanOf(json: ScanJson, operators: readonly Operator[], at: string): ScanState {
  const { blocks, total } = json;
  const operator = operatorOf(json.operator, operators, at);
  const types = typesOfState(operator);
  const values = (list: readonly Literal[], where: string): Total => {
    if (list.length !== types.length) fail(`it has ${list.length} values instead of ${types.length}`, where);
    return list.map((value, i) => {
      const type = types[i] as Scalar;
      return decodeLiteral(type, value) ?? fail(`${quote(value)} is no value of ${type}`, `${where}[${i}]`);
    });
  };
  if (kindOfState(operator) === "total")
    return { kind: "total", operator, total: values(total ?? fail("it has no total", at), `${at}.total`) };
  const read = (blocks ?? fail("it has no blocks", at)).map((block, i) => ({
    start: BigInt(block.start),
    level: block.level,
    total: values(block.total, `${at}.blocks[${i}].total`),
  }));
  return { kind: "cover", operator, blocks: read };
}
