/** Chunks and parts as pieces. */
import { errorOf } from "../../ir/base/errors.ts";
import { requireState } from "../../ir/state/fit.ts";
import { refuseParts } from "../../ir/state/parts.ts";
import { emptyState, LAST_ITEM, mergeStates, type State } from "../../ir/state/state.ts";
import type { HostArray } from "../../ir/tables/scalar.ts";
import type { RunResults } from "../api/typed.ts";
import { optionsOf, recordOf } from "../checks/arguments.ts";
import { alignmentOf, movedState } from "./arrays.ts";
import type { Piece, Pieces, Stepped, Values } from "./pieces.ts";

/** The parts of steps. */
export interface StepsParts {
  /** The pipeline. */
  readonly whole: Pieces;
  /** Its collectives alone, for the states of parts; default: the pipeline. */
  readonly totals?: Pieces;
  /** Joins the outputs of consecutive pieces. */
  readonly join: (parts: readonly RunResults[]) => RunResults;
}

const pieceOf = (from: number, to: number): Piece => ({ from, to, isChunk: false, n: to - from });

/** A pipeline that runs chunk by chunk, or part beside part, with loops that run pieces. */
export class Steps {
  readonly start: State;
  private readonly parts: StepsParts;
  private readonly inputs: readonly string[];

  constructor(parts: StepsParts) {
    const { carried, start } = parts.whole;
    this.parts = parts;
    this.start = start;
    this.inputs = carried.pipeline.nodes.flatMap((node) => (node.kind === "input" ? [node.name] : []));
  }

  /** See `Stepper`. */
  async step(given: unknown, options: unknown): Promise<Stepped> {
    const { start } = this;
    const { operators } = this.parts.whole;
    const name = start.pipeline;
    const values = recordOf(given, "the values of a step", name);
    const { state, n } = optionsOf(options, ["state", "n"], "the options of a step", name);
    const before = (state ?? start) as State;
    requireState(before, { pipeline: name, operators });
    if (before.from !== 0n)
      throw errorOf("bad-state", { reason: `it begins at item ${before.from}, not at 0` });
    const count = this.countOf(values, n);
    this.requireNumbers(before.to + BigInt(count));
    return this.pieces(values, before, { from: 0, to: count, isChunk: true, n });
  }

  /** See `Stepper`. */
  async stateOf(given: unknown, options: unknown): Promise<State> {
    const { whole, totals = whole } = this.parts;
    refuseParts(whole.carried.pipeline);
    const name = this.start.pipeline;
    const values = recordOf(given, "the values of a part", name);
    const { from, n } = optionsOf(options, ["from", "n"], "the options of a part", name);
    if (typeof from !== "bigint" || from < 0n)
      throw errorOf("bad-argument", { what: "from", want: "a bigint from 0 on", got: String(from) }, name);
    const count = this.countOf(values, n);
    this.requireNumbers(from + BigInt(count));
    let state = emptyState(name, whole.operators, from);
    // A piece begins where an aligned block of at least its length begins, so that its blocks are those of a range from 0.
    for (let at = 0; at < count; ) {
      const start = from + BigInt(at);
      const to = at + Math.min(alignmentOf(start), count - at);
      const alone = await totals.run(values, pieceOf(at, to), this.start, start);
      state = mergeStates(state, movedState(alone.state, start));
      at = to;
    }
    return state;
  }

  /** Cuts the chunk into pieces, which end at the end of a block of 2^30 items, or where the loops require it. */
  private async pieces(values: Values, before: State, chunk: Piece): Promise<Stepped> {
    const { whole, join } = this.parts;
    if (chunk.to <= whole.roomAt(before.to)) return whole.run(values, chunk, before);
    const parts: RunResults[] = [];
    let state = before;
    for (let at = 0; at < chunk.to; ) {
      const to = Math.min(at + whole.roomAt(state.to), chunk.to);
      const part = await whole.run(values, pieceOf(at, to), state);
      parts.push(part.outputs);
      ({ state } = part);
      at = to;
    }
    return { outputs: join(parts), state };
  }

  /** The number of items; the run reports errors in it. */
  private countOf(values: Values, n: unknown): number {
    const given = n ?? (values[this.inputs[0] ?? ""] as HostArray | undefined)?.length ?? 0;
    return Number.isSafeInteger(given) && (given as number) >= 0 ? (given as number) : 0;
  }

  private requireNumbers(end: bigint): void {
    const { first, edges } = this.parts.whole.carried;
    if (end > LAST_ITEM) throw errorOf("bad-state", { reason: `item ${end} is past 2^64` });
    if (first === undefined || edges || end <= 2n ** 32n) return;
    const why = "the pipeline reads numbers of items, which are u32 and";
    throw errorOf("too-many-items", { n: Number(end), limit: 2 ** 32, why }, this.start.pipeline);
  }
}
