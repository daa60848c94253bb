/** Reduces beside scans of the same values: the pass of the scans leaves them in memory, so that no other pass reads the items. */
import type { ArrayRef, Code } from "../../kernel/build.ts";
import type { Expr } from "../../kernel/expr.ts";
import { u32 } from "../../kernel/make-expr.ts";
import type { Context } from "../../work-groups/context.ts";
import type { Fused } from "./fused.ts";

/** Stores the totals of the range. @param values of all of the monoid */
export function leaveTotals(
  { storage }: Context,
  { totals }: Fused,
  code: Code,
  values: readonly Expr[],
): void {
  for (const { id, at } of totals) code.store(storage.home(id) as ArrayRef, u32(0), values[at] as Expr);
}
