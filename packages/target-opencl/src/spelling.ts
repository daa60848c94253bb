/** How OpenCL C 1.2 spells what the Kernel IR says. */
import {
  type BinaryOp,
  decodeLiteral,
  type GroupFeature,
  isLogical,
  type Op,
  type Scalar,
  type UnaryOp,
  type Unsupported,
} from "@groupwise/core";
import {
  type Builtin,
  bare,
  type ConstExpr,
  called,
  type Dialect,
  type GroupFunction,
  infix,
  inVectors,
} from "@groupwise/core/kernel";
import { ESCAPED } from "./keywords.ts";

const later: Unsupported = { unsupported: "64-bit and half types are not there yet" };

/** Types of values, and of elements in memory: a bool has no size of its own there. */
export const TYPES: Readonly<
  Record<Scalar, { readonly value: string; readonly element: string } | Unsupported>
> = {
  i32: { value: "int", element: "int" },
  u32: { value: "uint", element: "uint" },
  f32: { value: "float", element: "float" },
  bool: { value: "bool", element: "uint" },
  i64: later,
  u64: later,
  f16: later,
  f64: later,
};

const spell = (type: Scalar, what: "value" | "element"): string => {
  const row = TYPES[type];
  return "unsupported" in row ? type : row[what];
};
export const valueType = (type: Scalar): string => spell(type, "value");
export const elementType = (type: Scalar): string => spell(type, "element");

/** Signed overflow is undefined in C: the unsigned type computes, and its bits are the result. */
const onBits =
  (op: string) =>
  (a: string, b: string, type: Scalar): string =>
    type === "i32" ? `as_int(as_uint(${a}) ${op} as_uint(${b}))` : infix(op)(a, b);

const logical =
  (bitwise: string, ofBools: string) =>
  (a: string, b: string, type: Scalar): string =>
    infix(type === "bool" ? ofBools : bitwise)(a, b);

const BINARY: Readonly<Record<BinaryOp, (a: string, b: string, type: Scalar) => string>> = {
  add: onBits("+"),
  sub: onBits("-"),
  mul: onBits("*"),
  div: infix("/"),
  rem: infix("%"),
  min: (a, b) => called("min")(a, b),
  max: (a, b) => called("max")(a, b),
  and: logical("&", "&&"),
  or: logical("|", "||"),
  xor: logical("^", "!="),
  // OpenCL C counts only the low bits of an amount, and keeps the sign of an int.
  shl: (a, b, type) => (type === "i32" ? `as_int(as_uint(${a}) << ${b})` : infix("<<")(a, b)),
  shr: infix(">>"),
  eq: infix("=="),
  ne: infix("!="),
  lt: infix("<"),
  le: infix("<="),
  gt: infix(">"),
  ge: infix(">="),
};

const UNARY: Readonly<Record<UnaryOp, (x: string, type: Scalar) => string>> = {
  neg: (x, type) => (type === "i32" ? `as_int(0u - as_uint(${x}))` : `(-${x})`),
  abs: (x, type) => (type === "f32" ? `fabs(${x})` : type === "i32" ? `as_int(abs(${x}))` : x),
  not: (x, type) => (type === "bool" ? `!${x}` : `(~${x})`),
  popcount: (x) => called("popcount")(x),
  clz: (x) => called("clz")(x),
};

const asIs = (x: string): string => x;
/** From, then to. Conversions to float round to nearest even by default. */
const CASTS: Readonly<Record<string, Readonly<Record<string, (x: string) => string>>>> = {
  i32: { u32: called("as_uint"), f32: called("convert_float"), bool: (x) => `(${x} != 0)` },
  u32: { i32: called("as_int"), f32: called("convert_float"), bool: (x) => `(${x} != 0u)` },
  f32: { i32: called("convert_int_sat"), u32: called("convert_uint_sat"), bool: (x) => `(${x} != 0.0f)` },
  bool: { i32: (x) => `(${x} ? 1 : 0)`, u32: (x) => `(${x} ? 1u : 0u)`, f32: (x) => `(${x} ? 1.0f : 0.0f)` },
};

/** The type of several values, or of one. */
export const vectorOf = (type: Scalar, width: number): string =>
  `${valueType(type)}${width === 1 ? "" : width}`;

const BUILTINS: Readonly<Record<Builtin, string>> = {
  "local-id": "(uint)get_local_id(0)",
  "group-id": "(uint)get_group_id(0)",
  "group-size": "(uint)(get_local_size(0) * get_local_size(1) * get_local_size(2))",
  "subgroup-size": "get_max_sub_group_size()",
  cell: "(uint)get_global_id(0)",
};

