/** Expressions of the Kernel IR: typed, pure, plain data. */
import type { BinaryOp, UnaryOp } from "@groupwise/ir/tables/expr-op.js";
import type { Literal } from "@groupwise/ir/tables/literal.js";
import type { Scalar, WordForm } from "@groupwise/ir/tables/scalar.js";
import type { Memory } from "./memory.ts";

/** The memory of an array: of the device, of the work-group, or of one work-item. */
export type Space = "storage" | "work-group" | "private";
/** Memory of several work-items. */
export type SharedSpace = Exclude<Space, "private">;

/**
 * `local-id`: the work-item's number in its group; `group-id`: the group's number in the dispatch; `group-size`:
 * the work-items of the group, at least 1, where they are known only at launch; `subgroup-size`: the most work-items
 * of a subgroup in this launch, at least 1; `cell`: the output index of a per-output pass.
 */
export type Builtin = "local-id" | "group-id" | "group-size" | "subgroup-size" | "cell";

/**
 * True if an index is below the array's length for a reason that the kernel does not show, which stands where the kernel is made: a slot that counts items is below
 * their number. Nothing proves it; the interpreter of kernels and debug runs check it.
 */
export type Inside = true;
/** The scratch array of an element, where the array has the elements of several: one of {@link Buffer.holds}. */
export type HeldArray = string;

interface Typed {
  readonly type: Scalar;
  /**
   * The number of elements, if the value is a vector: a power of two, 2 to 16. Operators apply to each element; operands without a width, such as constants, are the
   * same for each. A load or store of a vector is of consecutive elements of device memory, from any index on. Only targets whose capabilities have `vectors` print it.
   */
  readonly width?: number;
}
/** A constant, in the exact written form of a literal. */
export interface ConstExpr extends Typed {
  readonly kind: "const";
  readonly value: Literal;
  /** For texts: its name as a constant of the module. */
  readonly name?: string;
}
/** A let, a var, a loop variable or a function's parameter. */
export interface VarExpr extends Typed {
  readonly kind: "var";
  readonly name: string;
}
/** A launch scalar: the number of items, or a parameter of the pipeline. */
export interface ParamExpr extends Typed {
  readonly kind: "param";
  readonly name: string;
}
/** A number that describes the work-item; the type is u32. */
export interface BuiltinExpr extends Typed {
  readonly kind: "builtin";
  readonly builtin: Builtin;
}
/** An element of an array; the index is u32. */
export interface LoadExpr extends Typed {
  readonly kind: "load";
  readonly space: Space;
  readonly array: string;
  readonly index: Expr;
  /** The form of the array's elements, if it is not the loaded type. */
  readonly memory?: Memory;
  readonly inside?: Inside;
  readonly held?: HeldArray;
}
/** An element-wise operator of one operand. */
export interface UnaryExpr extends Typed {
  readonly kind: "unary";
  readonly op: UnaryOp;
  readonly of: Expr;
}
/** Operators that passes replace by others, and that no target prints. */
export type ComposedOp = "absdiff" | "gcd";
/** Operators that targets print. */
export type PrintedOp = Exclude<BinaryOp, ComposedOp>;
/** An element-wise operator of two operands. `type` is the result's; the operands' is `left.type`. */
export interface BinaryExpr extends Typed {
  readonly kind: "binary";
  readonly op: BinaryOp;
  readonly left: Expr;
  readonly right: Expr;
  /** True for a sum of indexes that is below 2^32, so that a language may add in as many bits as addresses have. */
  readonly inRange?: true;
  /** Floats of which none is subnormal, operands and result: values of a narrower type that its implementation carries, or if a condition holds. */
  readonly normal?: true | VarExpr;
}
/** Both choices may be evaluated. */
export interface SelectExpr extends Typed {
  readonly kind: "select";
  readonly condition: Expr;
  readonly then: Expr;
  readonly otherwise: Expr;
}
/** Conversion of the value to `type`, as the Pipeline IR's cast. */
export interface CastExpr extends Typed {
  readonly kind: "cast";
  readonly of: Expr;
  /** Of a float that truncates to a value of an integer type, so that languages need not saturate: the greatest magnitude that it can have. */
  readonly inRange?: number;
}
/** The same bits read as `type`, of the same width. */
export interface BitcastExpr extends Typed {
  readonly kind: "bitcast";
  readonly of: Expr;
}
/** 32 of the bits of a 64-bit value, word 0 the low ones; of an f16 its 16 bits, as word 0. The type is u32. */
export interface WordExpr extends Typed {
  readonly kind: "word";
  readonly of: Expr;
  readonly index: 0 | 1;
}
/** The value that has these words: the inverse of `word`. */
export interface JoinExpr extends Typed {
  readonly kind: "join";
  readonly words: readonly Expr[];
}
/** A call of one of the module's functions. */
export interface CallExpr extends Typed {
  readonly kind: "call";
  readonly fn: string;
  readonly args: readonly Expr[];
  /** True for a function that was a routine: it may have barriers or shuffles, and may read memory that other work-items write. */
  readonly routine?: true;
  /** True for a function that loads from device memory: its value is that of the place where the call stands. */
  readonly loads?: true;
}

/**
 * Elements of one vector, or of two of the same type and width, in another order: `pattern` has the number of each, those of `right` following those of `left`.
 * A value without a width has the element 0: `[0, 0, 0, 0]` repeats it. A pattern of one number gives a value without a width.
 */
export interface PermuteExpr extends Typed {
  readonly kind: "permute";
  readonly left: Expr;
  readonly right?: Expr;
  readonly pattern: readonly number[];
}

/** The elements of a vector of truth values as a u32: element i is bit i. */
export interface BitmaskExpr extends Typed {
  readonly kind: "bits";
  readonly of: Expr;
}

/** One of the results of a call statement; see `CallStmt`. */
export interface PartExpr extends Typed {
  readonly kind: "part";
  readonly of: string;
  readonly index: number;
  /** Its name, if the results have names. */
  readonly field?: string;
}

/** Any expression. It is pure: evaluating it twice, or not at all, changes nothing. */
export type Expr =
  | ConstExpr
  | VarExpr
  | ParamExpr
  | BuiltinExpr
  | LoadExpr
  | UnaryExpr
  | BinaryExpr
  | SelectExpr
  | CastExpr
  | BitcastExpr
  | WordExpr
  | JoinExpr
  | CallExpr
  | PermuteExpr
  | BitmaskExpr
  | PartExpr;
export const WORDS: Readonly<Record<WordForm, number>> = { pair: 2, low: 1, bits: 0, truth: 0 };
