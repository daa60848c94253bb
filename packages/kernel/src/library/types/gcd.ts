/**
 * Greatest common divisors without a division (Stein, "Computational problems associated with Racah algebra", 1967):
 * the difference of two odd numbers is even, and smaller after division by its factors of two. Each step
 * removes a bit from one of them, so that their number of bits bounds the number of steps.
 */

import { SCALARS, type Scalar } from "@groupwise/ir/tables/scalar.js";
import type { Code } from "../../language/build.ts";
import type { Expr } from "../../language/expr.ts";
import {
  add,
  and,
  binary,
  bitcast,
  call,
  cast,
  constant,
  eq,
  select,
  sub,
  unary,
  zeroOf,
} from "../../language/make-expr.ts";
import type { Fn } from "../../language/module.ts";
import { define, nativeName } from "./base/define.ts";
import { ofPairs, SHL_U64, SHR_U64, withSignOf } from "./base/int64.ts";
import {
  below,
  callPair,
  choose,
  clz,
  isZero,
  namedPair,
  or,
  type Pair,
  returnPair,
  subPair,
  wordsOf,
} from "./base/pair.ts";

const DOC = "Greatest common divisor; of x and 0 it is x.";
const SIGNED_DOC = "Greatest common divisor of the magnitudes, modulo the width.";

/** Zero bits below the lowest 1 of a number that is not 0, as a u32. */
function zerosBelow(x: Expr): Expr {
  const lowest = and(x, sub(zeroOf(x.type), x));
  const { bits, whole } = SCALARS[x.type];
  return cast("u32", sub(constant(x.type, whole(bits - 1)), clz(lowest)));
}

const unsigned = (type: "u32" | "u64"): Fn =>
  define(nativeName("gcd", type), {
    doc: DOC,
    params: ["a", "b"],
    type,
    returns: type,
    body: (code, args) => {
      const [a, b] = args as [Expr, Expr];
      const zero = zeroOf(type);
      code.if(eq(a, zero), (then) => then.return(b));
      code.if(eq(b, zero), (then) => then.return(a));
      const twos = code.let("twos", zerosBelow(or(a, b)));
      const x = code.var("x", binary("shr", a, zerosBelow(a)));
      const y = code.var("y", binary("shr", b, zerosBelow(b)));
      code.for("step", 0, 2 * SCALARS[type].bits, (body) => {
        body.if(eq(x, y), (done) => done.return(binary("shl", x, twos)));
        const lesser = body.let("lesser", binary("min", x, y));
        const difference = body.let("difference", sub(binary("max", x, y), lesser));
        body.assign(x, binary("shr", difference, zerosBelow(difference)));
        body.assign(y, lesser);
      });
      code.return(binary("shl", x, twos));
    },
  });

const signed = (type: Scalar, of: "u32" | "u64"): Fn =>
  define(nativeName("gcd", type), {
    doc: SIGNED_DOC,
    params: ["a", "b"],
    type,
    returns: type,
    body: (code, args) => {
      const magnitudes = args.map((x) => bitcast(of, unary("abs", x)));
      code.return(bitcast(type, call(nativeName("gcd", of), of, magnitudes)));
    },
  });

const zerosBelowPair = ({ lo, hi }: Pair): Expr => select(eq(lo, 0), add(zerosBelow(hi), 32), zerosBelow(lo));
const withoutTwos = (code: Code, hint: string, x: Pair): Pair =>
  callPair(code, hint, SHR_U64, [x.lo, x.hi, zerosBelowPair(x)]);

export const GCD_U64: Fn = ofPairs("gcd_u64", DOC, (code, a, b) => {
  code.if(isZero(a), (then) => returnPair(then, b));
  code.if(isZero(b), (then) => returnPair(then, a));
  const twos = code.let("twos", zerosBelowPair({ lo: or(a.lo, b.lo), hi: or(a.hi, b.hi) }));
  const [first, second] = [withoutTwos(code, "first", a), withoutTwos(code, "second", b)];
  const x = { lo: code.var("x_lo", first.lo), hi: code.var("x_hi", first.hi) };
  const y = { lo: code.var("y_lo", second.lo), hi: code.var("y_hi", second.hi) };
  const give = (at: Code): void => returnPair(at, callPair(at, "divisor", SHL_U64, [x.lo, x.hi, twos]));
  code.for("step", 0, 128, (body) => {
    body.if(and(eq(x.lo, y.lo), eq(x.hi, y.hi)), give);
    const isLess = body.let("less", below(body, "lt", x, y));
    const lesser = namedPair(body, "lesser", choose(body, "less", isLess, x, y));
    const greater = namedPair(body, "greater", choose(body, "less", isLess, y, x));
    const difference = namedPair(body, "difference", subPair(body, greater, lesser));
    const odd = withoutTwos(body, "odd", difference);
    body.assign(x.lo, odd.lo);
    body.assign(x.hi, odd.hi);
    body.assign(y.lo, lesser.lo);
    body.assign(y.hi, lesser.hi);
  });
  // Never reached: the bits of both bound the steps.
  returnPair(code, x);
});

export const GCD_I64: Fn = ofPairs("gcd_i64", SIGNED_DOC, (code, a, b) => {
  const x = namedPair(code, "x", withSignOf(code, a.hi, a));
  const y = namedPair(code, "y", withSignOf(code, b.hi, b));
  returnPair(code, callPair(code, "divisor", GCD_U64, wordsOf(x, y)));
});

/** On two words; callees before callers. */
export const GCD64_FUNCTIONS: readonly Fn[] = [GCD_U64, GCD_I64];

/** On native values; callees before callers. */
export const GCD_FUNCTIONS: readonly Fn[] = [
  unsigned("u32"),
  signed("i32", "u32"),
  unsigned("u64"),
  signed("i64", "u64"),
];
