/** Modules of kernels written by hand, with an input x and an output y of u32. */

import type { Code } from "../src/language/build.ts";
import type { Kernel, Module } from "../src/language/module.ts";
import { bufferWith, kernelWith, moduleWith, stmtsOf } from "./modules.ts";

export const X = { space: "storage", name: "x", type: "u32" } as const;
export const Y = { space: "storage", name: "y", type: "u32" } as const;

export const kernel = (name: string, write: (code: Code) => void, workGroupSize: number = 4): Kernel =>
  kernelWith(stmtsOf(write, ["x", "y"]), { name, workGroupSize });

export const moduleOf = (...kernels: Kernel[]): Module =>
  moduleWith(kernels, { buffers: [bufferWith("x", "input"), bufferWith("y", "output")] });
