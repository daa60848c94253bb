/**
 * The rows of a tile, folded across the lanes together. In the first rounds of the up-sweep a lane keeps half of the rows that it has and
 * gives its sibling the others, so that no sum is computed twice; then it has one row, and the other rounds are those of a butterfly. The
 * down-sweep goes back the same way. Four rows take 6 sums a sweep in place of 20, in the same order.
 */
import type { Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { and, binary, mul, ne, select, u32 } from "@groupwise/kernel/language/make-expr.js";
import { type Carry, hintsFor, join, type Monoid, named } from "../parts/monoid.ts";
import { type Lanes, roundsOf, shuffled } from "./lanes.ts";

type Values = readonly Expr[];

/** Rows of a group of lanes that all meet in a subgroup; their numbers are powers of two. */
export interface Rows {
  readonly lanes: Lanes;
  readonly monoid: Monoid;
  readonly rows: number;
}

const lanesOf = ({ lanes }: Rows): number => lanes.size as number;
/** Rounds in which a lane gives rows away. */
const splitsOf = ({ rows }: Rows): number => Math.log2(rows);
/** The values that a lane keeps of the up-sweep for the down-sweep. */
export const keptOf = (of: Rows): number => of.rows - 1 + roundsOf(lanesOf(of)) - splitsOf(of);

const choose = (
  code: Code,
  { monoid }: Rows,
  hint: string,
  condition: Expr,
  yes: Values,
  no: Values,
): Expr[] =>
  named(
    code,
    monoid,
    hint,
    yes.map((v, i) => select(condition, v, no[i] as Expr)),
  );
const shuffle = (code: Code, { lanes, monoid }: Rows, hint: string, values: Values, bit: number): Expr[] =>
  shuffled(code, lanes, hintsFor(monoid, hint), values, u32(bit));
const isUpper = (code: Code, { lanes }: Rows, bit: number): Expr =>
  code.let("is_upper", ne(and(lanes.lane, bit), 0));

/** The row that a lane has after the up-sweep: the lowest bits of its number, the first of them highest. */
export function rowOfLane(of: Rows): Expr {
  let row: Expr = u32(0);
  for (let round = 0; round < splitsOf(of); round++) {
    const bit = and(binary("shr", of.lanes.lane, round), 1);
    row = round === 0 ? bit : binary("or", mul(row, 2), bit);
  }
  return row;
}

/** The result of the up-sweep in a lane. */
export interface RowsAscent {
  /** The total of all lanes, of the lane's row. */
  readonly total: Values;
  /** By round and row: the totals of the lower of the two blocks that met. */
  readonly lower: readonly Values[];
}

/** @param values of the rows in the lane */
export function ascendRows(code: Code, of: Rows, values: readonly Values[]): RowsAscent {
  const { monoid } = of;
  const lower: Values[] = [];
  let own: readonly Values[] = values;
  for (let bit = 1; bit < lanesOf(of); bit *= 2) {
    const upper = isUpper(code, of, bit);
    const half = own.length / 2;
    const [first, last] = half < 1 ? [own, own] : [own.slice(0, half), own.slice(half)];
    own = first.map((early, j) => {
      const late = last[j] as Values;
      const isWhole = half < 1;
      const mine = isWhole ? early : choose(code, of, "mine", upper, late, early);
      const given = isWhole ? early : choose(code, of, "given", upper, early, late);
      const theirs = shuffle(code, of, "theirs", given, bit);
      // Once a lane has one row, the upper lanes alone read the block.
      const below = isWhole && monoid.commutative ? theirs : choose(code, of, "lower", upper, theirs, mine);
      lower.push(below);
      const right = (): Values => choose(code, of, "higher", upper, mine, theirs);
      const [a, b] = monoid.commutative ? [mine, theirs] : [below, right()];
      return named(code, monoid, "both", monoid.combine(code, a, b));
    });
  }
  return { total: own[0] as Values, lower };
}

/** The prefix before all lanes of the lane's row; `present`: whether it exists for the first row. */
export interface RowsSeed extends Carry {
  readonly lower: readonly Values[];
}

/** The prefixes before the lane, by row. That of the first row exists if the seed exists or the lane is not the first; those of the other rows always exist. */
export function descendRows(code: Code, of: Rows, { values, present, lower }: RowsSeed): Values[] {
  const { monoid, lanes, rows } = of;
  /** Whether items precede one of the blocks that meet: the lane is not the first, apart from bits that do not determine it. */
  const unless = (bits: number): Expr | undefined =>
    present && binary("or", present, ne(and(lanes.lane, (lanesOf(of) - 1) & ~bits), 0));
  let at = lower.length;
  let own: Values[] = [values];
  for (let bit = lanesOf(of) / 2; bit >= 1; bit /= 2) {
    const upper = isUpper(code, of, bit);
    at -= own.length;
    const blocks = lower.slice(at, at + own.length);
    const isWhole = bit >= rows;
    // A lane of one row: its row and the higher bits determine it. Before, the lowest bits choose the first row.
    const some = unless(isWhole ? 2 * bit - rows : 0);
    const after = own.map((before, j) =>
      named(
        code,
        monoid,
        "joined",
        join(code, monoid, { values: before, present: j === 0 ? some : undefined }, blocks[j] as Values),
      ),
    );
    if (isWhole) {
      own = [choose(code, of, "carry", upper, after[0] as Values, own[0] as Values)];
      continue;
    }
    const theirs = own.map((before, j) =>
      shuffle(code, of, "theirs", choose(code, of, "given", upper, before, after[j] as Values), bit),
    );
    const early = own.map((before, j) => choose(code, of, "carry", upper, theirs[j] as Values, before));
    const late = after.map((then, j) => choose(code, of, "carry", upper, then, theirs[j] as Values));
    own = [...early, ...late];
  }
  return own;
}
