/** Words of a slot, two for each word of a value, up to which rounds between lanes are written out: what loops index is not in registers. */
const MOST_WRITTEN_OUT = 8;

/** The lanes of a work-group in blocks of 32, and the work-group memory of a look-back kernel. */
import type { Code, Shared } from "@groupwise/kernel/language/build.js";
import {
  add,
  and,
  binary,
  builtin,
  mul,
  sub as subtract,
  u32,
} from "@groupwise/kernel/language/make-expr.js";
import type { Lanes } from "../../lanes/lanes.ts";
import { placeInSubgroup } from "../../lanes/shuffles.ts";
import type { Fused } from "./fused.ts";
import { rowsInPairs } from "./tiles/pairs.ts";
import { RADIX, RADIX_BITS } from "./tiles/shape.ts";
import type { Memory } from "./tiles/tile.ts";
import type { Team } from "./tiles/tile-status.ts";
import { rowByRow } from "./tiles/together.ts";

/** The lanes in blocks of 32. @param areFull whether the tiles are full */
export function teamOf(
  code: Code,
  { lane, shared, memory, place }: Lanes,
  { status, sizes: { minSize, maxSize, reduces } }: Fused,
  areFull = false,
): Team {
  const { shape, isHeavy, isTogether, pairs } = status;
  const sub = code.let("sub", and(lane, RADIX - 1));
  const block = code.let("block", binary("shr", lane, RADIX_BITS));
  const base = mul(block, 2 * RADIX);
  const near = Math.min(Math.floor(Math.log2(minSize)), RADIX_BITS);
  const isSubgroup = near === RADIX_BITS;
  // A subgroup of 32 is a block.
  const isBlock = minSize === RADIX && maxSize === RADIX;
  const at = isBlock ? sub : (place ?? placeInSubgroup(code, lane, { minSize, maxSize }));
  const first = isBlock ? u32(0) : and(at, -RADIX >>> 0);
  const width = isBlock ? u32(RADIX) : builtin("subgroup-size");
  const following = and(add(isBlock ? sub : lane, 1), subtract(width, u32(1)));
  const next = isBlock ? following : code.let("next_lane", following);
  const lanes: Lanes = {
    size: RADIX,
    lane: sub,
    shared,
    ...(memory !== undefined && { memory }),
    near: u32(near),
    ...(place && { place: isBlock ? sub : place }),
    base,
    copies: shape.lanes32,
    ...(isSubgroup && { next, within: { at, first } }),
    ...(isSubgroup && reduces && { reduces }),
    unrolled: isSubgroup && !isHeavy && shape.slotWords <= MOST_WRITTEN_OUT,
  };
  const inPairs = pairs && areFull && isSubgroup ? rowsInPairs(lanes, shape, pairs) : undefined;
  const together = isTogether ? rowByRow(lanes, status) : inPairs;
  return {
    lane,
    sub,
    block,
    lanes,
    isSubgroup,
    isFirstAlone: isHeavy && isBlock,
    unrolled: areFull && together !== undefined,
    together,
  };
}

/** Totals of blocks of lanes: of the current and the next tile in turn, and of a missing tile. */
const REGIONS = 3;
export const LOST = 2;

/** Memory of equal size in all kernels of a pass, so that functions serve each of them. */
export function memoryOf(shared: Shared, { status: { monoid, shape } }: Fused): Memory {
  return {
    blockTotals: monoid.types.map((type) => shared.make("block_totals", type, REGIONS * shape.blocks)),
    prefixes: monoid.types.map((type) => shared.make("prefixes", type, shape.blocks + 1)),
  };
}
