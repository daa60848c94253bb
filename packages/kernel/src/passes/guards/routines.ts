/** Routines for the guard of rounded results: calls with opaque arguments and results. */
import type { Expr, VarExpr } from "../../language/expr.ts";
import { add } from "../../language/make-expr.ts";
import { partsOf } from "../../language/map-expr.ts";
import { isRoutine, partsOfBlock, type Routine, readBy } from "../../language/routines.ts";
import type { Stmt } from "../../language/stmt.ts";
import { exprsOf, mapBlocks, walk } from "../../language/walk.ts";
import { isShort } from "../base/short.ts";
import { isRounding, widens } from "./flow.ts";
import { sumOfHalves } from "./half-sums.ts";

/** No name has a space in it. */
const ARGUMENT = "an argument";

/**
 * The statements with calls in place of routines: every float that one reads is an operand, every float that it returns is computed.
 * @param passed to which the floats are added that routines read. Those that only sums of halves read are guarded where they are assigned,
 * so that equal routines stay equal
 */
export function withCalls(block: readonly Stmt[], passed: Set<string>): readonly Stmt[] {
  const inner = (stmts: readonly Stmt[]): readonly Stmt[] => withCalls(stmts, passed);
  return partsOfBlock(block).flatMap((part) => {
    if (!isRoutine(part)) return [mapBlocks(part, inner)];
    const read = readBy(part).filter(isShort);
    for (const { name } of read) passed.add(name);
    return standIns(part, read);
  });
}

/** Whether an expression has an operation that rounds, other than a sum of halves. @param sum of halves, which is rounded around it */
const computes = (e: Expr, sum?: Expr): boolean =>
  (isRounding(e) && e !== sum) ||
  widens(e) ||
  partsOf(e).some((part) => computes(part, sumOfHalves(e) ?? sum));

function standIns({ body, results }: Routine, read: readonly VarExpr[]): readonly Stmt[] {
  const isComputing = walk(body).some((stmt) => exprsOf(stmt).some((e) => computes(e)));
  const sum = (e: VarExpr): Expr => add(e, e);
  const args = (isComputing ? read : []).map((e): Stmt => ({ kind: "let", name: ARGUMENT, value: sum(e) }));
  const given = results.map((e): Stmt => ({ kind: "let", name: e.name, value: sum(e) }));
  return [...args, ...given];
}
