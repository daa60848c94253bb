/**
 * Look-back of halves that are rounded by conversions: the rows of a tile are combined in pairs, a row in the low halves of words and the next
 * one in the high halves. One rounding, one shuffle and one choice then serve two sums.
 */
import type { ArrayRef, Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { add, mul } from "@groupwise/kernel/language/make-expr.js";
import { ROW } from "@groupwise/kernel/language/stmt.js";
import {
  combinePairs,
  halvesOfPair,
  isPairOp,
  pairOfHalves,
  twice,
} from "@groupwise/kernel/library/types/half-pairs.js";
import type { Lanes } from "../../../lanes/lanes.ts";
import type { Builtin, Monoid } from "../../../parts/monoid.ts";
import type { Shape } from "./shape.ts";
import type { Items } from "./tile.ts";
import type { Together } from "./together.ts";

/** The bits of a half that changes nothing on its right. */
const NEUTRAL = { add: 0x8000, mul: 0x3c00 } as const;

/** The monoid of words, of which each has two halves; undefined if there is none. */
export function pairsOf(builtin: Builtin | undefined): Monoid | undefined {
  if (builtin?.type !== "f16" || !isPairOp(builtin.op)) return undefined;
  const { op } = builtin;
  const neutral = [twice(NEUTRAL[op])];
  return {
    types: ["u32"],
    identity: neutral,
    neutral,
    combine: (_, [left], [right]) => [combinePairs(op, left as Expr, right as Expr)],
    reassociable: false,
    commutative: true,
    isRecord: false,
  };
}

/** The operands of a row and of the next one, as words. */
export function pairsOfRows(code: Code, rowAt: Items["row"], row: Expr): Expr[] {
  const [first, second] = [rowAt(code, row).flat(), rowAt(code, add(row, 1)).flat()];
  return first.map((low, j) => code.let("pair", pairOfHalves(low, second[j] as Expr)));
}

/** Registers for the operands of a tile. */
export class HeldPairs {
  private readonly array: ArrayRef;
  private readonly length: number;

  /** @param items of a work-item in a tile */
  constructor(code: Code, hint: string, items: number) {
    this.length = items / 2;
    this.array = code.array(hint, "u32", this.length);
  }

  /** @param row the first one of the pair */
  put(code: Code, row: Expr, pairs: readonly Expr[]): void {
    for (const [j, pair] of pairs.entries()) code.store(this.array, this.at(row, j), pair);
  }

  get(code: Code, row: Expr): Expr[] {
    return Array.from({ length: ROW }, (_, j) => code.load(this.array, this.at(row, j)));
  }

  copy(code: Code, from: HeldPairs): void {
    code.for("k", 0, this.length, (body, k) => body.store(this.array, k, body.load(from.array, k)));
  }

  private at(row: Expr, j: number): Expr {
    return add(mul(row, ROW / 2), j);
  }
}

/** A word for each two rows. */
export const rowsInPairs = (lanes: Lanes, { rows }: Shape, pairs: Monoid): Together => ({
  ...{ lanes, monoid: pairs, rows: rows / 2, each: 2 },
  operands: (code, items, row) => items.pair(code, row).map((pair) => [pair]),
  split: ([pair]) => halvesOfPair(pair as Expr).map((half) => [half]),
  join: (halves) => [pairOfHalves(halves[0]?.[0] as Expr, halves[1]?.[0] as Expr)],
});
