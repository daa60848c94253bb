/** Monoids on tuples of kernel values, for which the scan and reduce algorithms are written. */

import { Names } from "@groupwise/ir/base/names.js";
import type {
  MonoidCollective,
  Order,
  ReduceNode,
  ScanNode,
  UserCollectiveNode,
} from "@groupwise/ir/document/node.js";
import type { Operator } from "@groupwise/ir/document/operator.js";
import { normalises, OPS, type Op } from "@groupwise/ir/tables/op.js";
import { isFloat, type Scalar } from "@groupwise/ir/tables/scalar.js";
import { type ArrayRef, Code } from "@groupwise/kernel/language/build.js";
import type { Expr, VarExpr } from "@groupwise/kernel/language/expr.js";
import {
  binary,
  bool,
  cast,
  constant,
  ne,
  select,
  u32,
  zeroOf,
} from "@groupwise/kernel/language/make-expr.js";
import type { AtomicOp, Stmt } from "@groupwise/kernel/language/stmt.js";
import type { Component } from "./components.ts";
import { monoidOfOperator } from "./operator.ts";

/** An associative operator on tuples of kernel values, with its identity. */
export interface Monoid {
  readonly types: readonly Scalar[];
  /** For texts: names of the values, if there are several. */
  readonly fields?: readonly string[] | undefined;
  readonly identity: readonly Expr[];
  /**
   * The values of an empty prefix: combined with any value to their right, they are that value, bit for bit (NaN payloads excepted). The
   * identity of a float sum is not: 0 + -0 is 0. Absent if no such values are known.
   */
  readonly neutral?: readonly Expr[];
  /**
   * `left` holds the earlier items. Expressions that are used more than once get names. A result that is a
   * name is never assigned to.
   */
  combine(code: Code, left: readonly Expr[], right: readonly Expr[]): Expr[];
  /** `combine` where `left` is a prefix: values that no prefix needs may be anything. Absent: all are needed. */
  follow?(code: Code, left: readonly Expr[], right: readonly Expr[]): Expr[];
  /** Given on a device that flushes subnormal numbers, where routines take it. */
  readonly way?: Way;
  /**
   * Reassociable: values may be combined in any grouping, with identities anywhere, because the bits are
   * equal or the order is `any`.
   */
  readonly reassociable: boolean;
  /** The operators by value, if all values are integers of 32 bits: then lanes may combine them by an instruction, in its order. */
  readonly integerOps?: readonly AtomicOp[];
  /** Given if the first value says whether some item begins a segment: of two sides, whether one of them has such an item. */
  readonly isFlagged?: true;
  /** The operators by value after the first, if that says whether items begin a segment, and the others are of the items from the last such one on. */
  readonly opsInSegments?: readonly Op[];
  /** `combine(a, b)` and `combine(b, a)` have the same bits. */
  readonly commutative: boolean;
  /** Whether it combines records, whose values are passed as words in shared arrays. */
  readonly isRecord: boolean;
}

/** Which sums and products of f32 a monoid uses. */
export interface Way {
  /** Whether those of the device; else functions that keep subnormal numbers. */
  readonly normal: Expr;
  /** The size of the smallest value but zero that `combine` computes: a variable, or a constant where nothing reads it. Undefined: no size is taken. */
  readonly smallest: Expr | undefined;
  /** The same monoid in another way. */
  into(way: Pick<Way, "normal" | "smallest">): Monoid;
}

/** A built-in operator on an element type. */
export interface BuiltinOperator {
  readonly op: Op;
  readonly type: Scalar;
  /** `any` only if the operator is not exactly associative. */
  readonly order: Order;
}

