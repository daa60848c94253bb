/** A pipeline whose parts are computed side by side, by any runner of its loops. */

import { requireArguments } from "@groupwise/ir/base/arguments.js";
import { type Checked, check } from "@groupwise/ir/document/check.js";
import type { HostArray, ScalarValue } from "@groupwise/ir/tables/scalar.js";
import type { Carrying } from "@groupwise/lower/parts/strategy.js";
import { type PipelineSource, pipelineOf } from "@groupwise/runtime/api/target.js";
import type { RunResults } from "@groupwise/runtime/api/typed.js";
import { CarriedState } from "../../carry/state.ts";
import { type Carried, carriedOf } from "../../state/carry.ts";
import { areElementsApart, type Division, divisionOfChecked } from "../../state/division.ts";
import { type Ending, endingOf } from "../../state/ending.ts";
import { withoutOthers } from "../../state/others/others.ts";
import type { State } from "../../state/state.ts";
import { totalsOnly } from "../../state/totals.ts";
import { type ElementCounts, elementsBefore } from "./elements.ts";
import { type Advanced, type Needs, type Piece, Pieces, type RunPiece } from "./pieces.ts";
import { evenShares, type PartRunner, runSideBySide, type SideBySide } from "./side-by-side.ts";
import { ChunkSteps } from "./steps.ts";

/**
 * The division of a pipeline that several runtimes or threads compute.
 * @throws GroupwiseError `not-carried` with the reason if it cannot be divided: `acrossRuntimes` refuses it, and runtimes with threads run it undivided
 * @example
 * ```ts
 * import { f32, pipeline } from "@groupwise/dsl";
 * import { divisionOf } from "@groupwise/core/state";
 *
 * const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
 * console.log(divisionOf(sums)); // "scan"
 * ```
 */
export function divisionOf(source: PipelineSource): Division {
  requireArguments(arguments, "divisionOf", ["source"]);
  return divisionOfChecked(check(pipelineOf(source)));
}

/** Loops over some items of a range, to be compiled with `carrying`. */
export interface PartedLoops {
  readonly carried: Carried;
  readonly carrying: Carrying;
}

/** Items that a runner computes at once. */
export interface PartPiece {
  /** The number of the runner, from 0. */
  readonly by: number;
  readonly loops: PartedLoops;
  /** The first item and the first after it, as numbers in the range. */
  readonly from: number;
  readonly to: number;
  /** The parameters and tables of the state. */
  readonly own: Readonly<Record<string, HostArray | ScalarValue>>;
  /**
   * For each output of a compaction: the number of elements of all items of the range before the piece, modulo 2^32. The loops write those of the piece
   * from element 0 on.
   */
  readonly before: ElementCounts;
  /** What is read of the outputs with one value for the range and of the state after the piece; other outputs may be absent from the result. */
  readonly needs: Needs;
}

/** Runs the loops over a piece and returns the outputs with one value for the range, including those of the state. */
export type RunPartPiece = (piece: PartPiece) => Promise<RunResults>;

/** The runner that computes a range. */
export interface Crew {
  /** The relative sizes of the runners' parts; or a number of runners of equal speed. */
  readonly shares: number | readonly number[];
  readonly runPiece: RunPartPiece;
  /** For arrays that are already divided: the first item of each runner, and n. Default: parts by the shares. */
  readonly cuts?: readonly number[];
  /**
   * The parameters by name, as the caller passed them. With them the outputs of a reduce are computed from the state of all items, without a piece over no
   * items, where they need no table.
   */
  readonly params?: Readonly<Record<string, ScalarValue>>;
  /** The state of all items before the range; default: it begins at item 0. Numbers of items count from the range's first one. */
  readonly start?: State;
  /** Whether the elements of each part have an array of their own, so that their places in the whole output are not needed. */
  readonly keepsElements?: true;
  /** The most items that a runner of a sequential pipeline computes at once; default: any number. */
  readonly most?: number;
  /** Whether a runner's loops run over one aligned block at a time; default: over any items. */
  takesBlocks?(by: number, loops: PartedLoops): boolean;
}

