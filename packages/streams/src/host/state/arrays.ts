/** States in the form of arrays that loops read and write. */

import { type HostArray, SCALARS } from "@groupwise/ir/tables/scalar.js";
import { AT_LAST, elementsOfState, HIGHEST, PLACE_BITS } from "../../carry/state.ts";
import type { CarriedScan } from "../../state/carry.ts";
import {
  append,
  type Block,
  type BlockExtent,
  type Combine,
  foldCover,
  type Total,
} from "../../state/cover.ts";
import {
  combineOf,
  identityOfState,
  kindOfState,
  type ScanState,
  type State,
  type StateOperator,
  typesOfState,
} from "../../state/state.ts";

const BITS = BigInt(PLACE_BITS);
/** Number of items of the blocks at whose ends pieces end. */
export const PIECE: number = 2 ** PLACE_BITS;
/** Flag of the place: there are items before the block. */
const BEFORE = 2 ** 31;

/** The number of an item in its block of 2^30. */
export const within = (item: bigint): number => Number(BigInt.asUintN(PLACE_BITS, item));

/** The parameter for the place of a chunk. */
export const placeOf = (start: bigint): number => within(start) + (start >> BITS === 0n ? 0 : BEFORE);

const isLarge = ({ level }: Block): boolean => level >= PLACE_BITS;

/** Writes a total to an index of the arrays of its values. */
const writerOf =
  (operator: StateOperator, arrays: readonly HostArray[]) =>
  (index: number, total: Total): void => {
    for (const [i, type] of typesOfState(operator).entries())
      (arrays[i] as unknown as (number | bigint)[])[index] = SCALARS[type].toHost(total[i] as never);
  };

/** The arrays that pass a scan's state to the loops, one for each value of a total. */
export function arraysOf(scan: ScanState): HostArray[] {
  const { operator } = scan;
  const arrays = typesOfState(operator).map((type) => new SCALARS[type].array(elementsOfState(operator)));
  const put = writerOf(operator, arrays);
  if (scan.kind === "total") {
    put(0, scan.total);
    return arrays;
  }
  const before = foldCover(scan.blocks.filter(isLarge), combineOf(operator));
  put(AT_LAST, before ?? identityOfState(operator));
  for (const { level, total } of scan.blocks.filter((block) => !isLarge(block))) put(level, total);
  return arrays;
}

/**
 * The state after a piece.
 * @param scan the state before it
 * @param given the arrays that the loops wrote
 * @param from the first item of the piece
 * @param to the first after it, at most the end of its block of 2^30
 */
export function scanAfter(scan: ScanState, given: readonly HostArray[], from: bigint, to: bigint): ScanState {
  const types = typesOfState(scan.operator);
  const totalAt = (index: number): Total =>
    types.map((type, i) => SCALARS[type].fromHost(given[i]?.[index] as number | bigint));
  if (scan.kind === "total") return { ...scan, total: totalAt(0) };
  if (from === to) return scan;
  const combine = combineOf(scan.operator);
  const first = (from >> BITS) << BITS;
  const large = scan.blocks.filter(isLarge);
  return { ...scan, blocks: blocksUpTo(large, first, Number(to - first), totalAt, combine) };
}

/** Adds the blocks of the first items of a block of 2^30. Their sizes are the 1 bits of the number of items. */
function blocksUpTo(
  before: readonly Block[],
  first: bigint,
  count: number,
  totalAt: (level: number) => Total,
  combine: Combine,
): readonly Block[] {
  let blocks = before;
  let start = first;
  for (let level = PLACE_BITS; level >= 0; level--) {
    if (((count >>> level) & 1) === 0) continue;
    blocks = append(blocks, { start, level, total: totalAt(level) }, combine);
    start += 1n << BigInt(level);
  }
  return blocks;
}

/** By the names of tables and outputs: the contents for each scan. */
export const namesOf = (scans: readonly CarriedScan[]): ReadonlySet<string> =>
  new Set(scans.flatMap(({ to }) => to));

/** The largest block, of 2^30 items at most, that begins at an item. */
export const alignmentOf = (item: bigint): number => {
  const place = within(item);
  return place === 0 ? PIECE : (place & -place) >>> 0;
};

/** Moves the state of a range that begins at 0 to a range of the same length that begins at a multiple of its largest block. */
export function movedState(state: State, by: bigint): State {
  const scans = state.scans.map((scan): ScanState => {
    if (scan.kind === "total") return scan;
    return { ...scan, blocks: scan.blocks.map((block) => ({ ...block, start: block.start + by })) };
  });
  return { ...state, from: state.from + by, to: state.to + by, scans };
}

/**
 * A position of the chunk that a parameter for its place gives, and the blocks before it. The total of all items before its block of 2^30 items is that of a block
 * with the largest level, which no other block is merged with.
 * @param place the parameter
 */
export function startOf(place: number): { readonly to: bigint; readonly blocks: readonly BlockExtent[] } {
  const first = place >= BEFORE ? 2n << BITS : 0n;
  const count = within(BigInt(place));
  const blocks: BlockExtent[] = place >= BEFORE ? [{ start: 0n, level: HIGHEST }] : [];
  for (let level = PLACE_BITS - 1, start = first; level >= 0; level--) {
    if (((count >>> level) & 1) === 0) continue;
    blocks.push({ start, level });
    start += 1n << BigInt(level);
  }
  return { to: first + BigInt(count), blocks };
}

/** The state of a scan from the arrays that the loops read, the opposite of `arraysOf`. @param blocks those of `startOf` */
export function scanOf(
  operator: StateOperator,
  blocks: readonly BlockExtent[],
  given: readonly HostArray[],
): ScanState {
  const types = typesOfState(operator);
  const totalAt = (index: number): Total =>
    types.map((type, i) => SCALARS[type].fromHost(given[i]?.[index] as number | bigint));
  if (kindOfState(operator) === "total") return { kind: "total", operator, total: totalAt(0) };
  const filled = blocks.map((block) => ({
    ...block,
    total: totalAt(block.level === HIGHEST ? AT_LAST : block.level),
  }));
  return { kind: "cover", operator, blocks: filled };
}

/** Writes a state to the arrays that the loops write. @param scan the state after a chunk that began with `scanOf` */
export function storeScan(scan: ScanState, arrays: readonly HostArray[]): void {
  const write = writerOf(scan.operator, arrays);
  if (scan.kind === "total") write(0, scan.total);
  else for (const { level, total } of scan.blocks) if (level <= PLACE_BITS) write(level, total);
}
