/** Writes what an output holds where no item writes. */
import { formula } from "../../ir/base/formula.ts";
import type { ScatterNode } from "../../ir/document/node.ts";
import { add, lt, mul, u32, zeroOf } from "../kernel/make-expr.ts";
import type { Kernel } from "../kernel/module.ts";
import { capacityOf } from "../parts/capacity.ts";
import { siteAt } from "../parts/site.ts";
import type { Fill } from "../parts/storage.ts";
import { Values } from "../parts/values.ts";
import { type Context, makeKernel, toExpr } from "./context.ts";

export function fillKernel(context: Context, { array, elements, value }: Fill): Kernel {
  const size = context.tiling.workGroupSize;
  const doc = [`What ${array.name} holds where no item writes.`];
  const groups = formula("ceil-div", elements, size);
  return makeKernel(context, { hint: "fill", doc, workGroupSize: size, groups }, ({ code, lanes, group }) => {
    const slot = code.let("slot", add(mul(group, u32(size)), lanes.lane));
    code.if(lt(slot, toExpr(context, elements)), (inside) => inside.store(array, slot, value));
  });
}

/** Work-groups that clear in strides: enough for a large device. */
const MOST_GROUPS = 1024;

/** The slots behind the length of a scatter, all of whose others are written. */
export function restKernel(context: Context, sink: ScatterNode): Kernel {
  const size = context.tiling.workGroupSize;
  const elements = sink.capacity === undefined ? "n" : capacityOf(context.checked, sink.capacity);
  const doc = [`Zeros behind the last slot of ${sink.name} that an item writes.`];
  const groups = formula("min", formula("ceil-div", elements, size), MOST_GROUPS);
  return makeKernel(context, { hint: "rest", doc, workGroupSize: size, groups }, ({ code, lanes, group }) => {
    const values = new Values(siteAt(context, u32(0)));
    const end = code.named("end", toExpr(context, elements));
    const array = context.storage.arrayOf(sink);
    const from = code.let("first", values.get(sink.length as number, code));
    const slot = code.var("slot", add(from, add(mul(group, u32(size)), lanes.lane)));
    const stride = code.let("stride", mul(toExpr(context, groups), u32(size)));
    code.while(lt(slot, end), (body) => {
      body.store(array, slot, zeroOf(array.type));
      body.assign(slot, add(slot, stride));
    });
  });
}
