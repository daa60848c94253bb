/**
 * Segmented operators beside a count of the first items of segments, as in a reduction by key: whether a block of items has a first
 * item follows from their number, so that one record of a count and values does what a count, a flag and values would.
 */
import type { MonoidCollective, NodeId, Pipeline, PipelineNode } from "@groupwise/ir/document/node.js";
import type { Operator } from "@groupwise/ir/document/operator.js";
import type { Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { add, ne, u32 } from "@groupwise/kernel/language/make-expr.js";
import type { Component } from "../parts/components.ts";
import type { Monoid } from "../parts/monoid.ts";
import { hasFlag } from "../parts/segmented.ts";

type Document = Pick<Pipeline, "nodes" | "operators">;

/** The components, with a count and a segmented operator of the same condition as one. */
export function withCountedSegments(
  components: readonly Component[],
  document: Document,
): readonly Component[] {
  for (const count of components) {
    const condition = countedBy(count, document);
    const isFlagged = ({ of, nodes }: Component): boolean =>
      of[0] === condition && nodes.every((node) => hasValue(node, document));
    const segmented = condition === undefined ? undefined : components.find(isFlagged);
    if (!segmented) continue;
    const merged: Component = {
      ...segmented,
      of: [...count.of, ...segmented.of.slice(1)],
      monoid: counting(segmented.monoid),
      nodes: [...count.nodes, ...segmented.nodes],
    };
    return components.flatMap((one) => (one === count ? [] : one === segmented ? [merged] : [one]));
  }
  return components;
}

const operatorOf = (node: MonoidCollective, { operators = [] }: Document): Operator | undefined =>
  node.kind === "user-collective" ? operators[node.operator] : undefined;

/** The condition that a component counts. */
function countedBy({ builtin, of }: Component, { nodes }: Document): NodeId | undefined {
  const node = nodes[of[0] as NodeId] as PipelineNode;
  if (builtin?.op !== "add" || builtin.type !== "u32" || node.kind !== "cast" || node.to !== "u32")
    return undefined;
  return node.of;
}

/** Whether a collective is a value of a segmented operator, and not its flag. */
function hasValue(node: MonoidCollective, document: Document): boolean {
  const operator = operatorOf(node, document);
  return operator !== undefined && hasFlag(operator) && node.kind === "user-collective" && node.field !== 0;
}

/** The monoid with a count instead of its first field. A count of 2^32 is that of a whole range, which nothing precedes. */
function counting(monoid: Monoid): Monoid {
  const identity = [u32(0), ...monoid.identity.slice(1)];
  const { isFlagged, ...unflagged } = monoid;
  return {
    ...unflagged,
    types: ["u32", ...monoid.types.slice(1)],
    identity,
    ...(monoid.neutral && { neutral: identity }),
    combine: (code, left, right) => {
      const flagged = (side: readonly Expr[]): Expr[] => [has(code, side), ...side.slice(1)];
      const [, ...values] = monoid.combine(code, flagged(left), flagged(right));
      return [add(left[0] as Expr, right[0] as Expr), ...values];
    },
  };
}

const has = (code: Code, [count]: readonly Expr[]): Expr => code.let("starts", ne(count as Expr, 0));
