/** Element-wise nodes as expressions, of pipelines and of their operators. */
import type { BinaryNode, BitcastNode, CastNode, ConstNode, SelectNode, UnaryNode } from "../ir/node.ts";
import { binary, bitcast, cast, type Expr, select, unary } from "../kernel/expr.ts";

/** A node that is made of others' values alone. */
export type ElementwiseNode = ConstNode | UnaryNode | BinaryNode | SelectNode | CastNode | BitcastNode;

/** The node's value, out of those of the nodes that it uses. */
export function elementwise(node: ElementwiseNode, get: (id: number) => Expr): Expr {
  switch (node.kind) {
    case "const":
      return { kind: "const", type: node.type, value: node.value };
    case "unary":
      return unary(node.op, get(node.of));
    case "binary":
      return binary(node.op, get(node.left), get(node.right));
    case "select":
      return select(get(node.condition), get(node.then), get(node.otherwise));
    case "cast":
      return cast(node.to, get(node.of));
    case "bitcast":
      return bitcast(node.to, get(node.of));
  }
}

/** True for what can be written wherever it is used: a constant, a name. */
export const isSimple = ({ kind }: Expr): boolean => ["const", "param", "var", "part"].includes(kind);

/** True where a value should stand in its place rather than get a name. */
export const staysInline = (value: Expr, uses: number | undefined): boolean =>
  isSimple(value) || (uses === 1 && sizeOf(value) <= 3);

function sizeOf(expr: Expr): number {
  switch (expr.kind) {
    case "const":
    case "var":
    case "param":
      return 1;
    case "unary":
    case "cast":
    case "bitcast":
      return 1 + sizeOf(expr.of);
    case "binary":
      return sizeOf(expr.left) + sizeOf(expr.right);
    default:
      return 9;
  }
}
