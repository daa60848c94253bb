/**
 * Aggregates of aligned blocks, eight to one, and prefixes in the Fenwick order from them. A segment is the
 * whole range or one work-group; blocks are aligned to the segment's start.
 */
import { type Formula, formula } from "@groupwise/ir/base/formula.js";
import type { Scope } from "@groupwise/ir/document/node.js";
import type { ArrayRef, Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { add, and, binary, mul, ne, sub, u32 } from "@groupwise/kernel/language/make-expr.js";
import { join, type Monoid, named, namedResults, variables } from "../../parts/monoid.ts";
import { type PerOutput, pass } from "./context.ts";

const RADIX = 8;
const SHIFT = 3;

export interface Ladder {
  readonly scope: Scope;
  /** The number of levels of aggregates above the items. */
  readonly levels: number;
  /** Blocks of a level in one segment. */
  count(level: number): { readonly formula: Formula; readonly expr: Expr };
  /** Number of segments. */
  readonly segments: Formula;
}

export function ladderOf(lowering: PerOutput, scope: Scope, maxItems: number): Ladder {
  const { n, groupSize, groups } = lowering.geometry;
  const longest = scope === "device" ? maxItems : groupSize;
  let levels = 0;
  while (longest >= RADIX ** (levels + 1)) levels++;
  if (scope === "device") {
    const count = (level: number) => ({
      formula: formula("floor-div", "n", RADIX ** level),
      expr: binary("shr", n, SHIFT * level),
    });
    return { scope, levels, segments: 1, count };
  }
  const count = (level: number) => {
    const blocks = Math.floor(groupSize / RADIX ** level);
    return { formula: blocks, expr: u32(level === 0 ? groupSize : blocks) };
  };
  return { scope, levels, segments: groups, count };
}

/** An array for each value of a monoid. */
export type Fields = readonly ArrayRef[];

/**
 * The arrays of a ladder, lowest level first: the items, then aggregates; and the prefixes above the items.
 */
export interface Rungs {
  readonly ladder: Ladder;
  readonly totals: readonly Fields[];
  /** By level; none for level 0, whose prefixes are the result. */
  readonly prefixes: readonly (Fields | undefined)[];
  /** Undefined if no block of existing items reads past the end. */
  readonly lastItem: Expr | undefined;
}

export function rungs(lowering: PerOutput, ladder: Ladder, monoid: Monoid, items: Fields): Rungs {
  const totals: Fields[] = [items];
  const { n, contiguous } = lowering.geometry;
  const lastItem = contiguous ? sub(n, 1) : undefined;
  // A pass fills one array: each field has its own pass, which recomputes what it needs of the others.
  const fill = (hint: string, doc: string, perSegment: Formula, value: Filler): Fields => {
    const cells = formula("mul", ladder.segments, perSegment);
    const arrays = monoid.types.map((type) => lowering.storage.scratch(hint, type, cells));
    arrays.forEach((array, field) => {
      pass(lowering, { hint, doc, array, cells }, (code, cell) => value(code, cell)[field] as Expr);
    });
    return arrays;
  };
  for (let level = 1; level <= ladder.levels; level++) {
    const below = { ladder, totals, prefixes: [], lastItem };
    const doc = `Aggregates of blocks of ${RADIX ** level} items.`;
    const made = fill(`totals_${level}`, doc, ladder.count(level).formula, (code, cell) => {
      const { segment, place } = split(code, ladder, level, 0, cell);
      const first = code.let("first", mul(place, RADIX));
      return total(code, { rungs: below, monoid, level: level - 1, segment, first, size: RADIX });
    });
    totals.push(made);
  }
  const prefixes: (Fields | undefined)[] = [];
  for (let level = ladder.levels; level >= 1; level--) {
    const above = { ladder, totals, prefixes: [...prefixes], lastItem };
    const doc = `Prefixes of the blocks of ${RADIX ** level} items.`;
    const cells = formula("add", ladder.count(level).formula, 1);
    prefixes[level] = fill(`prefixes_${level}`, doc, cells, (code, cell) => {
      const { segment, place } = split(code, ladder, level, 1, cell);
      return fold(code, { rungs: above, monoid, level, segment, place });
    });
  }
  return { ladder, totals, prefixes, lastItem };
}

/**
 * Whether reads are inside for a reason that kernels do not show: segments are work-groups of several dimensions, in which the place of an item, a sum of products of
 * its coordinates, is below the items of a work-group.
 */
const isInGrid = ({ ladder, lastItem }: Rungs): boolean =>
  ladder.scope === "work-group" && lastItem === undefined;

type Filler = (code: Code, cell: Expr) => readonly Expr[];

/** Segment and index of an element of an array with `count(level) + extra` elements per segment. */
function split(
  code: Code,
  ladder: Ladder,
  level: number,
  extra: number,
  cell: Expr,
): { segment: Expr; place: Expr } {
  if (ladder.scope === "device") return { segment: u32(0), place: cell };
  const width = add(ladder.count(level).expr, extra);
  const segment = code.let("segment", binary("div", cell, width));
  return { segment, place: code.let("place", sub(cell, mul(segment, width))) };
}

/** A block of a level of the ladder. */
interface BlockToTotal {
  readonly rungs: Rungs;
  readonly monoid: Monoid;
  readonly level: number;
  readonly segment: Expr;
  readonly first: Expr;
  readonly size: number;
}

/** The aggregate of `size` blocks of a level, from block `first` on, halves first. */
function total(code: Code, { rungs, monoid, level, segment, first, size }: BlockToTotal): readonly Expr[] {
  const { ladder, totals, lastItem } = rungs;
  const start = code.let("start", add(mul(segment, ladder.count(level).expr), first));
  const arrays = totals[level] as Fields;
  // The last work-group may end early; blocks past the end are never used.
  const end = level === 0 && ladder.scope === "work-group" ? lastItem : undefined;
  let blocks: (readonly Expr[])[] = Array.from({ length: size }, (_, i) => {
    const at = add(start, i);
    const near = end ? binary("min", at, end) : at;
    return named(
      code,
      monoid,
      "block",
      arrays.map((array) => code.load(array, near, isInGrid(rungs))),
    );
  });
  while (blocks.length > 1) {
    blocks = blocks.flatMap((left, i) =>
      i % 2 === 0
        ? [namedResults(code, monoid, monoid.combine(code, left, blocks[i + 1] as readonly Expr[]), "both")]
        : [],
    );
  }
  return blocks[0] as readonly Expr[];
}

/** The place up to which blocks are combined. */
interface PlaceToFold {
  readonly rungs: Rungs;
  readonly monoid: Monoid;
  readonly level: number;
  readonly segment: Expr;
  readonly place: Expr;
}

/** P(place) within a segment, in blocks of a level; the identity if nothing precedes. */
function fold(code: Code, { rungs, monoid, level, segment, place }: PlaceToFold): readonly Expr[] {
  const result = variables(code, monoid, "prefix", monoid.identity);
  // All of the values change at once.
  const replace = (inner: Code, next: readonly Expr[]): void =>
    inner.assignAll(result, namedResults(inner, monoid, next, "next"));
  const rest = code.let("rest", and(place, RADIX - 1));
  const above = rungs.prefixes[level + 1];
  const parent = code.let("parent", binary("shr", place, SHIFT));
  if (above) {
    const width = add(rungs.ladder.count(level + 1).expr, 1);
    code.if(ne(parent, 0), (then) => {
      const at = add(mul(segment, width), parent);
      replace(
        then,
        above.map((array) => then.load(array, at, isInGrid(rungs))),
      );
    });
  }
  const aligned = code.let("aligned", mul(parent, RADIX));
  for (let size = RADIX / 2; size >= 1; size /= 2) {
    code.if(ne(and(rest, size), 0), (then) => {
      // The larger blocks come first.
      const before = then.let("before", add(aligned, and(rest, RADIX - 2 * size)));
      const block = total(then, { rungs, monoid, level, segment, first: before, size });
      const isPresent = ne(before, 0);
      const present = monoid.reassociable ? undefined : isPresent;
      replace(then, join(then, monoid, { values: result, present }, block));
    });
  }
  return result;
}

/** The prefix before item `place` of a segment; the identity before the first. */
export const prefixAt = (
  code: Code,
  levels: Rungs,
  monoid: Monoid,
  segment: Expr,
  place: Expr,
): readonly Expr[] => fold(code, { rungs: levels, monoid, level: 0, segment, place });
