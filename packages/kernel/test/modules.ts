/** Modules written by hand: what tests do not give has no meaning for them. */

import type { Formula } from "@groupwise/ir/base/formula.js";
import { Names } from "@groupwise/ir/base/names.js";
import type { ArrayType } from "@groupwise/ir/tables/narrow.js";
import { Code } from "../src/language/build.ts";
import type { Buffer, Kernel, Module } from "../src/language/module.ts";
import type { Stmt } from "../src/language/stmt.ts";

/** The statements that a function writes. @param names that others have */
export function stmtsOf(
  write: (code: Code) => void,
  names: readonly string[] = [],
  hasRoutines: boolean = false,
): readonly Stmt[] {
  const code = new Code(new Names(names), hasRoutines);
  write(code);
  return code.stmts;
}

/** A kernel of one work-item. */
export const kernelWith = (body: readonly Stmt[], more: Partial<Kernel> = {}): Kernel => ({
  ...{ name: "k", doc: [], workGroupSize: 1, groups: 1, shared: [] },
  body,
  ...more,
});

export const moduleWith = (kernels: readonly Kernel[], more: Partial<Module> = {}): Module => ({
  ...{ name: "m", params: [], buffers: [], functions: [] },
  kernels,
  ...more,
});

export const bufferWith = (
  name: string,
  role: Buffer["role"],
  type: ArrayType = "u32",
  elements: Formula = "n",
): Buffer => ({ name, role, type, elements, cleared: false });
