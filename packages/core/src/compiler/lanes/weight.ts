/** What it takes to combine two values, once types that an implementation lacks are words. */
import { Names } from "../../ir/base/names.ts";
import type { Scalar } from "../../ir/tables/scalar.ts";
import type { Capabilities } from "../capabilities/capabilities.ts";
import { Code } from "../kernel/build.ts";
import type { Expr } from "../kernel/expr.ts";
import { allExprs } from "../kernel/walk.ts";
import type { Monoid } from "../parts/monoid.ts";

/** Operations of a sum of an emulated type. Products take more, comparisons less. */
const EMULATED: Readonly<Partial<Record<Scalar, number>>> = { i64: 4, u64: 4, f16: 7, f64: 90 };
/** Of a call: an operation that is a function of several. */
const CALL = 8;
const OPERATIONS: ReadonlySet<Expr["kind"]> = new Set(["unary", "binary", "select", "cast", "call"]);

/** Operations of a combination, at least, where leaving some out gains more than the registers and the text that it takes. */
const HEAVY = 64;

/** Whether combining takes longer than what an algorithm does to combine less. */
export const isHeavy = (monoid: Monoid, scalars: Capabilities["scalars"]): boolean =>
  weightOf(monoid, scalars) >= HEAVY;

/** Operations of `monoid.combine`, about. */
function weightOf(monoid: Monoid, scalars: Capabilities["scalars"]): number {
  const code = new Code(new Names());
  const [left, right] = ["left", "right"].map((hint) =>
    monoid.types.map((type): Expr => ({ kind: "var", name: code.names.fresh(hint), type })),
  ) as [Expr[], Expr[]];
  for (const result of monoid.combine(code, left, right)) code.let("both", result);
  let weight = 0;
  for (const e of allExprs(code.stmts)) {
    if (!OPERATIONS.has(e.kind)) continue;
    const one = e.kind === "call" ? CALL : 1;
    weight += scalars[e.type] === "emulated" ? (EMULATED[e.type] ?? one) : one;
  }
  return weight;
}
