/** Polynomials and reciprocals in fixed point, which several functions call. */
import {
  ATAN,
  COS,
  ERF,
  ERF_FAR,
  ERF_SMALL,
  EXP,
  LOG,
  LOG_REST,
  SIN,
} from "@groupwise/ir/functions/digits/coefficients.js";
import type { Code } from "../../../language/build.ts";
import type { Expr } from "../../../language/expr.ts";
import { add, binary, bitcast, call, lt, select, sub, u32 } from "../../../language/make-expr.ts";
import type { Fn } from "../../../language/module.ts";
import { body, i32, shl, shr } from "../format.ts";
import { asI32, high, i64, one, signedSum, u64, unsignedSum, upper, widened } from "./words.ts";

const series = (name: string, doc: string, coefficients: readonly bigint[]): Fn =>
  body(name, doc, [["u", "u64"]], "u64", (code, u) =>
    code.return(unsignedSum(code, u as Expr, coefficients)),
  );
const onWords = (name: string, doc: string, fill: (code: Code, x: Expr) => void): Fn =>
  body(name, doc, [["x", "u64"]], "u64", (code, x) => fill(code, x as Expr));

const exp: Fn = body(
  "exp_part",
  "(e^r - 1) / r for |r| < 0.3468: 62 fraction bits of 64 of r.",
  [["r", "i64"]],
  "i64",
  (code, r) => code.return(signedSum(code, r as Expr, EXP.map(i64))),
);
const erf: Fn = body(
  "erf_part",
  "erf(c + t) for c = 1.5, 2.5 or 3.5 and |t| <= 1/2: 62 fraction bits of 64 of t.",
  [
    ["t", "i64"],
    ["piece", "u32"],
  ],
  "i64",
  (code, ...args) => {
    const [t, piece] = args as [Expr, Expr];
    const [first, second, third] = ERF as readonly [readonly bigint[], readonly bigint[], readonly bigint[]];
    const isFirst = code.let("first", lt(piece, 2));
    const isSecond = code.let("second", lt(piece, 3));
    const steps = first.map((c, i) =>
      select(isFirst, i64(c), select(isSecond, i64(second[i] as bigint), i64(third[i] as bigint))),
    );
    code.return(signedSum(code, t, steps));
  },
);

const erfFar: Fn = body(
  "erf_far_part",
  "erf(c + t) for c = 4.5 or 5.5 and |t| <= 1/2: 62 fraction bits of 64 of t.",
  [
    ["t", "i64"],
    ["piece", "u32"],
  ],
  "i64",
  (code, ...args) => {
    const [t, piece] = args as [Expr, Expr];
    const [fourth, fifth] = ERF_FAR as readonly [readonly bigint[], readonly bigint[]];
    const isFourth = code.let("fourth", lt(piece, 5));
    const steps = fourth.map((c, i) => select(isFourth, i64(c), i64(fifth[i] as bigint)));
    code.return(signedSum(code, t, steps));
  },
);

/** Newton's steps, the first of few digits, keep it below the exact value, so that no error is negative. */
const reciprocal: Fn = onWords("reciprocal", "2^127 / x for x >= 2^63, a few units too small.", (code, x) => {
  const top = code.let("top", upper(x));
  const seed = binary("div", 0xffffffff, add(shr(top, 16), 1));
  const first = code.let("first", shl(seed, 15));
  const error = sub(0, shl(high(first, top), 1));
  const second = code.let("second", widened(add(sub(first, 8), high(first, error))));
  const rest = code.let("rest", sub(u64(0n), shl(high(second, x), 1)));
  code.return(add(sub(second, u64(3n)), high(second, add(rest, high(rest, rest)))));
});

type Step = (y: Expr, top: Expr) => Expr;
/** A seed of a few digits, of 31 fraction bits, and three of Newton's steps. */
function refined(code: Code, top: Expr, seed: Expr, step: Step): Expr {
  const y = code.var("y", seed);
  code.for("round", 0, 3, (inner) => inner.assign(y, shl(high(y, step(y, top)), 1)));
  return y;
}

