/** Functions of floats that choose bits: roundings to whole numbers, signs, neighbours. */
import type { Code } from "../../language/build.ts";
import type { Expr } from "../../language/expr.ts";
import { add, and, bitcast, bool, cast, lt, ne, select, sub } from "../../language/make-expr.ts";
import type { Fn } from "../../language/module.ts";
import {
  body,
  bodyName,
  DOUBLE,
  type Format,
  ge,
  gt,
  HALF,
  infinity,
  not,
  or,
  Parts,
  partsOf,
  powerBits,
  SINGLE,
  shl,
  shr,
  signBit,
  wordOf,
  xor,
} from "./format.ts";

/** The condition for rounding a magnitude up to the next whole number. */
interface Direction {
  readonly doc: string;
  /** Of a magnitude between 0 and 1. */
  readonly small: (f: Format, x: Parts) => Expr;
  /** The number that is added to the bits before those below the unit are dropped. */
  readonly raise: (f: Format, x: Parts, drop: Expr, below: Expr) => Expr;
}

const outwards = (doc: string, goesOut: (x: Parts) => Expr): Direction => ({
  doc,
  small: (f, x) => and(goesOut(x), ne(x.magnitude, wordOf(f, 0n))),
  raise: (f, x, _, below) => select(goesOut(x), below, wordOf(f, 0n)),
});
const DIRECTIONS: Readonly<Record<"floor" | "ceil" | "trunc" | "round", Direction>> = {
  floor: outwards("The greatest whole number that is not greater than x.", (x) => x.isNegative),
  ceil: outwards("The least whole number that is not less than x.", (x) => not(x.isNegative)),
  trunc: {
    doc: "The whole number without the fraction.",
    small: () => bool(false),
    raise: (f) => wordOf(f, 0n),
  },
  round: {
    doc: "The nearest whole number, ties to even.",
    small: (f, x) => gt(x.magnitude, powerBits(f, -1)),
    raise: (f, x, drop, below) => add(shr(below, 1), and(shr(x.magnitude, drop), wordOf(f, 1n))),
  },
};

const toWhole = (op: keyof typeof DIRECTIONS, f: Format): Fn => {
  const { doc, small, raise } = DIRECTIONS[op];
  return body(bodyName(op, f.float), doc, [["x", f.float]], f.float, (code, x) => {
    const parts = partsOf(code, f, x as Expr);
    const give = (at: Code, magnitude: Expr): void => at.return(bitcast(f.float, or(parts.sign, magnitude)));
    code.if(ge(parts.magnitude, powerBits(f, f.digits)), (then) => then.return(x as Expr));
    code.if(lt(parts.magnitude, powerBits(f, 0)), (then) =>
      give(then, select(small(f, parts), powerBits(f, 0), wordOf(f, 0n))),
    );
    const exponent = cast("u32", shr(parts.magnitude, f.digits));
    const drop = code.let("drop", sub(f.bias + f.digits, exponent));
    const below = code.let("below", sub(shl(wordOf(f, 1n), drop), wordOf(f, 1n)));
    give(code, and(add(parts.magnitude, raise(f, parts, drop, below)), not(below)));
  });
};

const testOfNaN = (f: Format): Fn =>
  body(bodyName("isNaN", f.float), "Whether it is no number.", [["x", f.float]], "bool", (code, x) =>
    code.return(partsOf(code, f, x as Expr).isNaN),
  );
const testOfFinite = (f: Format): Fn =>
  body(bodyName("isFinite", f.float), "Whether it is a number.", [["x", f.float]], "bool", (code, x) =>
    code.return(lt(partsOf(code, f, x as Expr).magnitude, infinity(f))),
  );

const sign = (f: Format): Fn =>
  body(
    bodyName("sign", f.float),
    "1 with the sign; zeros and NaN as they are.",
    [["x", f.float]],
    f.float,
    (code, x) => {
      const parts = partsOf(code, f, x as Expr);
      code.if(or(parts.isZero, parts.isNaN), (then) => then.return(x as Expr));
      code.return(bitcast(f.float, or(parts.sign, powerBits(f, 0))));
    },
  );

const copysign = (f: Format): Fn => {
  const params = [
    ["x", f.float],
    ["y", f.float],
  ] as const;
  const doc = "x with the sign of y; a NaN counts as positive.";
  return body(bodyName("copysign", f.float), doc, params, f.float, (code, x, y) => {
    const from = partsOf(code, f, y as Expr, "y_");
    const own = partsOf(code, f, x as Expr);
    const taken = select(from.isNaN, wordOf(f, 0n), from.sign);
    code.return(bitcast(f.float, or(own.magnitude, taken)));
  });
};

const step = (f: Format): Fn => {
  const params = [
    ["x", f.float],
    ["edge", f.float],
  ] as const;
  const doc = "0 below the edge, otherwise 1; NaN if either is NaN.";
  return body(bodyName("step", f.float), doc, params, f.float, (code, ...args) => {
    const [x, edge] = args as [Expr, Expr];
    for (const one of [x, edge])
      code.if(partsOf(code, f, one, one === x ? "x_" : "edge_").isNaN, (then) => then.return(one));
    code.return(bitcast(f.float, select(lt(x, edge), wordOf(f, 0n), powerBits(f, 0))));
  });
};

/** On bits: a half has no bits of its own width. */
const nextBits = (f: Format, up: boolean, name: string): Fn =>
  body(
    name,
    `The bits of the next value ${up ? "above" : "below"}.`,
    [["given", f.word]],
    f.word,
    (code, given) => {
      // Below is above, with the other sign.
      const flip = (e: Expr): Expr => (up ? e : xor(e, signBit(f)));
      const parts = new Parts(code, f, code.let("bits", flip(given as Expr)));
      const isLast = and(parts.isInfinite, not(parts.isNegative));
      code.if(or(parts.isNaN, isLast), (then) => then.return(given as Expr));
      code.if(parts.isZero, (then) => then.return(flip(wordOf(f, 1n))));
      const one = wordOf(f, 1n);
      code.return(flip(select(parts.isNegative, sub(parts.bits, one), add(parts.bits, one))));
    },
  );

const perFormat = (f: Format): readonly Fn[] => [
  ...(["floor", "ceil", "trunc", "round"] as const).map((op) => toWhole(op, f)),
  testOfNaN(f),
  testOfFinite(f),
  sign(f),
  copysign(f),
  step(f),
];

/** The name of the function on bits. */
export const nextName = (up: boolean, { float }: Format): string =>
  bodyName(up ? "nextUp" : "nextDown", float);
export const ROUNDING_BODIES: readonly Fn[] = [
  ...[SINGLE, DOUBLE].flatMap(perFormat),
  ...[HALF, SINGLE, DOUBLE].flatMap((f) => [true, false].map((up) => nextBits(f, up, nextName(up, f)))),
];
