/**
 * Sums of emulated halves: which of their operands need no guard. The rounding of such a sum multiplies by powers of two and works on bits. A
 * compiler that regroups those products with another such sum changes no result: they are exact, and what overflows is infinite
 * as a half. So a sum may read a sum, or a half that was loaded, if the compiler cannot know its value.
 */
import type { Expr } from "../../language/expr.ts";
import type { Stmt } from "../../language/stmt.ts";
import { walk } from "../../language/walk.ts";
import { HALF_NAMES } from "../../library/types/half-names.ts";
import { isShort } from "../base/short.ts";
import { valuesOf } from "./cancel.ts";
import { isUnknown, nameOf, targetOf } from "./flow.ts";
import { sumOfHalves } from "./half-sums.ts";

type Test = (e: Expr) => boolean;

/** Names to which a value without a property is assigned; the property of a value may depend on such names. */
function namesWithout(
  body: readonly Stmt[],
  has: (e: Expr, names: ReadonlySet<string>) => boolean,
): Set<string> {
  const names = new Set<string>();
  for (let before = -1; before !== names.size; ) {
    before = names.size;
    for (const stmt of walk(body)) {
      if (stmt.kind === "load-row" && names.has(stmt.array)) names.add(stmt.name);
      const target = targetOf(stmt);
      if (target === undefined) continue;
      for (const value of valuesOf(stmt)) if (isShort(value) && !has(value, names)) names.add(target);
    }
  }
  return names;
}

const isRead = ({ kind }: Expr): boolean => kind === "load" || kind === "part" || kind === "var";

/** A value that depends on memory, a parameter or another work-item, so that a compiler cannot know it. */
function isFree(e: Expr, fixed: ReadonlySet<string>): boolean {
  if (isRead(e)) return !fixed.has(nameOf(e) ?? "");
  if (e.kind === "select") return isFree(e.then, fixed) && isFree(e.otherwise, fixed);
  if (e.kind === "call" && e.fn === HALF_NAMES.ofBits)
    return e.args.every((arg) => arg.kind !== "var" && isFree(arg, fixed));
  const sum = sumOfHalves(e);
  return sum ? isFree(sum.left, fixed) || isFree(sum.right, fixed) : e.kind === "param";
}

/** Tests whether a sum of halves of a kernel may read a value without a guard. */
export function exemptIn(body: readonly Stmt[]): Test {
  // Most kernels have no sum of halves, and need not be searched.
  let others: ReadonlySet<string> | undefined;
  let fixed: ReadonlySet<string>;
  const isExempt = (e: Expr, names: ReadonlySet<string>): boolean => {
    if (isRead(e)) return !names.has(nameOf(e) ?? "");
    if (e.kind === "select") return isExempt(e.then, names) && isExempt(e.otherwise, names);
    return e.kind === "call" ? isFree(e, fixed) : isUnknown(e);
  };
  return (e) => {
    fixed ??= namesWithout(body, isFree);
    others ??= namesWithout(body, isExempt);
    return isExempt(e, others);
  };
}
