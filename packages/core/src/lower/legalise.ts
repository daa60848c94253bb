/** Spells out what an implementation lacks in what it has, before anything is printed. */
import type { Capabilities, Expansion } from "../capabilities.ts";
import { BINARY } from "../ir/expr-op.ts";
import {
  binary,
  bitcast,
  call,
  constant,
  type Expr,
  mapParts,
  ne,
  param,
  u32,
  unary,
} from "../kernel/expr.ts";
import { allExprs, type Fn, type Module, mapStmt, type Stmt, walk } from "../kernel/stmt.ts";
import { decodeLiteral, type Literal } from "../literal.ts";
import { SCALARS, type Scalar } from "../scalar.ts";
import { fold } from "./fold.ts";
import { COMPARE_FUNCTIONS } from "./functions/compare.ts";
import { CONVERT_FUNCTIONS } from "./functions/convert.ts";
import { magnitudeOf } from "./functions/define.ts";
import { DIVIDE_FUNCTIONS } from "./functions/divide.ts";
import { prune } from "./prune.ts";

/** Every function that an expansion may call; callees stand before callers. */
export const FUNCTIONS: readonly Fn[] = [...CONVERT_FUNCTIONS, ...COMPARE_FUNCTIONS, ...DIVIDE_FUNCTIONS];

interface Setting {
  /** The launch parameter that is always 0. */
  readonly zero: string;
  /** Floats are added somewhere: only then could a product be fused into a sum. */
  readonly addsFloats: boolean;
}

type Rewrite = (expr: Expr, setting: Setting) => Expr | undefined;

const isF32 = (expr: Expr): boolean => expr.type === "f32";
const isFloat = (type: Scalar): boolean => SCALARS[type].kind === "float";

/** Infinities, NaN and -0; and subnormals, which a compiler may flush while it reads the text. */
const needsBits = (value: Literal): boolean =>
  typeof value === "string" || (value !== 0 && Math.abs(Number(value)) < 2 ** -126);

const COMPARED: Readonly<Record<string, (a: Expr, b: Expr) => Expr>> = {
  eq: (a, b) => call("eq_f32", "bool", [a, b]),
  ne: (a, b) => unary("not", call("eq_f32", "bool", [a, b])),
  lt: (a, b) => call("lt_f32", "bool", [a, b]),
  le: (a, b) => call("le_f32", "bool", [a, b]),
  gt: (a, b) => call("lt_f32", "bool", [b, a]),
  ge: (a, b) => call("le_f32", "bool", [b, a]),
};

const REWRITES: Readonly<Record<Expansion, Rewrite>> = {
  "float-min-max": (e) =>
    e.kind === "binary" && isF32(e) && (e.op === "min" || e.op === "max")
      ? call(`${e.op}_f32`, "f32", [e.left, e.right])
      : undefined,
  "float-compare": (e) => {
    if (e.kind === "binary" && isF32(e.left) && e.type === "bool") return COMPARED[e.op]?.(e.left, e.right);
    if (e.kind === "cast" && isF32(e.of) && e.type === "bool")
      return ne(magnitudeOf(bitcast("u32", e.of)), u32(0));
    return undefined;
  },
  "float-to-int": (e) =>
    e.kind === "cast" && isF32(e.of) && (e.type === "i32" || e.type === "u32")
      ? call(`${e.type}_of_f32`, e.type, [e.of])
      : undefined,
  "int-to-float": (e) =>
    e.kind === "cast" && isF32(e) && (e.of.type === "i32" || e.of.type === "u32")
      ? call(`f32_of_${e.of.type}`, "f32", [e.of])
      : undefined,
  "float-divide": (e) =>
    e.kind === "binary" && isF32(e) && e.op === "div" ? call("div_f32", "f32", [e.left, e.right]) : undefined,
  "float-constants": (e) => {
    if (e.kind !== "const" || !isF32(e) || !needsBits(e.value)) return undefined;
    const view = new DataView(new ArrayBuffer(4));
    view.setFloat32(0, decodeLiteral("f32", e.value) as number);
    return call("f32_of_bits", "f32", [u32(view.getUint32(0))]);
  },
  "guard-products": (e, { zero, addsFloats }) => {
    if (!addsFloats || e.kind !== "binary" || !isF32(e) || e.op !== "mul") return undefined;
    return bitcast("f32", binary("xor", bitcast("u32", e), param(zero, "u32")));
  },
  "int-divide": (e) => {
    const divides = e.kind === "binary" && (e.op === "div" || e.op === "rem") && !isFloat(e.type);
    if (!divides || e.right.kind === "const") return undefined;
    return call(`${e.op}_${e.type}`, e.type, [e.left, e.right]);
  },
  popcount: (e) =>
    e.kind === "unary" && e.op === "popcount"
      ? bitcast(e.type, call("popcount_u32", "u32", [bitcast("u32", e.of)]))
      : undefined,
};

