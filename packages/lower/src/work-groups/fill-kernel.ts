/** Writes the initial values of an output, if they are not zeros. */
import { formula } from "@groupwise/ir/base/formula.js";
import { add, lt, mul } from "@groupwise/kernel/language/make-expr.js";
import type { Kernel } from "@groupwise/kernel/language/module.js";
import type { Fill } from "../parts/storage.ts";
import { type GroupContext, makeKernel, toExpr } from "./context.ts";

export function fillKernel(context: GroupContext, { array, elements, value }: Fill): Kernel {
  const size = context.tiling.workGroupSize;
  const doc = [`The initial values of ${array.name}.`];
  const groups = formula("ceil-div", elements, size);
  return makeKernel(context, { hint: "fill", doc, workGroupSize: size, groups }, ({ code, lanes, group }) => {
    const slot = code.let("slot", add(mul(group, size), lanes.lane));
    code.if(lt(slot, toExpr(context, elements)), (inside) => inside.store(array, slot, value));
  });
}
