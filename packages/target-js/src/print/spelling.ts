/** The dialect of JavaScript for the Kernel IR. Integers are wrapped and f32 are rounded after every operation. */
import type { Scalar } from "@groupwise/core";
import {
  type AtomicOp,
  called,
  type Dialect,
  type Interval,
  infix,
  type Memory,
  withoutGroupFunctions,
  withoutLookBack,
  withoutSubgroups,
} from "@groupwise/core/kernel";
import { decodeLiteral, type IntegerScalar } from "@groupwise/core/target";
import { OWN } from "./own.ts";

/** The types of scalars in kernels; other types are emulated with them. */
type Kind = Exclude<Scalar, "i64" | "u64" | "f16">;
type IntegerKind = Kind & IntegerScalar;
type NumberKind = Exclude<Kind, "bool">;
type Spell = (a: string, b: string) => string;
const by =
  <K extends Kind>(table: Readonly<Record<K, Spell>>) =>
  (a: string, b: string, type: Scalar): string =>
    table[type as K](a, b);
const same =
  (spell: Spell) =>
  (a: string, b: string): string =>
    spell(a, b);

const WRAP: Readonly<Record<Kind, (x: string) => string>> = {
  i32: (x) => `(${x} | 0)`,
  u32: (x) => `(${x} >>> 0)`,
  f32: (x) => `Math.fround(${x})`,
  f64: (x) => x,
  bool: (x) => x,
};
type Binary = Dialect["binary"]["add"];
/** Of a u32 the plain operation, where the bounds of the operands show that its result is a u32 already. */
const unless =
  (isPlain: (a: Interval, b: Interval) => boolean, plain: Spell, other: Binary): Binary =>
  (a, b, type, right, bounds) =>
    type === "u32" && isPlain(...bounds()) ? plain(a, b) : other(a, b, type, right, bounds);
/** Results of bitwise operations are i32. */
const SIGN = 2 ** 31;
const wrapped = (op: string) =>
  by<NumberKind>({
    i32: (a, b) => WRAP.i32(`(${a} ${op} ${b})`),
    u32: (a, b) => WRAP.u32(`(${a} ${op} ${b})`),
    f32: (a, b) => WRAP.f32(`${a} ${op} ${b}`),
    f64: infix(op),
  });
const bitwise = (op: string, onBool: string, isPlain: (a: Interval, b: Interval) => boolean) =>
  unless(
    isPlain,
    infix(op),
    by<IntegerKind | "bool">({
      i32: infix(op),
      u32: (a, b) => WRAP.u32(`(${a} ${op} ${b})`),
      bool: infix(onBool),
    }),
  );
const areSmall = ([, a]: Interval, [, b]: Interval): boolean => Math.max(a, b) < SIGN;

const ARRAYS: Readonly<Record<Kind | Exclude<Memory, Scalar>, string>> = {
  i32: "Int32Array",
  u32: "Uint32Array",
  f32: "Float32Array",
  f64: "Float64Array",
  bool: "Uint8Array",
  // They wrap what is stored.
  i8: "Int8Array",
  u8: "Uint8Array",
  i16: "Int16Array",
  u16: "Uint16Array",
  // As its bits.
  bf16: "Uint16Array",
};
/** The typed array that kernels see. */
export const arrayOf = (memory: Memory): string => ARRAYS[memory as Kind];

const isFloat = (type: Kind): boolean => type === "f32" || type === "f64";
const CASTS: Readonly<Record<Kind, (x: string, from: Kind) => string>> = {
  bool: (x) => `(${x} !== 0)`,
  f32: (x) => WRAP.f32(x),
  f64: (x) => x,
  // min and max pass NaN on; the last step truncates, and turns NaN into 0.
  i32: (x, from) =>
    isFloat(from) ? WRAP.i32(`Math.max(-2147483648, Math.min(2147483647, ${x}))`) : WRAP.i32(x),
  u32: (x, from) => (isFloat(from) ? WRAP.u32(`Math.max(0, Math.min(4294967295, ${x}))`) : WRAP.u32(x)),
};

function literal(type: Scalar, value: unknown): string {
  const decoded = decodeLiteral(type, value);
  const text = Object.is(decoded, -0) ? "-0" : String(decoded);
  return text.startsWith("-") ? `(${text})` : text;
}

/** The module's variables for all results of a function except the first. */
export const moreResult = (index: number): string => `result$${index}`;

// The array truncates to 32 bits.
const assigned =
  (op: string) =>
  (element: string, value: string): string =>
    `${element} ${op}= ${value};`;
const ATOMICS: Readonly<Record<AtomicOp, (element: string, value: string) => string>> = {
  add: assigned("+"),
  min: (element, value) => `${element} = Math.min(${element}, ${value});`,
  max: (element, value) => `${element} = Math.max(${element}, ${value});`,
  and: assigned("&"),
  or: assigned("|"),
  xor: assigned("^"),
};

