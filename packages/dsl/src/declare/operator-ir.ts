/** Operators in the form of documents: from expressions, from built-in operators, lifted to segments. */
import type { NodeId, Op, Operator, PipelineNode, Scalar } from "@groupwise/core";
import {
  ELEMENTWISE,
  encodeLiteral,
  errorOf,
  mapOperands,
  NodeList,
  type NodeWithout,
  normalises,
  OPS,
  type OperatorField,
  type OperatorNode,
  typesOfOperator,
} from "@groupwise/core/target";
import { liveOf } from "./document.ts";
import { DeclaredExpr, type Owner, type Template } from "./expr.ts";

/** Fields of one side of an operator, as values. */
export function sideOf(
  fields: readonly OperatorField[],
  side: "left" | "right",
  owner: Owner,
): DeclaredExpr[] {
  return fields.map(
    ({ type }, field) => new DeclaredExpr(type, sideTemplate(side, field, type), [], undefined, { owner }),
  );
}

// The builder represents a field of a side as a parameter. Its name contains a space, so no author's parameter has it.
const sideTemplate = (side: string, field: number, type: Scalar): Template => ({
  kind: "param",
  name: `${side} ${field}`,
  type,
});

const ALLOWED: ReadonlySet<string> = /*@__PURE__*/ new Set<string>([...ELEMENTWISE, "const"]);

/**
 * The nodes that results depend on, without duplicates. @param places whether nodes record source
 * locations
 */
export function graphOf(
  name: string,
  results: readonly DeclaredExpr[],
  at: string | undefined,
): Pick<Operator, "nodes" | "results"> {
  const list = new NodeList<OperatorNode>();
  const ids = new Map<DeclaredExpr, NodeId>();
  for (const expr of liveOf(results)) {
    const body = nodeOf(
      name,
      expr,
      (position) => ids.get(expr.operands[position] as DeclaredExpr) as NodeId,
      at,
    );
    ids.set(expr, list.once(body, expr.place));
  }
  return {
    nodes: Object.freeze(list.nodes),
    results: Object.freeze(results.map((expr) => ids.get(expr) as NodeId)),
  };
}

type Body = NodeWithout<OperatorNode, "id" | "at">;

function nodeOf(
  name: string,
  expr: DeclaredExpr,
  link: (id: NodeId) => NodeId,
  at: string | undefined,
): Body {
  const { template } = expr;
  if (template.kind === "param") {
    const [kind, field] = template.name.split(" ");
    return { kind, field: Number(field) } as Body;
  }
  if (ALLOWED.has(template.kind)) return mapOperands(template, link) as Body;
  const reason = `it must not contain a ${template.kind}`;
  throw errorOf("bad-operator", { name, reason }, expr.place ?? at);
}

/** Applies an operator to two records of values of a pipeline. */
export function instantiate(
  operator: Operator,
  left: readonly DeclaredExpr[],
  right: readonly DeclaredExpr[],
  at: string | undefined,
): DeclaredExpr[] {
  const types = typesOfOperator(operator);
  const exprs: DeclaredExpr[] = [];
  for (const node of operator.nodes) {
    if (node.kind === "left" || node.kind === "right") {
      exprs.push((node.kind === "left" ? left : right)[node.field] as DeclaredExpr);
      continue;
    }
    const { id, at: _, ...rest } = node;
    const operands: DeclaredExpr[] = [];
    const template = mapOperands(rest as Template, (used) => operands.push(exprs[used] as DeclaredExpr) - 1);
    exprs.push(new DeclaredExpr(types[id] as Scalar, template, operands, at));
  }
  return operator.results.map((id) => exprs[id] as DeclaredExpr);
}

/** A built-in operator as a user-defined one; predicates must be exactly 0 or 1. */
export function builtinOperator(op: Op, type: Scalar): Operator {
  return {
    name: op.replace("-", "_"),
    fields: [{ name: "value", type, identity: encodeLiteral(type, OPS[op].identity(type)) }],
    commutative: OPS[op].commutative,
    nodes: [
      { id: 0, kind: "left", field: 0 },
      { id: 1, kind: "right", field: 0 },
      { id: 2, kind: "binary", op: OPS[op].elementwise, left: 0, right: 1 },
    ],
    results: [2],
  };
}

/** A predicate as exactly 0 or 1, for logical operators; other values unchanged. */
export function normalised(op: Op, value: DeclaredExpr, at: string | undefined): DeclaredExpr {
  if (!normalises(op, value.type)) return value;
  const truth = new DeclaredExpr("bool", { kind: "cast", to: "bool", of: 0 }, [value], at);
  return new DeclaredExpr(value.type, { kind: "cast", to: value.type, of: 0 }, [truth], at);
}

/**
 * The operator on (starts, record): values before an item that starts a segment are dropped. It is
 * associative if the operator is (Blelloch, "Prefix sums and their applications", 1.5), and not commutative.
 */
export function lifted(operator: Operator): Operator {
  const { name, fields, nodes, results } = operator;
  const list = new NodeList<OperatorNode>();
  const [left, right] = [list.once({ kind: "left", field: 0 }), list.once({ kind: "right", field: 0 })];
  const moved: NodeId[] = [];
  for (const { id: _, at: __, ...node } of nodes) {
    const isSide = node.kind === "left" || node.kind === "right";
    const own = isSide ? { ...node, field: node.field + 1 } : mapOperands(node, (id) => moved[id] as NodeId);
    moved.push(list.once(own));
  }
  const starts = list.binary("or", left, right);
  const values = fields.map((_, field) => {
    const own = list.once({ kind: "right", field: field + 1 });
    return list.select(right, own, moved[results[field] as NodeId] as NodeId);
  });
  return {
    name: `segmented_${name}`.slice(0, 64).replace(/_$/, ""),
    fields: [
      { name: "starts", type: "bool", identity: false },
      ...fields.map((field, i) => {
        const longer = `of.${field.name}`;
        return { ...field, name: longer.length > 64 ? `of_${i}` : longer };
      }),
    ],
    commutative: false,
    nodes: list.nodes,
    results: [starts, ...values],
  };
}

/** The fields of a collective with a user-defined operator, one expression each. */
export function userCollectives(
  operator: Operator,
  form: (PipelineNode & { kind: "user-collective" })["form"],
  scope: "device" | "work-group",
  operands: readonly DeclaredExpr[],
  at: string | undefined,
): DeclaredExpr[] {
  const of = operands.map((_, position) => position);
  return operator.fields.map(({ type }, field) => {
    // The document assigns the operator's index in the list.
    const template: Template = { kind: "user-collective", form, operator: 0, field, scope, of };
    return new DeclaredExpr(type, template, operands, at, { operator });
  });
}
