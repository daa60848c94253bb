/** A range in parts, each computed by one of several runners, with the bits of the whole range. */
import type { Division } from "../../ir/state/division.ts";
import { mergeStates, type State } from "../../ir/state/state.ts";
import type { RunResults } from "../api/typed.ts";
import type { Advanced, Needs } from "./pieces.ts";

/** Computes items of a range. Callers wait for one call before the next, or the runner queues the calls. */
export interface PartRunner {
  /** The items after all items of a state, and what is needed of them. */
  step(from: number, to: number, before: State, needs: Needs): Promise<Advanced>;
  /** The state of the items alone. */
  stateOf(from: number, to: number): Promise<State>;
}

/** A run of several runners on one range. */
export interface SideBySide {
  readonly runners: readonly PartRunner[];
  /** The part of the range that each runner computes, relative to one another. */
  readonly shares: readonly number[];
  readonly division: Division;
  /** For items that only one runner has: the first item of each, and n. */
  readonly cuts?: readonly number[];
  /** The state before the first item. */
  readonly start: State;
  /** For a reduce, its outputs from the state of all items. Default: a step over no items. */
  readonly outputsOf?: (whole: State) => RunResults;
}

/** Consecutive items, and the runner that computes them. */
export interface Part {
  readonly from: number;
  readonly to: number;
  readonly by: number;
}

/** A part and its outputs; of a value for all items, those of the last part are the whole range's. */
export interface PartOutputs extends Part {
  readonly outputs: RunResults;
}

/** The cost of the state of an item, relative to the item itself. */
const STATE_COST = 0.8;

/**
 * Cuts a range. The first runner of a scan begins with the outputs of the first part, while the others compute the states of the parts
 * after it; then each computes the outputs of one part.
 * @returns parts that have items; one without items if there are none
 */
export function partsOf(n: number, shares: readonly number[], division: Division): readonly Part[] {
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
    const to = isLast ? n : Math.min(n, Math.round(((before / sum) * n) / step) * step);
    if (to > from) parts.push({ from, to, by: Math.max(0, isHeaded ? i - 1 : i) });
    from = Math.max(from, to);
  }
  return parts.length > 0 ? parts : [{ from: 0, to: 0, by: 0 }];
}

/** The shares for runners of equal speed. */
export const evenShares = (count: number, division: Division): readonly number[] =>
  Array.from({ length: count }, (_, i) => (i === 0 && division === "scan" ? 1 + STATE_COST : 1));

/**
 * Runs a range of n items.
 * @throws the first error of the runners in the order of the parts, after all have finished
 */
export function runSideBySide(range: SideBySide, n: number): Promise<readonly PartOutputs[]> {
  const { cuts, division } = range;
  if (cuts) return (division === "scan" ? runScanOfCuts : BY_DIVISION[division])(range, partsBetween(cuts));
  return BY_DIVISION[division](range, partsOf(n, range.shares, division));
}

function partsBetween(cuts: readonly number[]): readonly Part[] {
  const parts = cuts.slice(1).map((to, by) => ({ from: cuts[by] as number, to, by }));
  const some = parts.filter(({ from, to }) => to > from);
  return some.length > 0 ? some : [{ from: 0, to: 0, by: 0 }];
}

const BY_DIVISION: Readonly<
  Record<Division, (range: SideBySide, parts: readonly Part[]) => Promise<readonly PartOutputs[]>>
> = { map: runMap, reduce: runReduce, scan: runScan };

const runnerOf = ({ runners }: SideBySide, { by }: Part): PartRunner => runners[by] as PartRunner;

/** Computes the items of a part. The range has the outputs of its last part, and goes on from no state after one. */
async function stepOn(
  range: SideBySide,
  part: Part,
  before: State,
  needs: Needs,
): Promise<PartOutputs & Advanced> {
  return { ...part, ...(await runnerOf(range, part).step(part.from, part.to, before, needs)) };
}

const isLast = (parts: readonly Part[], i: number): Needs => ({
  state: false,
  outputs: i === parts.length - 1,
});

async function runMap(range: SideBySide, parts: readonly Part[]): Promise<readonly PartOutputs[]> {
  const beforeOf = ({ from }: Part): State => ({ ...range.start, to: BigInt(from) });
  return all(parts.map((part, i) => stepOn(range, part, beforeOf(part), isLast(parts, i))));
}

async function runReduce(range: SideBySide, parts: readonly Part[]): Promise<readonly PartOutputs[]> {
  const states = await all(parts.map((part) => runnerOf(range, part).stateOf(part.from, part.to)));
  const whole = states.reduce(mergeStates, range.start);
  const end = Number(whole.to);
  const none: Part = { from: end, to: end, by: 0 };
  if (range.outputsOf) return [{ ...none, outputs: range.outputsOf(whole) }];
  return [await stepOn(range, none, whole, isLast([none], 0))];
}

async function runScan(range: SideBySide, parts: readonly Part[]): Promise<readonly PartOutputs[]> {
  const [first, ...rest] = parts as [Part, ...Part[]];
  // The runner of the next part computes the state of a part; the state of the last part is not needed.
  const known = all(
    rest.slice(0, -1).map(({ from, to }, i) => runnerOf(range, rest[i + 1] as Part).stateOf(from, to)),
  );
  const needs = { state: rest.length > 0, outputs: rest.length === 0 };
  const [begun, states] = await both(stepOn(range, first, range.start, needs), known);
  let before = begun.state as State;
  const befores = rest.map((_, i) => {
    if (i > 0) before = mergeStates(before, states[i - 1] as State);
    return before;
  });
  const stepped = all(rest.map((part, i) => stepOn(range, part, befores[i] as State, isLast(rest, i))));
  return [begun, ...(await stepped)];
}

/** Each runner computes the state of its own part, except the last, and then the part. */
async function runScanOfCuts(range: SideBySide, parts: readonly Part[]): Promise<readonly PartOutputs[]> {
  const states = await all(
    parts.slice(0, -1).map((part) => runnerOf(range, part).stateOf(part.from, part.to)),
  );
  let before = range.start;
  const befores = [before, ...states.map((state) => (before = mergeStates(before, state)))];
  return all(parts.map((part, i) => stepOn(range, part, befores[i] as State, isLast(parts, i))));
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
