/** Functions of 64-bit integers for languages that only have 32-bit words. */
import type { Code } from "../../../language/build.ts";
import type { Expr } from "../../../language/expr.ts";
import { add, and, lt, mul, ne, select, sub, u32 } from "../../../language/make-expr.ts";
import type { Fn } from "../../../language/module.ts";
import { define, SIGN } from "./define.ts";
import {
  below,
  bit,
  callPair,
  choose,
  clzPair,
  isZero,
  namedPair,
  negPair,
  or,
  type Pair,
  returnPair,
  shl,
  shlBy,
  shr,
  shrBy,
  shrSigned,
  subPair,
  wordsOf,
  xor,
} from "./pair.ts";

export const PAIRS: readonly string[] = ["a_lo", "a_hi", "b_lo", "b_hi"];
const SHIFTED = ["lo", "hi", "amount"];
/** The pairs that a list of words holds. */
export const pairsOf = (words: readonly Expr[]): Pair[] =>
  Array.from({ length: words.length >> 1 }, (_, i) => ({
    lo: words[2 * i] as Expr,
    hi: words[2 * i + 1] as Expr,
  }));

/** A function of two 64-bit values. */
export const ofPairs = (name: string, doc: string, body: (code: Code, a: Pair, b: Pair) => void): Fn =>
  define(name, {
    doc,
    params: PAIRS,
    type: "u32",
    returns: "u32",
    body: (code, words) => {
      const [a, b] = pairsOf(words) as [Pair, Pair];
      body(code, a, b);
    },
    width: 2,
  });

/** The parts of a shift by an amount that is known only in a run: whether it moves whole words, and the bits by which it moves each. */
function shiftOf(code: Code, amount: Expr): Readonly<Record<"far" | "by" | "rest", Expr>> {
  const far = code.let("far", ne(and(amount, 32), 0));
  const by = code.let("by", and(amount, 31));
  // A word cannot be shifted by 32: bits go to the other word by one bit, and then by the rest.
  return { far, by, rest: code.let("rest", sub(31, by)) };
}

export const SHL_U64: Fn = define("shl_u64", {
  doc: "The words shifted left, by the amount modulo 64.",
  params: SHIFTED,
  type: "u32",
  returns: "u32",
  body: (code, args) => {
    const [lo, hi, amount] = args as [Expr, Expr, Expr];
    const { far, by, rest } = shiftOf(code, amount);
    const low = code.let("low", select(far, 0, lo));
    code.return(shl(low, by), or(shl(select(far, lo, hi), by), shr(shr(low, 1), rest)));
  },
  width: 2,
});

const shiftRight = (name: string, doc: string, word: typeof shrSigned): Fn =>
  define(name, {
    doc,
    params: SHIFTED,
    type: "u32",
    returns: "u32",
    body: (code, args) => {
      const [lo, hi, amount] = args as [Expr, Expr, Expr];
      const { far, by, rest } = shiftOf(code, amount);
      const above = word === shrSigned ? shrSigned(hi, 31) : u32(0);
      const high = code.let("high", select(far, above, hi));
      code.return(or(shr(select(far, hi, lo), by), shl(shl(high, 1), rest)), word(high, by));
    },
    width: 2,
  });
export const SHR_U64: Fn = shiftRight("shr_u64", "The words shifted right, by the amount modulo 64.", shr);
export const SHR_I64: Fn = shiftRight(
  "shr_i64",
  "The words shifted right arithmetically, by the amount modulo 64.",
  shrSigned,
);

export const MUL_U32: Fn = define("mul_u32_wide", {
  doc: "All 64 bits of a * b, from products of 16-bit halves.",
  params: ["a", "b"],
  type: "u32",
  returns: "u32",
  body: (code, args) => {
    const [a, b] = args as [Expr, Expr];
    const low = (x: Expr): Expr => and(x, 0xffff);
    const [a0, a1] = [code.let("a_low", low(a)), code.let("a_high", shr(a, 16))];
    const [b0, b1] = [code.let("b_low", low(b)), code.let("b_high", shr(b, 16))];
    // Neither sum passes 2^32 - 1.
    const first = code.let("first", add(mul(a1, b0), shr(mul(a0, b0), 16)));
    const second = code.let("second", add(mul(a0, b1), low(first)));
    code.return(mul(a, b), add(add(mul(a1, b1), shr(first, 16)), shr(second, 16)));
  },
  width: 2,
});

