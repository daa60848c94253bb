/** Monoids on tuples of kernel values: what the scan and reduce algorithms are written for. */
import type { ArithmeticOp } from "../ir/expr-op.ts";
import type { CollectiveNode, NodeId, ReduceNode, ScanNode, VoteNode } from "../ir/node.ts";
import { binary, bool, cast, constant, type Expr, ne, select, u32, zeroOf } from "../kernel/expr.ts";
import { isLogical, OPS, type Op } from "../op.ts";
import type { Scalar } from "../scalar.ts";

/** An associative operator on tuples of kernel values, with its identity. */
export interface Monoid {
  readonly types: readonly Scalar[];
  readonly identity: readonly Expr[];
  /** `left` holds the earlier items. */
  combine(left: readonly Expr[], right: readonly Expr[]): Expr[];
  /** Combining gives the same bits in every order and with the identity anywhere. */
  readonly exact: boolean;
  /** `combine(a, b)` and `combine(b, a)` have the same bits. */
  readonly commutative: boolean;
}

/** A collective that is a monoid over one operand: a reduce, a scan, or a vote. */
export type MonoidCollective = ReduceNode | ScanNode | VoteNode;

export const isMonoid = (node: CollectiveNode): node is MonoidCollective => node.kind !== "broadcast";

/** The operator and element type that a collective combines with; votes are logical reduces of bools. */
export function operatorOf(node: MonoidCollective): { op: Op; type: Scalar } {
  if (node.kind === "all") return { op: "logical-and", type: "bool" };
  if (node.kind === "any") return { op: "logical-or", type: "bool" };
  return node;
}

// On predicates that are exactly 0 or 1, the logical operators are the bitwise ones.
const BITWISE: Readonly<Partial<Record<Op, ArithmeticOp>>> = {
  "logical-and": "and",
  "logical-or": "or",
  "logical-xor": "xor",
};

export function monoidOf(op: Op, type: Scalar): Monoid {
  const kernelOp = (BITWISE[op] ?? op) as ArithmeticOp;
  return {
    types: [type],
    identity: [constant(type, OPS[op].identity(type))],
    combine: (left, right) => [binary(kernelOp, left[0] as Expr, right[0] as Expr)],
    exact: OPS[op].exactlyAssociative(type),
    commutative: OPS[op].commutative,
  };
}

/** The operand as the operator takes it: predicates become exactly 0 or 1. */
export function normalised(op: Op, type: Scalar, value: Expr): Expr {
  if (!isLogical(op) || value.type === "bool") return cast(type, value);
  const holds = ne(value, zeroOf(value.type));
  return type === "bool" ? holds : select(holds, cast(type, u32(1)), zeroOf(type));
}

/** Several monoids side by side, so that they share loops and barriers. */
export function product(parts: readonly Monoid[]): Monoid {
  const slices: [number, number][] = [];
  let width = 0;
  for (const part of parts) {
    slices.push([width, width + part.types.length]);
    width += part.types.length;
  }
  return {
    types: parts.flatMap((part) => part.types),
    identity: parts.flatMap((part) => part.identity),
    combine: (left, right) =>
      parts.flatMap((part, i) =>
        part.combine(
          left.slice(...(slices[i] as [number, number])),
          right.slice(...(slices[i] as [number, number])),
        ),
      ),
    exact: parts.every((part) => part.exact),
    commutative: parts.every((part) => part.commutative),
  };
}

/** One operand under one operator; several collectives may ask for its scan and its total. */
export interface Component {
  readonly of: NodeId;
  readonly op: Op;
  readonly type: Scalar;
  readonly monoid: Monoid;
  readonly nodes: readonly MonoidCollective[];
}

/** Groups collectives that combine the same operand in the same way. */
export function componentsOf(nodes: readonly MonoidCollective[]): Component[] {
  const found = new Map<string, Component>();
  for (const node of nodes) {
    const { op, type } = operatorOf(node);
    const key = `${node.of} ${op} ${type}`;
    const known = found.get(key);
    found.set(
      key,
      known
        ? { ...known, nodes: [...known.nodes, node] }
        : { of: node.of, op, type, monoid: monoidOf(op, type), nodes: [node] },
    );
  }
  return [...found.values()];
}

/** A running prefix that may still be empty: joining with it must not touch the value's bits then. */
export interface Carry {
  readonly values: readonly Expr[];
  /** False while the prefix is empty; undefined where its values hold the identity of an exact monoid. */
  readonly present: Expr | undefined;
}

export function join(monoid: Monoid, carry: Carry, value: readonly Expr[]): Expr[] {
  const joined = monoid.combine(carry.values, value);
  const present = carry.present;
  return present === undefined ? joined : joined.map((both, i) => select(present, both, value[i] as Expr));
}

export const nothing = (monoid: Monoid): Carry => ({
  values: monoid.exact ? monoid.identity : monoid.types.map(zeroOf),
  present: monoid.exact ? undefined : bool(false),
});
