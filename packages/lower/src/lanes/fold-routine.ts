/** Routines that combine values. */
import type { Code, Named, ValuesOf } from "@groupwise/kernel/language/build.js";
import type { VarExpr } from "@groupwise/kernel/language/expr.js";
import type { RoutineStmt } from "@groupwise/kernel/language/stmt.js";
import type { Monoid } from "../parts/monoid.ts";

/** A routine that takes and returns the variable that the monoid assigns to, if it has one. @param body is given the monoid for the routine's statements */
export function foldRoutine<Given extends Named, Results extends Named>(
  code: Code,
  monoid: Monoid,
  heading: Omit<RoutineStmt, "kind">,
  given: Given,
  body: (args: ValuesOf<Given>, monoid: Monoid) => Results,
): ValuesOf<Results> {
  const { watch } = monoid;
  if (!watch) return code.routine(heading, given, (args) => body(args, monoid));
  const results = code.routine(heading, { ...given, watched: [watch.variable] }, (args) => {
    const inner = code.var("watched", args.watched[0] as VarExpr);
    return { ...body(args, watch.into(inner)), watched: [inner] };
  });
  code.assignAll([watch.variable], results.watched);
  return results;
}
