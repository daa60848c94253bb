/** Square roots and remainders, some digits at a time. */
import type { Expr } from "../../language/expr.ts";
import { add, and, binary, bitcast, cast, lt, sub, u32 } from "../../language/make-expr.ts";
import type { Fn } from "../../language/module.ts";
import {
  body,
  bodyName,
  FORMATS,
  type Format,
  ge,
  gt,
  hiddenBit,
  or,
  partsOf,
  returnNaN,
  shl,
  shr,
  significandOf,
  wordOf,
} from "./format.ts";
import { packedDigits } from "./pack.ts";

/** The root digit by digit: the digits of the float, and one more for rounding. */
const sqrt = (f: Format): Fn =>
  body(
    bodyName("sqrt", f.float),
    "The square root, rounded to nearest even.",
    [["x", f.float]],
    f.float,
    (code, x) => {
      const parts = partsOf(code, f, x as Expr);
      code.if(or(parts.isZero, parts.isNaN), (then) => then.return(x as Expr));
      code.if(parts.isNegative, (then) => returnNaN(then, f));
      code.if(parts.isInfinite, (then) => then.return(x as Expr));
      const { digits, exponent: biased } = significandOf(code, f, parts);
      const twice = code.let("twice", add(biased, f.bias));
      const isOdd = and(twice, 1);
      const rest = code.var("rest", shl(shl(digits, isOdd), 1));
      const root = code.var("root", wordOf(f, 0n));
      const sum = code.var("sum", wordOf(f, 0n));
      const unit = code.var("unit", shl(hiddenBit(f), 1));
      code.for("step", 0, f.digits + 2, (inner) => {
        const tried = inner.let("tried", add(sum, unit));
        inner.if(ge(rest, tried), (then) => {
          then.assign(sum, add(tried, unit));
          then.assign(rest, sub(rest, tried));
          then.assign(root, add(root, unit));
        });
        inner.assign(rest, shl(rest, 1));
        inner.assign(unit, shr(unit, 1));
      });
      // No root is halfway between two floats: the last digit alone decides.
      const nearest = shr(add(root, and(root, wordOf(f, 1n))), 1);
      const head = shl(cast(f.word, sub(shr(twice, 1), 1)), f.digits);
      code.return(bitcast(f.float, add(head, nearest)));
    },
  );

/** Each step takes as many digits as the word has left besides those of the divisor. */
const remainder = (f: Format): Fn => {
  const params = [
    ["x", f.float],
    ["y", f.float],
  ] as const;
  const spare = f.width - 1 - f.digits;
  const doc = "The exact remainder of the truncated quotient.";
  return body(bodyName("fmod", f.float), doc, params, f.float, (code, x, y) => {
    const [a, b] = [partsOf(code, f, x as Expr, "x_"), partsOf(code, f, y as Expr, "y_")];
    code.if(or(or(a.isSpecial, b.isNaN), b.isZero), (then) => returnNaN(then, f));
    code.if(lt(a.magnitude, b.magnitude), (then) => then.return(x as Expr));
    const [p, q] = [significandOf(code, f, a, "x_"), significandOf(code, f, b, "y_")];
    const rest = code.var("rest", binary("rem", p.digits, q.digits));
    const left = code.var("left", sub(p.exponent, q.exponent));
    code.while(gt(left, u32(0)), (inner) => {
      const by = inner.let("by", binary("min", left, spare));
      inner.assign(rest, binary("rem", shl(rest, by), q.digits));
      inner.assign(left, sub(left, by));
    });
    const isZero = lt(rest, wordOf(f, 1n));
    code.if(isZero, (then) => then.return(bitcast(f.float, a.sign)));
    code.return(packedDigits(code, f, a.sign, add(q.exponent, spare), rest));
  });
};

export const DIGIT_BODIES: readonly Fn[] = FORMATS.flatMap((f) => [sqrt(f), remainder(f)]);
