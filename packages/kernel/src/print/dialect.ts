/** The syntax of a C-like language for the Kernel IR. */

import { errorOf } from "@groupwise/ir/base/errors.js";
import type { UnaryOp } from "@groupwise/ir/tables/expr-op.js";
import type { Op } from "@groupwise/ir/tables/op.js";
import type { Scalar } from "@groupwise/ir/tables/scalar.js";
import type { GroupFeature } from "../capabilities/capabilities.ts";
import type { Builtin, ConstExpr, Expr, PrintedOp, SharedSpace, Space } from "../language/expr.ts";
import type { Interval } from "../language/interval.ts";
import { INTRINSICS } from "../language/intrinsics.ts";
import type { Memory } from "../language/memory.ts";
import type { AtomicOp, ForStmt, GroupFunction, Intrinsic } from "../language/stmt.ts";

/** An element of an array, and the value that a statement writes into it or combines with it. */
export interface Written<S extends Space = Space> {
  readonly space: S;
  readonly array: string;
  readonly index: string;
  readonly value: string;
  /** The value's type. */
  readonly type: Scalar;
}
/** The same with the form of the element in memory. */
export interface WrittenAs extends Written {
  readonly memory: Memory;
}

/** The arguments of a function of a subgroup. */
export interface IntrinsicCall {
  readonly value: string;
  /** The value's type. */
  readonly type: Scalar;
  /** The bit or the lane, of functions that have one. */
  readonly lane: string;
  /** The operator of a reduction. */
  readonly op: AtomicOp;
}

/** The syntax of vectors; operators are spelled as those of values. */
export interface VectorDialect {
  /** The type whose operators vectors of a type have. */
  operators(type: Scalar): Scalar;
  type(type: Scalar, width: number): string;
  /** The same constant for each element. */
  constant(literal: string, type: Scalar, width: number): string;
  /** Consecutive elements of device memory from `index` on. */
  load(array: string, index: string, type: Scalar, width: number, memory: Memory): string;
  /** The statement that writes such elements. */
  store(to: WrittenAs, width: number): string;
  /** @param width that of the vectors, 1 for a value */
  permute(pattern: readonly number[], vectors: readonly string[], type: Scalar, width: number): string;
  /** The lines around statements that only compilers with vectors compile. */
  readonly choice: { readonly native: string; readonly portable: string; readonly end: string };
}

/** The bounds of the left and the right operand. */
export type Bounds = () => readonly [Interval, Interval];

/**
 * The syntax of a language for expressions and statements. Texts of operands are safe within any
 * operator.
 */
