/** What a row of the table of functions holds. */
import type { Scalar, ScalarKind, ScalarValue } from "../tables/scalar.ts";

/** Functions of integers. */
export type IntegerFunction =
  | "ctz"
  | "reverseBits"
  | "swapBytes"
  | "rotateLeft"
  | "rotateRight"
  | "addSaturating"
  | "subSaturating"
  | "mulHigh"
  | "extractBits"
  | "insertBits";
/** Functions of floats whose result is a choice of bits: nothing is rounded to the type's digits. */
export type BitFunction =
  | "floor"
  | "ceil"
  | "trunc"
  | "round"
  | "copysign"
  | "isNaN"
  | "isFinite"
  | "nextUp"
  | "nextDown"
  | "step"
  | "mantissa"
  | "exponent"
  | "fmod";
/** Functions of floats that round an exact result. */
export type RoundingFunction = "fract" | "mix" | "sqrt" | "fma" | "ldexp";
/** Functions of integers and floats. */
export type NumericFunction = "sign" | "clamp" | "mod";
/** Element-wise functions; the first operand decides the type. */
export type FunctionName = IntegerFunction | BitFunction | RoundingFunction | NumericFunction;

/** A type, or that of the first operand. */
export type OwnOr = Scalar | "own";

/** A row of the table of functions. */
export interface FunctionSpec {
  readonly on: readonly ScalarKind[];
  /** The types of the operands after the first. */
  readonly rest: readonly OwnOr[];
  readonly result: OwnOr;
  /** One application on values of the type: the reference's meaning. */
  readonly apply: (type: Scalar, operands: readonly ScalarValue[]) => ScalarValue;
  /** The settled meaning, with its source. */
  readonly summary: string;
}

/** The type that stands for `own`. */
export const resolved = (type: OwnOr, own: Scalar): Scalar => (type === "own" ? own : type);
