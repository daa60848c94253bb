/** Operators and conversions in C. Signed overflow is undefined there, so the unsigned type computes the bits. */
import type { Scalar } from "@groupwise/core";
import { type Bounds, bare, called, type Dialect, infix, type PrintedOp } from "@groupwise/core/kernel";
import { encodeLiteral, isFloat, SCALARS, type UnaryOp } from "@groupwise/core/target";
import { type FloatKind, type Kind, literal, UNSIGNED, valueType } from "./types.ts";

type Spell = (a: string, b: string, type: Scalar) => string;
type Shift = "shl" | "shr";

/** A conversion that keeps the bits of an integer. */
const to = (type: Scalar, x: string): string => `(${valueType(type)})${x}`;

const onBits =
  (op: string): Spell =>
  (a, b, type) => {
    const unsigned = UNSIGNED[type];
    return unsigned ? to(type, infix(op)(to(unsigned, a), to(unsigned, b))) : infix(op)(a, b);
  };
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

export const BINARY: Readonly<Record<Exclude<PrintedOp, Shift>, Spell>> & Pick<Dialect["binary"], Shift> = {
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

const asIs = (x: string): string => x;
const ABS: Readonly<Record<Kind, (x: string) => string>> = {
  i32: called("abs_i32"),
  i64: called("abs_i64"),
  u32: asIs,
  u64: asIs,
  f32: called("fabsf"),
  f64: called("fabs"),
  bool: asIs,
};
/** A count of bits, of the unsigned type and in the operand's. */
const counted =
  (name: string) =>
  (x: string, type: Scalar): string => {
    const unsigned = UNSIGNED[type];
    return unsigned ? to(type, called(`${name}_${unsigned}`)(to(unsigned, x))) : called(`${name}_${type}`)(x);
  };

export const UNARY: Readonly<Record<UnaryOp, (x: string, type: Scalar) => string>> = {
  neg: (x, type) => {
    const unsigned = UNSIGNED[type];
    return unsigned ? to(type, infix("-")(number(unsigned, 0), to(unsigned, x))) : `(-${x})`;
  },
  abs: (x, type) => ABS[type as Kind](x),
  not: (x, type) => (type === "bool" ? `(!${x})` : `(~${x})`),
  popcount: counted("ones"),
  clz: counted("clz"),
};

/** A small whole number of any type but bool. */
const number = (type: Scalar, x: 0 | 1): string =>
  literal({ type, value: encodeLiteral(type, SCALARS[type].whole(x)) });

const NAMES: Readonly<Record<FloatKind, string>> = { f32: "float", f64: "double" };

/** Integers wrap; floats round to nearest even by default, and to integers they truncate and saturate. */
export function cast(x: string, from: Scalar, target: Scalar, isInRange: boolean): string {
  if (target === "bool") return `(${x} != ${number(from, 0)})`;
  if (from === "bool") return `(${x} ? ${number(target, 1)} : ${number(target, 0)})`;
  if (isFloat(from) && !isFloat(target) && !isInRange)
    return called(`${NAMES[from as FloatKind]}_to_${target}`)(x);
  return to(target, x);
}

/** The same bits, of the same width. */
export function bitcast(x: string, from: Scalar, target: Scalar): string {
  const bits = SCALARS[from].bits === 64 ? "u64" : "u32";
  const given = isFloat(from) ? called(`bits_of_${NAMES[from as FloatKind]}`)(x) : x;
  const whole = isFloat(from) ? bits : from;
  const wanted = isFloat(target) ? bits : target;
  const converted = whole === wanted ? given : to(wanted, given);
  return isFloat(target) ? called(`${NAMES[target as FloatKind]}_of_bits`)(converted) : converted;
}

/** 32 of the bits of a 64-bit value. */
export function word(x: string, index: 0 | 1, from: Scalar): string {
  const bits = bitcast(x, from, "u64");
  return to("u32", index === 0 ? bits : infix(">>")(bits, "32u"));
}

/** The value that has these words, the low one first. */
export const join = ([low = "", high = ""]: readonly string[], target: Scalar): string =>
  bitcast(infix("|")(infix("<<")(to("u64", high), "32u"), bare(low)), "u64", target);
