/** A range in parts, each computed by one of several runners, with the bits of the whole range. */

import type { RunResults } from "@groupwise/runtime/api/typed.js";
import type { Division } from "../../state/division.ts";
import { emptyScan, mergeStates, type State } from "../../state/state.ts";
import { within } from "./arrays.ts";
import type { Advanced, Needs } from "./pieces.ts";

/** Computes items of a range. Callers wait for one call before the next, or the runner queues the calls. */
export interface PartRunner {
  /** The items after all items of a state, and what is needed of them. */
  step(from: number, to: number, before: State, needs: Needs): Promise<Advanced>;
  /** The state of the items alone. */
  stateOf(from: number, to: number): Promise<State>;
}

/** `apart`: the items of parts are independent, and the states after them are merged. */
type Dependence = Division | "apart";

/** A run of several runners on one range. */
export interface SideBySide {
  readonly runners: readonly PartRunner[];
  /** The part of the range that each runner computes, relative to one another. */
  readonly shares: readonly number[];
  readonly division: Dependence;
  /** For items that only one runner has: the first item of each, and n. */
  readonly cuts?: readonly number[];
  /** The state before the first item of the range, which need not be item 0. Parts count from that item. */
  readonly start: State;
  /** Whether the state after the last item is needed. */
  readonly needsState: boolean;
  /** The outputs with one value, from the state of all items, if it is known only at the end. Default: a step over no items. */
  readonly outputsOf?: (whole: State) => RunResults;
}

/** Consecutive items, and the runner that computes them. */
interface Part {
  readonly from: number;
  readonly to: number;
  readonly by: number;
}

/** The cost of the state of an item, relative to the item itself. */
const STATE_COST = 0.8;

/**
 * Cuts a range. The first runner of a scan begins with the outputs of the first part, while the others compute the states of the parts
 * after it; then each computes the outputs of one part.
 * @param place the number of the first item modulo 2^30: cuts are at blocks of the whole range
 * @returns parts that have items; one without items if there are none
 */
export function partsOf(
  n: number,
  shares: readonly number[],
  division: Dependence,
  place: number = 0,
): readonly Part[] {
  const [first = 1, ...rest] = shares;
  const head = (first * STATE_COST) / (1 + STATE_COST);
  const isHeaded = division === "scan" && rest.length > 0;
  const cut = isHeaded ? [head, first - head, ...rest] : shares;
  const sum = cut.reduce((a, b) => a + b, 0);
  // Cuts at multiples of powers of two leave few pieces; shares change by a thirty-second at most.
  const step = 2 ** Math.max(0, Math.floor(Math.log2(Math.max(1, n / cut.length))) - 5);
  const parts: Part[] = [];
  let before = 0;
  let from = 0;
  for (const [i, share] of cut.entries()) {
    before += share;
    const isLast = i === cut.length - 1;
    const cutAt = Math.round((place + (before / sum) * n) / step) * step - place;
    const to = isLast ? n : Math.min(n, cutAt);
    if (to > from) parts.push({ from, to, by: Math.max(0, isHeaded ? i - 1 : i) });
    from = Math.max(from, to);
  }
  return parts.length > 0 ? parts : [{ from: 0, to: 0, by: 0 }];
}

/** The shares for runners of equal speed. */
export const evenShares = (count: number, division: Dependence): readonly number[] =>
  Array.from({ length: count }, (_, i) => (i === 0 && division === "scan" ? 1 + STATE_COST : 1));

/**
 * Runs a range of n items.
 * @returns the outputs with one value for the range, and the state after it if it is needed
 * @throws the first error of the runners in the order of the parts, after all have finished
 */
export function runSideBySide(range: SideBySide, n: number): Promise<Advanced> {
  const { cuts, division, start } = range;
  if (cuts) return (division === "scan" ? runScanOfCuts : BY_DIVISION[division])(range, partsBetween(cuts));
  return BY_DIVISION[division](range, partsOf(n, range.shares, division, within(start.to)));
}

function partsBetween(cuts: readonly number[]): readonly Part[] {
  const parts = cuts.slice(1).map((to, by) => ({ from: cuts[by] as number, to, by }));
  const some = parts.filter(({ from, to }) => to > from);
  return some.length > 0 ? some : [{ from: 0, to: 0, by: 0 }];
}

const BY_DIVISION: Readonly<
  Record<Dependence, (range: SideBySide, parts: readonly Part[]) => Promise<Advanced>>
