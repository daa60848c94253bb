/** The spelling of the Kernel IR in OpenCL C 1.2. */
import type { Op, Scalar } from "@groupwise/core";
import {
  type Builtin,
  bare,
  called,
  type Dialect,
  type GroupFunction,
  infix,
  inVectors,
  type Memory,
  movedBy,
  type PrintedOp,
  unmarked,
  withoutSubgroups,
} from "@groupwise/core/kernel";
import {
  encodeLiteral,
  type FloatScalar,
  isLogical,
  isNarrow,
  SCALARS,
  type UnaryOp,
} from "@groupwise/core/target";
import { LOAD, loadRowName, STORE } from "./atomics.ts";
import { FAST } from "./fast.ts";
import { OPENCL_FEATURES } from "./group-features.ts";
import { HALF_CONVERSIONS } from "./half-conversions.ts";
import { reduceName } from "./lane-reductions.ts";
import { literal } from "./literals.ts";
import { OWN } from "./own.ts";
import { QUIRKS } from "./quirks.ts";
import { VECTORS } from "./vectors.ts";

/** Types of values. */
const VALUES: Readonly<Record<Scalar, string>> = {
  i32: "int",
  u32: "uint",
  i64: "long",
  u64: "ulong",
  f16: "half",
  f32: "float",
  f64: "double",
  bool: "bool",
};
export const valueType = (type: Scalar): string => VALUES[type];
/** The types that differ in memory: a bool is 32 bits. */
const ELEMENTS: Readonly<Record<Exclude<Memory, Scalar> | "bool", string>> = {
  bool: "uint",
  i8: "char",
  u8: "uchar",
  i16: "short",
  u16: "ushort",
  // As its bits.
  bf16: "ushort",
};
/** Types of elements in memory. */
export const elementType = (memory: Memory): string =>
  ELEMENTS[memory as keyof typeof ELEMENTS] ?? VALUES[memory as Scalar];

/** The types that a device may lack, and the extension that a program must enable. */
export const EXTENSIONS: readonly {
  readonly type: Scalar;
  readonly name: string;
  readonly feature: string;
}[] = [
  { type: "f64", name: "cl_khr_fp64", feature: "fp64" },
  { type: "f16", name: "cl_khr_fp16", feature: "fp16" },
];

/** Of a signed integer type the unsigned one, which wraps; undefined where the type itself computes. */
const UNSIGNED: Readonly<Record<Scalar, Scalar | undefined>> = {
  i32: "u32",
  u32: undefined,
  i64: "u64",
  u64: undefined,
  f16: undefined,
  f32: undefined,
  f64: undefined,
  bool: undefined,
};
const as = (type: Scalar): ((x: string) => string) => called(`as_${VALUES[type]}`);
const convert = (type: Scalar): ((x: string) => string) => called(`convert_${VALUES[type]}`);

/** Signed overflow is undefined in C, so the unsigned type computes the bits. */
const onBits =
  (op: string) =>
  (a: string, b: string, type: Scalar): string => {
    const unsigned = UNSIGNED[type];
    return unsigned ? as(type)(`${as(unsigned)(a)} ${op} ${as(unsigned)(b)}`) : infix(op)(a, b);
  };

const logical =
  (bitwise: string, ofBools: string) =>
  (a: string, b: string, type: Scalar): string =>
    infix(type === "bool" ? ofBools : bitwise)(a, b);

const BINARY: Readonly<Record<PrintedOp, (a: string, b: string, type: Scalar) => string>> = {
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
  shl: (a, b, type) => {
    const unsigned = UNSIGNED[type];
    return unsigned ? as(type)(`${as(unsigned)(a)} << ${b}`) : infix("<<")(a, b);
  },
  shr: infix(">>"),
  eq: infix("=="),
  ne: infix("!="),
  lt: infix("<"),
  le: infix("<="),
  gt: infix(">"),
  ge: infix(">="),
};

/** As integers, because compilers make assumptions about the sign that are wrong for NaN and -0. */
function signBits(type: Scalar, op: "^" | "&", x: string): string {
  return SIGN_BITS[type as FloatScalar](op, x);
}
const inBits =
  (type: FloatScalar, bits: Scalar, digits: number, suffix: string) =>
  (op: "^" | "&", x: string): string => {
    const mask = `0x${op === "^" ? "8".padEnd(digits, "0") : "7".padEnd(digits, "f")}${suffix}`;
    return as(type)(`${as(bits)(x)} ${op} ${mask}`);
  };
