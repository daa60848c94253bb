/** Checks that a state is complete and belongs to a pipeline. */
import { errorOf, GroupwiseError } from "@groupwise/ir/base/errors.js";
import { SCALARS, type Scalar, type ScalarValue } from "@groupwise/ir/tables/scalar.js";
import { extentsOf, type Total } from "./cover.ts";
import {
  areSameOperators,
  kindOfState,
  LAST_ITEM,
  type ScanState,
  STATE_VERSION,
  type State,
  type StateOperator,
  type StateRound,
  sameRound,
  typesOfState,
} from "./state.ts";

type Fail = (reason: string, at: string) => never;

/** The pipeline that a state must match. */
export interface WantedPipeline {
  readonly pipeline: string;
  readonly operators: readonly StateOperator[];
  readonly round?: StateRound | undefined;
}

/**
 * Checks a state.
 * @param wanted the pipeline that it must match; any pipeline if it is absent
 * @throws GroupwiseError `bad-state`, `bad-version`
 */
export function requireState(state: State, wanted?: WantedPipeline): void {
  try {
    requireFit(state, wanted);
  } catch (error) {
    if (error instanceof GroupwiseError) throw error;
    throw errorOf("bad-state", { reason: "it has not the parts of a state" }, "state", error);
  }
}

function requireFit(state: State, wanted: WantedPipeline | undefined): void {
  const { version, from, to, scans } = state;
  const fail: Fail = (reason, at) => {
    throw errorOf("bad-state", { reason }, at);
  };
  if (version !== STATE_VERSION)
    throw errorOf("bad-version", { version, supported: STATE_VERSION }, "version");
  if (typeof from !== "bigint" || typeof to !== "bigint") fail("its items are not counted as bigint", "from");
  if (from < 0n || from > to || to > LAST_ITEM) fail(`${from} to ${to} is not a range of items`, "from");
  if (wanted && wanted.pipeline !== state.pipeline)
    fail(`it is of the pipeline ${state.pipeline}, not of ${wanted.pipeline}`, "pipeline");
  if (wanted && !sameRound(wanted.round, state.round)) fail(ofRound(state.round, wanted.round), "round");
  if (state.round) requireRound(state.round, fail);
  if (wanted && wanted.operators.length !== scans.length)
    fail(`it has ${scans.length} scans instead of ${wanted.operators.length}`, "scans");
  for (const [i, scan] of scans.entries()) {
    const operator = wanted?.operators[i];
    if (operator && !areSameOperators(operator, scan.operator))
      fail("it is of another operator", `scans[${i}].operator`);
    requireScan(scan, state, `scans[${i}]`, fail);
  }
}

const ofRound = (got: StateRound | undefined, want: StateRound | undefined): string => {
  const name = (round: StateRound | undefined): string =>
    round ? `round ${round.number} of ${round.of}` : "a pipeline of one round";
  return got?.number === want?.number && got?.of === want?.of
    ? "the rounds before it had other results"
    : `it is of ${name(got)}, not of ${name(want)}`;
};

function requireRound({ number, of, results }: StateRound, fail: Fail): void {
  const isRound = Number.isSafeInteger(number) && Number.isSafeInteger(of) && number >= 1 && number <= of;
  // One round has results if the number of items is given.
  if (!isRound || (of === 1 && results.length === 0)) fail(`${number} of ${of} is not a round`, "round");
  for (const [i, { type, value }] of results.entries())
    requireValue(type, value, `round.results[${i}]`, fail);
}

function requireScan(scan: ScanState, { from, to }: State, at: string, fail: Fail): void {
  if (scan.kind !== kindOfState(scan.operator)) fail(`its kind is ${scan.kind}`, `${at}.kind`);
  if (scan.kind === "total") requireTotal(scan.operator, scan.total, `${at}.total`, fail);
  if (scan.kind === "total") return;
  const extents = extentsOf(from, to);
  if (extents.length !== scan.blocks.length)
    fail(`it has ${scan.blocks.length} blocks instead of ${extents.length}`, `${at}.blocks`);
  for (const [i, { start, level, total }] of scan.blocks.entries()) {
    const where = `${at}.blocks[${i}]`;
    const want = extents[i];
    if (start !== want?.start || level !== want.level)
      fail(`the block is not that of 2^${want?.level} items at ${want?.start}`, where);
    requireTotal(scan.operator, total, `${where}.total`, fail);
  }
}

function requireTotal(operator: StateOperator, total: Total, at: string, fail: Fail): void {
  const types = typesOfState(operator);
  if (total.length !== types.length) fail(`it has ${total.length} values instead of ${types.length}`, at);
  for (const [i, type] of types.entries()) requireValue(type, total[i] as ScalarValue, `${at}[${i}]`, fail);
}

function requireValue(type: Scalar, value: ScalarValue, at: string, fail: Fail): void {
  const isOf = typeof value === typeof SCALARS[type].lowest && Object.is(SCALARS[type].wrap(value), value);
  if (!isOf) fail(`${String(value)} is no value of ${type}`, at);
}
