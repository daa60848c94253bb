/** Replaces operations that the implementation lacks or computes less exactly than required. */
import { wordOf } from "@groupwise/ir/tables/convert-value.js";
import { BINARY, type CompareOp, isCompare } from "@groupwise/ir/tables/expr-op.js";
import { decodeLiteral, type Literal } from "@groupwise/ir/tables/literal.js";
import { type IntegerScalar, isFloat, SCALARS, type Scalar } from "@groupwise/ir/tables/scalar.js";
import type { Capabilities, Expansion } from "../capabilities/capabilities.ts";
import type { BinaryExpr, Expr } from "../language/expr.ts";
import { isSameName } from "../language/fold-expr.ts";
import {
  asWideAs,
  binary,
  bitcast,
  call,
  cast,
  constant,
  join,
  mul,
  ne,
  sub,
  u32,
  unary,
  zeroOf,
} from "../language/make-expr.ts";
import { mapParts } from "../language/map-expr.ts";
import type { Module } from "../language/module.ts";
import { MAGNITUDE, nativeName } from "../library/types/base/define.ts";
import { composed } from "../library/types/composed.ts";
import { FROM_WHOLE, guardedName, passesWide, SHORT_NAME } from "../library/types/convert.ts";
import { halfBitsOf } from "../library/types/half.ts";
import { type Around, mapExprs } from "./base/pass.ts";
import { bitsOf, isShort, LEAST_NORMAL } from "./base/short.ts";

// Replaces expressions that no target prints, and those that compilers refuse or warn about, by others of the same value.
/**
 * Expressions that no language handles safely: magnitudes of unsigned integers, constant divisors of 0 and -1, constant shifts past the width,
 * and comparisons of an integer with itself, which compilers report as a mistake.
 */
function legalise(e: Expr): Expr {
  // Not every implementation keeps the highest bit.
  if (e.kind === "unary" && e.op === "abs" && SCALARS[e.type].kind === "uint") return e.of;
  if (e.kind !== "binary") return e;
  const others = composed(e);
  if (others) return others;
  // C spells a bool's exclusive or as a comparison.
  const compares = BINARY[e.op].compares || (e.op === "xor" && e.type === "bool");
  if (compares && !isFloat(e.left.type) && isSameName(e.left, e.right))
    return constant("bool", e.op === "eq" || e.op === "le" || e.op === "ge");
  if (e.right.kind !== "const") return e;
  const right = Number(e.right.value);
  const bits = SCALARS[e.type].bits;
  if ((e.op === "shl" || e.op === "shr") && right >= bits) return { ...e, right: u32(right % bits) };
  if ((e.op !== "div" && e.op !== "rem") || isFloat(e.type)) return e;
  if (right === 0) return e.op === "div" ? e.left : zeroOf(e.type);
  if (right === -1) return e.op === "div" ? unary("neg", e.left) : zeroOf(e.type);
  return e;
}

type Rewrite = (expr: Expr) => Expr | undefined;

const isF32 = (expr: Expr): boolean => expr.type === "f32";

/** Infinities, NaN, -0, and subnormals, which a compiler may flush when it parses the text. */
const needsBits = (type: Scalar, value: Literal): boolean =>
  typeof value === "string" || (value !== 0 && Math.abs(Number(value)) < LEAST_NORMAL[type as "f32"]);

const COMPARED: Readonly<Record<CompareOp, (a: Expr, b: Expr) => Expr>> = {
  eq: (a, b) => call(nativeName("eq", a.type), "bool", [a, b]),
  ne: (a, b) => unary("not", call(nativeName("eq", a.type), "bool", [a, b])),
  lt: (a, b) => call(nativeName("lt", a.type), "bool", [a, b]),
  le: (a, b) => call(nativeName("le", a.type), "bool", [a, b]),
  gt: (a, b) => call(nativeName("lt", a.type), "bool", [b, a]),
  ge: (a, b) => call(nativeName("le", a.type), "bool", [b, a]),
};

/** Of a float: whether a bit but the sign's is set. */
const isNonZero = (e: Expr): Expr =>
  e.type === "f64"
    ? ne(binary("and", bitcast("u64", e), constant("u64", 0x7fff_ffff_ffff_ffffn)), zeroOf("u64"))
    : ne(binary("and", bitsOf(e), e.type === "f16" ? 0x7fff : MAGNITUDE), 0);

