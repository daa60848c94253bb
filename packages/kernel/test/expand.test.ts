/** Each expansion gives the values of the tables, and leaves nothing of what the implementation lacks. */
import { BINARY, type BinaryOp, isCompare, UNARY, type UnaryOp } from "@groupwise/ir/tables/expr-op.js";
import {
  isFloat,
  SCALAR_NAMES,
  SCALARS,
  type Scalar,
  type ScalarValue,
} from "@groupwise/ir/tables/scalar.js";
import { expect, test } from "vitest";
import type { Capabilities, Expansion } from "../src/capabilities/capabilities.ts";
import type { Expr } from "../src/language/expr.ts";
import { binary, cast, constant, load, select, u32, unary } from "../src/language/make-expr.ts";
import { partsOf } from "../src/language/map-expr.ts";
import type { Fn, Kernel } from "../src/language/module.ts";
import type { Stmt } from "../src/language/stmt.ts";
import { allExprs } from "../src/language/walk.ts";
import { expand } from "../src/passes/expand.ts";
import { linkFunctions } from "../src/passes/functions.ts";
import { runGroup } from "./kernel-interpreter.ts";
import { kernelWith, moduleWith } from "./modules.ts";
import { SIMT } from "./simt.ts";

/** The exponents of the least normal number and of the largest power of two. */
const EXPONENTS = { f16: [-14, 15], f32: [-126, 127], f64: [-1022, 1023] } as const;
type Float = keyof typeof EXPONENTS;
/** Values of a type. */
function valuesOf(type: Scalar): ScalarValue[] {
  const { kind, lowest, highest, wrap, whole } = SCALARS[type];
  if (kind === "bool") return [false, true];
  if (kind !== "float") return [...[0, 1, -1, 2, -7, 100].map(whole), lowest, highest];
  const [least, most] = EXPONENTS[type as Float];
  const subnormal = { f16: 2 ** -24, f32: 2 ** -149, f64: 2 ** -1074 }[type as Float];
  const powers = [2 ** least, 2 ** (least - 1), subnormal, 2 ** -least, 2 ** most, 2 ** 31, 2 ** 63];
  const magnitudes = [0, 1, 2.5, 3, 1000, 2 ** 30 + 2 ** -22, ...powers, Number.POSITIVE_INFINITY];
  return [...magnitudes, ...magnitudes.map((value) => -value), Number.NaN].map(wrap);
}
const VALUES = Object.fromEntries(SCALAR_NAMES.map((type) => [type, valuesOf(type)])) as Record<
  Scalar,
  ScalarValue[]
>;

const i: Expr = { kind: "var", name: "i", type: "u32" };
const x = (type: Scalar): Expr => load("storage", `x_${type}`, type, i);
const y = (type: Scalar): Expr => load("storage", `y_${type}`, type, i);
/** The value of x by a name. */
const named = (type: Scalar): Expr => ({ kind: "var", name: `v_${type}`, type });

/** Every operator on every type, of values and of constants. */
const EXPRS: readonly Expr[] = SCALAR_NAMES.flatMap((type) => {
  const constants = VALUES[type].map((value) => constant(type, value));
  const exists = ({ on }: { readonly on: readonly string[] }): boolean => on.includes(SCALARS[type].kind);
  const unaries = (Object.keys(UNARY) as UnaryOp[]).filter((op) => exists(UNARY[op]));
  const binaries = (Object.keys(BINARY) as BinaryOp[]).filter((op) => exists(BINARY[op]));
  const shifts = [0, 7, 8, 15, 16, 31, 32, 63, 64, 65].map(u32);
  return [
    ...constants.map((one) => select(binary("eq", x("u32"), 0), one, x(type))),
    ...unaries.map((op) => unary(op, x(type))),
    ...SCALAR_NAMES.filter((to) => to !== type).map((to) => cast(to, x(type))),
    ...binaries.map((op) => binary(op, x(type), y(BINARY[op].rightType ?? type))),
    ...binaries.filter((op) => !BINARY[op].rightType).map((op) => binary(op, named(type), named(type))),
    ...binaries
      .filter((op) => op === "div" || op === "rem" || op === "mul" || BINARY[op].rightType)
      .flatMap((op) => (BINARY[op].rightType ? shifts : constants).map((one) => binary(op, x(type), one))),
    ...(exists(BINARY.sub) ? constants : []).flatMap((one) => [
      binary("sub", one, x(type)),
      binary("add", one, x(type)),
    ]),
  ];
});