/** The result of a range that goes on from a state. */
export interface PartedStep {
  /** Those with one value for the range: up to its end. */
  readonly outputs: RunResults;
  readonly state: State;
}

/**
 * For authors of runtimes: a pipeline in parts.
 * @category Authors
 */
export class Parted {
  readonly division: Division;
  /** The pipeline over a chunk. */
  readonly items: PartedLoops;
  /** Its scans and reduces alone, which write no items; absent if parts are independent. */
  readonly totals: PartedLoops | undefined;
  private readonly ending: Ending | undefined;
  private readonly isApart: boolean;

  /**
   * @param own the loops over a chunk, if they are made; default: new ones
   * @param knowsLater whether `runPiece` passes the items after a piece, as `laterOf` returns them
   * @param isSequential whether one runner computes the range piece after piece: then collectives may read others
   * @throws GroupwiseError `not-carried` if parts cannot be computed with the bits of the whole range
   */
  constructor(given: Checked, own?: PartedLoops, knowsLater: boolean = false, isSequential: boolean = false) {
    const checked = withoutOthers(given);
    this.items = own ?? loopsOf(checked);
    const goesOn = isSequential && this.items.carried.after === undefined;
    this.division = goesOn ? "scan" : divisionOfChecked(given, knowsLater);
    this.totals = goesOn || this.division === "map" ? undefined : loopsOf(totalsOnly(checked));
    this.isApart = !goesOn && this.division === "scan" && areElementsApart(this.items.carried);
    this.ending = this.division === "reduce" || this.isApart ? endingOf(this.items.carried) : undefined;
  }

  /**
   * Runs a range of n items.
   * @returns the outputs with one value for the range; `runPiece` writes those of items and the elements of compactions
   * @throws errors of `runPiece`, after all pieces have finished
   */
  async run(n: number, crew: Crew): Promise<RunResults> {
    return (await this.sideBySide(n, crew, false)).outputs;
  }

  /** As `run`. @returns the state of all items up to the end of the range too */
  async advance(n: number, crew: Crew): Promise<PartedStep> {
    return (await this.sideBySide(n, crew, true)) as PartedStep;
  }

  private sideBySide(n: number, crew: Crew, needsState: boolean): Promise<Advanced> {
    const { items, ending } = this;
    const division = crew.keepsElements && this.isApart ? "apart" : this.division;
    const { shares, cuts, params, start = new Pieces(items.carried, nothing).start } = crew;
    const parts = typeof shares === "number" ? evenShares(shares, division) : shares;
    const runners = parts.map((_, by) => this.runner(by, crew, start.to));
    const range: SideBySide = {
      runners,
      shares: parts,
      division,
      start,
      needsState,
      ...(cuts && { cuts }),
      ...(params && ending && { outputsOf: (whole: State) => ending(whole, params) }),
    };
    return runSideBySide(range, n);
  }

  /** @param base the number of the range's first item */
  private runner(by: number, { runPiece, takesBlocks, most }: Crew, base: bigint): PartRunner {
    const pieces = (loops: PartedLoops): Pieces => {
      const run: RunPiece = (_, { from, to }, own, { number, needs }) => {
        const first = Number(number - base);
        const before = elementsBefore(loops.carried, own);
        return runPiece({ by, loops, from: first, to: first + to - from, own, before, needs });
      };
      return new Pieces(loops.carried, run, takesBlocks?.(by, loops), most);
    };
    const { items, totals } = this;
    const join = (all: readonly RunResults[]): RunResults => all.at(-1) ?? {};
    const steps = new ChunkSteps({ whole: pieces(items), ...(totals && { totals: pieces(totals) }), join });
    const chunk = (n: number): Piece => ({ from: 0, to: n, isChunk: true, n });
    return {
      step: (from, to, state, needs) => steps.advance({}, state, chunk(to - from), needs),
      stateOf: (from, to) => steps.stateAlone({}, base + BigInt(from), to - from),
    };
  }
}

const nothing: RunPiece = async () => ({});

function loopsOf(checked: Checked): PartedLoops {
  const carried = carriedOf(checked);
  return { carried, carrying: new CarriedState(carried) };
}
