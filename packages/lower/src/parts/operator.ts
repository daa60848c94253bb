/** A user-defined operator as a monoid: its nodes become expressions at each combine of two records. */
import { hintOf, Names } from "@groupwise/ir/base/names.js";
import type { NodeId } from "@groupwise/ir/document/node.js";
import { operandsOf } from "@groupwise/ir/document/operands.js";
import { type Operator, type OperatorNode, typesOfOperator } from "@groupwise/ir/document/operator.js";
import type { Scalar } from "@groupwise/ir/tables/scalar.js";
import { Code } from "@groupwise/kernel/language/build.js";
import type { ConstExpr, Expr, VarExpr } from "@groupwise/kernel/language/expr.js";
import { fold } from "@groupwise/kernel/language/fold-expr.js";
import { elementwise, staysInline } from "@groupwise/kernel/library/functions/elementwise.js";
import { hintFor } from "./hints.ts";
import { isLasts, movedByOne } from "./lasts.ts";
import type { Monoid } from "./monoid.ts";
import { hasFlag, opsInSegments } from "./segmented.ts";

export function monoidOfOperator(operator: Operator): Monoid {
  const { fields } = operator;
  const identity = identityExprs(operator);
  const [reassociable, ops] = [isExactOperator(operator), opsInSegments(operator)];
  return {
    types: fields.map(({ type }) => type),
    ...(fields.length > 1 && { fields: fields.map(({ name }) => hintOf(name)) }),
    identity,
    ...((reassociable || isNeutral(operator)) && { neutral: identity }),
    combine: isLasts(operator) ? lastsCombine(operator) : combineOf(operator),
    // Only what the nodes show: laws that hold only up to rounding, and wrong claims, must not lead to different results on two devices.
    reassociable,
    commutative: false,
    ...(hasFlag(operator) && { isFlagged: true }),
    ...(ops && { opsInSegments: ops }),
    isRecord: fields.length > 1,
  };
}

function combineOf(operator: Operator): Monoid["combine"] {
  const { results, fields } = operator;
  const ends = new Map(
    fields.map(({ name }, i) => [results[i], fields.length > 1 ? hintOf(`both_${name}`) : "both"]),
  );
  const { needed, uses } = usesOf(operator);
  const written = (code: Code, left: readonly Expr[], right: readonly Expr[]): Expr[] => {
    const values = new Map<NodeId, Expr>();
    const get = (id: NodeId): Expr => values.get(id) as Expr;
    for (const node of needed) {
      const value =
        node.kind === "left" || node.kind === "right"
          ? ((node.kind === "left" ? left : right)[node.field] as Expr)
          : elementwise(node, get, code);
      // Nodes with several uses get names; otherwise shared subexpressions would be repeated.
      const inline = staysInline(value, uses.get(node.id));
      values.set(
        node.id,
        inline ? value : code.let(ends.get(node.id) ?? hintOfNode(node, value.type), value),
      );
    }
    return results.map((id) => unassigned(code, get(id), left, right));
  };
  return countOf(needed) < LEAST ? written : asRoutine(operator, written);
}

/** A result. An operand that is itself a result may be a variable that is assigned next. */
function unassigned(code: Code, value: Expr, left: readonly Expr[], right: readonly Expr[]): Expr {
  const isOperand = left.includes(value) || right.includes(value);
  return isOperand && value.kind === "var" ? code.let("same", value) : value;
}

/** One more item needs no comparison. */
function lastsCombine(operator: Operator): Monoid["combine"] {
  const [items] = operator.results as [NodeId];
  const [both, counted] = [combineOf(operator), combineOf({ ...operator, results: [items] })];
  return (code, left, right) => {
    const moved = movedByOne(operator, left, right);
    if (!moved) return both(code, left, right);
    return [...counted(code, left, right), ...moved.map((value) => unassigned(code, value, left, right))];
  };
}

/** Whether the nodes of an operator show that values may be combined in any grouping, with identities anywhere, with the same bits. */
export const isExactOperator = (operator: Operator): boolean =>
  opsInSegments(operator) !== undefined || isLasts(operator);

