import type { Operator, OperatorNode } from "../src/document/operator.ts";
import { BINARY, type BinaryOp, type UnaryOp } from "../src/tables/expr-op.ts";
import { encodeLiteral } from "../src/tables/literal.ts";
import type { Scalar, ScalarValue } from "../src/tables/scalar.ts";

type Draft = OperatorNode extends infer N ? (N extends unknown ? Omit<N, "id"> : never) : never;

/** A node under construction. */
export class Term {
  readonly id: number;
  readonly type: Scalar;
  private readonly nodes: OperatorNode[];

  constructor(nodes: OperatorNode[], type: Scalar, node: Draft) {
    this.id = nodes.length;
    this.type = type;
    this.nodes = nodes;
    nodes.push({ ...node, id: this.id } as OperatorNode);
  }
  const(value: ScalarValue, type: Scalar = this.type): Term {
    return new Term(this.nodes, type, { kind: "const", type, value: encodeLiteral(type, value) });
  }
  op(op: BinaryOp, right: Term | ScalarValue): Term {
    const other = right instanceof Term ? right : this.const(right);
    const type = BINARY[op].compares ? "bool" : this.type;
    return new Term(this.nodes, type, { kind: "binary", op, left: this.id, right: other.id });
  }
  unary(op: UnaryOp): Term {
    return new Term(this.nodes, this.type, { kind: "unary", op, of: this.id });
  }
  to(to: Scalar): Term {
    return new Term(this.nodes, to, { kind: "cast", to, of: this.id });
  }
  as(to: Scalar): Term {
    return new Term(this.nodes, to, { kind: "bitcast", to, of: this.id });
  }
  select(then: Term, otherwise: Term): Term {
    return new Term(this.nodes, then.type, {
      kind: "select",
      condition: this.id,
      then: then.id,
      otherwise: otherwise.id,
    });
  }
}

/** An operator out of a function of the fields of both sides. */
export function operatorOf<F extends Readonly<Record<string, Scalar>>>(
  name: string,
  fields: F,
  identity: Readonly<Record<keyof F, ScalarValue>>,
  combine: (
    a: Readonly<Record<keyof F, Term>>,
    b: Readonly<Record<keyof F, Term>>,
  ) => Readonly<Record<keyof F, Term>>,
  commutative: boolean = false,
): Operator {
  const nodes: OperatorNode[] = [];
  const names = Object.keys(fields) as (keyof F & string)[];
  const side = (kind: "left" | "right"): Readonly<Record<keyof F, Term>> =>
    Object.fromEntries(
      names.map((field, i) => [field, new Term(nodes, fields[field] as Scalar, { kind, field: i })]),
    ) as Record<keyof F, Term>;
  const result = combine(side("left"), side("right"));
  return {
    name,
    fields: names.map((field) => {
      const type = fields[field] as Scalar;
      return { name: field, type, identity: encodeLiteral(type, identity[field]) };
    }),
    commutative,
    nodes,
    results: names.map((field) => result[field].id),
  };
}

/** An operator of one field. */
export function scalarOperator(
  name: string,
  type: Scalar,
  identity: ScalarValue,
  combine: (a: Term, b: Term) => Term,
  commutative: boolean = false,
): Operator {
  return operatorOf(name, { x: type }, { x: identity }, (a, b) => ({ x: combine(a.x, b.x) }), commutative);
}
