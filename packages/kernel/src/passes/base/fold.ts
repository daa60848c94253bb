/**
 * Constant folding, with the tables of operators. Compilers fold constants too, and some languages refuse the result:
 * no constant may be infinite or NaN, or overflow.
 */

import type { Expr } from "../../language/expr.ts";
import { type ConstantsByName, foldWith, isConst } from "../../language/fold-expr.ts";
import { EVERYTHING, intervalOf } from "../../language/interval.ts";
import { constant } from "../../language/make-expr.ts";
import { each } from "../../language/map-expr.ts";
import type { Module } from "../../language/module.ts";
import type { Stmt } from "../../language/stmt.ts";
import { mapStmt } from "../../language/walk.ts";
import { mapKernels } from "./pass.ts";

/** Statements with a name whose value the enclosing block does not record. */
const KEEP: ReadonlySet<Stmt["kind"]> = new Set(["assign", "native", "for"]);

/** The module with every constant subexpression folded, names of constants included. */
export const foldConstants = (module: Module): Module =>
  mapKernels(module, (kernel) => ({ ...kernel, body: foldBlock(kernel.body, new Map()) }));

function foldBlock(stmts: readonly Stmt[], outside: ConstantsByName): readonly Stmt[] {
  const known = new Map(outside);
  return each(stmts, (stmt) => {
    const inside = (inner: readonly Stmt[]): readonly Stmt[] => {
      if (stmt.kind !== "for") return foldBlock(inner, known);
      return foldBlock(inner, without(known, stmt.name));
    };
    const folded = taken(mapStmt(stmt, (e) => foldWith(e, known), inside));
    if (folded.kind === "let" && folded.role !== "argument" && isConst(folded.value))
      known.set(folded.name, folded.value);
    // An inner block may use a name again.
    else if ("name" in folded && !KEEP.has(folded.kind)) known.delete(folded.name);
    return folded;
  });
}

/** A choice without the branch that is never taken, in which an index may be outside of its array. */
function taken(stmt: Stmt): Stmt {
  if (stmt.kind !== "if") return stmt;
  const { condition } = stmt;
  if (isNever(condition)) return { ...stmt, condition: constant("bool", false), then: [] };
  return isConst(condition) && condition.value ? { ...stmt, otherwise: [] } : stmt;
}

/** False, or a constant that is never below the right operand. */
function isNever(e: Expr): boolean {
  if (isConst(e)) return !e.value;
  if (e.kind !== "binary" || e.op !== "lt" || e.left.type !== "u32" || !isConst(e.left)) return false;
  return Number(e.left.value) >= intervalOf(e.right, ANYTHING)[1];
}
const ANYTHING = { variable: () => EVERYTHING, workGroupSize: EVERYTHING[1] };

const without = (known: ConstantsByName, name: string): ConstantsByName =>
  known.has(name) ? new Map([...known].filter(([other]) => other !== name)) : known;
