/** Scans and totals of a tile: consecutive items in each work-item, work-items across the group. */
import type { ArrayRef, Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { add, and, binary, eq, ne, sub, u32 } from "@groupwise/kernel/language/make-expr.js";
import { ascend, type Lanes, repeat } from "../lanes/lanes.ts";
import { scanOfLanes, totalOfLanes } from "../lanes/routines.ts";
import { type Carry, join, type Monoid, named, namedResults } from "../parts/monoid.ts";

/** The items of one work-item, an array per component of the monoid, `length` (a power of two) each. */
export interface ItemRun {
  readonly arrays: readonly ArrayRef[];
  readonly length: number;
  /** Whether its loops are unrolled, so that the arrays stay in registers. */
  readonly unrolled?: boolean;
}

const at = (code: Code, run: ItemRun, index: Expr): Expr[] => code.loadAll(run.arrays, index);
function put(code: Code, monoid: Monoid, run: ItemRun, index: Expr, values: readonly Expr[]): void {
  code.storeAll(run.arrays, index, namedResults(code, monoid, values, "both"));
}

/** Each element m - 1 becomes the total of the low(m) elements that end there. */
function sumBlocks(code: Code, monoid: Monoid, run: ItemRun): void {
  for (let half = 1; half < run.length; half *= 2) {
    repeat(code, {
      unrolled: run.unrolled,
      hint: "k",
      from: u32(2 * half - 1),
      below: u32(run.length),
      body: (body, k) => {
        const left = at(body, run, sub(k, half));
        put(body, monoid, run, k, monoid.combine(body, left, at(body, run, k)));
      },
      step: 2 * half,
    });
  }
}

/** Block totals become prefixes, except the last: P(m) is P(m - low(m)) combined with the block. */
function seedBlocks(code: Code, monoid: Monoid, run: ItemRun, carry: Carry): void {
  for (let low = run.length / 2; low >= 1; low /= 2) {
    put(code, monoid, run, u32(low - 1), join(code, monoid, carry, at(code, run, u32(low - 1))));
    repeat(code, {
      unrolled: run.unrolled,
      hint: "k",
      from: u32(3 * low - 1),
      below: u32(run.length),
      body: (body, k) => {
        const before = at(body, run, sub(k, low));
        put(body, monoid, run, k, monoid.combine(body, before, at(body, run, k)));
      },
      step: 2 * low,
    });
  }
}

/** Total of neighbours, at most four, and of the first two of four. */
export function totalOfFew(
  code: Code,
  monoid: Monoid,
  values: readonly (readonly Expr[])[],
): { total: readonly Expr[]; pair?: readonly Expr[] } {
  const both = (hint: string, a: readonly Expr[], b: readonly Expr[]): Expr[] =>
    named(code, monoid, hint, monoid.combine(code, a, b));
  const [a, b, c, d] = values as [Expr[], Expr[]?, Expr[]?, Expr[]?];
  if (!b) return { total: a };
  const pair = both(c && d ? "first_two" : "both", a, b);
  return c && d ? { total: both("four", pair, both("last_two", c, d)), pair } : { total: pair };
}

/** The prefixes before each of 1, 2 or 4 neighbours. */
export function prefixesOfFew(
  code: Code,
  monoid: Monoid,
  carry: Carry,
  values: readonly (readonly Expr[])[],
  pair: readonly Expr[] | undefined,
): Expr[][] {
  const found = [[...carry.values]];
  const prefix = (index: number, before: Carry, value: readonly Expr[]): Expr[] =>
    named(code, monoid, `prefix${index}`, join(code, monoid, before, value));
  if (values.length > 1) found.push(prefix(1, carry, values[0] as Expr[]));
  if (values.length > 2) {
    const two = prefix(2, carry, pair as Expr[]);
    found.push(two, prefix(3, { values: two, present: undefined }, values[2] as Expr[]));
  }
  return found;
}

/** Flat values as records. */
export const recordsOf = ({ types }: Monoid, flat: readonly Expr[]): Expr[][] =>
  Array.from({ length: flat.length / types.length }, (_, j) =>
    flat.slice(j * types.length, (j + 1) * types.length),
  );

/** The total of a work-item's items. The run is overwritten. */
export function totalOfRun(code: Code, monoid: Monoid, run: ItemRun): readonly Expr[] {
  sumBlocks(code, monoid, run);
  return at(code, run, u32(run.length - 1));
}

/** The total of a full tile, in every lane. The run is overwritten. */
export function totalOfTile(code: Code, lanes: Lanes, monoid: Monoid, run: ItemRun): readonly Expr[] {
  code.comment("total of the tile: within each work-item, then across the work-group");
  sumBlocks(code, monoid, run);
  return totalOfLanes(code, lanes, monoid, at(code, run, u32(run.length - 1)));
}

/** The first items of a tile, fewer than it has. */
export interface Beginning {
  readonly monoid: Monoid;
  readonly run: ItemRun;
  /** A u32, the same in all work-items. */
  readonly count: Expr;
}

/**
 * The totals of the blocks of the first items of a tile. The 1 bits of the number of items are the sizes of the blocks. The run is overwritten.
 * @param store called by the work-item that has the total of the block of 2^level items
 * @returns the total of the tile, in every lane
 */
export function coverOfTile(
  code: Code,
  lanes: Lanes,
  { monoid, run, count }: Beginning,
  store: StoreBlock,
): readonly Expr[] {
  code.comment(
    "totals of the blocks: within the work-item that has the last of them, then of whole work-items",
  );
  sumBlocks(code, monoid, run);
  const bits = Math.log2(run.length);
  const whole = code.let("whole", binary("shr", count, bits));
  code.if(eq(lanes.lane, whole), (own) =>
    own.for("level", 0, bits, (body, level) =>
      body.if(isSet(count, level), (inner) => {
        // The number without the bits of smaller blocks is where the block ends.
        const end = and(count, binary("shl", 0xffffffff, level));
        store(inner, level, at(inner, run, inner.let("last", and(sub(end, 1), run.length - 1))));
      }),
    ),
  );
  const cover = { lanes, lane: lanes.lane, monoid, count: whole };
  return coverOfLanes(code, cover, at(code, run, u32(run.length - 1)), (body, round, total) =>
    store(body, add(round, bits), total),
  );
}

/** Stores the total of a block of 2^level values. */
export type StoreBlock = (code: Code, level: Expr, total: readonly Expr[]) => void;

/** The first lanes of a group. */
export interface FirstLanes {
  readonly lanes: Lanes;
  /** Where several groups hold the same values, the number that only the first one's lanes have. */
  readonly lane: Expr;
  readonly monoid: Monoid;
  readonly count: Expr;
}

/** The totals of the blocks of the first lanes. The 1 bits of their number are the sizes of the blocks. @returns the total of all lanes, in each */
export function coverOfLanes(
  code: Code,
  { lanes, lane, monoid, count }: FirstLanes,
  value: readonly Expr[],
  store: StoreBlock,
): readonly Expr[] {
  return ascend(code, lanes, monoid, value, (body, round, total) => {
    const first = and(count, binary("shl", 0xfffffffe, round));
    const isMine = binary("and", isSet(count, round), eq(lane, first));
    body.if(isMine, (inner) => store(inner, round, total));
  }).total;
}

const isSet = (of: Expr, level: Expr): Expr => ne(and(of, binary("shl", 1, level)), 0);

/**
 * Scans a tile in place: afterwards the run holds the inclusive prefixes. Returns the prefix before the
 * run's first item. Items past the end may hold anything: no prefix of an item that exists uses them.
 */
export function scanTile(code: Code, lanes: Lanes, monoid: Monoid, run: ItemRun, seed: Carry): Carry {
  code.comment("scan of the tile: an up-sweep for totals of aligned blocks, then a down-sweep for prefixes");
  sumBlocks(code, monoid, run);
  const last = at(code, run, u32(run.length - 1));
  const { exclusive, inclusive } = scanOfLanes(code, lanes, monoid, last, seed);
  seedBlocks(code, monoid, run, exclusive);
  code.storeAll(run.arrays, run.length - 1, inclusive);
  return exclusive;
}