/**
 * What no language may be left alone with: constant divisors of 0 and -1, constant shifts past the width,
 * and comparisons of an integer with itself, which compilers take for a slip.
 */
function settle(e: Expr): Expr {
  if (e.kind !== "binary") return e;
  const isItself = e.left.kind === "var" && e.right.kind === "var" && e.left.name === e.right.name;
  if (isItself && BINARY[e.op].compares && !isFloat(e.left.type))
    return constant("bool", e.op === "eq" || e.op === "le" || e.op === "ge");
  if (e.right.kind !== "const") return e;
  const right = Number(e.right.value);
  const bits = SCALARS[e.type].bits;
  if ((e.op === "shl" || e.op === "shr") && right >= bits) return { ...e, right: u32(right % bits) };
  if ((e.op !== "div" && e.op !== "rem") || isFloat(e.type)) return e;
  if (right === 0) return e.op === "div" ? e.left : constant(e.type, 0);
  if (right === -1) return e.op === "div" ? unary("neg", e.left) : constant(e.type, 0);
  return e;
}

/** Rewrites a module so that it holds only what the implementation has; adds the functions that it calls. */
export function legalise(module: Module, capabilities: Capabilities): Module {
  const zero = freshName("zero", module);
  const setting: Setting = { zero, addsFloats: addsFloats(module) };
  const rewrites = capabilities.expand.map((name) => REWRITES[name]);
  const expand = (expr: Expr): Expr => {
    const settled = settle(mapParts(expr, expand));
    for (const rewrite of rewrites) {
      const better = rewrite(settled, setting);
      if (better) return better;
    }
    return settled;
  };
  const block = (stmts: readonly Stmt[]): readonly Stmt[] =>
    stmts.map((stmt) => mapStmt(stmt, (e) => expand(fold(e)), block));
  const kernels = module.kernels.map((kernel) => prune({ ...kernel, body: block(kernel.body) }));
  const bodies = kernels.flatMap((kernel) => kernel.body);
  const functions = functionsOf(bodies);
  const usesZero = [...allExprs(bodies)].some((e) => e.kind === "param" && e.name === zero);
  const params = usesZero
    ? [...module.params, { name: zero, type: "u32" as const, role: "zero" as const }]
    : module.params;
  return { ...module, params, functions, kernels };
}

function functionsOf(bodies: readonly Stmt[]): Fn[] {
  const wanted = new Set<string>();
  const visit = (stmts: readonly Stmt[]): void => {
    for (const call of [...allExprs(stmts), ...walk(stmts)]) {
      if (call.kind !== "call" || wanted.has(call.fn)) continue;
      wanted.add(call.fn);
      visit(FUNCTIONS.find((fn) => fn.name === call.fn)?.body ?? []);
    }
  };
  visit(bodies);
  return FUNCTIONS.filter((fn) => wanted.has(fn.name));
}

function addsFloats(module: Module): boolean {
  const bodies = module.kernels.flatMap((kernel) => kernel.body);
  return [...allExprs(bodies)].some(
    (e) => e.kind === "binary" && isF32(e) && (e.op === "add" || e.op === "sub"),
  );
}

function freshName(hint: string, module: Module): string {
  const taken = new Set([...module.params, ...module.buffers, ...module.kernels].map((x) => x.name));
  let name = hint;
  for (let i = 2; taken.has(name); i++) name = `${hint}_${i}`;
  return name;
}
