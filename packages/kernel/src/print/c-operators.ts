/** Operators and conversions in languages with those of C. Signed overflow is undefined there, so the unsigned type computes the bits. */
import type { UnaryOp } from "@groupwise/ir/tables/expr-op.js";
import { encodeLiteral } from "@groupwise/ir/tables/literal.js";
import { isFloat, SCALARS, type Scalar } from "@groupwise/ir/tables/scalar.js";
import type { ConstExpr, PrintedOp } from "../language/expr.ts";
import type { FloatKind } from "./c-literals.ts";
import type { Bounds, Dialect } from "./dialect.ts";
import { called, infix } from "./text.ts";

/** Of a signed integer type the unsigned one, which wraps. */
export const UNSIGNED: Readonly<Partial<Record<Scalar, "u32" | "u64">>> = { i32: "u32", i64: "u64" };

/** The bits of a float as an unsigned integer, and back: names of functions. */
export interface Reinterpreted {
  readonly toBits: string;
  readonly ofBits: string;
}

/** The names of a language. */
export interface CNames {
  valueType(type: Scalar): string;
  literal(constant: Pick<ConstExpr, "type" | "value">): string;
  /** The functions that convert an f32 and an f64 to integers begin with it: `float_to_i32`. */
  readonly floats: Readonly<Record<FloatKind, string>>;
  readonly bits: Readonly<Record<FloatKind, Reinterpreted>>;
}

type Spell = (a: string, b: string, type: Scalar) => string;

/** What a dialect has of them. Functions have the names that `c-helpers.ts` defines. */
export interface COperators extends Pick<Dialect, "unary" | "cast" | "bitcast" | "word" | "join"> {
  readonly binary: Readonly<
    Record<Exclude<PrintedOp, "shl" | "shr">, (a: string, b: string, type: Scalar) => string>
  > &
    Pick<Dialect["binary"], "shl" | "shr">;
}

const logical =
  (bitwise: string, ofBools: string): Spell =>
  (a, b, type) =>
    infix(type === "bool" ? ofBools : bitwise)(a, b);
const ofType =
  (name: string): Spell =>
  (a, b, type) =>
    called(`${name}_${type}`)(a, b);
/** An amount that is below the width. */
const amount = (by: string, type: Scalar, bounds: Bounds): string =>
  bounds()[1][1] < SCALARS[type].bits ? by : `(${by} & ${SCALARS[type].bits - 1}u)`;
const asIs = (x: string): string => x;
const ABS: Readonly<Record<Exclude<Scalar, "f16">, (x: string) => string>> = {
  i32: called("abs_i32"),
  i64: called("abs_i64"),
  u32: asIs,
  u64: asIs,
  f32: called("fabsf"),
  f64: called("fabs"),
  bool: asIs,
};

function binaryIn(to: (type: Scalar, x: string) => string): COperators["binary"] {
  const onBits =
    (op: string): Spell =>
    (a, b, type) => {
      const unsigned = UNSIGNED[type];
      return unsigned ? to(type, infix(op)(to(unsigned, a), to(unsigned, b))) : infix(op)(a, b);
    };
  return {
    add: onBits("+"),
    sub: onBits("-"),
    mul: onBits("*"),
    div: infix("/"),
    rem: infix("%"),
    min: ofType("min"),
    max: ofType("max"),
    and: logical("&", "&&"),
    or: logical("|", "||"),
    xor: logical("^", "!="),
    shl: (a, b, type, _, bounds) => {
      const unsigned = UNSIGNED[type];
      const by = amount(b, type, bounds);
      return unsigned ? to(type, infix("<<")(to(unsigned, a), by)) : infix("<<")(a, by);
    },
    shr: (a, b, type, _, bounds) => infix(">>")(a, amount(b, type, bounds)),
    eq: infix("=="),
    ne: infix("!="),
    lt: infix("<"),
    le: infix("<="),
    gt: infix(">"),
    ge: infix(">="),
  };
}

/** The operators of a language. */
export function cOperators({ valueType, literal, floats, bits }: CNames): COperators {
  /** A conversion that keeps the bits of an integer. */
  const to = (type: Scalar, x: string): string => `(${valueType(type)})${x}`;
  /** A small whole number of any type but bool. */
  const number = (type: Scalar, x: 0 | 1): string =>
    literal({ type, value: encodeLiteral(type, SCALARS[type].whole(x)) });
  /** A count of bits, of the unsigned type and in the operand's. */
  const counted =
    (name: string) =>
    (x: string, type: Scalar): string => {
      const unsigned = UNSIGNED[type];
      return unsigned
        ? to(type, called(`${name}_${unsigned}`)(to(unsigned, x)))
        : called(`${name}_${type}`)(x);
    };
  const unary: Readonly<Record<UnaryOp, (x: string, type: Scalar) => string>> = {
    neg: (x, type) => {
      const unsigned = UNSIGNED[type];
      return unsigned ? to(type, infix("-")(number(unsigned, 0), to(unsigned, x))) : `(-${x})`;
    },
    abs: (x, type) => ABS[type as keyof typeof ABS](x),
    not: (x, type) => (type === "bool" ? `(!${x})` : `(~${x})`),
    popcount: counted("ones"),
    clz: counted("clz"),
  };
  const cast: COperators["cast"] = (x, from, target, isInRange) => {
    if (target === "bool") return `(${x} != ${number(from, 0)})`;
    if (from === "bool") return `(${x} ? ${number(target, 1)} : ${number(target, 0)})`;
    if (isFloat(from) && !isFloat(target) && !isInRange)
      return called(`${floats[from as FloatKind]}_to_${target}`)(x);
    return to(target, x);
  };
  const bitcast: COperators["bitcast"] = (x, from, target) => {
    const unsigned = SCALARS[from].bits === 64 ? "u64" : "u32";
    const given = isFloat(from) ? called(bits[from as FloatKind].toBits)(x) : x;
    const whole = isFloat(from) ? unsigned : from;
    const wanted = isFloat(target) ? unsigned : target;
    const converted = whole === wanted ? given : to(wanted, given);
    return isFloat(target) ? called(bits[target as FloatKind].ofBits)(converted) : converted;
  };
  return {
    ...{ binary: binaryIn(to), unary, cast, bitcast },
    word: (x, index, from) => {
      const all = bitcast(x, from, "u64");
      return to("u32", index === 0 ? all : infix(">>")(all, "32u"));
    },
    join: ([low = "", high = ""], target) =>
      bitcast(infix("|")(infix("<<")(to("u64", high), "32u"), low), "u64", target),
  };
}
