/** The division of the items in a look-back pass: tiles of rows, rows of vectors; 32 tiles form a block, 32 blocks the next larger one. */

import { type Formula, formula } from "@groupwise/ir/base/formula.js";
import { isInteger } from "@groupwise/ir/tables/op.js";
import { SCALARS, type Scalar, type WordForm } from "@groupwise/ir/tables/scalar.js";
import type { LookBack, TileKind } from "@groupwise/kernel/capabilities/capabilities.js";
import type { ArrayRef, Code } from "@groupwise/kernel/language/build.js";
import type { ConstExpr, Expr, ParamExpr } from "@groupwise/kernel/language/expr.js";
import {
  add,
  and,
  binary,
  bool,
  eq,
  lt,
  mul,
  ne,
  select,
  size,
  sub,
  u32,
  unary,
} from "@groupwise/kernel/language/make-expr.js";
import { ROW, type RowWidth } from "@groupwise/kernel/language/stmt.js";
import type { Native } from "../../lanes/either-way.ts";
import { type Lanes, repeat, shuffledFrom } from "../../lanes/lanes.ts";
import { hintsFor, type Monoid, named } from "../../parts/monoid.ts";
import { fromWords, toWords } from "../../parts/words.ts";
import { CARRIED } from "../../work-groups/tile-totals.ts";
import type { Together } from "./rows.ts";

/** Bits of a word, of which a work-item holds one for each item of a tile. */
export const MOST_BITS = 32;

/** Slots that 32 lanes read at once, one a lane. */
export const RADIX = 32;
/** log2 of it. */
export const RADIX_BITS = 5;

export interface TilePlan {
  readonly workGroupSize: number;
  /** Rows of a tile, each of work-group size x width items. */
  readonly rows: number;
  /** Items of a work-item in a row. */
  readonly width: RowWidth;
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
  /** True if a kernel of its own has the items after the last full tile. */
  readonly hasTail: boolean;
  /**
   * True for a chunk whose last item is never in a full tile, so that the tail has it: its prefix is known only after the chunk's blocks. That of an exactly associative
   * operator is known as in a whole range.
   */
  readonly isLastSeparate: boolean;
}

/** The number of work-items that leaves enough registers for floats, whose guards take some, and for values of several words. */
const FEWER = 256;
const isLight = (type: Scalar): boolean => isInteger(type) && SCALARS[type].words === "bits";
/** Whether values are one of 64 bits each. */
export const isWide = (types: readonly Scalar[]): boolean =>
  types.length === 1 && types.every((type) => SCALARS[type].words === "pair");

/** Words of a slot up to which the totals of all rows of bits take at most 9 kB of work-group memory. */
const MOST_OF_BITS = 16;

/** Blocks of a tile, whose totals 32 lanes fold: 1, 2 or 4 each. */
const MOST_BLOCKS = 4 * RADIX;

const rowOf = (words: number): TilePlan["rowWords"] => (words % 4 === 0 ? 4 : words % 2 === 0 ? 2 : 1);

interface ShapeOptions extends Pick<TilePlan, "isCarried" | "hasTail" | "width"> {
  readonly maxItems: number;
  readonly kind?: TileKind | undefined;
  /** A work-item holds a bit for each item, in place of its operands. */
  readonly areBits: boolean;
}

/**
 * Wide tuples get shorter tiles: two tiles of a work-item stay in its registers, unless they are bits. Rows of fewer items are more.
 */
export function shapeOf(
  lookBack: LookBack,
  monoid: Pick<Monoid, "types" | "reassociable">,
  { maxItems, isCarried, hasTail, kind, areBits, width }: ShapeOptions,
): TilePlan {
  const own = (kind && lookBack.kinds?.[kind]) ?? lookBack;
  const asked = Math.min(own.workGroupSize, lookBack.workGroupSize);
  const slotWords = monoid.types.reduce((sum, type) => sum + halvesOf(type), 0);
  const workGroupSize =
    monoid.types.length === 1 && monoid.types.every(isLight) ? asked : Math.min(asked, FEWER);
  const words = 2 ** Math.ceil(Math.log2(Math.max(1, slotWords / 2)));
  const lanes32 = workGroupSize / RADIX;
  const least = Math.max(1, RADIX / lanes32);
  const isTall = areBits && slotWords <= MOST_OF_BITS;
  const rowsOfFour = isTall ? Math.min(own.rows, MOST_BITS / ROW) : own.rows / words;
  const rows = Math.min(MOST_BLOCKS / lanes32, Math.max(least, rowsOfFour * (ROW / width)));
  const blocks = lanes32 * rows;
  const items = workGroupSize * width * rows;
  let levels = 1;
  while (Math.ceil(maxItems / items) > RADIX ** levels) levels++;
  return {
    workGroupSize,
    rows,
    width,
    lanes32,
    blocks,
    perLane: blocks / RADIX,
    size: items,
    shift: Math.log2(items),
    levels,
    slotWords,
    rowWords: lookBack.slotRows ? rowOf(slotWords) : 1,
    isCarried,
    hasTail,
    isLastSeparate: isCarried && !monoid.reassociable,
  };
}

