/** Element-wise nodes of pipelines and operators as expressions. */
import type { FunctionNode } from "@groupwise/ir/document/node.js";
import type { LeftNode, OperatorNode, RightNode } from "@groupwise/ir/document/operator.js";
import { FUNCTION_ROWS } from "@groupwise/ir/functions/functions.js";
import { resolved } from "@groupwise/ir/functions/spec.js";
import type { Code } from "../../language/build.ts";
import type { Expr } from "../../language/expr.ts";
import { fold, isConst, valueFrom } from "../../language/fold-expr.ts";
import { binary, bitcast, cast, constant, isSimple, select, unary } from "../../language/make-expr.ts";
import { partsOf } from "../../language/map-expr.ts";
import { applied } from "./apply.ts";

/** A node that depends only on the values of other nodes; operators have no others but their operands. */
export type ElementwiseNode = Exclude<OperatorNode, LeftNode | RightNode>;

/**
 * The node's value, from those of its operands; names are declared in `code`. The value of constants is a constant, because compilers may
 * flush those that are subnormal.
 */
export function elementwise(node: ElementwiseNode, get: (id: number) => Expr, code: Code): Expr {
  if (node.kind === "function") return functionOf(node, node.of.map(get), code);
  const value = operation(node, get);
  return partsOf(value).every(isConst) ? fold(value) : value;
}

function functionOf(node: FunctionNode, operands: readonly Expr[], code: Code): Expr {
  if (node.fast || !operands.every(isConst)) return applied(code, node, operands);
  const { type } = operands[0] as Expr;
  const { result, apply } = FUNCTION_ROWS[node.op];
  return constant(resolved(result, type), apply(type, operands.map(valueFrom)));
}

function operation(node: Exclude<ElementwiseNode, FunctionNode>, get: (id: number) => Expr): Expr {
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

/** True if a value should be inlined instead of named. */
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
