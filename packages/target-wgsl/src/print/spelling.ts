/** The dialect of WGSL: element types, constants, operators and statements. */
import type { Literal, Scalar } from "@groupwise/core";
import {
  type AtomicOp,
  bare,
  called,
  type Dialect,
  infix,
  inVectors,
  movedBy,
  type Space,
  structOf,
  withoutGroupFunctions,
  withoutSubgroups,
} from "@groupwise/core/kernel";
import { decodeLiteral, errorOf, isFloat, type UnaryOp, type Unsupported } from "@groupwise/core/target";
import { FAST } from "./fast.ts";
import { HALF_CONVERSIONS } from "./half-conversions.ts";
import { OWN } from "./own.ts";

/** How an element type is written. */
export interface Spelling {
  /** The type of values. */
  readonly type: string;
  /** The type in device memory, which cannot be bool. */
  readonly memory: string;
  literal(value: Literal): string;
  /** From and to the type in device memory. */
  fromMemory(text: string): string;
  toMemory(text: string): string;
}

const itself = (text: string): string => text;
const words: Unsupported = { unsupported: "WGSL has no 64-bit types" };

const LARGEST = 3.4028234663852886e38;
/** The shortest decimal digits that give exactly this f32, also to a reader that rounds twice. */
export function f32Digits(value: number): string {
  for (let digits = 1; digits <= 9; digits++) {
    const near = Number(value.toPrecision(digits));
    // Past the largest float a reader may refuse to round down.
    if (Math.fround(near) === value && Math.abs(near) <= LARGEST) return String(near);
  }
  return String(value);
}

const float =
  (type: "f16" | "f32", suffix: string, digitsOf: (value: number) => string) =>
  (value: Literal): string =>
    `${digitsOf(decodeLiteral(type, value) as number).replace("+", "")}${suffix}`;

const INT_MIN = -0x80000000;

/** Every element type. */
export const SPELLING: Readonly<Record<Scalar, Spelling | Unsupported>> = {
  i32: {
    type: "i32",
    memory: "i32",
    // 2147483648i is no i32, so its negative cannot be written with the suffix.
    literal: (value) => (value === INT_MIN ? `i32(${value})` : `${value}i`),
    fromMemory: itself,
    toMemory: itself,
  },
  u32: {
    type: "u32",
    memory: "u32",
    literal: (value) => `${value}u`,
    fromMemory: itself,
    toMemory: itself,
  },
  f32: {
    type: "f32",
    memory: "f32",
    literal: float("f32", "f", f32Digits),
    fromMemory: itself,
    toMemory: itself,
  },
  // Only with `enable f16;`.
  f16: {
    type: "f16",
    memory: "f16",
    // All digits: see QUIRKS.halfLiteral.
    literal: float("f16", "h", String),
    fromMemory: itself,
    toMemory: itself,
  },
  bool: {
    type: "bool",
    memory: "u32",
    literal: (value) => String(value),
    fromMemory: (text) => `(${text} != 0u)`,
    toMemory: (text) => `u32(${text})`,
  },
  i64: words,
  u64: words,
  f64: words,
};

/** @throws GroupwiseError `unsupported` */
export function spelled(type: Scalar): Spelling {
  const spelling = SPELLING[type];
  if ("unsupported" in spelling) throw errorOf("unsupported", { what: type, reason: spelling.unsupported });
  return spelling;
}

/** Names that the emitter chose for one module, or one kernel of it. */
export interface Chosen {
  readonly params: string;
  readonly localIndex: string;
  readonly groupId: string;
  readonly groupCount: string;
  readonly subgroupSize: string;
  /** The module-wide name of a kernel's work-group array. */
  shared(array: string): string;
  /** Whether the elements of an array are atomics. */
  isAtomic(space: Space, array: string): boolean;
  /** The name of an array of device memory in a kernel. */
  stored(array: string): string;
  /** The name under which an array of device memory has elements of four. */
  rows(array: string): string;
}

