/** The rows of the table of functions. */
import { SCALARS, type Scalar, type ScalarKind, type ScalarValue } from "../tables/scalar.ts";

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
/** Functions of halves and singles by digits that are computed in integers. */
export type UnaryElementary =
  | "exp"
  | "exp2"
  | "expm1"
  | "log"
  | "log2"
  | "log1p"
  | "sin"
  | "cos"
  | "tan"
  | "asin"
  | "acos"
  | "atan"
  | "sinh"
  | "cosh"
  | "tanh"
  | "asinh"
  | "acosh"
  | "atanh"
  | "sigmoid"
  | "erf"
  | "cbrt"
  | "rsqrt";
/** Those of two operands. */
export type BinaryElementary = "pow" | "atan2" | "hypot";
/** Functions of floats whose exact values are generally irrational. */
export type ElementaryFunction = UnaryElementary | BinaryElementary;
/** Functions of integers and floats. */
export type NumericFunction = "sign" | "clamp" | "mod";
/** Element-wise functions; the first operand determines the type. */
export type FunctionName =
  | IntegerFunction
  | BitFunction
  | RoundingFunction
  | NumericFunction
  | ElementaryFunction;

/** A type, or that of the first operand. */
export type OwnOr = Scalar | "own";

/** A row of the table of functions. */
export interface FunctionSpec {
  readonly on: readonly ScalarKind[];
  /** Types of those kinds that do not have it. */
  readonly lacking?: readonly Scalar[];
  /** The types of the operands after the first. */
  readonly rest: readonly OwnOr[];
  readonly result: OwnOr;
  /** One application on values of the type: the reference's meaning. */
  readonly apply: (type: Scalar, operands: readonly ScalarValue[]) => ScalarValue;
  /** The settled meaning, with its source. */
  readonly summary: string;
}

/** Whether a row of a table of operators or functions has the type. */
export const isOn = (
  { on, lacking = [] }: { readonly on: readonly string[]; readonly lacking?: readonly Scalar[] },
  type: Scalar,
): boolean => on.includes(SCALARS[type].kind) && !lacking.includes(type);
/** The type that `own` means. */
export const resolved = (type: OwnOr, own: Scalar): Scalar => (type === "own" ? own : type);
