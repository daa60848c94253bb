import { type ArithmeticOp, BINARY } from "./expr-op.ts";
import { SCALARS, type Scalar, type ScalarKind, type ScalarValue } from "./scalar.ts";

/** The operators of collectives (semantics: OpenCL C work-group functions and uniform arithmetic). */
export type Op =
  | "add"
  | "mul"
  | "min"
  | "max"
  | "and"
  | "or"
  | "xor"
  | "logical-and"
  | "logical-or"
  | "logical-xor";

/** The operators that exist for an element type; the types of the DSL are made from it. */
export type OpFor<S extends Scalar> = S extends "bool"
  ? "logical-and" | "logical-or" | "logical-xor"
  : S extends "f16" | "f32" | "f64"
    ? "add" | "mul" | "min" | "max"
    : Op;

/** A row of {@link OPS}. */
export interface OpSpec {
  /** The kinds of element types it applies to. */
  readonly on: readonly ScalarKind[];
  /** The value that does not change the other operand: element 0 of an exclusive scan, and the reduce over no items. */
  identity(type: Scalar): ScalarValue;
  readonly commutative: true;
  /** Whether the operator is exactly associative: all except add and mul of floats, which combine in the Fenwick order. */
  exactlyAssociative(type: Scalar): boolean;
  /** The element-wise operator that combines normalised operands; see {@link normalises}. */
  readonly elementwise: ArithmeticOp;
  /** One application, rounded or wrapped to the type; the reference's meaning. */
  apply(type: Scalar, a: ScalarValue, b: ScalarValue): ScalarValue;
  readonly summary: string;
}

const NUMERIC: readonly ScalarKind[] = ["int", "uint", "float"];
const INTEGER: readonly ScalarKind[] = ["int", "uint"];
const PREDICATE: readonly ScalarKind[] = ["int", "uint", "bool"];

const one = (type: Scalar): ScalarValue => SCALARS[type].whole(1);
const zero = (type: Scalar): ScalarValue => SCALARS[type].whole(0);
export const isInteger = (type: Scalar): boolean => INTEGER.includes(SCALARS[type].kind);
const exact = (): boolean => true;
const exactForIntegers = isInteger;

const truth =
  (decide: (a: boolean, b: boolean) => boolean) =>
  (type: Scalar, a: ScalarValue, b: ScalarValue): ScalarValue =>
    logical(type, decide(Boolean(a), Boolean(b)));
const logical = (type: Scalar, value: boolean): ScalarValue => (value ? one(type) : zero(type));

/** Every operator of collectives: its types, its identity, its laws and its result. */
export const OPS: Readonly<Record<Op, OpSpec>> = {
  add: {
    on: NUMERIC,
    identity: zero,
    commutative: true,
    exactlyAssociative: exactForIntegers,
    elementwise: "add",
    apply: BINARY.add.apply,
    summary: "sum; integers wrap",
  },
  mul: {
    on: NUMERIC,
    identity: one,
    commutative: true,
    exactlyAssociative: exactForIntegers,
    elementwise: "mul",
    apply: BINARY.mul.apply,
    summary: "product; integers wrap",
  },
  min: {
    on: NUMERIC,
    identity: (type) => SCALARS[type].highest,
    commutative: true,
    exactlyAssociative: exact,
    elementwise: "min",
    apply: BINARY.min.apply,
    summary: "least; IEEE 754-2019 minimum for floats",
  },
  max: {
    on: NUMERIC,
    identity: (type) => SCALARS[type].lowest,
    commutative: true,
    exactlyAssociative: exact,
    elementwise: "max",
    apply: BINARY.max.apply,
    summary: "greatest; IEEE 754-2019 maximum for floats",
  },
  and: {
    on: INTEGER,
    identity: (type) => SCALARS[type].whole(-1),
    commutative: true,
    exactlyAssociative: exact,
    elementwise: "and",
    apply: BINARY.and.apply,
    summary: "bitwise and",
  },
  or: {
    on: INTEGER,
    identity: zero,
    commutative: true,
    exactlyAssociative: exact,
    elementwise: "or",
    apply: BINARY.or.apply,
    summary: "bitwise or",
  },
  xor: {
    on: INTEGER,
    identity: zero,
    commutative: true,
    exactlyAssociative: exact,
    elementwise: "xor",
    apply: BINARY.xor.apply,
    summary: "bitwise exclusive or",
  },
  "logical-and": {
    on: PREDICATE,
    identity: (type) => logical(type, true),
    commutative: true,
    exactlyAssociative: exact,
    elementwise: "and",
    apply: truth((a, b) => a && b),
    summary: "logical and of predicates; 0 or 1",
  },
  "logical-or": {
    on: PREDICATE,
    identity: (type) => logical(type, false),
    commutative: true,
    exactlyAssociative: exact,
    elementwise: "or",
    apply: truth((a, b) => a || b),
    summary: "logical or of predicates; 0 or 1",
  },
  "logical-xor": {
    on: PREDICATE,
    identity: (type) => logical(type, false),
    commutative: true,
    exactlyAssociative: exact,
    elementwise: "xor",
    apply: truth((a, b) => a !== b),
    summary: "logical exclusive or of predicates; 0 or 1",
  },
};

/** Every operator, in table order. */
export const OP_NAMES: readonly Op[] = Object.keys(OPS) as Op[];

/** Operators that take predicates: each operand is normalised to 0 or 1 before it is combined. */
export function isLogical(op: Op): boolean {
  return OPS[op].on.includes("bool");
}

/** True if operands of the type must become exactly 0 or 1 before they are combined. */
export function normalises(op: Op, type: Scalar): boolean {
  return isLogical(op) && type !== "bool";
}

/** The operand, normalised if the operator requires it. */
export function normalisedValue(op: Op, type: Scalar, value: ScalarValue): ScalarValue {
  return normalises(op, type) ? logical(type, Boolean(value)) : value;
}

/** True if the operator exists for the type. */
export function opExists(op: Op, type: Scalar): boolean {
  return OPS[op].on.includes(SCALARS[type].kind);
}
