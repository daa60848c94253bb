/** The shared context of the passes of one pipeline. */
import type { Formula } from "@groupwise/ir/base/formula.js";
import type { Names } from "@groupwise/ir/base/names.js";
import { type ArrayRef, Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { builtin } from "@groupwise/kernel/language/make-expr.js";
import type { Kernel } from "@groupwise/kernel/language/module.js";
import type { SiteContext } from "../../parts/site.ts";

export interface PerOutput extends SiteContext {
  readonly names: Names;
  readonly kernels: Kernel[];
}

/** The name of a pass, and the array that it writes. */
export interface PassFrame {
  readonly hint: string;
  readonly doc: string;
  readonly array: ArrayRef;
  readonly cells: Formula;
}

/** One pass: the value of every element of an array. */
export function pass(
  lowering: PerOutput,
  { hint, doc, array, cells }: PassFrame,
  value: (code: Code, cell: Expr) => Expr,
): void {
  const name = lowering.names.fresh(hint);
  // Such compilers may support only one scope.
  const code = new Code(lowering.names.fork(false));
  const cell = builtin("cell");
  code.store(array, cell, value(code, cell));
  lowering.kernels.push({ name, doc: [doc], workGroupSize: 1, groups: cells, shared: [], body: code.stmts });
}