/** Of 30 fraction bits: 1.314 - 1.567 d + 0.762 d², within 0.03 of 1 / (2 √d), by interpolation at Chebyshev nodes. */
const ROOT_SEED = [1411245190, 1682537772, 817753277] as const;
/** 1.205 - 2.141 d + 2.475 d² - 1.044 d³, within 0.02 of d^(-1/3) / 2. */
const CUBE_SEED = [1294234591, 2299039455, 2657729767, 1120733951] as const;
const THIRD = (1n << 64n) / 3n;
const inverseRoot: Fn = onWords(
  "inverse_root",
  "1 / (2 sqrt d), of 63 fraction bits, for d = x / 2^64 >= 1/4.",
  (code, x) => {
    const top = code.let("top", upper(x));
    const line = sub(ROOT_SEED[1], high(u32(ROOT_SEED[2]), top));
    const seed = shl(sub(ROOT_SEED[0], high(top, line)), 1);
    // y (3 - 4 d y²) / 2
    const y = refined(code, top, seed, (at, d) => sub(3 * 2 ** 30, shl(high(high(at, at), d), 2)));
    const root = code.let("root", widened(sub(y, 64)));
    const error = code.let("error", sub(one(62), shl(high(high(root, root), x), 2)));
    const square = code.let("square", high(shl(error, 2), shl(error, 2)));
    const more = add(shl(error, 1), add(shr(square, 2), shr(square, 3)));
    code.return(add(root, high(root, more)));
  },
);
const inverseCubeRoot: Fn = onWords(
  "inverse_cube_root",
  "d^(-1/3), of 62 fraction bits, for d = x / 2^64 >= 1/8.",
  (code, x) => {
    const top = code.let("top", upper(x));
    const [a, b, c, d] = CUBE_SEED.map((value) => u32(value)) as [Expr, Expr, Expr, Expr];
    const inner = code.let("inner", sub(c, high(d, top)));
    const seed = shl(sub(a, high(top, sub(b, high(top, inner)))), 1);
    // y (4 - d y³) / 3
    const y = refined(code, top, seed, (at, all) => {
      const cube = high(high(high(at, all), at), at);
      const third = binary("div", shl(asI32(sub(2 ** 26, cube)), 5), i32(3));
      return add(2 ** 31, bitcast("u32", third));
    });
    const root = code.let("root", widened(sub(y, 512)));
    const square = code.let("square_root", shl(high(shl(high(root, x), 1), root), 2));
    const error = code.let("error", shl(sub(one(61), high(square, root)), 3));
    const third = code.let("third", high(error, u64(THIRD)));
    code.return(add(root, high(root, add(third, shl(high(third, third), 1)))));
  },
);

/** Callees before callers. */
export const SERIES: readonly Fn[] = [
  exp,
  series("log_part", "atanh(s) / s, of 63 fraction bits, for u = s² < 0.0296 of 64.", LOG),
  series("log_rest", "(atanh(s) / s - 1) / u, of 64 fraction bits, for u = s² < 0.0296 of 64.", LOG_REST),
  series("sin_part", "sin(a) / a, of 63 fraction bits, for u = a² < 0.617 of 64.", SIN),
  series("cos_part", "cos(a), of 63 fraction bits, for u = a² < 0.617 of 64.", COS),
  series("atan_part", "atan(t) / t, of 63 fraction bits, for u = t² < 0.0397 of 64.", ATAN),
  series("erf_small_part", "erf(x) / x, of 62 fraction bits, for u = x² < 1 of 64.", ERF_SMALL),
  erf,
  erfFar,
  reciprocal,
  inverseRoot,
  inverseCubeRoot,
];
export const partOf = (
  name: "log_part" | "log_rest" | "sin_part" | "cos_part" | "atan_part" | "erf_small_part",
  u: Expr,
): Expr => call(name, "u64", [u]);
export const expPart = (r: Expr): Expr => call("exp_part", "i64", [r]);
export const erfPart = (t: Expr, piece: Expr): Expr => call("erf_part", "i64", [t, piece]);
export const erfFarPart = (t: Expr, piece: Expr): Expr => call("erf_far_part", "i64", [t, piece]);
export const reciprocalOf = (x: Expr): Expr => call("reciprocal", "u64", [x]);
export const inverseRootOf = (x: Expr): Expr => call("inverse_root", "u64", [x]);
export const inverseCubeRootOf = (x: Expr): Expr => call("inverse_cube_root", "u64", [x]);
