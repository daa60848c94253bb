/** 64-bit values as two u32 words, and short names for the arithmetic of words. */
import type { Code } from "../../../language/build.ts";
import type { Expr } from "../../../language/expr.ts";
import {
  add,
  and,
  binary,
  bitcast,
  cast,
  eq,
  lt,
  type Operand,
  operand,
  select,
  sub,
  u32,
  unary,
} from "../../../language/make-expr.ts";
import type { Fn } from "../../../language/module.ts";

/** The two words of a 64-bit value, both u32. */
export interface Pair {
  readonly lo: Expr;
  readonly hi: Expr;
}

const isNothing = (x: Expr): boolean => x.kind === "const" && x.type === "u32" && x.value === 0;
const joined =
  (op: "or" | "xor") =>
  (left: Operand, right: Operand): Expr => {
    const [a, b] = [operand(left), operand(right)];
    return isNothing(a) ? b : isNothing(b) ? a : binary(op, a, b);
  };
export const or: (a: Operand, b: Operand) => Expr = joined("or");
export const xor: (a: Operand, b: Operand) => Expr = joined("xor");
export const shl = (a: Operand, b: Operand): Expr => binary("shl", a, b);
export const shr = (a: Operand, b: Operand): Expr => binary("shr", a, b);
export const not = (a: Expr): Expr => unary("not", a);
export const clz = (a: Expr): Expr => unary("clz", a);
export const negWord = (a: Expr): Expr => sub(0, a);
export const signed = (a: Expr): Expr => bitcast("i32", a);
/** 1 if the condition is true, otherwise 0. */
export const bit = (condition: Expr): Expr => cast("u32", condition);
/** Shifts in copies of the highest bit. */
export const shrSigned = (a: Expr, by: Operand): Expr => bitcast("u32", shr(signed(a), by));

export const ZERO: Pair = { lo: u32(0), hi: u32(0) };
export const ONES: Pair = { lo: u32(0xffffffff), hi: u32(0xffffffff) };

const SHORT: ReadonlySet<Expr["kind"]> = new Set(["const", "var", "part", "param"]);
/** A short expression to use more than once: a name, unless the expression itself is short. */
export const named = (code: Code, hint: string, expr: Expr): Expr =>
  SHORT.has(expr.kind) ? expr : code.let(hint, expr);
export const namedPair = (code: Code, hint: string, { lo, hi }: Pair): Pair => ({
  lo: named(code, `${hint}_lo`, lo),
  hi: named(code, `${hint}_hi`, hi),
});

/** Calls a function whose results are two words. */
export function callPair(code: Code, hint: string, fn: Fn, args: readonly Expr[]): Pair {
  const [lo, hi] = code.call(hint, fn, args) as [Expr, Expr];
  return { lo, hi };
}

export const wordsOf = (...pairs: readonly Pair[]): Expr[] => pairs.flatMap(({ lo, hi }) => [lo, hi]);
export const returnPair = (code: Code, { lo, hi }: Pair): void => code.return(lo, hi);
export const isZero = ({ lo, hi }: Pair): Expr => eq(or(lo, hi), 0);

/** Word by word; both pairs are read once. */
export const each = (op: (a: Expr, b: Expr) => Expr, a: Pair, b: Pair): Pair => ({
  lo: op(a.lo, b.lo),
  hi: op(a.hi, b.hi),
});

/** The pair `a` if the condition is true, otherwise `b`; `hint` names the condition. */
export function choose(code: Code, hint: string, condition: Expr, a: Pair, b: Pair): Pair {
  const holds = named(code, hint, condition);
  return each((x, y) => select(holds, x, y), a, b);
}

/** a + b, modulo 2^64. */
export function addPair(code: Code, a: Pair, b: Pair): Pair {
  const word = named(code, "addend", a.lo);
  const lo = code.let("sum", add(word, b.lo));
  return { lo, hi: add(add(a.hi, b.hi), bit(lt(lo, word))) };
}

/** a + b for a word b, modulo 2^64, in named words. */
export function addWord(code: Code, hint: string, a: Pair, b: Expr): Pair {
  const word = named(code, "addend", b);
  const lo = code.let(`${hint}_lo`, add(a.lo, word));
  return { lo, hi: code.let(`${hint}_hi`, add(a.hi, bit(lt(lo, word)))) };
}

/** a - b, modulo 2^64. */
export function subPair(code: Code, a: Pair, b: Pair): Pair {
  const [x, y] = [named(code, "minuend", a.lo), named(code, "subtrahend", b.lo)];
  return { lo: sub(x, y), hi: sub(sub(a.hi, b.hi), bit(lt(x, y))) };
}

/** -a, modulo 2^64. */
export function negPair(code: Code, a: Pair): Pair {
  const word = named(code, "word", a.lo);
  return { lo: negWord(word), hi: add(not(a.hi), bit(eq(word, 0))) };
}

/** a < b, or a <= b, of unsigned 64-bit numbers. */
export function below(code: Code, op: "lt" | "le", a: Pair, b: Pair): Expr {
  const [x, y] = [named(code, "left", a.hi), named(code, "right", b.hi)];
  return or(lt(x, y), and(eq(x, y), binary(op, a.lo, b.lo)));
}

/** Zero bits above the highest 1 of both words; 64 for zero. */
export function clzPair(code: Code, { lo, hi }: Pair): Expr {
  const top = named(code, "top", hi);
  const isLow = code.let("in_low", eq(top, 0));
  return add(clz(select(isLow, lo, top)), select(isLow, 32, 0));
}

/** a << by, for a known number of bits below 64. */
export function shlBy(code: Code, a: Pair, by: number): Pair {
  if (by === 0) return a;
  if (by >= 32) return { lo: u32(0), hi: shl(a.lo, by - 32) };
  const lo = named(code, "word", a.lo);
  return { lo: shl(lo, by), hi: or(shl(a.hi, by), shr(lo, 32 - by)) };
}

/** a >> by, for a known number of bits below 64; `word` shifts one word, and its own kind of bits comes in from above. */
export function shrBy(code: Code, a: Pair, by: number, word: typeof shrSigned = shr): Pair {
  if (by === 0) return a;
  const hi = named(code, "word", a.hi);
  if (by >= 32) return { lo: word(hi, by - 32), hi: word === shr ? u32(0) : word(hi, 31) };
  return { lo: or(shr(a.lo, by), shl(hi, 32 - by)), hi: word(hi, by) };
}