/** Items of a work-item in a tile. */
export const itemsOfLane = ({ rows, width }: TilePlan): number => rows * width;

/** The sizes of a shape with their names in texts. */
export const sizesOf = (
  shape: TilePlan,
): Readonly<Record<"items" | "rows" | "rowItems" | "blocks" | "rowBlocks", ConstExpr>> => ({
  items: size("TILE_ITEMS", shape.size),
  rows: size("TILE_ROWS", shape.rows),
  rowItems: size("ROW_ITEMS", shape.workGroupSize * shape.width),
  blocks: size("TILE_BLOCKS", shape.blocks),
  rowBlocks: size("ROW_BLOCKS", shape.lanes32),
});

/** The items that can be in full tiles. */
const itemsOf = ({ isLastSeparate }: TilePlan, n: ParamExpr): Expr =>
  isLastSeparate ? sub(n, binary("min", n, 1)) : n;
const itemsFormula = ({ isLastSeparate }: TilePlan): Formula =>
  isLastSeparate ? formula("sub", "n", formula("min", "n", 1)) : "n";

const shiftOf = ({ shift }: TilePlan): ConstExpr => size("TILE_SHIFT", shift);

/** The number of full blocks of a level, as an expression of kernels. */
export const blocksAt = (shape: TilePlan, n: ParamExpr, level: number): Expr =>
  binary("shr", itemsOf(shape, n), level === 0 ? shiftOf(shape) : shape.shift + RADIX_BITS * level);
const blocksFormula = (shape: TilePlan, level: number): Formula =>
  formula("floor-div", itemsFormula(shape), shape.size * RADIX ** level);

/** Full tiles. */
export const fullTilesFormula = (shape: TilePlan): Formula => blocksFormula(shape, 0);

/** The tiles that a pass takes from its counter: those of the range, or the full ones. */
export const tilesAt = (shape: TilePlan, n: ParamExpr): Expr =>
  shape.hasTail ? blocksAt(shape, n, 0) : binary("shr", add(n, shape.size - 1), shiftOf(shape));
export const tilesFormula = (shape: TilePlan): Formula =>
  shape.hasTail ? fullTilesFormula(shape) : formula("ceil-div", "n", shape.size);

/** Whether a tile that a pass takes is full. Where all are it is a constant, and a condition on it leaves no branch in the text. */
export const isFullTile = ({ shape, n }: Pick<TileStatus, "shape" | "n">, tile: Expr): Expr =>
  shape.hasTail ? bool(true) : lt(tile, blocksAt(shape, n, 0));

/** All of the conditions that are given and not constant; undefined if there is none. */
export const allOf = (...conditions: readonly (Expr | undefined)[]): Expr | undefined => {
  const stated: readonly Expr[] = conditions.filter((e) => e !== undefined && e.kind !== "const");
  return stated.length > 0 ? stated.reduce(and) : undefined;
};

/** The words before the slots: the counter of tiles, for a chunk the totals of its blocks, and those up to a row. */
const firstSlot = ({ isCarried, slotWords, rowWords }: TilePlan): number =>
  rowWords + (isCarried ? CARRIED * slotWords : 0);

/** The status: those words, then the slots, level by level. */
export function statusElements(shape: TilePlan): Formula {
  let slots: Formula = 0;
  for (let level = 0; level < shape.levels; level++)
    slots = formula("add", slots, blocksFormula(shape, level));
  return formula("add", formula("mul", slots, shape.slotWords), firstSlot(shape));
}

