/** Prints kernels that do nothing past a bound with an early return. */
import type { BinaryOp } from "@groupwise/ir/tables/expr-op.js";
import { isInteger } from "@groupwise/ir/tables/op.js";
import type { Expr } from "../language/expr.ts";
import { binary } from "../language/make-expr.ts";
import type { Stmt } from "../language/stmt.ts";

const OPPOSITE: Readonly<Partial<Record<BinaryOp, BinaryOp>>> = { lt: "ge", le: "gt", gt: "le", ge: "lt" };

/** The negation of a comparison of integers; undefined for other conditions. */
function opposite(e: Expr): Expr | undefined {
  if (e.kind !== "binary" || !isInteger(e.left.type)) return undefined;
  const op = OPPOSITE[e.op];
  return op && binary(op, e.left, e.right);
}

/** The statements of a kernel with an early return in place of a last `if` around the remaining statements. */
export function withGuardClause(body: readonly Stmt[]): readonly Stmt[] {
  const last = body.at(-1);
  if (last?.kind !== "if" || last.otherwise.length > 0) return body;
  const condition = opposite(last.condition);
  if (!condition) return body;
  const clause: Stmt = { ...last, condition, then: [{ kind: "return", values: [] }] };
  return [...body.slice(0, -1), clause, ...last.then];
}
