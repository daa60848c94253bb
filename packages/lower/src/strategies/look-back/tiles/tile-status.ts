/**
 * The status: totals of full tiles, of blocks of 32 tiles, of 32 such blocks, each published once and never
 * changed. A prefix is a fold over at most 31 slots a level (`docs/decisions/look-back.md`); a work-group that waits too long for a
 * slot computes its total, with the same bits.
 */
import type { ArrayRef, Code } from "@groupwise/kernel/language/build.js";
import type { Expr, ParamExpr } from "@groupwise/kernel/language/expr.js";
import { add, and, binary, eq, ne, u32 } from "@groupwise/kernel/language/make-expr.js";
import { type Lanes, repeat } from "../../../lanes/lanes.ts";
import type { Monoid } from "../../../parts/monoid.ts";
import type { Native } from "./native.ts";
import { blocksAt, RADIX, type Shape } from "./shape.ts";
import type { Together } from "./together.ts";

/** The shared context of the kernels of one look-back. */
export interface TileStatus {
  readonly shape: Shape;
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
export interface Team {
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
  /** Loops over the rows of a tile are written out: compilers keep those with so many operations, and then what rows leave is not in registers. */
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
  { unrolled }: Team,
  rows: Expr,
  body: (code: Code, row: Expr) => void,
): void => repeat(code, { unrolled, hint: "row", from: u32(0), below: rows, body });

/** What one block of lanes does: the others do the same where they cannot leave it out. */
export const inFirst = (code: Code, { lane, isFirstAlone }: Team, work: (code: Code) => void): void =>
  isFirstAlone ? code.ifBelow(lane, RADIX, work) : work(code);

/** The value of the `from`-th lane of the block, in all of its lanes. */
export function pick(code: Code, team: Team, values: readonly Expr[], from: Expr): Expr[] {
  if (team.isSubgroup) return values.map((v) => code.intrinsic("shuffle", "picked", [v, from]));
  const { shared, copies = 1 } = team.lanes;
  const arrays = values.map((v, i) => shared.take(v.type, i, RADIX * copies));
  code.barrier();
  code.storeAll(arrays, team.lane, values);
  code.barrier();
  const at = add(binary("mul", team.block, RADIX), from);
  return arrays.map((array) => code.let("picked", code.load(array, at)));
}

/** Whether a tile's totals are published: always, except in tests. The last full tile always does, because the tail waits for none. */
export function publishes({ withheld, shape, n }: TileStatus, tile: Expr): Expr | undefined {
  const others = withheld.map((tile2) => ne(tile, tile2));
  if (others.length === 0) return undefined;
  const isLast = eq(add(tile, 1), blocksAt(shape, n, 0));
  return binary("or", others.reduce(and), isLast);
}