export const DIALECT: Dialect = {
  ...inVectors(vectorOf, (vector, parts) => `(${vector})(${parts})`, "const T"),
  reserved: ESCAPED,
  literal,
  unary: UNARY,
  binary: BINARY,
  select: (condition, then, otherwise) => `(${condition} ? ${then} : ${otherwise})`,
  cast: (x, from, to) => (CASTS[from]?.[to] ?? asIs)(x),
  bitcast: (x, _, to) => called(`as_${valueType(to)}`)(x),
  param: (name, type) => (type === "bool" ? `(${name} != 0u)` : name),
  builtin: (name) => BUILTINS[name],
  load: (_, array, index, type) => (type === "bool" ? `(${array}[${index}] != 0u)` : `${array}[${index}]`),
  let: (name, type, value) => `const ${valueType(type)} ${name} = ${value};`,
  var: (name, type, value) => `${valueType(type)} ${name} = ${value};`,
  array: (name, type, length) => `${elementType(type)} ${name}[${length}] = {0};`,
  store: (_, array, index, value, type) => `${array}[${index}] = ${type === "bool" ? stored(value) : value};`,
  flag: (array, index, bits) => `atomic_or(&${array}[${index}], ${bits});`,
  barrier: ["barrier(CLK_LOCAL_MEM_FENCE);"],
  exchange: (name, type, value, bit) =>
    type === "bool"
      ? `const bool ${name} = sub_group_shuffle_xor(${stored(value)}, ${bit}) != 0u;`
      : `const ${valueType(type)} ${name} = sub_group_shuffle_xor(${value}, ${bit});`,
  native: nativeCall,
  choice: (feature) => ({
    native: `#ifdef ${FEATURE_MACROS[feature]}`,
    portable: "#else",
    end: "#endif",
  }),
  for: (name, from, below, step) =>
    `for (uint ${name} = ${from}; ${name} < ${below}; ${step === 1 ? `${name}++` : `${name} += ${step}u`}) {`,
};

/** Macros of an emitted file: defined where the compiler promises the functions. */
export const FEATURE_MACROS: Readonly<Record<GroupFeature, string>> = {
  collectives: "GROUPWISE_COLLECTIVES",
  "uniform-arithmetic": "GROUPWISE_UNIFORM_ARITHMETIC",
};

const NATIVE_KINDS: Readonly<Partial<Record<GroupFunction, string>>> = {
  reduce: "reduce",
  "inclusive-scan": "scan_inclusive",
  "exclusive-scan": "scan_exclusive",
};

/** Predicates go in and come out as int, whose value may be any but 0 where they hold. */
function nativeCall(
  fn: GroupFunction,
  op: Op | undefined,
  type: Scalar,
  value: string,
  source: string,
): string {
  const ofPredicate = (name: string): string => {
    const holds = `(${name}(${type === "bool" ? bare(value) : `${value} != 0`}) != 0)`;
    return type === "bool" ? holds : `(${valueType(type)})${holds}`;
  };
  if (fn === "broadcast")
    return type === "bool"
      ? `(work_group_broadcast(${stored(value)}, ${source}) != 0u)`
      : `work_group_broadcast(${bare(value)}, ${source})`;
  // Not work_group_all: that of PoCL 6.0 is 0 where the predicate holds in every work-item.
  if (fn === "all") return `(work_group_any(!${value}) == 0)`;
  if (fn === "any") return ofPredicate("work_group_any");
  const name = `work_group_${NATIVE_KINDS[fn]}_${(op as Op).replace("-", "_")}`;
  return isLogical(op as Op) ? ofPredicate(name) : `${name}(${bare(value)})`;
}

const stored = (value: string): string => `${/^\w+$/.test(value) ? value : `(${value})`} ? 1u : 0u`;

function literal({ type, value }: ConstExpr): string {
  if (type === "bool") return value ? "true" : "false";
  if (type === "f32") return floatLiteral(decodeLiteral("f32", value) as number);
  const number = Number(value);
  if (type === "u32") return `${number}u`;
  // The digits of the least integer are no int by themselves.
  if (number === -0x80000000) return "(-2147483647 - 1)";
  return number < 0 ? `(${number})` : String(number);
}

/** The shortest decimal that is this float and no neighbour; bits where no decimal is. */
export function floatLiteral(x: number): string {
  if (!Number.isFinite(x)) {
    const bits = Number.isNaN(x) ? "0x7fc00000u" : x > 0 ? "0x7f800000u" : "0xff800000u";
    return `as_float(${bits})`;
  }
  const near = (text: string): boolean =>
    Math.fround(Number(text)) === x && Math.abs(Number(text) - x) <= Math.abs(x) * 2 ** -26;
  let text = String(x);
  for (let digits = 1; digits <= 9; digits++) {
    const shorter = String(Number(x.toPrecision(digits)));
    if (near(shorter)) {
      text = shorter;
      break;
    }
  }
  const suffix = /[.e]/.test(text) ? "f" : ".0f";
  if (Object.is(x, -0)) return "(-0.0f)";
  return x < 0 ? `(${text}${suffix})` : `${text}${suffix}`;
}
