/** Monoids on tuples of kernel values: what the scan and reduce algorithms are written for. */
import type { ArithmeticOp } from "../ir/expr-op.ts";
import type { CollectiveNode, FoldNode, NodeId, Order, ReduceNode, ScanNode, VoteNode } from "../ir/node.ts";
import type { Operator } from "../ir/operator.ts";
import type { Code } from "../kernel/build.ts";
import { binary, bool, cast, constant, type Expr, ne, select, u32, zeroOf } from "../kernel/expr.ts";
import { isLogical, OPS, type Op } from "../op.ts";
import type { Scalar } from "../scalar.ts";
import { isSimple } from "./elementwise.ts";
import { monoidOfOperator } from "./operator.ts";
import type { Values } from "./values.ts";

/** An associative operator on tuples of kernel values, with its identity. */
export interface Monoid {
  readonly types: readonly Scalar[];
  readonly identity: readonly Expr[];
  /**
   * `left` holds the earlier items. What is used more than once gets a name in the code. A result that is a name
   * is one that no one assigns to.
   */
  combine(code: Code, left: readonly Expr[], right: readonly Expr[]): Expr[];
  /** Values are combined in any order, with the identity anywhere: it gives the same bits, or the author leaves it open. */
  readonly exact: boolean;
  /** `combine(a, b)` and `combine(b, a)` have the same bits. */
  readonly commutative: boolean;
  /** It has a record of the author's: its values travel as words through arrays that they share. */
  readonly isRecord: boolean;
}

/** A collective that is a monoid over one operand or one record: a reduce, a scan, or a vote. */
export type MonoidCollective = ReduceNode | ScanNode | FoldNode | VoteNode;

export const isMonoid = (node: CollectiveNode): node is MonoidCollective => node.kind !== "broadcast";

/** A built-in operator on an element type. */
interface Builtin {
  readonly op: Op;
  readonly type: Scalar;
  /** Open only where it makes a difference. */
  readonly order: Order;
}

/** What a collective that is no fold combines with; votes are logical reduces of bools. */
function builtinOf(node: Exclude<MonoidCollective, FoldNode>): Builtin {
  if (node.kind === "all") return { op: "logical-and", type: "bool", order: "fixed" };
  if (node.kind === "any") return { op: "logical-or", type: "bool", order: "fixed" };
  const { op, type } = node;
  return { op, type, order: OPS[op].exactlyAssociative(type) ? "fixed" : node.order };
}

// On predicates that are exactly 0 or 1, the logical operators are the bitwise ones.
const BITWISE: Readonly<Partial<Record<Op, ArithmeticOp>>> = {
  "logical-and": "and",
  "logical-or": "or",
  "logical-xor": "xor",
};

/** @param order `any`: rounding may depend on the order */
export function monoidOf(op: Op, type: Scalar, order: Order = "fixed"): Monoid {
  const kernelOp = (BITWISE[op] ?? op) as ArithmeticOp;
  return {
    types: [type],
    identity: [constant(type, OPS[op].identity(type))],
    combine: (_, left, right) => [binary(kernelOp, left[0] as Expr, right[0] as Expr)],
    exact: order === "any" || OPS[op].exactlyAssociative(type),
    commutative: OPS[op].commutative,
    isRecord: false,
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
    combine: (code, left, right) =>
      parts.flatMap((part, i) =>
        part.combine(
          code,
          left.slice(...(slices[i] as [number, number])),
          right.slice(...(slices[i] as [number, number])),
        ),
      ),
    exact: parts.every((part) => part.exact),
    commutative: parts.every((part) => part.commutative),
    isRecord: parts.some((part) => part.isRecord),
  };
}

/** One operand, or one record, under one operator; several collectives may ask for its scan and its total. */
export interface Component {
  /** One value for each of the monoid's. */
  readonly of: readonly NodeId[];
  /** The operator's, for names in kernels. */
  readonly name: string;
  /** Undefined for an operator of the author. */
  readonly builtin: Builtin | undefined;
  readonly monoid: Monoid;
  readonly nodes: readonly MonoidCollective[];
}

/** Groups collectives that combine the same operands in the same way. */
export function componentsOf(
  nodes: readonly MonoidCollective[],
  operators: readonly Operator[] = [],
): Component[] {
  const found = new Map<string, Component & { readonly nodes: MonoidCollective[] }>();
  for (const node of nodes) {
    const builtin = node.kind === "fold" ? undefined : builtinOf(node);
    const operator = builtin
      ? `${builtin.op} ${builtin.type} ${builtin.order}`
      : `${(node as FoldNode).operator}`;
    const key = `${node.of} ${operator}`;
    const known = found.get(key) ?? newComponent(node, builtin, operators);
    known.nodes.push(node);
    found.set(key, known);
  }
  return [...found.values()];
}

function newComponent(
  node: MonoidCollective,
  builtin: Builtin | undefined,
  operators: readonly Operator[],
): Component & { readonly nodes: MonoidCollective[] } {
  if (builtin && node.kind !== "fold") {
    const { op, type, order } = builtin;
    const name = op.replace("-", "_");
    return { of: [node.of], name, builtin, monoid: monoidOf(op, type, order), nodes: [] };
  }
  const { operator: index, of } = node as FoldNode;
  const operator = operators[index] as Operator;
  return { of, name: operator.name, builtin, monoid: monoidOfOperator(operator), nodes: [] };
}

/** The operands as the component's operator takes them. */
export function operandsAt({ of, builtin }: Component, values: Values, code: Code): Expr[] {
  return of.map((id) => {
    const value = values.get(id, code);
    return builtin ? normalised(builtin.op, builtin.type, value) : value;
  });
}

/** Which of its component's values a collective gives. */
export const fieldOf = (node: MonoidCollective): number => (node.kind === "fold" ? node.field : 0);

/** Collectives of several components side by side, each with its place among the values of the product. */
export function placesOf(
  components: readonly Component[],
): { readonly node: MonoidCollective; readonly at: number }[] {
  let start = 0;
  return components.flatMap(({ nodes, monoid }) => {
    const first = start;
    start += monoid.types.length;
    return nodes.map((node) => ({ node, at: first + fieldOf(node) }));
  });
}

/** Results under names: several must not see one another's new values. One is used as it stands. */
export const settled = (code: Code, results: readonly Expr[], hint: string): readonly Expr[] =>
  results.length === 1
    ? results
    : results.map((result) => (isSimple(result) ? result : code.let(hint, result)));

/** A running prefix that may still be empty: joining with it must not touch the value's bits then. */
export interface Carry {
  readonly values: readonly Expr[];
  /** False while the prefix is empty; undefined where its values hold the identity of an exact monoid. */
  readonly present: Expr | undefined;
}

export function join(code: Code, monoid: Monoid, carry: Carry, value: readonly Expr[]): Expr[] {
  const joined = monoid.combine(code, carry.values, value);
  const present = carry.present;
  return present === undefined ? joined : joined.map((both, i) => select(present, both, value[i] as Expr));
}

export const nothing = (monoid: Monoid): Carry => ({
  values: monoid.exact ? monoid.identity : monoid.types.map(zeroOf),
  present: monoid.exact ? undefined : bool(false),
});
