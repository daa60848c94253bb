/** Conversions from and to types of two words. A half is an f32 here whose value is a half. */

import { type FloatScalar, SCALARS, type Scalar, type ScalarsWith } from "@groupwise/ir/tables/scalar.js";
import type { Code } from "../../language/build.ts";
import type { Expr } from "../../language/expr.ts";
import { add, and, binary, bitcast, cast, lt, ne, select, u32 } from "../../language/make-expr.ts";
import { bitsOf, floatOf, MAGNITUDE, SIGN } from "./base/define.ts";
import { bit, choose, isZero, named, namedPair, negWord, not, or, type Pair, ZERO } from "./base/pair.ts";
import {
  doubleOfFloat,
  floatOfDouble,
  floatOfMagnitude,
  integerOfDouble,
  wholeOf,
} from "./double/convert.ts";
import { isZero64, ONE, pack, signOf } from "./double/pack.ts";
import { roundHalf } from "./half.ts";
import { INTEGER_UNARY, type Integer64, ofBool, ofWord } from "./wide-int64.ts";

type Narrow = Exclude<Scalar, ScalarsWith<{ readonly emulated: "words" }>>;
type FromWide<X> = (code: Code, x: Pair, from: Integer64) => X;

/** The sign as a word's top bit, and the magnitude. */
function signAndMagnitude(code: Code, x: Pair, type: Integer64): { sign: Expr; magnitude: Pair } {
  if (type === "u64") return { sign: u32(0), magnitude: x };
  const value = namedPair(code, "value", x);
  const magnitude = namedPair(code, "magnitude", INTEGER_UNARY.abs(code, value, type));
  return { sign: signOf(value), magnitude };
}

const fromInteger: Readonly<Record<Narrow, FromWide<Expr>>> & { readonly f64: FromWide<Pair> } = {
  bool: (_, x) => not(isZero(x)),
  i32: (_, { lo }) => bitcast("i32", lo),
  u32: (_, { lo }) => lo,
  f32: (code, x, from) => {
    const { sign, magnitude } = signAndMagnitude(code, x, from);
    return floatOfMagnitude(sign, magnitude);
  },
  f16: (code, x, from) => {
    const { sign, magnitude } = signAndMagnitude(code, x, from);
    // Larger numbers also give infinity, and smaller floats are exact.
    const limit = u32(0x20000);
    const exact = select(ne(magnitude.hi, 0), limit, binary("min", magnitude.lo, limit));
    return roundHalf(floatOf(or(sign, bitsOf(cast("f32", exact)))));
  },
  f64: (code, x, from) => {
    const { sign, magnitude } = signAndMagnitude(code, x, from);
    return pack(code, sign, u32(ONE + 63), magnitude);
  },
};

const isNegative = (x: Pair): Expr => binary("ge", x.hi, SIGN);

type FromDouble<X> = (code: Code, x: Pair) => X;
const fromDouble: Readonly<Record<Narrow, FromDouble<Expr>>> & Readonly<Record<Integer64, FromDouble<Pair>>> =
  {
    bool: (_, x) => not(isZero64(x)),
    f32: (_, x) => floatOfDouble(x),
    // What the lower word holds is sticky: the float has digits enough that only the half is rounded.
    f16: (_, { lo, hi }) => roundHalf(floatOfDouble({ lo: u32(0), hi: or(hi, bit(ne(lo, 0))) })),
    i32: (code, x) => {
      const value = namedPair(code, "value", x);
      const whole = wholeOf(code, value);
      const negative = code.let("negative", isNegative(value));
      const limit = code.let("limit", add(MAGNITUDE, bit(negative)));
      const size = code.let("size", select(ne(whole.hi, 0), limit, binary("min", whole.lo, limit)));
      return bitcast("i32", select(negative, negWord(size), size));
    },
    u32: (code, x) => {
      const value = namedPair(code, "value", x);
      const whole = wholeOf(code, value);
      const limited = select(ne(whole.hi, 0), 0xffffffff, whole.lo);
      return select(isNegative(value), 0, limited);
    },
    i64: integerOfDouble,
    u64: (code, x) => {
      const value = namedPair(code, "value", x);
      const whole = wholeOf(code, value);
      return choose(code, "negative", isNegative(value), ZERO, whole);
    },
  };

type NarrowInteger = Exclude<Narrow, FloatScalar | "bool">;
/** The conversion of an integer to one word. */
const WORDS: Readonly<
  Record<NarrowInteger, { readonly isSigned: boolean; readonly word: (x: Expr) => Expr }>
> = {
  i32: { isSigned: true, word: (x) => bitcast("u32", x) },
  u32: { isSigned: false, word: (x) => x },
};

function widen(code: Code, from: Narrow, to: Integer64 | "f64", x: Expr): Pair {
  if (SCALARS[from].kind === "float") {
    const double = doubleOfFloat(code, x);
    return to === "f64" ? double : fromDouble[to](code, double);
  }
  if (from === "bool") return to === "f64" ? { lo: u32(0), hi: select(x, ONE << 20, 0) } : ofBool(x);
  const { isSigned, word: wordOf } = WORDS[from as NarrowInteger];
  const word = wordOf(x);
  if (to !== "f64") return ofWord(code, word, isSigned);
  if (!isSigned) return pack(code, u32(0), u32(ONE + 63), { lo: word, hi: u32(0) });
  const value = named(code, "value", word);
  const magnitude = select(lt(value, SIGN), value, negWord(value));
  return pack(code, and(value, SIGN), u32(ONE + 63), { lo: magnitude, hi: u32(0) });
}

/** As `castValue`; the value is a pair if `from` is wide, and so is the result if `to` is. */
export function castWords(code: Code, from: Scalar, to: Scalar, x: Pair | Expr): Pair | Expr {
  if (from === to) return x;
  if (from === "f64") return fromDouble[to as Exclude<Scalar, "f64">](code, x as Pair);
  if (from !== "i64" && from !== "u64") return widen(code, from, to as Integer64 | "f64", x as Expr);
  return to === "i64" || to === "u64" ? x : fromInteger[to](code, x as Pair, from);
}
