/** The interpreter of kernels for one call. */
import { bitcast, call, load, u32 } from "../src/compiler/kernel/make-expr.ts";
import type { Fn, Kernel } from "../src/compiler/kernel/module.ts";
import type { Stmt } from "../src/compiler/kernel/stmt.ts";
import type { Scalar } from "../src/ir/tables/scalar.ts";
import { runGroup } from "./kernel-interpreter.ts";

/** The bits that one function gives for the bits of its operands. */
export function bitsOfCall(fn: string, operands: readonly number[], functions: readonly Fn[]): number {
  const x = operands.map((_, i) => load("storage", "x", "u32", u32(i)));
  const { params, returns } = functions.find(({ name }) => name === fn) as Fn;
  const args = x.map((e, i) => bitcast(params[i]?.type as Scalar, e));
  const value = bitcast("u32", call(fn, returns as Scalar, args));
  const body: Stmt[] = [{ kind: "store", space: "storage", array: "y", index: u32(0), value }];
  const storage = { x: [...operands], y: [0] };
  runGroup({ name: "one", workGroupSize: 1, shared: [], body } as unknown as Kernel, {
    size: 1,
    storage,
    functions,
  });
  return storage.y[0] as number;
}

const floats = new Float32Array(1);
const bits = new Uint32Array(floats.buffer);
export const bitsOf = (x: number): number => {
  floats[0] = x;
  return bits[0] as number;
};
export const floatOf = (given: number): number => {
  bits[0] = given;
  return floats[0] as number;
};
