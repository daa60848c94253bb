/** The division of the items in a look-back pass: tiles of rows, rows of vec4s; 32 tiles form a block, 32 blocks the next larger one. */

import { type Formula, formula } from "@groupwise/ir/base/formula.js";
import { isInteger } from "@groupwise/ir/tables/op.js";
import { SCALARS, type Scalar } from "@groupwise/ir/tables/scalar.js";
import type { LookBack, TileKind } from "@groupwise/kernel/capabilities/capabilities.js";
import type { Expr, ParamExpr } from "@groupwise/kernel/language/expr.js";
import { add, and, binary, lt, mul, select, sub, unary } from "@groupwise/kernel/language/make-expr.js";
import { ROW } from "@groupwise/kernel/language/stmt.js";
import type { Monoid } from "../../../parts/monoid.ts";
import { CARRIED } from "../../../work-groups/tile-totals.ts";
import { halvesOf } from "./words.ts";

/** Slots that 32 lanes read at once, one a lane. */
export const RADIX = 32;
/** log2 of it. */
export const RADIX_BITS = 5;

export interface Shape {
  readonly workGroupSize: number;
  /** Rows of a tile, each of work-group size x 4 items. */
  readonly rows: number;
  /** Blocks of 32 lanes in a row. */
  readonly lanes32: number;
  /** Blocks of 32 lanes in all rows; 32 lanes fold their totals, `perLane` each. */
  readonly blocks: number;
  readonly perLane: number;
  /** Items of a tile, a power of two, and log2 of it. */
  readonly size: number;
  readonly shift: number;
  /** Levels of slots: tiles, blocks of 32 of them, … */
  readonly levels: number;
  /** Words of a slot. */
  readonly slotWords: number;
  /** Words of a slot that are read at once. The slots begin at a multiple of it. */
  readonly rowWords: 1 | 2 | 4;
  /** True for a chunk: the status begins with the totals of its blocks. */
  readonly isCarried: boolean;
  /**
   * True for a chunk whose last item is never in a full tile, so that the tail has it: its prefix is known only after the chunk's blocks. That of an exactly associative
   * operator is known as in a whole range.
   */
  readonly isLastApart: boolean;
}

/** The number of work-items that leaves enough registers for floats, whose guards take some, and for values of several words. */
const FEWER = 256;
const isLight = (type: Scalar): boolean => isInteger(type) && SCALARS[type].words === "bits";
/** Whether values are one of 64 bits each. */
export const isWide = (types: readonly Scalar[]): boolean =>
  types.length === 1 && types.every((type) => SCALARS[type].words === "pair");

/** Blocks of a tile, whose totals 32 lanes fold: 1, 2 or 4 each. */
const MOST_BLOCKS = 4 * RADIX;

const rowOf = (words: number): Shape["rowWords"] => (words % 4 === 0 ? 4 : words % 2 === 0 ? 2 : 1);

/** Wide tuples get shorter tiles: two tiles of a work-item stay in its registers. */
export function shapeOf(
  lookBack: LookBack,
  monoid: Pick<Monoid, "types" | "reassociable">,
  maxItems: number,
  isCarried: boolean = false,
  kind?: TileKind,
): Shape {
  const own = (kind && lookBack.kinds?.[kind]) ?? lookBack;
  const asked = Math.min(own.workGroupSize, lookBack.workGroupSize);
  const slotWords = monoid.types.reduce((sum, type) => sum + halvesOf(type), 0);
  const workGroupSize =
    monoid.types.length === 1 && monoid.types.every(isLight) ? asked : Math.min(asked, FEWER);
  const words = 2 ** Math.ceil(Math.log2(Math.max(1, slotWords / 2)));
  const lanes32 = workGroupSize / RADIX;
  const least = Math.max(1, RADIX / lanes32);
  const rows = Math.min(MOST_BLOCKS / lanes32, Math.max(least, own.rows / words));
  const blocks = lanes32 * rows;
  const size = workGroupSize * ROW * rows;
  const shift = Math.log2(size);
  let levels = 1;
  while (Math.ceil(maxItems / size) > RADIX ** levels) levels++;
  return {
    workGroupSize,
    rows,
    lanes32,
    blocks,
    perLane: blocks / RADIX,
    size,
    shift,
    levels,
    slotWords,
    rowWords: lookBack.slotRows ? rowOf(slotWords) : 1,
    isCarried,
    isLastApart: isCarried && !monoid.reassociable,
  };
}

/** The items that can be in full tiles. */
const itemsOf = ({ isLastApart }: Shape, n: ParamExpr): Expr =>
  isLastApart ? sub(n, binary("min", n, 1)) : n;
const itemsFormula = ({ isLastApart }: Shape): Formula =>
  isLastApart ? formula("sub", "n", formula("min", "n", 1)) : "n";

/** The number of full blocks of a level, as an expression of kernels. */
export const blocksAt = (shape: Shape, n: ParamExpr, level: number): Expr =>
  binary("shr", itemsOf(shape, n), shape.shift + RADIX_BITS * level);
const blocksFormula = (shape: Shape, level: number): Formula =>
  formula("floor-div", itemsFormula(shape), shape.size * RADIX ** level);

/** Full tiles. */
export const tilesFormula = (shape: Shape): Formula => blocksFormula(shape, 0);

/** The words before the slots: the counter of tiles, for a chunk the totals of its blocks, and those up to a row. */
const firstSlot = ({ isCarried, slotWords, rowWords }: Shape): number =>
  rowWords + (isCarried ? CARRIED * slotWords : 0);

/** The status: those words, then the slots, level by level. */
export function statusElements(shape: Shape): Formula {
  let slots: Formula = 0;
  for (let level = 0; level < shape.levels; level++)
    slots = formula("add", slots, blocksFormula(shape, level));
  return formula("add", formula("mul", slots, shape.slotWords), firstSlot(shape));
}

/** The index of a slot's first word in the status: the slots of lower levels come first. */
export function slotAt(shape: Shape, n: ParamExpr, level: Expr, slot: Expr): Expr {
  let at: Expr = slot;
  for (let below = 0; below + 1 < shape.levels; below++) {
    const isBelow = lt(below, level);
    at = add(at, select(isBelow, blocksAt(shape, n, below), 0));
  }
  return add(binary("mul", at, shape.slotWords), firstSlot(shape));
}

/** The number of bits of a tile's number that give its position in the blocks below a level. */
export const bitsBelow = (level: Expr): Expr => mul(level, RADIX_BITS);

/** The number of the block of a level that a tile is in. */
export const blockOf = (tile: Expr, level: Expr): Expr => binary("shr", tile, bitsBelow(level));

/** The tile's number among the 32 of its block of a level. */
export const digitOf = (tile: Expr, level: Expr): Expr => and(blockOf(tile, level), RADIX - 1);

/** The number of ones at the end of a number of less than 32 ones. */
export const trailingOnes = (value: Expr): Expr => {
  const next = add(value, 1);
  return sub(31, unary("clz", and(next, sub(0, next))));
};
