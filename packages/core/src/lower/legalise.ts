/** Spells out what an implementation lacks in what it has, before anything is printed. */
import type { Capabilities, Expansion } from "../capabilities.ts";
import { BINARY, wordOf } from "../ir/expr-op.ts";
import {
  binary,
  bitcast,
  call,
  cast,
  constant,
  type Expr,
  join,
  mapParts,
  mul,
  ne,
  param,
  u32,
  unary,
  zeroOf,
} from "../kernel/expr.ts";
import { allExprs, type Fn, type Module, mapStmt, type Stmt, walk } from "../kernel/stmt.ts";
import { decodeLiteral, type Literal } from "../literal.ts";
import { isFloat, SCALARS, type Scalar } from "../scalar.ts";
import { fold } from "./fold.ts";
import { COMPARE_FUNCTIONS } from "./functions/compare.ts";
import { CONVERT_FUNCTIONS, guardedName, passesWide } from "./functions/convert.ts";
import { MAGNITUDE, nativeName } from "./functions/define.ts";
import { DIVIDE_FUNCTIONS } from "./functions/divide.ts";
import { HALF_FUNCTIONS, halfBitsOf } from "./functions/half.ts";
import { WIDE_FUNCTIONS } from "./functions/wide.ts";
import { GUARD_FUNCTIONS, guardRounding } from "./legalise/guard.ts";
import { bitsOf, isShort, LEAST_NORMAL } from "./legalise/short.ts";
import { prune } from "./prune.ts";
import { sink } from "./sink.ts";

/** Every function that an expansion may call; callees stand before callers. */
export const FUNCTIONS: readonly Fn[] = [
  ...CONVERT_FUNCTIONS,
  ...COMPARE_FUNCTIONS,
  ...DIVIDE_FUNCTIONS,
  ...WIDE_FUNCTIONS,
  ...HALF_FUNCTIONS,
  ...GUARD_FUNCTIONS,
];

type Rewrite = (expr: Expr) => Expr | undefined;

const isF32 = (expr: Expr): boolean => expr.type === "f32";

/** Infinities, NaN and -0; and subnormals, which a compiler may flush while it reads the text. */
const needsBits = (type: Scalar, value: Literal): boolean =>
  typeof value === "string" || (value !== 0 && Math.abs(Number(value)) < LEAST_NORMAL[type as "f32"]);

