/**
 * The dialect of gpu.js kernels for the Kernel IR. It is JavaScript that gpu.js translates: a bool is a number, 0 or
 * 1, because it does not support booleans in variables; a float is rounded after every operation, which the
 * modes that compute in f32 take as a hint.
 */
import type { Scalar } from "@groupwise/core";
import {
  called,
  type Dialect,
  type Expr,
  infix,
  withoutLookBack,
  withoutSubgroups,
} from "@groupwise/core/kernel";
import { decodeLiteral } from "@groupwise/core/target";
import { GPU_JS_OWN } from "../print/own.ts";

const round = (x: string): string => `Math.fround(${x})`;
const rounded =
  (op: string, whole: (a: string, b: string) => string = infix(op)) =>
  (a: string, b: string, type: Scalar): string =>
    type === "f32" ? round(`${a} ${op} ${b}`) : whole(a, b);
const truth = (condition: string): string => `(${condition} ? 1 : 0)`;
/** The operators of JavaScript for comparisons, which are conditions themselves. */
const COMPARED = { eq: "===", ne: "!==", lt: "<", le: "<=", gt: ">", ge: ">=" } as const;
type Compared = keyof typeof COMPARED;
const isCompared = (op: string): op is Compared => Object.hasOwn(COMPARED, op);
const compared = (op: Compared) => (a: string, b: string) => truth(`${a} ${COMPARED[op]} ${b}`);
const bitwise =
  (op: string, onBool: (a: string, b: string) => string) =>
  (a: string, b: string, type: Scalar): string =>
    type === "bool" ? onBool(a, b) : infix(op)(a, b);
const two =
  (fn: string) =>
  (a: string, b: string): string =>
    called(fn)(a, b);
function condition(e: Expr, print: (e: Expr) => string): string {
  if (e.kind === "binary") {
    // Conditions that differ.
    const op = e.op === "xor" && e.type === "bool" ? "ne" : e.op;
    if (isCompared(op)) return `${print(e.left)} ${COMPARED[op]} ${print(e.right)}`;
  }
  if (e.kind === "cast") return isNotZero(print(e.of));
  return `${print(e)} > 0.5`;
}
const isNotZero = (x: string): string => `${x} !== 0`;
const never = (): never => {
  throw new Error("integers are refused before printing");
};

function literal(type: Scalar, value: unknown): string {
  const decoded = decodeLiteral(type, value);
  if (typeof decoded === "boolean") return decoded ? "1" : "0";
  // gpu.js does not support the identifier NaN.
  if (Number.isNaN(decoded)) return "(0 / 0)";
  const text = Object.is(decoded, -0) ? "-0" : String(decoded);
  return text.startsWith("-") ? `(${text})` : text;
}

export const GPU_JS_DIALECT: Dialect = {
  own: GPU_JS_OWN,
  inlines: true,
  // A literal in an index is an integer of 32 bits there, and 0xffffffff is -1.
  namesAll: true,
  literal: (expr) => literal(expr.type, expr.value),
  unary: {
    neg: (x) => `(-${x})`,
    abs: (x) => called("Math.abs")(x),
    not: (x) => `(1 - ${x})`,
    popcount: never,
    clz: never,
  },
  binary: {
    add: rounded("+"),
    sub: rounded("-"),
    mul: rounded("*"),
    div: rounded("/", (a, b) => called("Math.floor")(`${a} / ${b}`)),
    rem: infix("%"),
    min: two("Math.min"),
    max: two("Math.max"),
    and: bitwise("&", infix("*")),
    or: bitwise("|", two("Math.max")),
    xor: bitwise("^", compared("ne")),
    shl: infix("<<"),
    shr: infix(">>"),
    eq: compared("eq"),
    ne: compared("ne"),
    lt: compared("lt"),
    le: compared("le"),
    gt: compared("gt"),
    ge: compared("ge"),
  },
  select: (condition, then, otherwise) => `(${condition} ? ${then} : ${otherwise})`,
  cast: (x, from, to) => (to === "bool" ? truth(isNotZero(x)) : from === "bool" ? x : round(x)),
  bitcast: (x) => x,
  word: never,
  join: never,
  param: (name) => name,
  // Inlined: as a variable it would be a float.
  builtin: () => "this.thread.x",
  load: (_, array, index) => `${array}[${index}]`,
  let: (name, _, value) => `const ${name} = ${value};`,
  var: (name, _, value) => `let ${name} = ${value};`,
  array: never,
  // The only store of a pass is its result.
  store: ({ value }) => `return ${value};`,
  atomic: never,
  barrier: [],
  ...withoutSubgroups,
  ...withoutLookBack,
  native: never,
  choice: never,
  returns: never,
  call: never,
  part: never,
  for: never,
  condition,
};
