/** The rules of an operator: its nodes have the same rules as those of pipelines. */
import type { ErrorCode, ErrorDetails } from "../base/errors.ts";
import { decodeLiteral } from "../tables/literal.ts";
import { isScalar, SCALAR_NAMES, type Scalar } from "../tables/scalar.ts";
import type { PipelineNode, UserCollectiveNode } from "./node.ts";
import { operandsOf } from "./operands.ts";
import { OPERATOR_LIMITS, type Operator, type OperatorNode, type OperatorNodeKind } from "./operator.ts";

/** The parts of the pipeline checker that the rules of operators use. */
interface OperatorRules {
  readonly types: Scalar[];
  report<C extends ErrorCode>(code: C, details: ErrorDetails<C>, where: string): void;
  place(node: PipelineNode): string;
  isName(name: string): boolean;
  /** The type of an element-wise node, whose rules are checked. */
  rule(node: PipelineNode): Scalar;
}

const KINDS: Readonly<Record<OperatorNodeKind, true>> = {
  left: true,
  right: true,
  const: true,
  unary: true,
  binary: true,
  function: true,
  select: true,
  cast: true,
  bitcast: true,
};

/** Reports every rule that an operator violates. @param where its place in the document */
export function checkOperator(operator: Operator, where: string, rules: OperatorRules): void {
  const { name, fields, nodes, results } = operator;
  const size = (what: string, got: number, limit: number): boolean => {
    if (got <= limit) return true;
    rules.report("too-large", { what: `${what} of an operator`, got, limit }, where);
    return false;
  };
  if (!rules.isName(name)) rules.report("bad-name", { name, what: "an operator" }, where);
  if (fields.length === 0) rules.report("bad-operator", { name, reason: "it has no field" }, where);
  if (!size("fields", fields.length, OPERATOR_LIMITS.fields)) return;
  if (!size("nodes", nodes.length, OPERATOR_LIMITS.nodes)) return;
  fieldsOf(operator, where, rules);
  nodes.forEach((node, position) => {
    rules.types[position] = "u32";
    rules.types[position] = nodeOf(operator, node, position, where, rules);
  });
  if (results.length !== fields.length) {
    const want = `${fields.length} node(s), one per field`;
    rules.report("type-mismatch", { what: `the results of ${name}`, want, got: `${results.length}` }, where);
  }
  results.forEach((id, index) => {
    const field = fields[index];
    if (!Number.isSafeInteger(id) || id < 0 || id >= nodes.length) {
      rules.report("forward-reference", { from: nodes.length, to: id }, `${where}.results[${index}]`);
    } else if (field && isScalar(field.type) && rules.types[id] !== field.type) {
      const what = `the field ${field.name} of the result`;
      const got = rules.types[id] as Scalar;
      const node = nodes[id] as PipelineNode;
      rules.report("type-mismatch", { what, want: field.type, got }, rules.place(node));
    }
  });
}

function fieldsOf({ fields }: Operator, where: string, rules: OperatorRules): void {
  const seen = new Set<string>();
  fields.forEach(({ name, type, identity }, index) => {
    const place = `${where}.fields[${index}]`;
    if (!name.split(".").every((part) => rules.isName(part)) || !rules.isName(name.replaceAll(".", "_")))
      rules.report("bad-name", { name, what: "a field of an operator" }, place);
    else if (seen.has(name)) rules.report("duplicate-name", { name }, place);
    seen.add(name);
    if (!isScalar(type)) rules.report("unknown-type", { type, known: SCALAR_NAMES }, place);
    else if (decodeLiteral(type, identity) === undefined)
      rules.report("bad-literal", { type, got: identity }, place);
  });
}

function nodeOf(
  { name, fields }: Operator,
  node: OperatorNode,
  position: number,
  where: string,
  rules: OperatorRules,
): Scalar {
  if (node.id !== position)
    rules.report("bad-node-id", { got: node.id, want: position }, `${where}.nodes[${position}]`);
  if (!Object.hasOwn(KINDS, node.kind)) {
    const reason = `a node of the kind ${String((node as { kind: unknown }).kind)} cannot be used in it`;
    rules.report("bad-operator", { name, reason }, `${where}.nodes[${position}]`);
    return "u32";
  }
  if (node.kind === "left" || node.kind === "right") {
    const type = fields[node.field]?.type;
    if (type !== undefined) return isScalar(type) ? type : "u32";
    const details = { operator: name, got: node.field, fields: fields.map((field) => field.name) };
    rules.report("unknown-field", details, rules.place(node as unknown as PipelineNode));
    return "u32";
  }
  for (const id of operandsOf(node)) {
    if (Number.isSafeInteger(id) && id >= 0 && id < position) continue;
    rules.report("forward-reference", { from: position, to: id }, rules.place(node));
    return "u32";
  }
  return rules.rule(node);
}

/** Reports every rule that a fold violates; returns its type. */
export function checkUserCollective(
  node: UserCollectiveNode,
  operators: readonly Operator[],
  rules: OperatorRules,
): Scalar {
  const place = rules.place(node);
  const operator = operators[node.operator];
  if (!operator) {
    rules.report("unknown-operator", { got: node.operator, count: operators.length }, place);
    return "u32";
  }
  const { name, fields } = operator;
  if (node.of.length !== fields.length) {
    const want = `${fields.length} value(s), one per field`;
    const what = `the operand of ${node.form} ${name}`;
    rules.report("type-mismatch", { what, want, got: `${node.of.length}` }, place);
  }
  node.of.forEach((id, index) => {
    const field = fields[index];
    const got = rules.types[id] as Scalar;
    const what = `the field ${field?.name} of ${node.form} ${name}`;
    if (field && field.type !== got) rules.report("type-mismatch", { what, want: field.type, got }, place);
  });
  const type = fields[node.field]?.type;
  if (isScalar(type)) return type;
  const names = fields.map((field) => field.name);
  rules.report("unknown-field", { operator: name, got: node.field, fields: names }, place);
  return "u32";
}