export const MUL_U64: Fn = ofPairs("mul_u64", "a * b modulo 2^64, also for signed numbers.", (code, a, b) => {
  const low = callPair(code, "low", MUL_U32, [a.lo, b.lo]);
  code.return(low.lo, add(low.hi, add(mul(a.lo, b.hi), mul(a.hi, b.lo))));
});

/** Four results: quotient and remainder. */
const DIVIDE: Fn = define("divide_u64", {
  doc: "Quotient and remainder of a / b by long division; a / 0 is a, a % 0 is 0.",
  params: PAIRS,
  type: "u32",
  returns: "u32",
  body: (code, words) => {
    const [a, b] = pairsOf(words) as [Pair, Pair];
    code.if(isZero(b), (then) => then.return(a.lo, a.hi, u32(0), u32(0)));
    const zerosOfA = code.let("a_zeros", clzPair(code, a));
    const zerosOfB = code.let("b_zeros", clzPair(code, b));
    code.if(lt(zerosOfB, zerosOfA), (then) => then.return(u32(0), u32(0), a.lo, a.hi));
    const shift = code.let("shift", sub(zerosOfB, zerosOfA));
    const aligned = callPair(code, "aligned", SHL_U64, [b.lo, b.hi, shift]);
    const d = { lo: code.var("divisor_lo", aligned.lo), hi: code.var("divisor_hi", aligned.hi) };
    const r = { lo: code.var("rest_lo", a.lo), hi: code.var("rest_hi", a.hi) };
    const q = { lo: code.var("quotient_lo", u32(0)), hi: code.var("quotient_hi", u32(0)) };
    code.for("step", 0, add(shift, 1), (body) => {
      const fits = body.let("fits", below(body, "le", d, r));
      const doubled = shlBy(body, q, 1);
      body.assign(q.hi, doubled.hi);
      body.assign(q.lo, or(doubled.lo, bit(fits)));
      body.if(fits, (then) => {
        const less = namedPair(then, "less", subPair(then, r, d));
        then.assign(r.lo, less.lo);
        then.assign(r.hi, less.hi);
      });
      const halved = shrBy(body, d, 1);
      body.assign(d.lo, halved.lo);
      body.assign(d.hi, halved.hi);
    });
    code.return(q.lo, q.hi, r.lo, r.hi);
  },
  width: 4,
});

/** Negated if the word's highest bit is 1. */
export const withSignOf = (code: Code, word: Expr, a: Pair): Pair =>
  choose(code, "positive", lt(word, SIGN), a, negPair(code, a));

const unsignedDivision = (op: "div" | "rem"): Fn =>
  ofPairs(`${op}_u64`, op === "div" ? "a / b; a / 0 is a." : "a % b; a % 0 is 0.", (code, a, b) => {
    const [quotient, rest] = pairsOf(code.call("divided", DIVIDE, wordsOf(a, b))) as [Pair, Pair];
    returnPair(code, op === "div" ? quotient : rest);
  });

/** Computes with magnitudes: the magnitude of the least integer is itself, and so is its quotient by -1. */
const signedDivision = (op: "div" | "rem"): Fn => {
  const doc =
    op === "div"
      ? "a / b towards 0; a / 0 is a, and the least integer / -1 is itself."
      : "a % b with the sign of a; a % 0 is 0.";
  return ofPairs(`${op}_i64`, doc, (code, a, b) => {
    const x = namedPair(code, "x", withSignOf(code, a.hi, a));
    const y = namedPair(code, "y", withSignOf(code, b.hi, b));
    const [quotient, rest] = pairsOf(code.call("divided", DIVIDE, wordsOf(x, y))) as [Pair, Pair];
    // Zero has no sign to change the quotient by.
    const sign = op === "div" ? xor(a.hi, b.hi) : a.hi;
    returnPair(code, withSignOf(code, sign, op === "div" ? quotient : rest));
  });
};

export const DIV_U64: Fn = unsignedDivision("div");
export const REM_U64: Fn = unsignedDivision("rem");
export const DIV_I64: Fn = signedDivision("div");
export const REM_I64: Fn = signedDivision("rem");

/** Callees before callers. */
export const INT64_FUNCTIONS: readonly Fn[] = [
  SHL_U64,
  SHR_U64,
  SHR_I64,
  MUL_U32,
  MUL_U64,
  DIVIDE,
  DIV_U64,
  REM_U64,
  DIV_I64,
  REM_I64,
];
