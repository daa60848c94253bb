/** What a monoid combines, as statements for analysis. */
import { Names } from "@groupwise/ir/base/names.js";
import { Code } from "@groupwise/kernel/language/build.js";
import type { Expr, VarExpr } from "@groupwise/kernel/language/expr.js";
import type { Stmt } from "@groupwise/kernel/language/stmt.js";
import type { Monoid } from "./monoid.ts";

/** `combine` of two values of names: its statements, which name its results too. */
export interface Combination {
  readonly left: readonly VarExpr[];
  readonly results: readonly Expr[];
  readonly stmts: readonly Stmt[];
}

/** @param hasRoutines whether statements mark those of an operator's own function */
export function combinationOf({ types, combine }: Monoid, hasRoutines: boolean = false): Combination {
  const code = new Code(new Names(), hasRoutines);
  const [left, right] = ["left", "right"].map((hint) =>
    types.map((type): VarExpr => ({ kind: "var", name: code.names.fresh(hint), type })),
  ) as [VarExpr[], VarExpr[]];
  const results = combine(code, left, right).map((value) => code.let("both", value));
  return { left, results, stmts: code.stmts };
}
