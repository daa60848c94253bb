/** The bodies of elementary functions: one for each rounding, and what they call. */

import { FUNCTION_ROWS } from "@groupwise/ir/functions/functions.js";
import { type BinaryElementary, type ElementaryFunction, isOn } from "@groupwise/ir/functions/spec.js";
import type { Fn } from "../../../language/module.ts";
import { body, bodyName } from "../format.ts";
import { acos, asin, atan, atan2 } from "./angle.ts";
import { cos, sin, tan } from "./circle.ts";
import { erf } from "./error.ts";
import { cosh, exp, exp2, expm1, sigmoid, sinh, tanh } from "./exponential.ts";
import { hypot } from "./hypot.ts";
import { acosh, asinh, atanh, log, log1p, log2 } from "./logarithm.ts";
import { pow } from "./power.ts";
import { cbrt, rsqrt } from "./roots.ts";
import { SERIES } from "./series.ts";
import { DIGITS_BODIES, type FillBody, formatOf, ROUNDINGS, type Rounding } from "./words.ts";

const UNARY_FILLS: readonly (readonly [ElementaryFunction, FillBody, string])[] = [
  ["exp", exp, "e^x"],
  ["exp2", exp2, "2^x"],
  ["expm1", expm1, "e^x - 1"],
  ["log", log, "log x"],
  ["log2", log2, "log x / log 2"],
  ["log1p", log1p, "log(1 + x)"],
  ["sin", sin, "sin x"],
  ["cos", cos, "cos x"],
  ["tan", tan, "tan x"],
  ["asin", asin, "asin x"],
  ["acos", acos, "acos x"],
  ["atan", atan, "atan x"],
  ["sinh", sinh, "sinh x"],
  ["cosh", cosh, "cosh x"],
  ["tanh", tanh, "tanh x"],
  ["asinh", asinh, "The inverse of sinh"],
  ["acosh", acosh, "The inverse of cosh"],
  ["atanh", atanh, "The inverse of tanh"],
  ["sigmoid", sigmoid, "1 / (1 + e^-x)"],
  ["erf", erf, "erf x"],
  ["cbrt", cbrt, "The cube root of x"],
  ["rsqrt", rsqrt, "1 / sqrt x"],
];
const BINARY_FILLS: readonly (readonly [BinaryElementary, FillBody, string, readonly [string, string]])[] = [
  ["pow", pow, "x^y", ["x", "y"]],
  ["atan2", atan2, "The angle of (x, y)", ["y", "x"]],
  ["hypot", hypot, "sqrt(x² + y²)", ["x", "y"]],
];
/** Of f16 and f32. */
const PAIR_BOUNDS: Readonly<Record<BinaryElementary, string>> = {
  pow: "at most 0.5000001 ulp off",
  atan2: "at most 0.5000001 ulp off",
  hypot: "correctly rounded",
};

const isThere =
  (to: Rounding) =>
  ([op]: readonly [ElementaryFunction, ...unknown[]]): boolean =>
    isOn(FUNCTION_ROWS[op], to);
const BOUNDS: Readonly<Record<Rounding, string>> = {
  f32: "correctly rounded",
  f16: "correctly rounded",
  f64: "at most 0.52 ulp off",
};

/** Callees before callers. */
export const ELEMENTARY_BODIES: readonly Fn[] = [
  ...DIGITS_BODIES,
  ...SERIES,
  ...ROUNDINGS.flatMap((to) => {
    const { float } = formatOf(to);
    return [
      ...UNARY_FILLS.filter(isThere(to)).map(([op, fill, doc]) =>
        body(bodyName(op, to), `${doc}, ${BOUNDS[to]}.`, [["x", float]], float, (code, x) =>
          fill(code, to, x as never, x as never),
        ),
      ),
      ...BINARY_FILLS.filter(isThere(to)).map(([op, fill, doc, [a, b]]) =>
        body(
          bodyName(op, to),
          `${doc}, ${to === "f64" ? BOUNDS.f64 : PAIR_BOUNDS[op]}.`,
          [
            [a, float],
            [b, float],
          ],
          float,
          (code, ...args) => fill(code, to, ...(args as [never, never])),
        ),
      ),
    ];
  }),
];
