/** Routines for the guard of rounded results: calls with opaque arguments and results. */
import type { Expr, VarExpr } from "../../kernel/expr.ts";
import { add } from "../../kernel/make-expr.ts";
import { isRoutine, partsOfBlock, type Routine, readBy } from "../../kernel/routines.ts";
import type { Stmt } from "../../kernel/stmt.ts";
import { mapStmt } from "../../kernel/walk.ts";
import { isShort } from "../base/short.ts";

/** No name has a space in it. */
const ARGUMENT = "an argument";

/** The statements with calls in place of routines: every float that one reads is an operand, every float that it returns is computed. */
export function withCalls(block: readonly Stmt[]): readonly Stmt[] {
  return partsOfBlock(block).flatMap((part) =>
    isRoutine(part) ? standIns(part) : [mapStmt(part, (e: Expr) => e, withCalls)],
  );
}

function standIns(routine: Routine): readonly Stmt[] {
  const reads = readBy(routine).filter(isShort);
  const sum = (e: VarExpr): Expr => add(e, e);
  const read = reads.map((e): Stmt => ({ kind: "let", name: ARGUMENT, value: sum(e) }));
  const given = routine.results
    .filter(isShort)
    .map((e): Stmt => ({ kind: "let", name: e.name, value: sum(e) }));
  return [...read, ...given];
}
