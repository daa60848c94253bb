/** Pieces of chunks: the arrays that the loops read and write for the items up to the end of a block of 2^30. */
import { errorOf } from "../../ir/base/errors.ts";
import type { Carried } from "../../ir/state/carry.ts";
import { emptyState, kindOfState, type State, type StateOperator } from "../../ir/state/state.ts";
import type { HostArray, ScalarValue } from "../../ir/tables/scalar.ts";
import type { RunResults } from "../api/typed.ts";
import { alignmentOf, arraysOf, namesOf, PIECE, placeOf, scanAfter, within } from "./arrays.ts";

/** Values of callers by name. */
export type Values = Readonly<Record<string, unknown>>;

/** Items of a chunk that run at once. */
export interface Piece {
  /** The first item, and the first after it, as numbers in the chunk. */
  readonly from: number;
  readonly to: number;
  /** True for the whole chunk: inputs are passed unchanged. */
  readonly isChunk: boolean;
  /** The number of items that the caller gave, unchecked; undefined if the inputs determine it. */
  readonly n: unknown;
}

/**
 * Runs the loops of a carried pipeline over a piece.
 * @param values of the chunk
 * @param own the parameters and tables of the state
 * @returns all outputs, including those of the state
 */
export type RunPiece = (
  values: Values,
  piece: Piece,
  own: Readonly<Record<string, HostArray | ScalarValue>>,
) => Promise<RunResults>;

/** The result of a chunk or a piece. */
export interface Stepped {
  readonly outputs: RunResults;
  readonly state: State;
}

/** The loops of one carried pipeline. */
export class Pieces {
  readonly carried: Carried;
  /** The state before the first item. */
  readonly start: State;
  private readonly inputs: readonly string[];
  private readonly runPiece: RunPiece;
  private readonly isByBlocks: boolean;

  /** @param takesBlocks whether the loops run over one aligned block at a time: a piece is at most as long as the largest block that begins at its first item */
  constructor(carried: Carried, runPiece: RunPiece, takesBlocks: boolean = false) {
    const { pipeline, scans } = carried;
    this.carried = carried;
    this.runPiece = runPiece;
    // An exactly associative operator has no blocks.
    this.isByBlocks = takesBlocks && scans.some(({ operator }) => kindOfState(operator) === "cover");
    this.inputs = pipeline.nodes.flatMap((node) => (node.kind === "input" ? [node.name] : []));
    this.start = emptyState(
      pipeline.name,
      scans.map(({ operator }) => operator),
    );
  }

  get operators(): readonly StateOperator[] {
    return this.carried.scans.map(({ operator }) => operator);
  }

  /** The maximum number of items of a piece that begins at an item. */
  roomAt(item: bigint): number {
    return this.isByBlocks ? alignmentOf(item) : PIECE - within(item);
  }

  /** @param number of the piece's first item in the whole range */
  async run(values: Values, piece: Piece, before: State, number: bigint = before.to): Promise<Stepped> {
    const { scans, place, first, edges } = this.carried;
    const from = before.to;
    const own: Record<string, HostArray | ScalarValue> = { [place]: placeOf(from) };
    if (first !== undefined) own[first] = Number(edges ? BigInt(number > 0n) : BigInt.asUintN(32, number));
    for (const [i, scan] of scans.entries()) {
      const arrays = arraysOf(before.scans[i] as never);
      scan.from.forEach((table, field) => {
        own[table] = arrays[field] as HostArray;
      });
    }
    for (const name of Object.keys(values))
      if (Object.hasOwn(own, name)) throw errorOf("unknown-input", { name, known: this.inputs });
    const all = await this.runPiece(values, piece, own);
    const to = from + BigInt(piece.to - piece.from);
    const states = scans.map((scan, i) => {
      const given = scan.to.map((output) => all[output] as HostArray);
      return scanAfter(before.scans[i] as never, given, from, to);
    });
    const hidden = namesOf(scans);
    const outputs = Object.fromEntries(Object.entries(all).filter(([name]) => !hidden.has(name)));
    return { outputs, state: { ...before, to, scans: states } };
  }
}
