/** The module of a plan. */
import type { Manifest, Plan } from "@groupwise/core";
import type { Fn } from "@groupwise/core/kernel";
import { type FunctionTree, type ModuleTree, numeric, type Variable } from "../encode/tree.ts";
import { FrameBytes, FunctionCode } from "./function.ts";
import { valueType } from "./types.ts";

/** The name of the exported function. */
export const KERNEL = "kernel";

/** The functions of a plan; the kernel, which takes launch scalars and then the byte offsets of arrays, is last. */
export function moduleOf(plan: Plan, manifest: Manifest): ModuleTree {
  const { functions, kernels } = plan.module;
  const frame = new FrameBytes();
  const all = functions.filter(({ own }) => !own).map((fn) => functionOf(fn, frame));
  const scalars = manifest.params.map(({ name, type }) => ({
    name,
    type: valueType(type === "f16" ? "u32" : type),
  }));
  const arrays = manifest.bindings.map(({ name }) => ({ name, type: "i32" as const }));
  const params: readonly Variable[] = [...scalars, ...arrays];
  const code = new FunctionCode(params, frame);
  const body = code.block(kernels.flatMap((kernel) => kernel.body));
  const doc = [
    "The loops: launch scalars, then the byte offset of each array in memory. Nothing is checked.",
  ];
  const kernel: FunctionTree = { name: KERNEL, doc, params, results: [], locals: code.locals.all, body };
  return { functions: [...all, kernel], frame: frame.bytes };
}

function functionOf({ name, doc, params: given, returns, width, body }: Fn, frame: FrameBytes): FunctionTree {
  const params = given.map((param) => ({ name: param.name, type: valueType(param.type) }));
  const results = Array.from({ length: width }, () => valueType(returns));
  const code = new FunctionCode(params, frame);
  const nodes = code.block(body);
  // What follows a return has any type.
  const isOpen = nodes.at(-1)?.kind !== "numeric" && results.length > 0;
  const end = isOpen ? [numeric("unreachable")] : [];
  return { name, doc: [doc], params, results, locals: code.locals.all, body: [...nodes, ...end] };
}
