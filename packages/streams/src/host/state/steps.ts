/** Chunks and parts as pieces. */
import { errorOf } from "@groupwise/ir/base/errors.js";
import { quoted } from "@groupwise/ir/base/quote.js";
import { LIMITS } from "@groupwise/ir/document/limits.js";
import type { HostArray } from "@groupwise/ir/tables/scalar.js";
import { kindOf, typedArrayName } from "@groupwise/runtime/api/host-view.js";
import type { RunResults } from "@groupwise/runtime/api/typed.js";
import { optionsOf, recordOf } from "@groupwise/runtime/checks/arguments.js";
import { requireState } from "../../state/fit.ts";
import { requireNumbers } from "../../state/numbers.ts";
import { refuseParts } from "../../state/parts.ts";
import { emptyState, LAST_ITEM, mergeStates, type State } from "../../state/state.ts";
import { alignmentOf, movedState } from "./arrays.ts";
import { requireDivisors } from "./divisors.ts";
import { requireNames } from "./names.ts";
import {
  type Advanced,
  ALL_NEEDS,
  type CallerValues,
  type Needs,
  type Piece,
  type Pieces,
  type Stepped,
} from "./pieces.ts";

/** The parts of steps. */
export interface StepsParts {
  /** The pipeline. */
  readonly whole: Pieces;
  /** Its collectives alone, for the states of parts; default: the pipeline. */
  readonly totals?: Pieces;
  /** The parameters that divide the number of items; default: none. */
  readonly divisors?: readonly string[];
  /** Joins the outputs of consecutive pieces. */
  readonly join: (parts: readonly RunResults[]) => RunResults;
}

const pieceOf = (from: number, to: number): Omit<Piece, "after"> => ({
  from,
  to,
  isChunk: false,
  n: to - from,
});
const STATE_ALONE: Needs = { state: true, outputs: false };

/** A pipeline that runs chunk by chunk, or part beside part, with loops that run pieces. */
export class ChunkSteps {
  readonly start: State;
  private readonly parts: StepsParts;

  constructor(parts: StepsParts) {
    this.parts = parts;
    this.start = parts.whole.start;
  }

  /** See `Stepper`. */
  async step(given: unknown, options: unknown): Promise<Stepped> {
    const { start } = this;
    const { operators } = this.parts.whole;
    const name = start.pipeline;
    const values = recordOf(given, "the values of a step", name);
    const names = ["state", "n", "spare", "after"] as const;
    const { state, n, spare, after } = optionsOf(options, names, "the options of a step", name);
    const before = (state ?? start) as State;
    requireNames(this.parts.whole.carried.source.pipeline, values);
    this.requireDivisors(values);
    requireState(before, { pipeline: name, operators });
    if (before.from !== 0n)
      throw errorOf("bad-state", { reason: `it begins at item ${before.from}, not at 0` });
    const chunk = {
      from: 0,
      to: this.countOf(values, n),
      isChunk: true,
      n,
      spare,
      ...(this.ahead > 0 && { after: this.laterItems(after) }),
    };
    return this.advance(values, before, chunk, ALL_NEEDS) as Promise<Stepped>;
  }

  /**
   * As `step`, with checked arguments.
   * @throws GroupwiseError `bad-state`, `too-many-items`; errors of the loops
   */
  async advance(values: CallerValues, before: State, chunk: Piece, needs: Needs): Promise<Advanced> {
    this.requireEnd(before.to + BigInt(chunk.to));
    const { whole } = this.parts;
    const isOne = chunk.to <= whole.roomAt(before.to);
    if (isOne) return whole.run(values, chunk, before, { number: before.to, needs });
    return this.pieces(values, before, chunk, needs);
  }

