/** Modules of kernels written by hand, with an input x and an output y of u32. */

import { Names } from "@groupwise/ir/base/names.js";
import { Code } from "../src/language/build.ts";
import type { Kernel, Module } from "../src/language/module.ts";

export const X = { space: "storage", name: "x", type: "u32" } as const;
export const Y = { space: "storage", name: "y", type: "u32" } as const;

export function kernel(name: string, write: (code: Code) => void, workGroupSize: number = 4): Kernel {
  const code = new Code(new Names(["x", "y"]));
  write(code);
  return { name, doc: [], workGroupSize, groups: 1, shared: [], body: code.stmts };
}

export const moduleOf = (...kernels: Kernel[]): Module => ({
  name: "test",
  params: [],
  buffers: [
    { name: "x", role: "input", type: "u32", elements: "n", cleared: false },
    { name: "y", role: "output", type: "u32", elements: "n", cleared: false },
  ],
  functions: [],
  kernels,
});
