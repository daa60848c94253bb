/**
 * Arithmetic on pairs of halves, one in each half of a word, for implementations that convert halves: two operations are rounded by one conversion.
 * Where results are guarded, the launch parameter that is always 0 stands between that conversion and the next one, so compilers can omit neither.
 */
import type { Op } from "@groupwise/ir/tables/op.js";
import type { Expr } from "../../language/expr.ts";
import { add, binary, call, u32 } from "../../language/make-expr.ts";
import type { Fn } from "../../language/module.ts";
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
const combining = (op: PairOp, isGuarded: boolean): Fn =>
  define(NAMES[op], {
    doc: `The ${DOCS[op]} of the first halves and of the second halves of two words, rounded.${isGuarded ? " The zero hides from compilers what was converted." : ""}`,
    params: ["left", "right", ...(isGuarded ? ["zero"] : [])],
    type: "u32",
    returns: "u32",
    body: (code, [left, right, zero]) => {
      const [a, b] = [halves(left as Expr), halves(right as Expr)];
      const word = pairOfHalves(binary(op, a[0], b[0]), binary(op, a[1], b[1]));
      code.return(zero ? add(word, zero) : word);
    },
  });
const PAIR_OPS = Object.keys(NAMES) as readonly PairOp[];
/** @param isGuarded the functions take the parameter that is always 0 as their last argument, which the guard of rounded results adds */
export const pairFunctions = (isGuarded: boolean): readonly Fn[] =>
  PAIR_OPS.map((op) => combining(op, isGuarded));

const TAKING: ReadonlySet<string> = new Set(Object.values(NAMES));
/** Whether a function takes that parameter if results are guarded. */
export const takesZero = (name: string): boolean => TAKING.has(name);
/** The same half twice. */
export const twice = (bits: number): Expr => u32(((bits << 16) | bits) >>> 0);