const inSingle = (e: Expr): Expr => cast("f32", e);
/**
 * Operations that are computed in f32 even if f16 is native, before their operands are expanded. All of it is exact: 24 bits
 * are at least 2 * 11 + 2, so that a quotient of halves that is rounded twice is rounded correctly.
 */
const IN_SINGLE: Readonly<Partial<Record<Expansion, (e: Expr) => Expr | undefined>>> = {
  "half-divide": (e) =>
    e.kind === "binary" && e.type === "f16" && e.op === "div"
      ? cast("f16", binary("div", inSingle(e.left), inSingle(e.right)))
      : undefined,
  "round-to-half": (e) => (e.kind === "cast" && e.type === "f16" ? cast("f16", inSingle(e.of)) : undefined),
  "float-to-int": (e) =>
    e.kind === "cast" && e.of.type === "f16" && !isFloat(e.type) && e.type !== "bool"
      ? cast(e.type, inSingle(e.of))
      : undefined,
};

/** 1 / x if both are powers of two that every device represents, so that a quotient by x is a product, bit for bit. */
function reciprocalOf(type: Scalar, x: number): number | undefined {
  const least = { ...LEAST_NORMAL, f64: 2 ** -1022 }[type as "f64"];
  const isPower = Number.isInteger(Math.log2(Math.abs(x))) && 2 ** Math.log2(Math.abs(x)) === Math.abs(x);
  return isPower && Math.abs(x) >= least && Math.abs(1 / x) >= least ? 1 / x : undefined;
}

/** The type in which the bits of an integer are counted; it has as many. */
const COUNTED: Readonly<Record<IntegerScalar, "u32" | "u64">> = {
  i32: "u32",
  u32: "u32",
  i64: "u64",
  u64: "u64",
};

const isSigned = (e: Expr): boolean => SCALARS[e.type].kind === "int";

/** A remainder whose sign languages define differently. */
const isRemainder = (e: Expr): e is BinaryExpr => e.kind === "binary" && e.op === "rem" && isSigned(e);

/** A count of bits as a call; undefined for other expressions. */
function countBits(e: Expr): Expr | undefined {
  if (e.kind !== "unary" || e.op !== "popcount") return undefined;
  const bits = COUNTED[e.type as IntegerScalar];
  return bitcast(e.type, call(nativeName("popcount", bits), bits, [bitcast(bits, e.of)]));
}

const magnitude = (e: Expr): Expr | undefined =>
  e.kind === "unary" && e.op === "abs" && isSigned(e)
    ? call(nativeName("abs", e.type), e.type, [e.of])
    : undefined;
/** 0 - x has the spelling of -x, which can hide it from compilers that make a magnitude of a choice between x and -x. */
const negation = (e: Expr): Expr | undefined =>
  e.kind === "binary" &&
  e.op === "sub" &&
  isSigned(e) &&
  e.left.kind === "const" &&
  Number(e.left.value) === 0
    ? unary("neg", e.right)
    : undefined;