// Through f32, which is exact: see QUIRKS.halfBitcast.
const halfBits = (x: string): string => `pack2x16float(vec2<f32>(f32(${bare(x)}), 0f))`;
const ofHalfBits = (bits: string): string => `f16(unpack2x16float(${bits}).x)`;
const flipSign = (x: string, type: Scalar): string =>
  type === "f16" ? ofHalfBits(`${halfBits(x)} ^ 0x8000u`) : `bitcast<f32>(bitcast<u32>(${x}) ^ 0x80000000u)`;
const clearSign = (x: string, type: Scalar): string =>
  type === "f16" ? ofHalfBits(`${halfBits(x)} & 0x7fffu`) : `bitcast<f32>(bitcast<u32>(${x}) & 0x7fffffffu)`;
// "--" is a token of its own.
const minus = (x: string): string => (x.startsWith("-") ? `(-(${x}))` : `(-${x})`);

// On bits: a device may flush subnormals in float operations, and suppose that there is no NaN.
const UNARY: Readonly<Record<UnaryOp, (x: string, type: Scalar) => string>> = {
  neg: (x, type) => (isFloat(type) ? flipSign(x, type) : minus(x)),
  abs: (x, type) => (isFloat(type) ? clearSign(x, type) : called("abs")(x)),
  not: (x, type) => (type === "bool" ? `(!${x})` : `(~${x})`),
  popcount: (x) => called("countOneBits")(x),
  clz: (x) => called("countLeadingZeros")(x),
};

/** The amount modulo the width, also for compilers that violate this rule of WGSL. */
const shift =
  (op: string): Dialect["binary"]["shl"] =>
  (a, b, _, { kind }, bounds) =>
    `(${a} ${op} ${kind === "const" || bounds()[1][1] < 32 ? b : `(${b} & 31u)`})`;

const BINARY: Dialect["binary"] = {
  add: infix("+"),
  sub: infix("-"),
  mul: infix("*"),
  div: infix("/"),
  rem: infix("%"),
  min: (a, b) => called("min")(a, b),
  max: (a, b) => called("max")(a, b),
  and: infix("&"),
  or: infix("|"),
  xor: (a, b, type) => `(${a} ${type === "bool" ? "!=" : "^"} ${b})`,
  shl: shift("<<"),
  shr: shift(">>"),
  eq: infix("=="),
  ne: infix("!="),
  lt: infix("<"),
  le: infix("<="),
  gt: infix(">"),
  ge: infix(">="),
};

/** The type of several values, or of one. */
export const vectorOf = (type: Scalar, width: number): string =>
  width === 1 ? spelled(type).type : `vec${width}<${spelled(type).type}>`;

const ATOMICS: Readonly<Record<AtomicOp, string>> = {
  add: "atomicAdd",
  min: "atomicMin",
  max: "atomicMax",
  and: "atomicAnd",
  or: "atomicOr",
  xor: "atomicXor",
};

/** The form of an element in an array, which is its type's own but in device memory. */
const inSpace = (space: Space, type: Scalar): Pick<Spelling, "fromMemory" | "toMemory"> =>
  space === "storage" ? spelled(type) : { fromMemory: itself, toMemory: itself };

/** A subgroup may have more than the 32 work-items that are reduced, and on an H100 its sums take longer than shuffles (docs/decisions/lanes.md). */
const REDUCE_LANES = withoutSubgroups.intrinsics["reduce-lanes"];

const asWord = (truth: string): string => `select(0u, 1u, ${truth})`;
const INTRINSICS: Dialect["intrinsics"] = {
  "shuffle-xor": movedBy("subgroupShuffleXor", asWord),
  shuffle: movedBy("subgroupShuffle", asWord),
  ballot: ({ value }) => `subgroupBallot(${value}).x`,
  "some-lane": ({ value }) => `subgroupAny(${value})`,
  "reduce-lanes": REDUCE_LANES,
};