const COMPARED: Readonly<Record<string, (a: Expr, b: Expr) => Expr>> = {
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
    : ne(binary("and", bitsOf(e), u32(e.type === "f16" ? 0x7fff : MAGNITUDE)), u32(0));

const inSingle = (e: Expr): Expr => cast("f32", e);
/**
 * What is better done in f32 where f16 is native, before the parts are looked at. All of it is exact: 24 bits
 * are more than 2 * 11 + 2, so that a quotient of halves that is rounded twice is rounded right.
 */
const IN_SINGLE: Readonly<Partial<Record<Expansion, (e: Expr) => Expr | undefined>>> = {
  "half-divide": (e) =>
    e.kind === "binary" && e.type === "f16" && e.op === "div"
      ? cast("f16", binary("div", inSingle(e.left), inSingle(e.right)))
      : undefined,
  "round-to-half": (e) =>
    e.kind === "cast" && e.type === "f16" && e.of.type !== "f32" ? cast("f16", inSingle(e.of)) : undefined,
  "float-to-int": (e) =>
    e.kind === "cast" && e.of.type === "f16" && !isFloat(e.type) && e.type !== "bool"
      ? cast(e.type, inSingle(e.of))
      : undefined,
};

/** 1 / x where both are powers of two that every device has, so that a quotient by x is a product, bit for bit. */
function reciprocalOf(type: Scalar, x: number): number | undefined {
  const least = { ...LEAST_NORMAL, f64: 2 ** -1022 }[type as "f64"];
  const isPower = Number.isInteger(Math.log2(Math.abs(x))) && 2 ** Math.log2(Math.abs(x)) === Math.abs(x);
  return isPower && Math.abs(x) >= least && Math.abs(1 / x) >= least ? 1 / x : undefined;
}

const REWRITES: Readonly<Record<Expansion, Rewrite>> = {
  "float-min-max": (e) =>
    e.kind === "binary" && isFloat(e.type) && (e.op === "min" || e.op === "max")
      ? call(nativeName(e.op, e.type), e.type, [e.left, e.right])
      : undefined,
  "float-compare": (e) => {
    if (e.kind === "binary" && isFloat(e.left.type) && e.type === "bool")
      return COMPARED[e.op]?.(e.left, e.right);
    if (e.kind === "cast" && isFloat(e.of.type) && e.type === "bool") return isNonZero(e.of);
    return undefined;
  },
  "float-to-int": (e) =>
    e.kind === "cast" && isF32(e.of) && (e.type === "i32" || e.type === "u32")
      ? call(`${e.type}_of_f32`, e.type, [e.of])
      : undefined,
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
  // Of whole kernels, after everything else: see guard.ts.
  "guard-rounding": () => undefined,
  "int-divide": (e) => {
    const divides = e.kind === "binary" && (e.op === "div" || e.op === "rem") && !isFloat(e.type);
    if (!divides || e.right.kind === "const") return undefined;
    return call(nativeName(e.op, e.type), e.type, [e.left, e.right]);
  },
  popcount: (e) =>
    e.kind === "unary" && e.op === "popcount"
      ? bitcast(e.type, call("popcount_u32", "u32", [bitcast("u32", e.of)]))
      : undefined,
};

const isSameName = (a: Expr, b: Expr): boolean =>
  (a.kind === "var" || a.kind === "param") && a.kind === b.kind && a.name === b.name;

/**
 * What no language may be left alone with: constant divisors of 0 and -1, constant shifts past the width,
 * and comparisons of an integer with itself, which compilers take for a slip.
 */
function settle(e: Expr): Expr {
  if (e.kind !== "binary") return e;
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

/** Rewrites a module so that it holds only what the implementation has; adds the functions that it calls. */
export function legalise(module: Module, capabilities: Capabilities): Module {
  const zero = freshName("always_zero", module);
  const rewrites = capabilities.expand.map((name) => REWRITES[name]);
  const inSingles = capabilities.expand.flatMap((name) => IN_SINGLE[name] ?? []);
  const expand = (given: Expr): Expr => {
    const expr = inSingles.reduce((e, change) => change(e) ?? e, given);
    const settled = settle(mapParts(expr, expand));
    for (const rewrite of rewrites) {
      const better = rewrite(settled);
      if (better) return better;
    }
    return settled;
  };
  const block = (stmts: readonly Stmt[]): readonly Stmt[] =>
    stmts.map((stmt) => mapStmt(stmt, (e) => expand(fold(e)), block));
  const guards = capabilities.expand.includes("guard-rounding");
  const kernels = module.kernels.map((kernel) => {
    const body = block(kernel.body);
    return sink(
      prune({
        ...kernel,
        body: guards ? guardRounding(body, param(zero, "u32"), freshName("zero", module)) : body,
      }),
    );
  });
  const bodies = kernels.flatMap((kernel) => kernel.body);
  const functions = functionsOf(bodies, capabilities);
  const usesZero = [...allExprs(bodies)].some((e) => e.kind === "param" && e.name === zero);
  const params = usesZero
    ? [...module.params, { name: zero, type: "u32" as const, role: "zero" as const }]
    : module.params;
  return { ...module, params, functions, kernels };
}

/** The functions that are called. They are written for any implementation, but for the count of bits. */
function functionsOf(bodies: readonly Stmt[], { expand }: Capabilities): Fn[] {
  const change = (e: Expr): Expr => {
    const inner = mapParts(e, change);
    return REWRITES.popcount(inner) ?? inner;
  };
  const block = (stmts: readonly Stmt[]): readonly Stmt[] => stmts.map((s) => mapStmt(s, change, block));
  const bodyOf = (fn: Fn): readonly Stmt[] => (expand.includes("popcount") ? block(fn.body) : fn.body);
  const wanted = new Map<string, readonly Stmt[]>();
  const visit = (stmts: readonly Stmt[]): void => {
    for (const call of [...allExprs(stmts), ...walk(stmts)]) {
      if (call.kind !== "call" || wanted.has(call.fn)) continue;
      const fn = FUNCTIONS.find(({ name }) => name === call.fn);
      const body = fn ? bodyOf(fn) : [];
      wanted.set(call.fn, body);
      visit(body);
    }
  };
  visit(bodies);
  return FUNCTIONS.filter(({ name }) => wanted.has(name)).map((fn) => ({
    ...fn,
    body: wanted.get(fn.name) as readonly Stmt[],
  }));
}

function freshName(hint: string, module: Module): string {
  const taken = new Set([...module.params, ...module.buffers, ...module.kernels].map((x) => x.name));
  let name = hint;
  for (let i = 2; taken.has(name); i++) name = `${hint}_${i}`;
  return name;
}