> = { map: runMap, reduce: runReduce, scan: runScan, apart: runApart };

const runnerOf = ({ runners }: SideBySide, { by }: Part): PartRunner => runners[by] as PartRunner;

/** Computes the items of a part. The range has the outputs and the state of its last part. */
const stepOn = (range: SideBySide, part: Part, before: State, needs: Needs): Promise<Advanced> =>
  runnerOf(range, part).step(part.from, part.to, before, needs);

/** What the range needs of a part whose state no other part needs. */
const needsOf = ({ needsState }: SideBySide, parts: readonly Part[], i: number): Needs => ({
  state: needsState && i === parts.length - 1,
  outputs: i === parts.length - 1,
});

const lastOf = (done: readonly Advanced[]): Advanced => done.at(-1) as Advanced;

async function runMap(range: SideBySide, parts: readonly Part[]): Promise<Advanced> {
  const { start } = range;
  const beforeOf = ({ from }: Part): State => ({ ...start, to: start.to + BigInt(from) });
  return lastOf(
    await all(parts.map((part, i) => stepOn(range, part, beforeOf(part), needsOf(range, parts, i)))),
  );
}

async function runReduce(range: SideBySide, parts: readonly Part[]): Promise<Advanced> {
  const states = await all(parts.map((part) => runnerOf(range, part).stateOf(part.from, part.to)));
  return endOf(range, parts, states);
}

/** No operator has blocks: the state of a part is that of its items, wherever they begin. */
async function runApart(range: SideBySide, parts: readonly Part[]): Promise<Advanced> {
  const { start } = range;
  const scans = start.scans.map(({ operator }) => emptyScan(operator));
  const needs = { state: true, outputs: false };
  const done = await all(
    parts.map((part) => {
      const at = start.to + BigInt(part.from);
      return stepOn(range, part, { ...start, from: at, to: at, scans }, needs);
    }),
  );
  return endOf(
    range,
    parts,
    done.map(({ state }) => state as State),
  );
}

/** @param states those of the parts */
async function endOf(range: SideBySide, parts: readonly Part[], states: readonly State[]): Promise<Advanced> {
  const { start, outputsOf } = range;
  const whole = states.reduce(mergeStates, start);
  if (outputsOf) return { outputs: outputsOf(whole), state: whole };
  const end = parts.at(-1)?.to ?? 0;
  const none: Part = { from: end, to: end, by: 0 };
  const { outputs } = await stepOn(range, none, whole, { state: false, outputs: true });
  return { outputs, state: whole };
}

async function runScan(range: SideBySide, parts: readonly Part[]): Promise<Advanced> {
  const [first, ...rest] = parts as [Part, ...Part[]];
  // The runner of the next part computes the state of a part; the state of the last part is not needed.
  const known = all(
    rest.slice(0, -1).map(({ from, to }, i) => runnerOf(range, rest[i + 1] as Part).stateOf(from, to)),
  );
  const isAlone = rest.length === 0;
  const needs = { state: range.needsState || !isAlone, outputs: isAlone };
  const [begun, states] = await both(stepOn(range, first, range.start, needs), known);
  if (isAlone) return begun;
  let before = begun.state as State;
  const befores = rest.map((_, i) => {
    if (i > 0) before = mergeStates(before, states[i - 1] as State);
    return before;
  });
  const stepped = all(
    rest.map((part, i) => stepOn(range, part, befores[i] as State, needsOf(range, rest, i))),
  );
  return lastOf(await stepped);
}

/** Each runner computes the state of its own part, except the last, and then the part. */
async function runScanOfCuts(range: SideBySide, parts: readonly Part[]): Promise<Advanced> {
  const states = await all(
    parts.slice(0, -1).map((part) => runnerOf(range, part).stateOf(part.from, part.to)),
  );
  let before = range.start;
  const befores = [before, ...states.map((state) => (before = mergeStates(before, state)))];
  return lastOf(
    await all(parts.map((part, i) => stepOn(range, part, befores[i] as State, needsOf(range, parts, i)))),
  );
}

/** All results when all are done: nothing is still running when an error is thrown. */
export async function all<T>(made: readonly Promise<T>[]): Promise<T[]> {
  const settled = await Promise.allSettled(made);
  return settled.map((one) => {
    if (one.status === "rejected") throw one.reason;
    return one.value;
  });
}

async function both<A, B>(a: Promise<A>, b: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([a, b]);
  return [await a, await b];
}
