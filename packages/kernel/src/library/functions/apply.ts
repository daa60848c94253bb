/**
 * Functions as expressions: calls of bodies, and compositions of operators. Each is written once, for all
 * implementations; passes replace the types and operators that an implementation lacks.
 */
import type { FunctionNode } from "@groupwise/ir/document/node.js";
import { FUNCTION_ROWS } from "@groupwise/ir/functions/functions.js";
import { type ElementaryFunction, type FunctionName, resolved } from "@groupwise/ir/functions/spec.js";
import { isFloat, SCALARS, type Scalar } from "@groupwise/ir/tables/scalar.js";
import type { Code } from "../../language/build.ts";
import type { Expr } from "../../language/expr.ts";
import {
  add,
  binary,
  bitcast,
  call,
  cast,
  constant,
  eq,
  join,
  lt,
  mul,
  ne,
  select,
  sub,
  word,
  zeroOf,
} from "../../language/make-expr.ts";
import type { Fn } from "../../language/module.ts";
import { DIGIT_BODIES } from "./digits.ts";
import { FMA_BODIES } from "./fma.ts";
import { bodyName, DOUBLE, fastName, HALF, SINGLE } from "./format.ts";
import { INTEGER_BODIES } from "./integers.ts";
import { PACK_BODIES } from "./pack.ts";
import { nextName, ROUNDING_BODIES } from "./roundings.ts";

/** Every body that a function may call but those of elementary functions; callees precede callers. */
export const BODIES: readonly Fn[] = [
  ...INTEGER_BODIES,
  ...ROUNDING_BODIES,
  ...PACK_BODIES,
  ...DIGIT_BODIES,
  ...FMA_BODIES,
];

type Applied = Pick<FunctionNode, "op" | "fast">;
type Apply = (code: Code, args: readonly Expr[]) => Expr;
const named = (code: Code, x: Expr): Expr => code.named("given", x);
const UNSIGNED = { i32: "u32", i64: "u64" } as const;
const isSigned = (type: Scalar): type is keyof typeof UNSIGNED => Object.hasOwn(UNSIGNED, type);

/** The body on the type itself. */
const called = (op: FunctionName, [first, ...rest]: readonly Expr[]): Expr => {
  const { type } = first as Expr;
  return call(bodyName(op, type), resolved(FUNCTION_ROWS[op].result, type), [first as Expr, ...rest]);
};
const body =
  (op: FunctionName): Apply =>
  (_, args) =>
    called(op, args);
/** The body on the bits: signed types use the body of the unsigned type. */
const onBits =
  (op: FunctionName): Apply =>
  (_, args) => {
    const { type } = args[0] as Expr;
    if (!isSigned(type)) return called(op, args);
    const unsigned = args.map((x) => (x.type === type ? bitcast(UNSIGNED[type], x) : x));
    return bitcast(type, called(op, unsigned));
  };
/** Halves use the body of f32: the result is exact, or the second rounding does not change it. */
const throughSingle =
  (op: FunctionName): Apply =>
  (_, args) => {
    const { type } = args[0] as Expr;
    if (type !== "f16") return called(op, args);
    const result = called(
      op,
      args.map((x) => (x.type === "f16" ? cast("f32", x) : x)),
    );
    return result.type === "f32" ? cast("f16", result) : result;
  };
/** Halves use an f32 that is rounded to odd, so that the result is as if rounded only once, to a half. */
const elementary =
  (op: ElementaryFunction): Apply =>
  (_, args) => {
    const { type } = args[0] as Expr;
    const by = type === "f64" ? "f64" : "f32";
    const result = call(
      bodyName(op, type),
      by,
      args.map((x) => cast(by, x)),
    );
    return cast(type, result);
  };

const next =
  (up: boolean): Apply =>
  (_, [given]) => {
    const x = given as Expr;
    if (x.type === "f16") return join("f16", [call(nextName(up, HALF), "u32", [word(0, x)])]);
    const f = x.type === "f64" ? DOUBLE : SINGLE;
    return bitcast(x.type, call(nextName(up, f), f.word, [bitcast(f.word, x)]));
  };