const stated = ({ op, type, order }: ReduceNode | ScanNode): BuiltinOperator => ({
  op,
  type,
  order: OPS[op].exactlyAssociative(type) ? "fixed" : order,
});
/** The operator of a collective that has no user-defined one; votes are logical reduces of bools. */
const BUILTINS: {
  readonly [K in MonoidCollective["kind"]]: (
    node: Extract<MonoidCollective, { kind: K }>,
  ) => BuiltinOperator | undefined;
} = {
  reduce: stated,
  "scan-inclusive": stated,
  "scan-exclusive": stated,
  all: () => ({ op: "logical-and", type: "bool", order: "fixed" }),
  any: () => ({ op: "logical-or", type: "bool", order: "fixed" }),
  "user-collective": () => undefined,
};
export const builtinOf = (node: MonoidCollective): BuiltinOperator | undefined =>
  (BUILTINS[node.kind] as (node: MonoidCollective) => BuiltinOperator | undefined)(node);

/** See `Monoid`, for floats whose identity is not neutral or whose operator is not exactly associative. */
const NEUTRAL: Readonly<Partial<Record<Op, number>>> = { add: -0, mul: 1 };

const IS_ATOMIC: ReadonlySet<Op> = new Set<AtomicOp>(["add", "min", "max", "and", "or", "xor"]);
const isInteger = (type: Scalar): boolean => type === "i32" || type === "u32";

/** @param order `any`: rounding may depend on the order */
export function monoidOf(op: Op, type: Scalar, order: Order = "fixed"): Monoid {
  const identity = [constant(type, OPS[op].identity(type))];
  const reassociable = order === "any" || OPS[op].exactlyAssociative(type);
  const own = isFloat(type) ? NEUTRAL[op] : undefined;
  return {
    types: [type],
    identity,
    ...(reassociable ? { neutral: identity } : own !== undefined && { neutral: [constant(type, own)] }),
    combine: (_, left, right) => [binary(OPS[op].elementwise, left[0] as Expr, right[0] as Expr)],
    reassociable,
    ...(isInteger(type) && IS_ATOMIC.has(op) && { integerOps: [op as AtomicOp] }),
    commutative: OPS[op].commutative,
    isRecord: false,
  };
}

/** The operand in the form that the operator takes: predicates become exactly 0 or 1. */
export function normalised(op: Op, type: Scalar, value: Expr): Expr {
  if (!normalises(op, value.type)) return cast(type, value);
  const holds = ne(value, zeroOf(value.type));
  return type === "bool" ? holds : select(holds, cast(type, u32(1)), zeroOf(type));
}

/** Several monoids side by side, so that they share loops and barriers. */
export function product(parts: readonly Component["monoid"][], names: readonly string[] = []): Monoid {
  const [one] = parts;
  if (one && parts.length === 1) return one;
  const nameOf = (i: number): string => names[i] ?? `${i}`;
  const all = parts.flatMap((part, i) => part.fields ?? nameOf(i));
  const areDistinct = new Set(all).size === all.length;
  const fields = areDistinct
    ? all
    : parts.flatMap((part, i) => part.fields?.map((field) => `${nameOf(i)}_${field}`) ?? nameOf(i));
  const slices: [number, number][] = [];
  let width = 0;
  for (const part of parts) {
    slices.push([width, width + part.types.length]);
    width += part.types.length;
  }
  return {
    types: parts.flatMap((part) => part.types),
    fields,
    identity: parts.flatMap((part) => part.identity),
    ...(parts.every((part) => part.neutral) && { neutral: parts.flatMap((part) => part.neutral ?? []) }),
    combine: (code, left, right) =>
      parts.flatMap((part, i) =>
        part.combine(
          code,
          left.slice(...(slices[i] as [number, number])),
          right.slice(...(slices[i] as [number, number])),
        ),
      ),
    reassociable: parts.every((part) => part.reassociable),
    ...(parts.every((part) => part.integerOps) && {
      integerOps: parts.flatMap((part) => part.integerOps ?? []),
    }),
    commutative: parts.every((part) => part.commutative),
    isRecord: parts.some((part) => part.isRecord),
  };
}

