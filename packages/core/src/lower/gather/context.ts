/** What the passes of one pipeline share. */
import type { Formula } from "../../formula.ts";
import type { Checked } from "../../ir/check.ts";
import { type ArrayRef, Code, type Names } from "../../kernel/build.ts";
import { builtin, type Expr } from "../../kernel/expr.ts";
import type { Kernel } from "../../kernel/stmt.ts";
import type { Geometry } from "../geometry/index.ts";
import type { Storage } from "../storage.ts";

export interface Gather {
  readonly checked: Checked;
  readonly storage: Storage;
  readonly names: Names;
  readonly geometry: Geometry;
  readonly kernels: Kernel[];
}

/** One pass: the value of every cell of an array. */
export function pass(
  gather: Gather,
  hint: string,
  doc: string,
  array: ArrayRef,
  cells: Formula,
  value: (code: Code, cell: Expr) => Expr,
): void {
  const name = gather.names.fresh(hint);
  // Compilers for such passes may know one scope only.
  const code = new Code(gather.names.fork(false));
  const cell = builtin("cell");
  code.store(array, cell, value(code, cell));
  gather.kernels.push({ name, doc: [doc], workGroupSize: 1, groups: cells, shared: [], body: code.stmts });
}