/** The fewest operations of an operator that is a function of its own, where it is used more than once. Measured in docs/decisions/operators.md. */
const LEAST = 6;

const countOf = (nodes: readonly OperatorNode[]): number =>
  nodes.filter(({ kind }) => kind !== "left" && kind !== "right" && kind !== "const").length;

/** The operator as a function, for languages with routines. */
function asRoutine({ name, fields }: Operator, written: Monoid["combine"]): Monoid["combine"] {
  const title = hintOf(`combine_${name}`);
  const doc = "Two values combined; those on the left are of earlier items.";
  const names = new Names();
  const hints = ["left", "right"].flatMap((side) =>
    fields.map((field) => names.fresh(hintOf(`${side}_${field.name}`))),
  );
  const ends = fields.map((field) => names.fresh(hintOf(field.name)));
  return (code, left, right) => {
    const given = [...left, ...right].map((value, i) => [hints[i], [value]] as const);
    const heading = { title, doc, returns: "both", isBare: true };
    const results = code.routine(heading, Object.fromEntries(given), (args) => {
      const values = Object.values<readonly Expr[]>(args).flat();
      const both = written(code, values.slice(0, fields.length), values.slice(fields.length));
      return Object.fromEntries(both.map((value, i) => [ends[i] as string, [value]]));
    });
    return Object.values<readonly Expr[]>(results).flat();
  };
}

const hintOfNode = (node: OperatorNode, type: Scalar): string =>
  node.kind === "left" || node.kind === "right" ? node.kind : hintFor(node, type).replace(/_i$/, "");

/** The nodes that the results depend on, in order, with the number of uses of each. */
function usesOf({ nodes, results }: Operator): {
  needed: readonly OperatorNode[];
  uses: ReadonlyMap<NodeId, number>;
} {
  const uses = new Map<NodeId, number>();
  const use = (id: NodeId): void => void uses.set(id, (uses.get(id) ?? 0) + 1);
  results.forEach(use);
  for (const node of [...nodes].reverse()) {
    if (!uses.has(node.id) || node.kind === "left" || node.kind === "right") continue;
    operandsOf(node).forEach(use);
  }
  return { needed: nodes.filter(({ id }) => uses.has(id)), uses };
}

/*
 * Whether an operator's identity is neutral, by folding constants: a claim of the author does not suffice, because a wrong one would change bits.
 */

/** The fields of the identity. */
const identityExprs = ({ fields }: Operator): readonly ConstExpr[] =>
  fields.map(({ type, identity }) => ({ kind: "const", type, value: identity }));

/**
 * True if the identity, combined with any record to its right, is shown to be that record, bit for bit. This is so for operators of
 * integers, such as affine maps. Floats are added to -0 and multiplied by NaN, so an affine map of floats changes by its identity.
 */
export function isNeutral(operator: Operator): boolean {
  const { fields, nodes, results } = operator;
  const types = typesOfOperator(operator);
  const left = identityExprs(operator);
  const right = fields.map(({ type }, i): VarExpr => ({ kind: "var", name: `right_${i}`, type }));
  const values = new Map<NodeId, Expr>();
  const code = new Code(new Names());
  for (const node of nodes) values.set(node.id, foldedValue(node, { left, right, values, types, code }));
  return results.every((id, i) => values.get(id) === right[i]);
}

interface Known {
  readonly left: readonly ConstExpr[];
  readonly right: readonly VarExpr[];
  readonly values: ReadonlyMap<NodeId, Expr>;
  readonly types: readonly Scalar[];
  /** Nothing is added to it: only functions declare names. */
  readonly code: Code;
}

/** A constant or a field on the right; any other value is a name, so that no expression grows. */
function foldedValue(node: OperatorNode, { left, right, values, types, code }: Known): Expr {
  if (node.kind === "left") return left[node.field] as Expr;
  if (node.kind === "right") return right[node.field] as Expr;
  const unknown: VarExpr = { kind: "var", name: `node_${node.id}`, type: types[node.id] as Scalar };
  if (node.kind === "function") return unknown;
  const value = fold(elementwise(node, (id) => values.get(id) as Expr, code));
  return value.kind === "const" || value.kind === "var" ? value : unknown;
}
