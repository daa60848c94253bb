/** Collectives that share one pass: the values of a monoid. */
import type { MonoidCollective, NodeId, UserCollectiveNode } from "@groupwise/ir/document/node.js";
import type { Operator } from "@groupwise/ir/document/operator.js";
import type { Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { type BuiltinOperator, builtinOf, type Monoid, newComponent, normalised, product } from "./monoid.ts";
import type { SiteValues } from "./values.ts";

/** One operand or record with one operator; several collectives may use its scan and its total. */
export interface Component {
  /** One operand for each value of the monoid. */
  readonly of: readonly NodeId[];
  /** The operator's name, for names in kernels. */
  readonly name: string;
  /** Undefined for a user-defined operator. */
  readonly builtin: BuiltinOperator | undefined;
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
    const builtin = builtinOf(node);
    const operator = builtin
      ? `${builtin.op} ${builtin.type} ${builtin.order}`
      : `${(node as UserCollectiveNode).operator}`;
    const key = `${node.of} ${operator}`;
    const known = found.get(key) ?? newComponent(node, builtin, operators);
    known.nodes.push(node);
    found.set(key, known);
  }
  return [...found.values()];
}

/** Components side by side, so that they share loops and barriers. */
export const productOf = (components: readonly Component[]): Monoid =>
  product(
    components.map(({ monoid }) => monoid),
    components.map(({ name }) => name.replace("logical_", "")),
  );

/** The operands in the form that the component's operator takes. */
export function operandsAt({ of, builtin }: Component, values: SiteValues, code: Code): Expr[] {
  return of.map((id) => {
    const value = values.get(id, code);
    return builtin ? normalised(builtin.op, builtin.type, value) : value;
  });
}

/** The index of a collective's result among its component's values. */
export const fieldOf = (node: MonoidCollective): number => (node.kind === "user-collective" ? node.field : 0);

/** The collectives of several components, each with its index among the values of the product. */
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
