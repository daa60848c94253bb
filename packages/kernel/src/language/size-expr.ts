/** Sizes as expressions of launch scalars. */
import type { Formula } from "@groupwise/ir/base/formula.js";
import { SIDES } from "@groupwise/ir/base/formula.js";
import type { Expr } from "./expr.ts";
import { add, binary, param, sub, u32 } from "./make-expr.ts";
import type { LaunchParam } from "./module.ts";

/** @param params the module's launch scalars; a side that is none of them is 1 */
export function sizeExpr(f: Formula, params: readonly LaunchParam[]): Expr {
  const launch = (wanted: Partial<LaunchParam>): Expr => {
    const found = params.find(
      ({ role, dimension, table }) =>
        role === wanted.role && dimension === wanted.dimension && table === wanted.table,
    );
    return found ? param(found.name, "u32") : u32(1);
  };
  if (typeof f === "number") return u32(f);
  if (f === "n") return launch({ role: "length" });
  if (typeof f === "string") return launch({ role: "size", dimension: SIDES.indexOf(f) });
  if ("param" in f) return param(f.param, "u32");
  if ("length" in f) return launch({ role: "table-length", table: f.length });
  const [a, b] = f.args.map((arg) => sizeExpr(arg, params)) as [Expr, Expr];
  if (f.op === "floor-div") return binary("div", a, b);
  if (f.op !== "ceil-div") return binary(f.op, a, b);
  return binary("div", add(a, sub(b, u32(1))), b);
}
