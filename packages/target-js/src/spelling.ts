/** How JavaScript spells the Kernel IR. Integers are kept in their range after every operation, an f32 is rounded. */
import { decodeLiteral, SCALARS, type Scalar } from "@groupwise/core";
import {
  type AtomicOp,
  called,
  type Dialect,
  infix,
  type Memory,
  withoutGroupFunctions,
  withoutLookBack,
  withoutSubgroups,
} from "@groupwise/core/kernel";

/** A kernel's scalars have one of these types; the others are emulated in them. */
type Kind = "i32" | "u32" | "f32" | "f64" | "bool";
const by =
  (table: Readonly<Partial<Record<Kind, (a: string, b: string) => string>>>) =>
  (a: string, b: string, type: Scalar): string =>
    (table[type as Kind] as (a: string, b: string) => string)(a, b);
const same = (spell: (a: string, b: string) => string) =>
  by({ i32: spell, u32: spell, f32: spell, f64: spell, bool: spell });

const WRAP: Readonly<Record<Kind, (x: string) => string>> = {
  i32: (x) => `(${x} | 0)`,
  u32: (x) => `(${x} >>> 0)`,
  f32: (x) => `Math.fround(${x})`,
  f64: (x) => x,
  bool: (x) => x,
};
const wrapped = (op: string) =>
  by({
    i32: (a, b) => WRAP.i32(`(${a} ${op} ${b})`),
    u32: (a, b) => WRAP.u32(`(${a} ${op} ${b})`),
    f32: (a, b) => WRAP.f32(`${a} ${op} ${b}`),
    f64: infix(op),
  });
const bitwise = (op: string, onBool: string) =>
  by({ i32: infix(op), u32: (a, b) => WRAP.u32(`(${a} ${op} ${b})`), bool: infix(onBool) });

const ARRAYS: Readonly<Record<Kind | "u16", string>> = {
  i32: "Int32Array",
  u32: "Uint32Array",
  u16: "Uint16Array",
  f32: "Float32Array",
  f64: "Float64Array",
  bool: "Uint8Array",
};
/** The typed array that kernels see. */
export const arrayOf = (memory: Memory): string => ARRAYS[memory as Kind];

const isFloat = (type: Kind): boolean => type === "f32" || type === "f64";
const CASTS: Readonly<Record<Kind, (x: string, from: Kind) => string>> = {
  bool: (x) => `(${x} !== 0)`,
  f32: (x) => WRAP.f32(x),
  f64: (x) => x,
  // NaN passes through trunc, min and max, and becomes 0 at the end.
  i32: (x, from) =>
    isFloat(from) ? WRAP.i32(`Math.max(-2147483648, Math.min(2147483647, Math.trunc(${x})))`) : WRAP.i32(x),
  u32: (x, from) =>
    isFloat(from) ? WRAP.u32(`Math.max(0, Math.min(4294967295, Math.trunc(${x})))`) : WRAP.u32(x),
};

function literal(type: Scalar, value: unknown): string {
  const decoded = decodeLiteral(type, value);
  const text = Object.is(decoded, -0) ? "-0" : String(decoded);
  return text.startsWith("-") ? `(${text})` : text;
}

/** The module's variable for a function's results but the first. */
export const moreResult = (index: number): string => `result$${index}`;

// The array makes 32 bits of what it is given.
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

export const DIALECT: Dialect = {
  literal: (expr) => literal(expr.type, expr.value),
  unary: {
    neg: (x, type) => (isFloat(type as Kind) ? `(-${x})` : WRAP.i32(`-${x}`)),
    abs: (x, type) => (type === "i32" ? WRAP.i32(`Math.abs(${x})`) : called("Math.abs")(x)),
    not: (x, type) => ({ i32: `(~${x})`, u32: WRAP.u32(`~${x}`), bool: `(!${x})` })[type as "i32"],
    popcount: (x) => called("popcount_u32")(x),
    clz: (x) => called("Math.clz32")(x),
  },
  binary: {
    add: wrapped("+"),
    sub: wrapped("-"),
    mul: by({
      i32: called("Math.imul"),
      u32: (a, b) => WRAP.u32(called("Math.imul")(a, b)),
      f32: (a, b) => WRAP.f32(`${a} * ${b}`),
      f64: infix("*"),
    }),
    div: wrapped("/"),
    rem: by({ i32: (a, b) => WRAP.i32(`(${a} % ${b})`), u32: infix("%") }),
    min: same(called("Math.min")),
    max: same(called("Math.max")),
    and: bitwise("&", "&&"),
    or: bitwise("|", "||"),
    xor: bitwise("^", "!=="),
    shl: by({ i32: infix("<<"), u32: (a, b) => WRAP.u32(`(${a} << ${b})`) }),
    shr: by({ i32: infix(">>"), u32: infix(">>>") }),
    eq: same(infix("===")),
    ne: same(infix("!==")),
    lt: same(infix("<")),
    le: same(infix("<=")),
    gt: same(infix(">")),
    ge: same(infix(">=")),
  },
  select: (condition, then, otherwise) => `(${condition} ? ${then} : ${otherwise})`,
  cast: (x, from, to) => (from === "bool" ? `(${x} ? 1 : 0)` : CASTS[to as Kind](x, from as Kind)),
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
  array: (name, type, length) => `const ${name} = new ${arrayOf(type)}(${length});`,
  store: (_, array, index, value, type) =>
    `${array}[${index}] = ${type === "bool" ? `${value} ? 1 : 0` : value};`,
  atomic: (op, array, index, value) => ATOMICS[op](`${array}[${index}]`, value),
  barrier: [],
  ...withoutLookBack,
  ...withoutSubgroups,
  ...withoutGroupFunctions,
  // The first result is returned, the others are left in variables of the module: an array would be
  // allocated for every call. A call within a result may use them too, so they are set last. A variable that
  // a function leaves a u32 of 2^31 or more in would allocate it: its bits are left as an i32.
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

/** The type of a parameter in a `.d.ts`. */
export const hostType = (type: Scalar): string => typeof SCALARS[type].lowest;
/** The typed array that a caller gives and gets. */
export const hostArray = (type: Scalar): string => SCALARS[type].array.name;