/** The dialect for names that are chosen; all names come marked, arrays' too. */
export function dialectOf(chosen: Chosen): Dialect {
  const element = (space: Space, array: string, index: string): string =>
    `${space === "work-group" ? chosen.shared(array) : space === "storage" ? chosen.stored(array) : array}[${index}]`;
  const { isAtomic } = chosen;
  return {
    ...inVectors(vectorOf, (vector, parts) => `${vector}(${parts})`, "let"),
    construct: (fn, values) => `${structOf(fn)}(${values.join(", ")})`,
    results: (name, _, call) => `let ${name} = ${call};`,
    literal: ({ type, value }) => spelled(type).literal(value),
    unary: UNARY,
    binary: BINARY,
    own: { ...OWN, ...FAST, ...HALF_CONVERSIONS },
    // Parentheses stay: `a < b, c > d` in an argument list would be read as a template.
    select: (condition, then, otherwise) => `select(${otherwise}, ${then}, ${condition})`,
    cast: (x, from, to) =>
      to !== "bool" ? called(spelled(to).type)(x) : `(${x} != ${spelled(from).literal(0)})`,
    bitcast: (x, _, to) => called(`bitcast<${spelled(to).type}>`)(x),
    // Words are of halves alone: WGSL has no wider types.
    word: halfBits,
    join: ([bits = ""]) => ofHalfBits(bare(bits)),
    param: (name, type) => spelled(type).fromMemory(`${chosen.params}.${name}`),
    builtin: (name) => {
      if (name === "local-id") return chosen.localIndex;
      if (name === "subgroup-size") return chosen.subgroupSize;
      if (name === "group-id") return `(${chosen.groupId}.x + ${chosen.groupId}.y * ${chosen.groupCount}.x)`;
      throw errorOf("bad-kernel", { reason: `WGSL kernels have no ${name}` });
    },
    load: (space, array, index, type) =>
      isAtomic(space, array)
        ? `atomicLoad(&${element(space, array, index)})`
        : inSpace(space, type).fromMemory(element(space, array, index)),
    let: (name, _, value) => `let ${name} = ${value};`,
    var: (name, _, value) => `var ${name} = ${value};`,
    array: (name, type, length) => [`var ${name}: array<${spelled(type).type}, ${length}>;`],
    filled: (name, type, values) =>
      `var ${name} = array<${spelled(type).type}, ${values.length}>(${values.join(", ")});`,
    store: ({ space, array, index, value, type }) =>
      isAtomic(space, array)
        ? `atomicStore(&${element(space, array, index)}, ${value});`
        : `${element(space, array, index)} = ${inSpace(space, type).toMemory(value)};`,
    atomic: (op, { space, array, index, value }) =>
      `${ATOMICS[op]}(&${element(space, array, index)}, ${value});`,
    // Work-items of a dispatch speak to one another through work-group memory alone, never through
    // device memory, so no storageBarrier.
    barrier: ["workgroupBarrier();"],
    intrinsics: INTRINSICS,
    atomicLoad: (array, index) => `atomicLoad(&${array}[${index}])`,
    atomicStore: (array, index, value) => `atomicStore(&${array}[${index}], ${value});`,
    atomicAdd: (array, index, value) => `atomicAdd(&${array}[${index}], ${value})`,
    loadRow: (array, index, type, _, width) => {
      const row = `${chosen.rows(array)}[${index} >> ${Math.log2(width)}u]`;
      return type === "bool" ? `(${row} != vec4<u32>())` : row;
    },
    storeRow: (array, index, values, type) => {
      const row = `${vectorOf(type, values.length)}(${values.join(", ")})`;
      const held = type === "bool" ? `select(vec4<u32>(), vec4<u32>(1u), ${row})` : row;
      return `${chosen.rows(array)}[${index} >> ${Math.log2(values.length)}u] = ${held};`;
    },
    uniformLoad: (name, array, index) => [
      `let ${name} = workgroupUniformLoad(&${element("work-group", array, index)});`,
    ],
    uniformValue: (array, index) => `workgroupUniformLoad(&${element("work-group", array, index)})`,
    ...withoutGroupFunctions,
    for: (name, from, below, step) =>
      `for (var ${name} = ${from}; ${name} < ${below}; ${name} += ${step}u) {`,
  };
}
