/** Routines for the guard of rounded results: calls with opaque arguments and results. */
import type { Expr, VarExpr } from "../../language/expr.ts";
import { add } from "../../language/make-expr.ts";
import { isRoutine, partsOfBlock, type Routine, readBy } from "../../language/routines.ts";
import type { Stmt } from "../../language/stmt.ts";
import { allExprs, mapStmt, walk } from "../../language/walk.ts";
import { isShort } from "../base/short.ts";
import { isRounding, widens } from "./flow.ts";
import { sumOfHalves } from "./half-sums.ts";

/** No name has a space in it. */
const ARGUMENT = "an argument";

/** The statements with calls in place of routines: every float that one reads is an operand, every float that it returns is computed. */
export function withCalls(block: readonly Stmt[]): readonly Stmt[] {
  if (!walk(block).some(({ kind }) => kind === "routine")) return block;
  return partsOfBlock(block).flatMap((part) =>
    isRoutine(part) ? standIns(part) : [mapStmt(part, (e: Expr) => e, withCalls)],
  );
}

/** The floats that routines of a block read. Those that only sums of halves read are guarded where they are assigned, so that equal routines stay equal. */
export function passedTo(block: readonly Stmt[]): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (inner: readonly Stmt[]): readonly Stmt[] => {
    for (const part of partsOfBlock(inner))
      if (!isRoutine(part)) mapStmt(part, (e) => e, visit);
      else for (const e of readBy(part)) if (isShort(e)) names.add(e.name);
    return inner;
  };
  visit(block);
  return names;
}

/** Whether a routine has an operation that rounds, other than sums of halves. */
function computes({ body }: Routine): boolean {
  const exprs = [...allExprs(body)];
  const sums = new Set<Expr | undefined>(exprs.map(sumOfHalves));
  return exprs.some((e) => (isRounding(e) && !sums.has(e)) || widens(e));
}

function standIns(routine: Routine): readonly Stmt[] {
  const reads = computes(routine) ? readBy(routine).filter(isShort) : [];
  const sum = (e: VarExpr): Expr => add(e, e);
  const read = reads.map((e): Stmt => ({ kind: "let", name: ARGUMENT, value: sum(e) }));
  const given = routine.results
    .filter(isShort)
    .map((e): Stmt => ({ kind: "let", name: e.name, value: sum(e) }));
  return [...read, ...given];
}
