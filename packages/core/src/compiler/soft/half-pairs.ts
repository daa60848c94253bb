/**
 * Arithmetic on pairs of halves, one in each half of a word, for implementations that convert halves: two operations are rounded by one conversion.
 * The launch parameter that is always 0 stands between that conversion and the next one, so compilers can omit neither.
 */
import type { Op } from "../../ir/tables/op.ts";
import type { Expr } from "../kernel/expr.ts";
import { add, binary, call, u32 } from "../kernel/make-expr.ts";
import type { Fn } from "../kernel/module.ts";
import { define } from "./base/define.ts";
import { halfOfWord } from "./half-conversions.ts";
import { WORD_NAMES } from "./half-names.ts";

/** A word of two halves, the first one low. */
export const pairOfHalves = (first: Expr, second: Expr): Expr =>
  call(WORD_NAMES.twoToBits, "u32", [first, second]);
/** The halves of a word. */
export const halvesOfPair = (pair: Expr): readonly [Expr, Expr] => [
  { ...halfOfWord(pair, false), type: "f16" } as Expr,
  { ...halfOfWord(pair, true), type: "f16" } as Expr,
];

type PairOp = "add" | "mul";
const NAMES: Readonly<Record<PairOp, string>> = { add: "add_two_f16", mul: "mul_two_f16" };
const DOCS: Readonly<Record<PairOp, string>> = { add: "sums", mul: "products" };
/** Whether pairs of halves are combined at once. */
export const isPairOp = (op: Op): op is PairOp => op in NAMES;

/** The combinations of the first halves and of the second halves of two words. */
export const combinePairs = (op: PairOp, left: Expr, right: Expr): Expr =>
  call(NAMES[op], "u32", [left, right]);

const halves = (pair: Expr): readonly [Expr, Expr] => [halfOfWord(pair, false), halfOfWord(pair, true)];
export const PAIR_FUNCTIONS: readonly Fn[] = (["add", "mul"] as const).map((op) =>
  define(NAMES[op], {
    doc: `The ${DOCS[op]} of the first halves and of the second halves of two words, rounded. The zero hides from compilers what was converted.`,
    params: ["left", "right", "zero"],
    type: "u32",
    returns: "u32",
    body: (code, [left, right, zero]) => {
      const [a, b] = [halves(left as Expr), halves(right as Expr)];
      const both = ([0, 1] as const).map((i) => binary(op, a[i], b[i]));
      code.return(add(call(WORD_NAMES.twoToBits, "u32", both), zero as Expr));
    },
  }),
);

const TAKING = new Set(PAIR_FUNCTIONS.map(({ name }) => name));
/** Whether a function takes the parameter that is always 0 as its last argument, which the guard of rounded results adds. */
export const takesZero = (name: string): boolean => TAKING.has(name);
/** The same half twice. */
export const twice = (bits: number): Expr => u32(((bits << 16) | bits) >>> 0);
