/**
 * Totals of tiles in device memory. A built-in operator's are an array of its type; those of a record are stored
 * together as words of one array, since a stage may bind only a few arrays.
 */
import { type Formula, formula } from "@groupwise/ir/base/formula.js";
import type { ArrayRef, Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { add, mul } from "@groupwise/kernel/language/make-expr.js";
import type { Component } from "../parts/components.ts";
import type { Storage } from "../parts/storage.ts";
import { SIZES } from "../parts/strategy.ts";
import { fromWords, toWords, wordCount } from "../parts/words.ts";

/**
 * For a chunk, the totals of its own blocks, by log2 of their sizes, precede those of its tiles; they are followed by the prefixes before the
 * chunk and at its end.
 */
export const AT_START: number = SIZES;
export const AT_END: number = SIZES + 1;
/** The number of these totals. */
export const CARRIED: number = SIZES + 2;

/** Totals of all levels of one component, the highest level first. */
export interface TileTotals {
  readonly component: Component;
  readonly array: ArrayRef;
}

/** Words of 32 bits of one total. */
export const wordsOf = ({ monoid }: Component): number =>
  monoid.types.reduce((sum, t) => sum + wordCount(t), 0);

export function makeTileTotals(
  component: Component,
  storage: Storage,
  elements: Formula,
  what: string = "tile_totals",
): TileTotals {
  const { name, monoid } = component;
  const hint = `${what}_${name}`;
  const array = monoid.isRecord
    ? storage.scratch(hint, "u32", formula("mul", elements, wordsOf(component)))
    : storage.scratch(hint, monoid.types[0] as Expr["type"], elements);
  return { component, array };
}

/** For a chunk: the totals of its own blocks by log2 of their sizes, and the prefixes at `AT_START` and `AT_END`, wherever a strategy stores them. */
export interface BlockTotals {
  readonly component: Component;
  read(code: Code, at: Expr): Expr[];
  /** @param values names or loads */
  write(code: Code, at: Expr, values: readonly Expr[]): void;
}

/** Before the totals of tiles. */
export const blockTotalsIn = (totals: TileTotals): BlockTotals => ({
  component: totals.component,
  read: (code, at) => readTileTotals(code, [totals], at),
  write: (code, at, values) => writeTileTotals(code, [totals], at, values),
});

/** @param inside see `Inside` of the Kernel IR */
export function readTileTotals(
  code: Code,
  totals: readonly TileTotals[],
  at: Expr,
  inside: boolean = false,
): Expr[] {
  return totals.flatMap(({ component, array }) => {
    if (!component.monoid.isRecord) return [code.load(array, at, inside)];
    const count = wordsOf(component);
    const start = code.let("start", mul(at, count));
    const words = Array.from({ length: count }, (_, w) => code.load(array, add(start, w), inside));
    return fromWords(component.monoid.types, words);
  });
}

/** @param values names or loads, one for each value of the components */
export function writeTileTotals(
  code: Code,
  totals: readonly TileTotals[],
  at: Expr,
  values: readonly Expr[],
): void {
  let next = 0;
  for (const { component, array } of totals) {
    const own = values.slice(next, next + component.monoid.types.length);
    next += own.length;
    if (!component.monoid.isRecord) {
      code.store(array, at, own[0] as Expr);
      continue;
    }
    const start = code.let("start", mul(at, wordsOf(component)));
    own.flatMap(toWords).forEach((w, i) => {
      code.store(array, add(start, i), w);
    });
  }
}
