/** Comparisons of doubles on words, and their minimum and maximum. */
import type { Code } from "../../../language/build.ts";
import type { Expr } from "../../../language/expr.ts";
import { and, binary, call, eq, lt } from "../../../language/make-expr.ts";
import type { Fn } from "../../../language/module.ts";
import { define, SIGN } from "../base/define.ts";
import { ofPairs, PAIRS, pairsOf } from "../base/int64.ts";
import { below, choose, isZero, not, or, type Pair, returnPair, shl, wordsOf, xor } from "../base/pair.ts";
import { eitherIsNaN, isNaN64, returnNaN } from "./pack.ts";

const ofOrder = (name: string, doc: string, body: (code: Code, a: Pair, b: Pair) => void): Fn =>
  define(name, {
    doc,
    params: PAIRS,
    type: "u32",
    returns: "bool",
    body: (code, words) => {
      const [a, b] = pairsOf(words) as [Pair, Pair];
      body(code, a, b);
    },
  });
const ask = (fn: Fn, a: Pair, b: Pair): Expr => call(fn.name, "bool", wordsOf(a, b));

const PRECEDES: Fn = ofOrder(
  "precedes_f64",
  "a precedes b in the order of all numbers; -0 precedes +0.",
  (code, a, b) => {
    code.if(binary("ge", xor(a.hi, b.hi), SIGN), (then) => then.return(binary("ge", a.hi, SIGN)));
    code.if(lt(a.hi, SIGN), (then) => then.return(below(then, "lt", a, b)));
    code.return(below(code, "lt", b, a));
  },
);

/** Both are zeros, of any sign. */
const bothZero = (a: Pair, b: Pair): Expr => isZero({ lo: or(a.lo, b.lo), hi: shl(or(a.hi, b.hi), 1) });

export const EQ_F64: Fn = ofOrder("eq_f64", "a == b; NaN equals nothing.", (code, a, b) => {
  const same = and(eq(a.lo, b.lo), eq(a.hi, b.hi));
  code.return(and(not(isNaN64(a)), or(same, bothZero(a, b))));
});
export const LT_F64: Fn = ofOrder("lt_f64", "a < b; false for NaN.", (code, a, b) => {
  code.return(and(not(or(eitherIsNaN(a, b), bothZero(a, b))), ask(PRECEDES, a, b)));
});
export const LE_F64: Fn = ofOrder("le_f64", "a <= b; false for NaN.", (code, a, b) => {
  code.return(and(not(eitherIsNaN(a, b)), or(bothZero(a, b), not(ask(PRECEDES, b, a)))));
});

const extreme = (name: string, doc: string, first: (a: Pair, b: Pair) => Expr): Fn =>
  ofPairs(name, doc, (code, a, b) => {
    code.if(eitherIsNaN(a, b), returnNaN);
    returnPair(code, choose(code, "first", first(a, b), a, b));
  });
export const MIN_F64: Fn = extreme(
  "min_f64",
  "IEEE 754-2019 minimum: NaN if an operand is NaN; -0 is less than +0.",
  (a, b) => ask(PRECEDES, a, b),
);
export const MAX_F64: Fn = extreme(
  "max_f64",
  "IEEE 754-2019 maximum: NaN if an operand is NaN; -0 is less than +0.",
  (a, b) => ask(PRECEDES, b, a),
);

export const ORDER_FUNCTIONS: readonly Fn[] = [PRECEDES, EQ_F64, LT_F64, LE_F64, MIN_F64, MAX_F64];