const REWRITES: Readonly<Record<Expansion, Rewrite>> = {
  "float-min-max": (e) =>
    e.kind === "binary" && isFloat(e.type) && (e.op === "min" || e.op === "max")
      ? call(nativeName(e.op, e.type), e.type, [e.left, e.right])
      : undefined,
  // Reduces become those of integers before lowering (float-keys.ts); other minima and maxima stay.
  "float-reduce-min-max": () => undefined,
  "float-compare": (e) => {
    if (e.kind === "binary" && isFloat(e.left.type) && isCompare(e.op))
      return COMPARED[e.op](e.left, e.right);
    if (e.kind === "cast" && isFloat(e.of.type) && e.type === "bool") return isNonZero(e.of);
    return undefined;
  },
  "float-to-int": (e) => {
    if (e.kind !== "cast" || !isF32(e.of) || (e.type !== "i32" && e.type !== "u32")) return undefined;
    const isShortened = e.type === "u32" && e.inRange !== undefined && e.inRange < FROM_WHOLE;
    return call(isShortened ? SHORT_NAME : `${e.type}_of_f32`, e.type, [e.of]);
  },
  "nan-to-wide-int": (e) =>
    e.kind === "cast" && passesWide(e.of.type, e.type)
      ? call(guardedName(e.of.type, e.type), e.type, [e.of])
      : undefined,
  "int-to-float": (e) =>
    e.kind === "cast" && isF32(e) && (e.of.type === "i32" || e.of.type === "u32")
      ? call(`f32_of_${e.of.type}`, "f32", [e.of])
      : undefined,
  "float-divide": (e) =>
    e.kind === "binary" && isF32(e) && e.op === "div" ? call("div_f32", "f32", [e.left, e.right]) : undefined,
  "divide-by-power": (e) => {
    if (e.kind !== "binary" || e.op !== "div" || !isFloat(e.type) || e.right.kind !== "const")
      return undefined;
    const factor = reciprocalOf(e.type, decodeLiteral(e.type, e.right.value) as number);
    return factor === undefined ? undefined : mul(e.left, constant(e.type, factor));
  },
  "half-divide": () => undefined,
  "round-to-half": (e) =>
    e.kind === "cast" && e.type === "f16" ? join("f16", [halfBitsOf(e.of)]) : undefined,
  "float-constants": (e) => {
    if (e.kind !== "const" || !isShort(e) || !needsBits(e.type, e.value)) return undefined;
    return call(`${e.type}_of_bits`, e.type, [
      u32(wordOf(e.type, decodeLiteral(e.type, e.value) as number, 0)),
    ]);
  },
  // Of whole kernels: see `guards/guard-rounding.ts`.
  "guard-rounding": () => undefined,
  "guard-minus-zero": () => undefined,
  // By the values that names have: see `least-floats.ts`.
  "least-floats": () => undefined,
  "int-divide": (e) => {
    const divides = e.kind === "binary" && (e.op === "div" || e.op === "rem") && !isFloat(e.type);
    if (!divides || e.right.kind === "const") return undefined;
    return call(nativeName(e.op, e.type), e.type, [e.left, e.right]);
  },
  "int-remainder": (e) =>
    isRemainder(e) ? call(nativeName("rem", e.type), e.type, [e.left, e.right]) : undefined,
  "zero-minus": (e) =>
    e.kind === "binary" && e.op === "sub" && isFloat(e.type) && isPlusZero(e.left)
      ? call(nativeName("zero_minus", e.type), e.type, [e.right])
      : undefined,
  "int-abs": (e) => magnitude(e) ?? negation(e),
  popcount: countBits,
};

/** What is also expanded in the functions that passes add: they are composed of the operations of all implementations. */
const OF_FUNCTIONS: Readonly<Partial<Record<Expansion, Rewrite>>> = {
  popcount: countBits,
  "int-abs": magnitude,
  // The divisor is neither 0 nor -1 of the least integer there.
  "int-remainder": (e) =>
    isRemainder(e) ? sub(e.left, mul(binary("div", e.left, e.right), e.right)) : undefined,
};

/** Rewrites an expression of such a function; undefined if the implementation needs none of it. */
export function functionRewrite({ expand: wanted }: Capabilities): ((e: Expr) => Expr) | undefined {
  const rewrites = wanted.flatMap((name) => OF_FUNCTIONS[name] ?? []);
  if (rewrites.length === 0) return undefined;
  const change = (e: Expr): Expr => {
    const inner = mapParts(e, change);
    return rewrites.reduce((found: Expr, rewrite) => rewrite(found) ?? found, inner);
  };
  return change;
}

const isPlusZero = (e: Expr): boolean => e.kind === "const" && Object.is(decodeLiteral(e.type, e.value), 0);

/** The expressions that some implementation lacks. */
const OPERATIONS: ReadonlySet<Expr["kind"]> = new Set(["const", "unary", "binary", "cast"]);

/** Rewrites every expression of the module to operations that the implementation has; it may call functions that a later pass adds. */
export function expand(module: Module, { capabilities }: Around): Module {
  const rewrites = capabilities.expand.map((name) => REWRITES[name]);
  const inSingles = capabilities.expand.flatMap((name) => IN_SINGLE[name] ?? []);
  const expanded = (given: Expr): Expr => {
    if (!OPERATIONS.has(given.kind)) return mapParts(given, expanded);
    const expr = inSingles.reduce((e, change) => change(e) ?? e, given);
    const legal = asWideAs(given, legalise(mapParts(expr, expanded)));
    for (const rewrite of rewrites) {
      const better = rewrite(legal);
      if (better) return better;
    }
    return legal;
  };
  return mapExprs(module, expanded);
}