export function newComponent(
  node: MonoidCollective,
  builtin: BuiltinOperator | undefined,
  operators: readonly Operator[],
): Component & { readonly nodes: MonoidCollective[] } {
  if (builtin && node.kind !== "user-collective") {
    const { op, type, order } = builtin;
    const name = op.replace("-", "_");
    return { of: [node.of], name, builtin, monoid: monoidOf(op, type, order), nodes: [] };
  }
  const { operator: index, of } = node as UserCollectiveNode;
  const operator = operators[index] as Operator;
  return { of, name: operator.name, builtin, monoid: monoidOfOperator(operator), nodes: [] };
}

/** The hint for the name of a value of a monoid. */
export type Hints = (i: number) => string;
export const hintsFor = ({ fields }: Pick<Monoid, "fields">, hint: string): Hints =>
  fields ? (i) => `${hint}_${fields[i % fields.length]}` : () => hint;

/** The values, each with a name. */
export function named(
  code: Code,
  monoid: Pick<Monoid, "fields">,
  hint: string,
  values: readonly Expr[],
): VarExpr[] {
  const hints = hintsFor(monoid, hint);
  return values.map((v, i) => code.let(hints(i), v));
}

/** Variables that begin with the values. */
export function variables(
  code: Code,
  monoid: Pick<Monoid, "fields">,
  hint: string,
  values: readonly Expr[],
): VarExpr[] {
  const hints = hintsFor(monoid, hint);
  return values.map((v, i) => code.var(hints(i), v));
}

/** An array for each value. */
export function arrays(
  code: Code,
  monoid: Pick<Monoid, "fields" | "types">,
  hint: string,
  length: number,
): ArrayRef[] {
  const hints = hintsFor(monoid, hint);
  return monoid.types.map((type, i) => code.array(hints(i), type, length));
}

/**
 * Names several results, so that assignments do not see one another's new values. A single result needs no
 * name.
 */
export function namedResults(
  code: Code,
  monoid: Pick<Monoid, "fields">,
  results: readonly Expr[],
  hint: string,
): readonly Expr[] {
  const hints = hintsFor(monoid, hint);
  return results.length === 1 ? results : results.map((result, i) => code.named(hints(i), result));
}

/** A running prefix that may be empty; joining an empty prefix must not change the value's bits. */
export interface Carry {
  readonly values: readonly Expr[];
  /**
   * False while the prefix is empty; undefined if the values are then neutral.
   */
  readonly present: Expr | undefined;
}

export function join(code: Code, monoid: Monoid, carry: Carry, value: readonly Expr[]): Expr[] {
  const joined = (monoid.follow ?? monoid.combine)(code, carry.values, value);
  const present = carry.present;
  return present === undefined ? joined : joined.map((both, i) => select(present, both, value[i] as Expr));
}

export const nothing = ({ neutral, types }: Monoid): Carry =>
  neutral ? { values: neutral, present: undefined } : { values: types.map(zeroOf), present: bool(false) };

/** Whether a prefix is present; undefined if an empty one has neutral values. */
export const presentIf = ({ neutral }: Monoid, present: () => Expr): Expr | undefined =>
  neutral ? undefined : present();

/*
 * What a monoid combines, as statements for analysis.
 */

/** `combine` of two values of names: its statements, which name its results too. */
export interface Combination {
  readonly left: readonly VarExpr[];
  readonly results: readonly Expr[];
  readonly stmts: readonly Stmt[];
}

/** @param hasRoutines whether statements mark those of an operator's own function */
export function combinationOf({ types, combine }: Monoid, hasRoutines: boolean = false): Combination {
  const code = new Code(new Names(), hasRoutines);
  const [left, right] = ["left", "right"].map((hint) =>
    types.map((type): VarExpr => ({ kind: "var", name: code.names.fresh(hint), type })),
  ) as [VarExpr[], VarExpr[]];
  const results = combine(code, left, right).map((value) => code.let("both", value));
  return { left, results, stmts: code.stmts };
}
