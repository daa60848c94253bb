/** The type of passes, and helpers that several passes use. */

import type { GroupwiseError } from "@groupwise/ir/base/errors.js";
import { Names } from "@groupwise/ir/base/names.js";
import type { Capabilities } from "../../capabilities/capabilities.ts";
import type { Expr } from "../../language/expr.ts";
import { each } from "../../language/map-expr.ts";
import type { Kernel, Module } from "../../language/module.ts";
import type { Stmt } from "../../language/stmt.ts";
import { mapStmt } from "../../language/walk.ts";

/** By output name: the input whose array it uses. */
export type InPlaceOutputs = Readonly<Record<string, string>>;

/** The arrays that are split into parts. */
export interface Split {
  /** Bytes of every part except the last: a multiple of 256. */
  readonly partBytes: number;
  /** By array name: the number of parts, at least 2. Other arrays are not split. */
  readonly parts: Readonly<Record<string, number>>;
  /**
   * Arrays that kernels read both by element and as vec4s, whose bindings are there once for each, in parts or not. Others of the kind are
   * read by element alone.
   */
  readonly twice?: readonly string[];
}

/** The arguments of passes besides the module. */
export interface Around {
  readonly capabilities: Capabilities;
  /** Outputs that use inputs' arrays. */
  readonly wishes?: InPlaceOutputs;
  /** Arrays that are split into several bindings. */
  readonly split?: Split;
}

/** The reason why a pass refuses the module; another strategy may succeed. */
export interface PassRefusal {
  readonly refused: string;
  readonly error: GroupwiseError;
}

/** One step between lowering and printing. */
export interface ModulePass {
  readonly name: string;
  run(module: Module, around: Around): Module | PassRefusal;
}

/** What tests observe of every pass. */
export interface PassWatch {
  /** The module that the pass is given in place of another. */
  begins(module: Module): Module;
  ended(pass: ModulePass, before: Module, after: Module, around: Around): void;
}

let watch: PassWatch | undefined;

/** Observes every pass of this process from now on; without an argument none. */
export function watchPasses(by?: PassWatch): void {
  watch = by;
}

/** The module after the passes, or the first refusal. */
export function runPasses(
  passes: readonly ModulePass[],
  given: Module,
  around: Around,
): Module | PassRefusal {
  let module = given;
  for (const pass of passes) {
    const before = watch?.begins(module) ?? module;
    const next = pass.run(before, around);
    if ("refused" in next) return next;
    watch?.ended(pass, before, next, around);
    module = next;
  }
  return module;
}

/** The module with every kernel changed. */
export const mapKernels = (module: Module, change: (kernel: Kernel) => Kernel): Module => ({
  ...module,
  kernels: module.kernels.map(change),
});

/** Statements with every whole expression changed. */
export function mapBlock(stmts: readonly Stmt[], change: (expr: Expr) => Expr): readonly Stmt[] {
  const block = (inner: readonly Stmt[]): readonly Stmt[] =>
    each(inner, (stmt) => mapStmt(stmt, change, block));
  return block(stmts);
}

/** The module with every whole expression of its kernels and functions changed. */
export function mapExprs(module: Module, change: (expr: Expr) => Expr): Module {
  const inside = <B extends { readonly body: readonly Stmt[] }>(one: B): B => ({
    ...one,
    body: mapBlock(one.body, change),
  });
  return { ...module, functions: module.functions.map(inside), kernels: module.kernels.map(inside) };
}

/** A name like the hint that neither the module nor one of its kernels uses for an array, a parameter or a kernel. */
export function freshName(hint: string, module: Module): string {
  return new Names([...module.params, ...module.buffers, ...module.kernels].map((x) => x.name)).fresh(hint);
}