/** An f64 has enough digits for a product of halves, and for a sum whose second rounding does not change it. */
const fma: Apply = (_, args) => {
  if ((args[0] as Expr).type !== "f16") return called("fma", args);
  const [x, y, z] = args.map((e) => cast("f64", e)) as [Expr, Expr, Expr];
  return cast("f16", add(mul(x, y), z));
};
const fract: Apply = (code, [given]) => {
  const x = named(code, given as Expr);
  return sub(x, throughSingle("floor")(code, [x]));
};
const mix: Apply = (code, [a, b, given]) => {
  const t = named(code, given as Expr);
  const one = constant(t.type, 1);
  return add(mul(a as Expr, sub(one, t)), mul(b as Expr, t));
};
const clamp: Apply = (_, [x, low, high]) =>
  binary("min", binary("max", x as Expr, low as Expr), high as Expr);
/** If the signs differ, the divisor is added to the exact remainder, with one rounding. */
const mod: Apply = (code, [x, given]) => {
  const y = named(code, given as Expr);
  const zero = zeroOf(y.type);
  if (SCALARS[y.type].kind === "uint") return binary("rem", x as Expr, y);
  if (!isFloat(y.type)) return called("mod", [x as Expr, y]);
  const rest = named(code, throughSingle("fmod")(code, [x as Expr, y]));
  const differs = ne(lt(rest, zero), lt(y, zero));
  const other = select(differs, add(rest, y), rest);
  return select(eq(rest, zero), throughSingle("copysign")(code, [zero, y]), other);
};
const sign: Apply = (code, args) => {
  const x = args[0] as Expr;
  if (SCALARS[x.type].kind !== "uint") return throughSingle("sign")(code, args);
  return binary("min", x, constant(x.type, SCALARS[x.type].whole(1)));
};
const rotateRight: Apply = (code, [x, by]) => onBits("rotateLeft")(code, [x as Expr, sub(0, by as Expr)]);

const FUNCTIONS: Readonly<Record<FunctionName, Apply>> = {
  ctz: onBits("ctz"),
  reverseBits: onBits("reverseBits"),
  swapBytes: onBits("swapBytes"),
  rotateLeft: onBits("rotateLeft"),
  rotateRight,
  addSaturating: body("addSaturating"),
  subSaturating: body("subSaturating"),
  mulHigh: body("mulHigh"),
  extractBits: body("extractBits"),
  insertBits: onBits("insertBits"),
  sign,
  clamp,
  mod,
  floor: throughSingle("floor"),
  ceil: throughSingle("ceil"),
  trunc: throughSingle("trunc"),
  round: throughSingle("round"),
  copysign: throughSingle("copysign"),
  isNaN: throughSingle("isNaN"),
  isFinite: throughSingle("isFinite"),
  nextUp: next(true),
  nextDown: next(false),
  step: throughSingle("step"),
  mantissa: throughSingle("mantissa"),
  exponent: throughSingle("exponent"),
  fmod: throughSingle("fmod"),
  fract,
  mix,
  sqrt: throughSingle("sqrt"),
  fma,
  ldexp: throughSingle("ldexp"),
  exp: elementary("exp"),
  exp2: elementary("exp2"),
  expm1: elementary("expm1"),
  log: elementary("log"),
  log2: elementary("log2"),
  log1p: elementary("log1p"),
  sin: elementary("sin"),
  cos: elementary("cos"),
  tan: elementary("tan"),
  asin: elementary("asin"),
  acos: elementary("acos"),
  atan: elementary("atan"),
  sinh: elementary("sinh"),
  cosh: elementary("cosh"),
  tanh: elementary("tanh"),
  asinh: elementary("asinh"),
  acosh: elementary("acosh"),
  atanh: elementary("atanh"),
  sigmoid: elementary("sigmoid"),
  erf: elementary("erf"),
  cbrt: elementary("cbrt"),
  rsqrt: elementary("rsqrt"),
  pow: elementary("pow"),
  atan2: elementary("atan2"),
  hypot: elementary("hypot"),
};

/** The function of the operands; expressions that are used more than once are named in `code`. */
export const applied = (code: Code, { op, fast }: Applied, args: readonly Expr[]): Expr =>
  fast ? fastOf(op, args) : FUNCTIONS[op](code, args);

/** For a half, the function of f32, rounded once more. */
function fastOf(op: FunctionName, args: readonly Expr[]): Expr {
  const { type } = args[0] as Expr;
  const singles = args.map((x) => cast("f32", x));
  return cast(type, call(fastName(op), "f32", singles));
}
