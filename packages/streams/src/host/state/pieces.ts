/** Pieces of chunks: the arrays that the loops read and write for the items up to the end of a block of 2^30. */
import { errorOf } from "@groupwise/ir/base/errors.js";
import { oncePer } from "@groupwise/ir/base/once.js";
import type { HostArray, ScalarValue } from "@groupwise/ir/tables/scalar.js";
import type { RunResults } from "@groupwise/runtime/api/typed.js";
import type { Carried } from "../../state/carry.ts";
import {
  emptyState,
  kindOfState,
  type ScanState,
  type State,
  type StateOperator,
} from "../../state/state.ts";
import { alignmentOf, arraysOf, namesOf, PIECE, placeOf, scanAfter, within } from "./arrays.ts";
import { joinArrays } from "./results.ts";

/** Values of callers by name. */
export type CallerValues = Readonly<Record<string, unknown>>;

/** Items of a chunk that run at once. */
export interface Piece {
  /** The first item, and the first after it, as numbers in the chunk. */
  readonly from: number;
  readonly to: number;
  /** True for the whole chunk: inputs are passed unchanged. */
  readonly isChunk: boolean;
  /** The number of items that the caller gave, unchecked; undefined if the inputs determine it. */
  readonly n: unknown;
  /** See `RunOptions`. */
  readonly spare?: unknown;
  /** By input: the first items after the chunk. */
  readonly after?: CallerValues;
}

/** What a caller reads of a piece or of consecutive pieces. */
export interface Needs {
  /** The state after it. */
  readonly state: boolean;
  /** The outputs with one value for the range. */
  readonly outputs: boolean;
}

export const ALL_NEEDS: Needs = { state: true, outputs: true };

/** The parameters and tables of a state by name. Nothing changes the tables. */
export type OwnValues = Readonly<Record<string, HostArray | ScalarValue>>;

/** The place of a piece in the whole range, and what is read of it. */
export interface Placed {
  /** The number of the piece's first item. */
  readonly number: bigint;
  readonly needs: Needs;
}

/**
 * Runs the loops of a carried pipeline over a piece.
 * @param values of the chunk
 * @param own the parameters and tables of the state
 * @returns all outputs, including those of the state; those that are not needed may be absent
 */
export type RunPiece = (
  values: CallerValues,
  piece: Piece,
  own: OwnValues,
  placed: Placed,
) => Promise<RunResults>;

/** The result of a chunk or a piece. */
export interface Stepped {
  readonly outputs: RunResults;
  readonly state: State;
}

/** The result of a chunk or a piece whose state may not be needed. */
export interface Advanced {
  readonly outputs: RunResults;
  /** Undefined if it is not needed. */
  readonly state: State | undefined;
}

/** What the pieces of a carried pipeline have in common. */
interface Common {
  readonly start: State;
  /** Those of the start. */
  readonly tables: Readonly<Record<string, HostArray>>;
  readonly inputs: readonly string[];
  readonly operators: readonly StateOperator[];
  /** The outputs of the state. */
  readonly hidden: ReadonlySet<string>;
  /** An exactly associative operator has no blocks. */
  readonly hasBlocks: boolean;
}

/** Every run makes new {@link Pieces} of the same pipelines. */
const commonOf = /*@__PURE__*/ oncePer((carried: Carried): Common => {
  const { pipeline, scans } = carried;
  const operators = scans.map(({ operator }) => operator);
  const start = emptyState(pipeline.name, operators);
  return {
    start,
    tables: tablesOfState(carried, start),
    inputs: pipeline.nodes.flatMap((node) => (node.kind === "input" ? [node.name] : [])),
    operators,
    hidden: namesOf(scans),
    hasBlocks: operators.some((operator) => kindOfState(operator) === "cover"),
  };
});

/** The tables that pass a state to the loops, by name. */
function tablesOfState({ scans }: Carried, state: State): Readonly<Record<string, HostArray>> {
  const tables: Record<string, HostArray> = {};
  for (const [i, scan] of scans.entries()) {
    const arrays = arraysOf(state.scans[i] as ScanState);
    for (const [field, name] of scan.from.entries()) tables[name] = arrays[field] as HostArray;
  }
  return tables;
}

/**
 * The items after a piece that its loops read, by the names of their tables; none if the values have no inputs, as where runners have them.
 * @param values of all items up to those after the chunk
 */
export function laterOf(
  { after: wanted }: Carried,
  values: CallerValues,
  { to, after = {} }: Pick<Piece, "to" | "after">,
): Readonly<Record<string, HostArray>> {
  if (!wanted || [...wanted.tables.keys()].some((input) => values[input] === undefined)) return {};
  const tables = [...wanted.tables].map(([input, table]) => {
    const own = (values[input] as HostArray).subarray(to, to + wanted.items);
    const missing = wanted.items - own.length;
    const rest = (after[input] as HostArray | undefined)?.subarray(0, missing);
    return [table, rest === undefined || rest.length === 0 ? own : joinArrays([own, rest])] as const;
  });
  return Object.fromEntries(tables);
}

/** The loops of one carried pipeline. */
export class Pieces {
  readonly carried: Carried;
  private readonly common: Common;
  private readonly runPiece: RunPiece;
  private readonly isByBlocks: boolean;
  private readonly most: number;

  /**
   * @param takesBlocks whether the loops run over one aligned block at a time: a piece is at most as long as the largest block that begins at its first item
   * @param most items of a piece
   */
  constructor(carried: Carried, runPiece: RunPiece, takesBlocks: boolean = false, most: number = PIECE) {
    this.most = most;
    this.carried = carried;
    this.runPiece = runPiece;
    this.common = commonOf(carried);
    this.isByBlocks = takesBlocks && this.common.hasBlocks;
  }

  /** The state before the first item. */
  get start(): State {
    return this.common.start;
  }

  get operators(): readonly StateOperator[] {
    return this.common.operators;
  }

  get inputs(): readonly string[] {
    return this.common.inputs;
  }

  /** The maximum number of items of a piece that begins at an item. */
  roomAt(item: bigint): number {
    return Math.min(this.isByBlocks ? alignmentOf(item) : PIECE - within(item), this.most);
  }

  async run(values: CallerValues, piece: Piece, before: State, placed: Placed): Promise<Advanced> {
    const own = { ...this.ownOf(before, placed.number), ...laterOf(this.carried, values, piece) };
    for (const name of Object.keys(values))
      if (Object.hasOwn(own, name)) throw errorOf("unknown-input", { name, known: this.inputs });
    const all = await this.runPiece(values, piece, own, placed);
    const { hidden } = this.common;
    const outputs = Object.fromEntries(Object.entries(all).filter(([name]) => !hidden.has(name)));
    return { outputs, state: placed.needs.state ? this.stateAfter(before, piece, all) : undefined };
  }

  private ownOf(before: State, number: bigint): OwnValues {
    const { place, first, edges } = this.carried;
    const { start, tables } = this.common;
    const own: Record<string, HostArray | ScalarValue> = {
      ...(before === start ? tables : tablesOfState(this.carried, before)),
      [place]: placeOf(before.to),
    };
    if (first !== undefined) own[first] = Number(edges ? BigInt(number > 0n) : BigInt.asUintN(32, number));
    return own;
  }

  private stateAfter(before: State, piece: Piece, all: RunResults): State {
    const from = before.to;
    const to = from + BigInt(piece.to - piece.from);
    const scans = this.carried.scans.map((scan, i) => {
      const given = scan.to.map((output) => all[output] as HostArray);
      return scanAfter(before.scans[i] as never, given, from, to);
    });
    return { ...before, to, scans };
  }
}
