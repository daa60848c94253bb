import type { Capabilities } from "../../capabilities.ts";
import type { Checked } from "../../ir/check.ts";
import type { Names } from "../../kernel/build.ts";
import type { ParamExpr } from "../../kernel/expr.ts";
import type { Buffer, Kernel } from "../../kernel/stmt.ts";

export function lowerGather(
  _c: Checked,
  _p: Capabilities,
  _names: Names,
  _n: ParamExpr,
): { buffers: Buffer[]; kernels: Kernel[] } {
  throw new Error("being written");
}