const NATIVE = Object.fromEntries(SCALAR_NAMES.map((type) => [type, "native"])) as Capabilities["scalars"];
/** A kernel with a store of each expression. */
const kernelOf = (exprs: readonly Expr[]): Kernel =>
  kernelWith(
    exprs.map((value, at): Stmt => ({ kind: "store", space: "storage", array: `r${at}`, index: i, value })),
  );

/** The expressions after the pass, and the functions that they call. */
function expanded(...names: readonly Expansion[]): { exprs: readonly Expr[]; functions: readonly Fn[] } {
  const capabilities: Capabilities = { ...SIMT, scalars: NATIVE, expand: names };
  const given = expand(moduleWith([kernelOf(EXPRS)]), { capabilities });
  const { kernels, functions } = linkFunctions(given, { capabilities });
  return {
    exprs: kernels[0]?.body.flatMap((stmt) => (stmt.kind === "store" ? [stmt.value] : [])) ?? [],
    functions,
  };
}

/** The results of expressions for pairs of values. */
function resultsOf(exprs: readonly Expr[], functions: readonly Fn[] = []): ScalarValue[][] {
  const most = Math.max(...Object.values(VALUES).map(({ length }) => length));
  const n = 2 * most;
  const storage: Record<string, ScalarValue[]> = {};
  for (const type of SCALAR_NAMES) {
    const at = (k: number): ScalarValue => VALUES[type][k % VALUES[type].length] as ScalarValue;
    storage[`x_${type}`] = Array.from({ length: n }, (_, k) => at(k));
    storage[`y_${type}`] = Array.from({ length: n }, (_, k) => at(k * 5 + Math.floor(k / most)));
  }
  const results = exprs.map(() => Array<ScalarValue>(n));
  for (const [at, array] of results.entries()) storage[`r${at}`] = array;
  const lets = SCALAR_NAMES.map((type): Stmt => ({ kind: "let", name: `v_${type}`, value: x(type) }));
  const body = [...lets, ...kernelOf(exprs).body];
  const loop: Stmt = { kind: "for", name: "i", from: u32(0), below: u32(n), step: 1, body };
  runGroup(kernelWith([loop]), { size: 1, storage, functions });
  return results;
}

const shown = (e: Expr | undefined): string =>
  JSON.stringify(e, (_, value: unknown) => (typeof value === "bigint" ? `${value}n` : value));

/** Expands, and compares the results of what is another expression then. @returns its positions */
function compare(before: readonly Expr[], { exprs, functions }: ReturnType<typeof expanded>): number[] {
  const changed = EXPRS.flatMap((_, at) => (shown(exprs[at]) === shown(before[at]) ? [] : [at]));
  const of = (list: readonly Expr[]): Expr[] => changed.map((at) => list[at] as Expr);
  const [want, got] = [resultsOf(of(EXPRS)), resultsOf(of(exprs), functions)];
  const wrong = changed.filter((_, k) => got[k]?.some((value, n) => !Object.is(value, want[k]?.[n])));
  expect(wrong.map((at) => shown(EXPRS[at]))).toEqual([]);
  expect(exprs.map(({ type }) => type)).toEqual(EXPRS.map(({ type }) => type));
  return changed;
}
const some = (e: Expr, is: (e: Expr) => boolean): boolean =>
  is(e) || partsOf(e).some((part) => some(part, is));

const isBinary = (e: Expr, ...ops: readonly BinaryOp[]): e is Extract<Expr, { kind: "binary" }> =>
  e.kind === "binary" && ops.includes(e.op);
const isInteger = (type: Scalar): boolean => SCALARS[type].kind === "int" || SCALARS[type].kind === "uint";
const isSigned = ({ type }: Expr): boolean => SCALARS[type].kind === "int";
const isCast = (e: Expr, is: (from: Scalar, to: Scalar) => boolean): boolean =>
  e.kind === "cast" && is(e.of.type, e.type);