export interface Dialect {
  /** A constant of its type. */
  literal(expr: ConstExpr): string;
  /** `type` is the operand's type. */
  readonly unary: Readonly<Record<UnaryOp, (x: string, type: Scalar) => string>>;
  /** `type` is the operands' type, `right` the expression that `b` is the text of; `bounds` finds the least and the greatest value of u32 operands. */
  readonly binary: Readonly<
    Record<PrintedOp, (a: string, b: string, type: Scalar, right: Expr, bounds: Bounds) => string>
  >;
  /** Both choices may be evaluated. */
  select(condition: string, then: string, otherwise: string, type: Scalar): string;
  /** Integers wrap; floats to integers truncate and saturate, which values in range need not. */
  cast(x: string, from: Scalar, to: Scalar, isInRange: boolean): string;
  /** The same bits, of the same width. */
  bitcast(x: string, from: Scalar, to: Scalar): string;
  /** A word of the bits of a 64-bit value, or the bits of an f16. */
  word(x: string, index: 0 | 1, from: Scalar): string;
  /** The value that has these words. */
  join(words: readonly string[], to: Scalar): string;
  /** A launch scalar. */
  param(name: string, type: Scalar): string;
  /** The work-item's lane, its work-group's number, or the element's index. */
  builtin(name: Builtin): string;
  /** The value of an element; converts it if memory has another form, as for bools. */
  load(space: Space, array: string, index: string, type: Scalar, memory: Memory): string;
  /** A sum below 2^32 as an index, if compilers then know that it does not wrap: they keep one address for several elements. */
  indexSum?(a: string, b: string): string;
  /** The statement that names a value. @param width the number of elements of a vector */
  let(name: string, type: Scalar, value: string, width?: number): string;
  /** The statement that declares a variable. */
  var(name: string, type: Scalar, value: string, width?: number): string;
  /** The lines that declare an array of one work-item, all zero. */
  array(name: string, type: Scalar, length: number): readonly string[];
  /** The same with a value for each element, if the language supports it. */
  filled?(name: string, type: Scalar, values: readonly string[]): string;
  /** The statement that writes an element. */
  store(to: WrittenAs): string;
  /** The statement that combines a value into an element, atomically if work-items share it. */
  atomic(op: AtomicOp, to: Written<SharedSpace>): string;
  /** The lines of a work-group barrier; none if there is only one work-item. */
  readonly barrier: readonly string[];
  /** Calls of the functions of a subgroup. */
  readonly intrinsics: Readonly<Record<Intrinsic, (call: IntrinsicCall) => string>>;
  /** The text that atomically reads a word of device memory. */
  atomicLoad(array: string, index: string): string;
  /** The text that reads two or four such words as a vector; zeros if the condition is false. */
  atomicLoadRow?(array: string, index: string, width: number, condition: string): string;
  /** The statement that atomically writes a word. */
  atomicStore(array: string, index: string, value: string): string;
  /** The text that atomically adds to a word; its value is the previous one. */
  atomicAdd(array: string, index: string, value: string): string;
  /** The statement that asks for the cache line of an element. */
  prefetch?(array: string, index: string): string;
  /** The text that reads four elements of device memory from `index` on, a multiple of four. */
  loadRow(array: string, index: string, type: Scalar, memory: Memory, width: number): string;
  /** The statement that writes four. */
  storeRow(array: string, index: string, values: readonly string[], type: Scalar, memory: Memory): string;
  /** The lines of a barrier that name an element of work-group memory as a uniform value. */
  uniformLoad(name: string, array: string, index: string, type: Scalar): readonly string[];
  /** The same as one expression, if the language supports it. */
  uniformValue?(array: string, index: string): string;
  /** The result of a work-group function. */
  native(fn: GroupFunction, op: Op | undefined, type: Scalar, value: string, source: string): string;
  /**
   * The lines that begin, separate and end the text for compilers with the feature and the text for others.
   */
  choice(feature: GroupFeature): { readonly native: string; readonly portable: string; readonly end: string };
  /** The lines that return several values of one type. */
  returns(values: readonly string[], type: Scalar): readonly string[];
  /** The lines that name the results of a call of such a function. */
  call(name: string, call: string, type: Scalar, width: number): readonly string[];
  /** One of the named results. */
  part(name: string, index: number): string;
  /** The value of results with names, of a function that has them. */
  construct?(fn: string, values: readonly string[]): string;
  /** The statement that names these results. */
  results?(name: string, fn: string, call: string): string;
  /** The arrays and launch scalars of a kernel that a function takes after its own arguments, if it cannot access them by name. */
  passed?(fn: string): readonly string[];
  /** Given if capabilities have vectors. */
  readonly vectors?: VectorDialect;
  /** The head of a loop up to its opening brace. */
  for(name: string, from: string, below: string, step: number, stmt: ForStmt): string;
  /** True if a loop of one round or more, whose number only the launch gives, tests for its end after the body. */
  readonly testsLast?: true;
  /** Functions of the language, by their names in the module. */
  readonly own?: Readonly<Record<string, (...args: string[]) => string>>;
  /** Functions that the language has only as several statements: the lines of their bodies. */
  readonly ownBodies?: Readonly<Record<string, (...args: string[]) => readonly string[]>>;
  /** True if their bodies replace calls, because the text has no functions. */
  readonly inlines?: boolean;
  /** True if every value keeps its name, because the language determines a value's type by its declaration. */
  readonly namesAll?: boolean;
  /** The text of the condition of a select or an `if`, if a bool is not a condition itself. */
  condition?(condition: Expr, print: (e: Expr) => string): string;
}

/** For languages without such functions: no lowering uses them. */
export const withoutGroupFunctions: Pick<Dialect, "native" | "choice"> = {
  native: (fn) => lacking(`function ${fn} of a work-group`),
  choice: (feature) => lacking(feature),
};
/** A call of a function that moves values between lanes, with truth values as words. */
export const movedBy =
  (fn: string, wordOf: (truth: string) => string): ((call: IntrinsicCall) => string) =>
  ({ type, value, lane }) =>
    type === "bool" ? `(${fn}(${wordOf(value)}, ${lane}) != 0u)` : `${fn}(${value}, ${lane})`;

/** For languages whose capabilities have no subgroups. */
export const withoutSubgroups: Pick<Dialect, "intrinsics"> = {
  intrinsics: Object.fromEntries(
    Object.keys(INTRINSICS).map((fn) => [fn, (): never => lacking("subgroups")]),
  ) as unknown as Dialect["intrinsics"],
};
/** For languages without look-back: no lowering uses it. */
export const withoutLookBack: Pick<
  Dialect,
  "atomicLoad" | "atomicStore" | "atomicAdd" | "loadRow" | "storeRow" | "uniformLoad"
> = {
  atomicLoad: () => lacking("device memory"),
  atomicStore: () => lacking("device memory"),
  atomicAdd: () => lacking("device memory"),
  loadRow: () => lacking("rows"),
  storeRow: () => lacking("rows"),
  uniformLoad: () => lacking("work-groups"),
};

/** For statements that no lowering uses in such a language. */
export function lacking(what: string): never {
  throw errorOf("bad-kernel", { reason: `the language has no ${what}` });
}

/** Several results as one vector, for languages with small vectors. */
export const inVectors = (
  vectorOf: (type: Scalar, width: number) => string,
  make: (vector: string, parts: string) => string,
  declare: string,
): Pick<Dialect, "returns" | "call" | "part"> => ({
  returns: (values, type) => [`return ${make(vectorOf(type, values.length), values.join(", "))};`],
  call: (name, call, type, width) => [`${declare.replace("T", vectorOf(type, width))} ${name} = ${call};`],
  part: (name, index) => `${name}.${"xyzw"[index]}`,
});