  /** See `Stepper`. */
  async stateOf(given: unknown, options: unknown): Promise<State> {
    const { whole } = this.parts;
    refuseParts(whole.carried.pipeline);
    const name = this.start.pipeline;
    const values = recordOf(given, "the values of a part", name);
    requireNames(this.parts.whole.carried.source.pipeline, values);
    this.requireDivisors(values);
    const { from, n } = optionsOf(options, ["from", "n"], "the options of a part", name);
    if (typeof from !== "bigint" || from < 0n)
      throw errorOf("bad-argument", { what: "from", want: "a bigint from 0 on", got: String(from) }, name);
    return this.stateAlone(values, from, this.countOf(values, n));
  }

  /**
   * As `stateOf`, with checked arguments of a pipeline that `refuseParts` accepts.
   * @throws GroupwiseError `bad-state`, `too-many-items`; errors of the loops
   */
  async stateAlone(values: CallerValues, from: bigint, count: number): Promise<State> {
    const { whole, totals = whole } = this.parts;
    this.requireEnd(from + BigInt(count));
    let state = emptyState(this.start.pipeline, whole.operators, from);
    // A piece begins where an aligned block of at least its length begins, so that its blocks are those of a range from 0.
    for (let at = 0; at < count; ) {
      const start = from + BigInt(at);
      const to = at + Math.min(alignmentOf(start), count - at);
      const placed = { number: start, needs: STATE_ALONE };
      const alone = await totals.run(values, pieceOf(at, to), this.start, placed);
      state = mergeStates(state, movedState(alone.state as State, start));
      at = to;
    }
    return state;
  }

  /** Cuts the chunk into pieces, which end at the end of a block of 2^30 items, or where the loops require it. */
  private async pieces(values: CallerValues, before: State, chunk: Piece, needs: Needs): Promise<Advanced> {
    const { whole, join } = this.parts;
    const parts: RunResults[] = [];
    let state: State | undefined = before;
    for (let at = 0; at < chunk.to; ) {
      const { to: number } = state as State;
      const to = Math.min(at + whole.roomAt(number), chunk.to);
      // The next piece goes on from the state.
      const own = { ...needs, state: needs.state || to < chunk.to };
      const piece = { ...pieceOf(at, to), ...(chunk.after && { after: chunk.after }) };
      const part = await whole.run(values, piece, state as State, { number, needs: own });
      parts.push(part.outputs);
      ({ state } = part);
      at = to;
    }
    return { outputs: join(parts), state };
  }

  /** See `Stepper`. */
  get ahead(): number {
    return this.parts.whole.carried.after?.items ?? 0;
  }

  /** The items after the chunk. @throws GroupwiseError `bad-argument` */
  private laterItems(after: unknown): CallerValues {
    const { ahead, start } = this;
    const names = [...(this.parts.whole.carried.after?.tables.keys() ?? [])];
    const of = names.map((name) => quoted(name, LIMITS.name)).join(", ");
    const want = `the first ${ahead} items after the chunk of ${of}, fewer only where the range ends, and {} if none follow: the pipeline reads them`;
    const fail = (got: string): never => {
      throw errorOf("bad-argument", { what: "the option after", want, got }, start.pipeline);
    };
    if (typeof after !== "object" || after === null) return fail(kindOf(after));
    for (const name of names) {
      const array = (after as CallerValues)[name];
      if (array !== undefined && typedArrayName(array) === undefined)
        fail(`one with ${name}: ${kindOf(array)}`);
    }
    return after as CallerValues;
  }

  /** The number of items; the run reports errors in it. */
  private countOf(values: CallerValues, n: unknown): number {
    const given = n ?? (values[this.parts.whole.inputs[0] ?? ""] as HostArray | undefined)?.length ?? 0;
    return Number.isSafeInteger(given) && (given as number) >= 0 ? (given as number) : 0;
  }

  /** The end of the range, where they divide its items, is not known here. */
  private requireDivisors(values: CallerValues): void {
    requireDivisors({ pipeline: this.start.pipeline, divisors: this.parts.divisors ?? [] }, values);
  }

  protected requireEnd(end: bigint): void {
    if (end > LAST_ITEM) throw errorOf("bad-state", { reason: `item ${end} is past 2^64` });
    requireNumbers(this.parts.whole.carried, end, this.start.pipeline);
  }
}
