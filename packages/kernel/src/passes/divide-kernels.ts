/**
 * Kernels with more arrays than the implementation binds become several: each writes some of the arrays, and computes what these need.
 * A kernel whose work-groups speak to one another stays whole, and so does one that reads what it writes.
 */
import { Names } from "@groupwise/ir/base/names.js";
import type { Expr } from "../language/expr.ts";
import type { Kernel, Module } from "../language/module.ts";
import type { Stmt } from "../language/stmt.ts";
import { arraysOf } from "../language/uses.ts";
import { allExprs, isAtomic, mapBlocks, spaceOf, walk } from "../language/walk.ts";
import { namesOf } from "./base/names-of.ts";
import type { Around } from "./base/pass.ts";
import { pruned } from "./prune.ts";

export function divideKernels(module: Module, { capabilities: { arraysPerKernel } }: Around): Module {
  if (arraysPerKernel === undefined) return module;
  const { buffers, functions } = module;
  const names = new Names(namesOf(module));
  const fits = (kernel: Kernel): boolean => arraysOf(kernel, buffers, functions).length <= arraysPerKernel;
  const halves = (kernel: Kernel): readonly Kernel[] => {
    const written = arraysOf(kernel, buffers, functions).filter(({ access }) => access !== "read");
    if (written.length < 2 || fits(kernel)) return [kernel];
    const list = written.map(({ name }) => name);
    const middle = Math.ceil(list.length / 2);
    return [list.slice(0, middle), list.slice(middle)].flatMap((half) => halves(writing(kernel, half)));
  };
  const divide = (kernel: Kernel): readonly Kernel[] => {
    const [first, ...others] = fits(kernel) || !isDivisible(kernel) ? [kernel] : halves(kernel);
    return [first as Kernel, ...others.map((part) => ({ ...part, name: names.fresh(kernel.name) }))];
  };
  return { ...module, kernels: module.kernels.flatMap(divide) };
}

/** The array of device memory that a statement changes without reading it. */
const writtenBy = (stmt: Stmt): string | undefined =>
  stmt.kind === "store-row" || ((stmt.kind === "store" || stmt.kind === "atomic") && stmt.space === "storage")
    ? stmt.array
    : undefined;

function isDivisible({ body }: Kernel): boolean {
  const stmts = walk(body);
  const written = new Set(stmts.map(writtenBy));
  const reads = (e: Expr): boolean => e.kind === "load" && written.has(e.array);
  const others = stmts.filter((stmt) => writtenBy(stmt) === undefined);
  return (
    !others.some((stmt) => isAtomic(stmt) && spaceOf(stmt) === "storage") &&
    !others.some((stmt) => stmt.kind === "load-row" && written.has(stmt.array)) &&
    !allExprs(body).some(reads)
  );
}

/** The kernel that writes only some of its arrays. */
function writing(kernel: Kernel, arrays: readonly string[]): Kernel {
  const isOther = (stmt: Stmt): boolean => {
    const array = writtenBy(stmt);
    return array !== undefined && !arrays.includes(array);
  };
  // Outlining knows a routine by its first statement, and one that lost a store is another.
  const part = (stmt: Stmt): Stmt => (stmt.kind === "routine" ? { ...stmt } : mapBlocks(stmt, block));
  const block = (stmts: readonly Stmt[]): readonly Stmt[] => stmts.filter((stmt) => !isOther(stmt)).map(part);
  return pruned({ ...kernel, body: block(kernel.body) });
}