const SIGN_BITS: Readonly<Record<FloatScalar, (op: "^" | "&", x: string) => string>> = {
  f16: (op, x) => `as_half((ushort)(as_ushort(${bare(x)}) ${op} ${op === "^" ? "0x8000" : "0x7fff"}))`,
  f32: inBits("f32", "u32", 8, "u"),
  f64: inBits("f64", "u64", 16, "ul"),
};

const UNARY: Readonly<Record<UnaryOp, (x: string, type: Scalar) => string>> = {
  neg: (x, type) => {
    const unsigned = UNSIGNED[type];
    if (unsigned) return as(type)(`${number(unsigned, 0)} - ${as(unsigned)(x)}`);
    return SCALARS[type].kind === "float" ? signBits(type, "^", x) : `(-${x})`;
  },
  abs: (x, type) => ABS[SCALARS[type].kind](x, type),
  not: (x, type) => (type === "bool" ? `!${x}` : `(~${x})`),
  popcount: (x) => called("popcount")(x),
  clz: (x) => called("clz")(x),
};

const asIs = (x: string): string => x;
const ABS: Readonly<Record<"int" | "uint" | "float" | "bool", (x: string, type: Scalar) => string>> = {
  int: (x, type) => as(type)(called("abs")(x)),
  uint: asIs,
  float: (x, type) => signBits(type, "&", x),
  bool: asIs,
};

/** Conversions to floats round to nearest even by default, those from floats truncate. */
function castTo(x: string, from: Scalar, to: Scalar, isInRange: boolean): string {
  if (to === "bool") return `(${x} != ${number(from, 0)})`;
  if (from === "bool") return `(${x} ? ${number(to, 1)} : ${number(to, 0)})`;
  const [source, target] = [SCALARS[from], SCALARS[to]];
  if (target.kind === "float") return convert(to)(x);
  if (source.kind === "float")
    return isInRange ? `(${VALUES[to]})${x}` : called(`convert_${VALUES[to]}_sat`)(x);
  if (source.bits === target.bits) return as(to)(x);
  // To an unsigned type, since only that wraps; widening keeps the value.
  if (source.bits < target.bits) return `(${VALUES[to]})${x}`;
  return to === "u32" ? `(uint)${x}` : as(to)(`(uint)${x}`);
}

/** A small whole number of any type but bool. */
const number = (type: Scalar, x: 0 | 1): string =>
  literal({ kind: "const", type, value: encodeLiteral(type, SCALARS[type].whole(x)) });

/** The type of several values, or of one. */
export const vectorOf = (type: Scalar, width: number): string =>
  width === 1 ? valueType(type) : `${type === "bool" ? elementType(type) : valueType(type)}${width}`;

const variableType = (type: Scalar, width: number | undefined): string =>
  width === undefined ? valueType(type) : VECTORS.type(type, width);

const BUILTINS: Readonly<Record<Builtin, string>> = {
  "local-id": "(uint)get_local_id(0)",
  "group-id": "(uint)get_group_id(0)",
  "group-size": "(uint)(get_local_size(0) * get_local_size(1) * get_local_size(2))",
  "subgroup-size": "get_max_sub_group_size()",
  cell: "(uint)get_global_id(0)",
};