test("what no language handles safely is other expressions of the same values", () => {
  const plain = expanded();
  expect(compare(EXPRS, plain).length).toBeGreaterThan(0);
  const isUnsafe = (e: Expr): boolean => {
    if (e.kind === "unary") return e.op === "abs" && SCALARS[e.type].kind === "uint";
    if (e.kind !== "binary") return false;
    const { op, type, left, right } = e;
    if (op === "absdiff" || op === "gcd") return true;
    const isKnown = isCompare(op) || (type === "bool" && op === "xor");
    if (left.kind === "var" && !isFloat(left.type) && isKnown) return true;
    if (right.kind !== "const") return false;
    if (op === "shl" || op === "shr") return Number(right.value) >= SCALARS[type].bits;
    return (op === "div" || op === "rem") && isInteger(type) && [0, -1].includes(Number(right.value));
  };
  expect(plain.exprs.filter((e) => some(e, isUnsafe)).map(shown)).toEqual([]);
});

/** What is not left after an expansion. */
const LACKING: Readonly<Partial<Record<Expansion, (e: Expr) => boolean>>> = {
  "float-min-max": (e) => isBinary(e, "min", "max") && isFloat(e.type),
  "float-compare": (e) =>
    (e.kind === "binary" && isCompare(e.op) && isFloat(e.left.type)) ||
    isCast(e, (from, to) => isFloat(from) && to === "bool"),
  "float-to-int": (e) =>
    isCast(
      e,
      (from, to) => (from === "f16" && isInteger(to)) || (from === "f32" && (to === "i32" || to === "u32")),
    ),
  "nan-to-wide-int": (e) =>
    isCast(e, (from, to) => isFloat(from) && isInteger(to) && (from === "f64" || SCALARS[to].bits === 64)),
  "int-to-float": (e) => isCast(e, (from, to) => (from === "i32" || from === "u32") && to === "f32"),
  "float-divide": (e) => isBinary(e, "div") && e.type === "f32",
  // Neither the divisor nor its reciprocal is subnormal.
  "divide-by-power": (e) => {
    if (!isBinary(e, "div") || !isFloat(e.type) || e.right.kind !== "const") return false;
    const exponent = Math.log2(Math.abs(Number(e.right.value)));
    const isPower = Number.isInteger(exponent) && 2 ** exponent === Math.abs(Number(e.right.value));
    return isPower && Math.abs(exponent) <= -EXPONENTS[e.type as Float][0];
  },
  "half-divide": (e) => isBinary(e, "div") && e.type === "f16",
  "round-to-half": (e) => isCast(e, (_, to) => to === "f16"),
  "float-constants": (e) =>
    e.kind === "const" &&
    (e.type === "f16" || e.type === "f32") &&
    (typeof e.value === "string" ||
      (e.value !== 0 && Math.abs(Number(e.value)) < 2 ** EXPONENTS[e.type as Float][0])),
  "int-divide": (e) => isBinary(e, "div", "rem") && isInteger(e.type) && e.right.kind !== "const",
  "int-remainder": (e) => isBinary(e, "rem") && isSigned(e),
  "zero-minus": (e) =>
    isBinary(e, "sub") && isFloat(e.type) && e.left.kind === "const" && Object.is(e.left.value, 0),
  "int-abs": (e) =>
    isSigned(e) &&
    ((e.kind === "unary" && e.op === "abs") ||
      (isBinary(e, "sub") && e.left.kind === "const" && Number(e.left.value) === 0)),
  popcount: (e) => e.kind === "unary" && e.op === "popcount",
};
/** Expansions of functions, too. */
const EVERYWHERE: readonly string[] = ["int-remainder", "int-abs", "popcount"];

const plain = expanded().exprs;
test.each(Object.entries(LACKING) as [Expansion, (e: Expr) => boolean][])("%s", (name, isLacking) => {
  const made = expanded(name);
  const others = compare(plain, made).filter((at) => !some(plain[at] as Expr, isLacking));
  expect(others.map((at) => shown(plain[at]))).toEqual([]);
  const bodies = EVERYWHERE.includes(name) ? made.functions.flatMap(({ body }) => [...allExprs(body)]) : [];
  expect([...made.exprs, ...bodies].filter((e) => some(e, isLacking)).map(shown)).toEqual([]);
});

test("all of them together", () => {
  compare(plain, expanded(...(Object.keys(LACKING) as Expansion[])));
});

test("other expansions are of whole kernels, and of reduces", () => {
  for (const name of ["float-reduce-min-max", "guard-rounding", "guard-minus-zero"] as const)
    expect(expanded(name).exprs).toEqual(plain);
});