/** The index of a slot's first word in the status: the slots of lower levels come first. */
export function slotAt(shape: TilePlan, n: ParamExpr, level: Expr, slot: Expr): Expr {
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

/*
 * The status: totals of full tiles, of blocks of 32 tiles, of 32 such blocks, each published once and never
 * changed. A prefix is a fold over at most 31 slots a level (`docs/decisions/look-back.md`); a work-group that waits too long for a
 * slot computes its total, with the same bits.
 */

/** The shared context of the kernels of one look-back. */
export interface TileStatus {
  readonly shape: TilePlan;
  readonly monoid: Monoid;
  readonly array: ArrayRef<"storage">;
  readonly n: ParamExpr;
  /** Polls of a slot before the waiting work-group computes it. */
  readonly polls: number;
  /** Tiles that publish nothing, in tests, unless they are the last full one. */
  readonly withheld: readonly number[];
  /** For a chunk: the place of its first item. */
  readonly start?: Expr | undefined;
  /** For a chunk, by value: whether the pass begins with none, not with the prefix before the chunk, because items need only a number in the chunk. */
  readonly fromNone: readonly boolean[];
  /** Combining takes so long that no value is combined twice, and that one block of lanes alone finds the prefix of a tile. */
  readonly isHeavy: boolean;
  /** The rows of a tile are folded together, and what the up-sweep combined is kept for the down-sweep. */
  readonly isTogether: boolean;
  /** Given if blocks of lanes compute with the device's own operations where those are right: see `normal.ts`. */
  readonly native: Native | undefined;
  /** The monoid of words that combines two rows at once, if there is one. */
  readonly pairs: Monoid | undefined;
}

/** The lanes of a work-group, in blocks of 32. */
export interface LaneTeam {
  readonly lane: Expr;
  /** The lane's number in its block, and the block's. */
  readonly sub: Expr;
  readonly block: Expr;
  /** The lanes of a block. */
  readonly lanes: Lanes;
  /** Blocks are parts of subgroups. */
  readonly isSubgroup: boolean;
  /** The first block alone does what one block can do. */
  readonly isFirstAlone: boolean;
  /** Loops over the rows of a tile are written out: some compilers keep those with so many operations, and then what rows leave is not in registers. */
  readonly unrolled: boolean;
  /** The rows of a tile as they are folded together; undefined where they are folded one by one. */
  readonly together: Together | undefined;
}

/** Whether items of the range precede: those of an earlier chunk, or others. */
export const precededIf = ({ start }: Pick<TileStatus, "start">, others: Expr): Expr =>
  start ? binary("or", others, ne(start, 0)) : others;

/** Visits the rows of a tile. */
export const eachRow = (
  code: Code,
  { unrolled }: LaneTeam,
  rows: Expr,
  body: (code: Code, row: Expr) => void,
): void => repeat(code, { unrolled, hint: "row", from: u32(0), below: rows, body });

/** What one block of lanes does: the others do the same where they cannot leave it out. */
export const inFirst = (code: Code, { lane, isFirstAlone }: LaneTeam, work: (code: Code) => void): void =>
  isFirstAlone ? code.ifBelow(lane, RADIX, work) : work(code);

/** The value of the `from`-th lane of the block, in all of its lanes. */
export function pick(
  code: Code,
  team: LaneTeam,
  monoid: Monoid,
  values: readonly Expr[],
  from: Expr,
): Expr[] {
  if (team.isSubgroup) return shuffledFrom(code, hintsFor(monoid, "picked"), values, from);
  const { shared, copies = 1 } = team.lanes;
  const arrays = values.map((v, i) => shared.take(v.type, i, RADIX * copies));
  code.barrier();
  code.storeAll(arrays, team.lane, values);
  code.barrier();
  const at = add(binary("mul", team.block, RADIX), from);
  return named(code, monoid, "picked", code.loadAll(arrays, at));
}

/** Whether a tile's totals are published: always, except in tests. The last full tile always does, because the tail waits for none. */
export function publishes({ withheld, shape, n }: TileStatus, tile: Expr): Expr | undefined {
  const others = withheld.map((tile2) => ne(tile, tile2));
  if (others.length === 0) return undefined;
  const isLast = eq(add(tile, 1), blocksAt(shape, n, 0));
  return binary("or", others.reduce(and), isLast);
}

/*
 * Values as words that become ready one by one: 16 bits of the value beside a ready bit. If all words of
 * a value are ready, the value is valid: no second state, and no order among words is needed.
 */

const HALF = 16;
const LOW = 0xffff;
const READY = 0x10000;

/** Words for a value of the type, by the form of its own words: `low` and `truth` are at most 16 bits. */
const HALVES: Readonly<Record<WordForm, number>> = { low: 1, truth: 1, bits: 2, pair: 4 };
export const halvesOf = (type: Scalar): number => HALVES[SCALARS[type].words];
const isShort = (type: Scalar): boolean => halvesOf(type) === 1;

/** The words of a value, which is a name, each ready. */
export function wordsOfValue(value: Expr): Expr[] {
  const ready = (half: Expr): Expr => binary("or", half, READY);
  return toWords(value).flatMap((all) =>
    isShort(value.type) ? [ready(all)] : [ready(binary("and", all, LOW)), ready(binary("shr", all, HALF))],
  );
}

/** The value of ready words. */
function valueOfWords(type: Scalar, words: readonly Expr[]): Expr {
  const low = (each: Expr): Expr => binary("and", each, LOW);
  const whole: Expr[] = [];
  if (isShort(type)) whole.push(low(words[0] as Expr));
  else
    for (let i = 0; i < words.length; i += 2)
      whole.push(binary("or", low(words[i] as Expr), binary("shl", words[i + 1] as Expr, HALF)));
  return fromWords([type], whole)[0] as Expr;
}

/** The values of ready words, one after the other. */
export function valuesOf(types: readonly Scalar[], words: readonly Expr[]): Expr[] {
  let at = 0;
  return types.map((type) => {
    const mine = words.slice(at, at + halvesOf(type));
    at += mine.length;
    return valueOfWords(type, mine);
  });
}

/** Whether all of the words are ready. */
export const areReady = (words: readonly Expr[]): Expr => ne(and(words.reduce(and), READY), 0);