export const DIALECT: Dialect = {
  ...inVectors(vectorOf, (vector, parts) => `(${vector})(${parts})`, "T"),
  literal,
  unary: UNARY,
  binary: BINARY,
  own: { ...OWN, ...FAST },
  ownBodies: HALF_CONVERSIONS,
  select: (condition, then, otherwise) => `(${condition} ? ${then} : ${otherwise})`,
  cast: castTo,
  word: (x, index, from) => (from === "f16" ? `(uint)as_ushort(${x})` : `as_uint2(${x}).${"xy"[index]}`),
  join: (words, to) =>
    to === "f16" ? `as_half((ushort)${words[0] ?? ""})` : as(to)(`(uint2)(${words.join(", ")})`),
  bitcast: (x, _, to) => called(`as_${valueType(to)}`)(x),
  param: (name, type) => (type === "bool" ? `(${name} != 0u)` : name),
  builtin: (name) => BUILTINS[name],
  load: (_, array, index, type, memory) => {
    // Narrow integers would be promoted to int.
    if (isNarrow(memory)) return `(${valueType(type)})${array}[${index}]`;
    return type === "bool" ? `(${array}[${index}] != 0u)` : `${array}[${index}]`;
  },
  indexSum: (a, b) => `(size_t)${a} + ${b}`,
  // Not const: clang, on which most drivers build, evaluates the initialisers of const integers at every use, which takes
  // time exponential in the length of a chain of selects.
  let: (name, type, value, width) => `${variableType(type, width)} ${name} = ${value};`,
  var: (name, type, value, width) => `${variableType(type, width)} ${name} = ${value};`,
  vectors: VECTORS,
  array: (name, type, length) => [`${elementType(type)} ${name}[${length}] = {0};`],
  filled: (name, type, values) => {
    const elements = type === "bool" ? values.map(stored) : values;
    return `${elementType(type)} ${name}[${values.length}] = {${elements.join(", ")}};`;
  },
  store: ({ array, index, value, type, memory }) => {
    if (isNarrow(memory)) return `${array}[${index}] = (${elementType(memory)})(${value});`;
    return `${array}[${index}] = ${type === "bool" ? stored(value) : value};`;
  },
  atomic: (op, { array, index, value }) => `atomic_${op}(&${array}[${index}], ${value});`,
  barrier: ["barrier(CLK_LOCAL_MEM_FENCE);"],
  intrinsics: {
    ...withoutSubgroups.intrinsics,
    "shuffle-xor": movedBy("sub_group_shuffle_xor", (truth) => stored(truth)),
    shuffle: movedBy("sub_group_shuffle", (truth) => stored(truth)),
    ballot: ({ value }) => `sub_group_ballot(${value}).x`,
    "some-lane": ({ value }) => `(sub_group_any(${value}) != 0)`,
    "reduce-lanes": ({ op, type, value }) => `${reduceName(op, type)}(${value})`,
  },
  atomicLoad: (array, index) => `${LOAD}(&${array}[${index}])`,
  atomicLoadRow: (array, index, width, condition) =>
    `${loadRowName(width)}(&${array}[${index}], ${condition})`,
  atomicStore: (array, index, value) => `${STORE}(&${array}[${index}], ${value});`,
  atomicAdd: (array, index, value) => `atomic_add(&${array}[${index}], ${value})`,
  // Not vload4, which assumes only the alignment of an element.
  loadRow: (array, index, type, memory, width) => {
    const row = `((__global const ${elementType(memory)}${width}*)${array})[${index} >> ${Math.log2(width)}u]`;
    if (isNarrow(memory)) return `convert_${valueType(type)}${width}(${row})`;
    return type === "bool" ? `convert_uint${width}(${row} != 0u) & 1u` : row;
  },
  storeRow: (array, index, values, type, memory) => {
    const element = elementType(memory);
    const narrowed = isNarrow(memory) ? values.map((value) => `(${element})(${value})`) : values;
    const held = type === "bool" ? values.map(stored) : narrowed;
    const vector = `${element}${values.length}`;
    return `((__global ${vector}*)${array})[${index} >> ${Math.log2(values.length)}u] = (${vector})(${held.join(", ")});`;
  },
  uniformLoad: (name, array, index, type) => [
    "barrier(CLK_LOCAL_MEM_FENCE);",
    `${valueType(type)} ${name} = ${type === "bool" ? `${array}[${index}] != 0u` : `${array}[${index}]`};`,
    "barrier(CLK_LOCAL_MEM_FENCE);",
  ],
  native: nativeCall,
  choice: (feature) => ({
    native: `#ifdef ${OPENCL_FEATURES[feature].macro}`,
    portable: "#else",
    end: "#endif",
  }),
  for: (name, from, below, step) =>
    `for (uint ${name} = ${from}; ${name} < ${below}; ${step === 1 ? `${name}++` : `${name} += ${step}u`}) {`,
};

/** Arrays of kernels for the cores of a CPU. */
export const IN_CHUNKS: Pick<Dialect, "array"> = {
  array: (name, type, length) => {
    if (length <= QUIRKS.longArray.value) return DIALECT.array(name, type, length);
    return [
      `${elementType(type)} ${name}[${length}];`,
      `for (uint element = 0u; element < ${length}u; element++) { ${name}[element] = 0; }`,
    ];
  },
};

const NATIVE_KINDS: Readonly<Record<Exclude<GroupFunction, "broadcast" | "all" | "any">, string>> = {
  reduce: "reduce",
  "scan-inclusive": "scan_inclusive",
  "scan-exclusive": "scan_exclusive",
};

/** Predicates and their results are int; any value but 0 is true. */
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
  // Not work_group_all: see QUIRKS.falseAll.
  if (fn === "all") return `(work_group_any(!${value}) == 0)`;
  if (fn === "any") return ofPredicate("work_group_any");
  const name = `work_group_${NATIVE_KINDS[fn]}_${(op as Op).replace("-", "_")}`;
  return isLogical(op as Op) ? ofPredicate(name) : `${name}(${bare(value)})`;
}

const stored = (value: string): string => `${/^\w+$/.test(unmarked(value)) ? value : `(${value})`} ? 1u : 0u`;