const NOT: Readonly<Record<IntegerKind | "bool", (x: string) => string>> = {
  i32: (x) => `(~${x})`,
  u32: (x) => WRAP.u32(`~${x}`),
  bool: (x) => `(!${x})`,
};

const CLZ: Readonly<Record<IntegerKind, (x: string) => string>> = {
  i32: called("Math.clz32"),
  u32: called("Math.clz32"),
};

export const DIALECT: Dialect = {
  own: OWN,
  literal: (expr) => literal(expr.type, expr.value),
  unary: {
    neg: (x, type) => (isFloat(type as Kind) ? `(-${x})` : WRAP.i32(`-${x}`)),
    abs: (x, type) => (type === "i32" ? WRAP.i32(`Math.abs(${x})`) : called("Math.abs")(x)),
    not: (x, type) => NOT[type as IntegerKind | "bool"](x),
    popcount: (x) => called("popcount_u32")(x),
    clz: (x, type) => CLZ[type as IntegerKind](x),
  },
  binary: {
    add: unless(([, a], [, b]) => a + b < 2 ** 32, infix("+"), wrapped("+")),
    sub: unless(([a], [, b]) => a >= b, infix("-"), wrapped("-")),
    mul: unless(
      ([, a], [, b]) => a * b < 2 ** 32,
      infix("*"),
      by<NumberKind>({
        i32: called("Math.imul"),
        u32: (a, b) => WRAP.u32(called("Math.imul")(a, b)),
        f32: (a, b) => WRAP.f32(`${a} * ${b}`),
        f64: infix("*"),
      }),
    ),
    div: wrapped("/"),
    rem: by<IntegerKind>({ i32: (a, b) => WRAP.i32(`(${a} % ${b})`), u32: infix("%") }),
    min: same(called("Math.min")),
    max: same(called("Math.max")),
    and: bitwise("&", "&&", ([, a], [, b]) => Math.min(a, b) < SIGN),
    or: bitwise("|", "||", areSmall),
    xor: bitwise("^", "!==", areSmall),
    shl: unless(
      ([, a], [, b]) => b < 32 && a * 2 ** b < SIGN,
      infix("<<"),
      by<IntegerKind>({ i32: infix("<<"), u32: (a, b) => WRAP.u32(`(${a} << ${b})`) }),
    ),
    shr: by<IntegerKind>({ i32: infix(">>"), u32: infix(">>>") }),
    eq: same(infix("===")),
    ne: same(infix("!==")),
    lt: same(infix("<")),
    le: same(infix("<=")),
    gt: same(infix(">")),
    ge: same(infix(">=")),
  },
  select: (condition, then, otherwise) => `(${condition} ? ${then} : ${otherwise})`,
  cast: (x, from, to, isInRange) => {
    if (from === "bool") return `(${x} ? 1 : 0)`;
    return isInRange ? WRAP[to as Kind](x) : CASTS[to as Kind](x, from as Kind);
  },
  bitcast: (x, from, to) => {
    if (from === "f32") return WRAP[to as Kind](called("bitsOf")(x));
    return to === "f32" ? called("floatOf")(x) : WRAP[to as Kind](x);
  },
  word: (x, index) => called(index === 0 ? "lowWordOf" : "highWordOf")(x),
  join: ([lo = "", hi = ""]) => called("doubleOf")(lo, hi),
  param: (name) => name,
  // A sequential kernel has no ids.
  builtin: () => "0",
  load: (_, array, index, type) => (type === "bool" ? `(${array}[${index}] !== 0)` : `${array}[${index}]`),
  let: (name, _, value) => `const ${name} = ${value};`,
  var: (name, _, value) => `let ${name} = ${value};`,
  array: (name, type, length) => [`const ${name} = new ${arrayOf(type)}(${length});`],
  store: ({ array, index, value, type }) =>
    `${array}[${index}] = ${type === "bool" ? `${value} ? 1 : 0` : value};`,
  atomic: (op, { array, index, value }) => ATOMICS[op](`${array}[${index}]`, value),
  barrier: [],
  ...withoutLookBack,
  ...withoutSubgroups,
  ...withoutGroupFunctions,
  // The first result is returned, the others are stored in variables of the module: an array would be
  // allocated for every call. A call within a result may use them too, so they are set last. A u32 of 2^31 or
  // more in such a variable would be allocated, so its bits are stored as an i32.
  returns: (values, type) => [
    ...values.map((value, i) => `const r$${i} = ${value};`),
    ...values.slice(1).map((_, i) => `${moreResult(i + 1)} = r$${i + 1}${type === "u32" ? " | 0" : ""};`),
    "return r$0;",
  ],
  call: (name, call, type, width) => [
    `const ${name} = ${call};`,
    ...Array.from(
      { length: width - 1 },
      (_rest, i) => `const ${name}$${i + 1} = ${moreResult(i + 1)}${type === "u32" ? " >>> 0" : ""};`,
    ),
  ],
  part: (name, index) => (index === 0 ? name : `${name}$${index}`),
  for: (name, from, below, step) => `for (let ${name} = ${from}; ${name} < ${below}; ${name} += ${step}) {`,
};
