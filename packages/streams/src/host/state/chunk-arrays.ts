/** The state before and after a chunk in the arrays that its loops read and write, for runtimes that divide a chunk among threads. */

import { BOOLEAN, OBJECT, optional, requireArguments } from "@groupwise/ir/base/arguments.js";
import type { Checked } from "@groupwise/ir/document/check.js";
import { CHECKED } from "@groupwise/ir/document/shapes.js";
import type { HostArray, ScalarValue } from "@groupwise/ir/tables/scalar.js";
import type { Carrying } from "@groupwise/lower/parts/strategy.js";
import type { Manifest } from "@groupwise/runtime/plan/manifest.js";
import { CarriedState } from "../../carry/state.ts";
import type { Carried, CarriedScan } from "../../state/carry.ts";
import { emptyState, type State } from "../../state/state.ts";
import { scanOf, startOf, storeScan } from "./arrays.ts";
import { type ElementCounts, elementsBefore } from "./elements.ts";
import { Parted } from "./parted.ts";

/**
 * The pipeline over a chunk that loops compute; undefined if they compute a whole range.
 * @category Authors
 */
export function carriedIn(carrying: Carrying | undefined): Carried | undefined {
  requireArguments(arguments, "carriedIn", ["carrying"]);
  return carrying instanceof CarriedState ? carrying.carried : undefined;
}

/**
 * The parts of what a runtime compiles: of a range, or of a chunk that is carried.
 * @param checked the pipeline that is compiled
 * @param isSequential whether one runner computes them, one after the other
 * @throws GroupwiseError `not-carried`
 * @category Authors
 */
export function partedFor(
  checked: Checked,
  carrying: Carrying | undefined,
  isSequential: boolean = false,
): Parted {
  requireArguments(arguments, "partedFor", {
    pipeline: CHECKED,
    carrying: optional(OBJECT),
    isSequential: optional(BOOLEAN),
  });
  const carried = carriedIn(carrying);
  const own = carrying && carried && { carried, carrying };
  return new Parted(carried?.source ?? checked, own, false, isSequential);
}

/** The arguments of a call of the loops over a chunk. */
export interface ChunkCall {
  readonly manifest: Pick<Manifest, "bindings">;
  /** By name. */
  readonly params: ReadonlyMap<string, ScalarValue>;
  /** By name. */
  readonly arrays: ReadonlyMap<string, HostArray>;
}

/**
 * A chunk whose parts are computed side by side. Its loops know the item at which it begins modulo 2^30 only, so its states count items from a number that is
 * equal modulo 2^30.
 * @category Authors
 */
export class ChunkArrays {
  /** The state before the chunk, for a crew of its parts. */
  readonly start: State;
  private readonly carried: Carried;
  private readonly call: ChunkCall;
  private readonly before: ElementCounts;

  constructor(carried: Carried, call: ChunkCall) {
    const { place, scans, pipeline } = carried;
    const { arrays, params } = call;
    const { to, blocks } = startOf(Number(params.get(place)));
    const operators = scans.map(({ operator }) => operator);
    const read = scans.map(({ operator, from }) =>
      scanOf(
        operator,
        blocks,
        from.map((name) => arrays.get(name) as HostArray),
      ),
    );
    this.carried = carried;
    this.call = call;
    this.start = { ...emptyState(pipeline.name, operators), to, scans: read };
    this.before = elementsBefore(carried, Object.fromEntries(arrays));
  }

  /** The parameter for the number of the first item of a piece, by name. @param loops over the piece @param from in the chunk */
  firstOf({ first, edges }: Carried, from: number): Readonly<Record<string, number>> {
    if (first === undefined) return {};
    const number = Number(this.call.params.get(this.carried.first as string)) + from;
    return { [first]: edges ? Number(number > 0) : number >>> 0 };
  }

  /** The slot of a piece's first element in the array of the chunk; undefined for arrays of items. @param counts those of all items before the piece */
  slotOf(name: string, counts: ElementCounts): number | undefined {
    const count = counts.get(name);
    return count === undefined ? undefined : (count - (this.before.get(name) ?? 0)) >>> 0;
  }

  /** Writes the arrays of the state after the chunk, and the numbers of its elements. */
  store({ scans }: State): void {
    const { carried, call, before } = this;
    const { arrays, manifest } = call;
    const arrayOf = (name: string): HostArray => arrays.get(name) as HostArray;
    for (const [i, { to }] of carried.scans.entries()) storeScan(scans[i] as never, to.map(arrayOf));
    for (const { name, lengthFrom } of manifest.bindings) {
      const scan = carried.appended.get(name);
      if (scan === undefined || lengthFrom === undefined) continue;
      const [total] = (carried.scans[scan] as CarriedScan).to as readonly [string];
      arrayOf(lengthFrom)[0] = (Number(arrayOf(total)[0]) - (before.get(name) ?? 0)) >>> 0;
    }
  }
}
