/** The interpreter of kernels for one call. */

import type { Scalar } from "@groupwise/ir/tables/scalar.js";
import { bitcast, call, load, u32 } from "../src/language/make-expr.ts";
import type { Fn, Kernel } from "../src/language/module.ts";
import type { Stmt } from "../src/language/stmt.ts";
import { runGroup } from "./kernel-interpreter.ts";

const KERNELS = new WeakMap<readonly Fn[], Map<string, Kernel>>();

/** Stores the bits that a function gives for those of `x`. */
function kernelOf(fn: string, functions: readonly Fn[]): Kernel {
  const known = KERNELS.get(functions) ?? new Map<string, Kernel>();
  KERNELS.set(functions, known);
  const found = known.get(fn);
  if (found) return found;
  const { params, returns } = functions.find(({ name }) => name === fn) as Fn;
  const args = params.map(({ type }, i) => bitcast(type, load("storage", "x", "u32", u32(i))));
  const value = bitcast("u32", call(fn, returns as Scalar, args));
  const body: Stmt[] = [{ kind: "store", space: "storage", array: "y", index: u32(0), value }];
  const kernel = { name: "one", workGroupSize: 1, shared: [], body } as unknown as Kernel;
  known.set(fn, kernel);
  return kernel;
}

/** The bits that one function gives for the bits of its operands. */
export function bitsOfCall(fn: string, operands: readonly number[], functions: readonly Fn[]): number {
  const storage = { x: [...operands], y: [0] };
  runGroup(kernelOf(fn, functions), { size: 1, storage, functions });
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
