/** Changes of kernels that faults make. */
import type { Expr } from "@groupwise/kernel/language/expr.js";
import type { Fn, Module } from "@groupwise/kernel/language/module.js";
import type { Stmt } from "@groupwise/kernel/language/stmt.js";
import type { ModulePass } from "@groupwise/kernel/passes/base/pass.js";
import type { Monoid } from "@groupwise/lower/parts/monoid.js";
import { replaceExport, replaceIn } from "./fault.ts";

/** Replaces a pass of the table. */
export async function replacePass(
  name: string,
  broken: (real: ModulePass["run"]) => ModulePass["run"],
): Promise<void> {
  const { PASSES } = await import("@groupwise/kernel/passes/list.js");
  const pass = PASSES.find((one) => one.name === name);
  if (!pass) throw new Error(`no pass ${name}`);
  replaceIn(pass as { run: ModulePass["run"] }, "run", broken);
}

/** Changes expressions of a function's body. The change returns undefined for those that stay. */
export async function changeFn(fn: Fn | undefined, change: (e: Expr) => Expr | undefined): Promise<void> {
  const { mapBlock } = await import("@groupwise/kernel/passes/base/pass.js");
  const { mapParts } = await import("@groupwise/kernel/language/map-expr.js");
  if (!fn) throw new Error("no such function");
  const inside = (e: Expr): Expr => change(e) ?? mapParts(e, inside);
  replaceIn(fn as { body: Fn["body"] }, "body", (body) => mapBlock(body, inside));
}

type Call = (...given: never[]) => unknown;

/** Replaces a function by one whose blocks have no barriers. */
export async function withoutBarriers<M extends object, K extends keyof M>(
  module: Promise<M>,
  name: K,
): Promise<void> {
  const { Code } = await import("@groupwise/kernel/language/build.js");
  const { barrier } = Code.prototype;
  await replaceExport(module, name, (real) => {
    const call = real as unknown as Call;
    return ((...given: never[]) => {
      Code.prototype.barrier = () => {};
      try {
        return call(...given);
      } finally {
        Code.prototype.barrier = barrier;
      }
    }) as unknown as M[K];
  });
}

/** Replaces a function by one that does nothing. */
export const withNothing = <M extends object, K extends keyof M>(
  module: Promise<M>,
  name: K,
): Promise<void> => replaceExport(module, name, () => (() => undefined) as unknown as M[K]);

/** The monoid with its operands exchanged. */
export const swapped = (monoid: Monoid): Monoid => ({
  ...monoid,
  combine: (code, left, right) => monoid.combine(code, right, left),
});

type Block = readonly Stmt[];

/** The module with every block of its kernels changed, inner ones first. */
export function mapKernelBlocks(module: Module, change: (block: Block) => Block): Module {
  const inside = (stmt: Stmt): Stmt => {
    if (stmt.kind === "if") return { ...stmt, then: block(stmt.then), otherwise: block(stmt.otherwise) };
    return stmt.kind === "for" || stmt.kind === "while" ? { ...stmt, body: block(stmt.body) } : stmt;
  };
  const block = (stmts: Block): Block => change(stmts.map(inside));
  return { ...module, kernels: module.kernels.map((kernel) => ({ ...kernel, body: block(kernel.body) })) };
}

/** A change of blocks that removes statements of a kind. */
export const withoutStmts =
  (kind: Stmt["kind"]) =>
  (block: Block): Block =>
    block.filter((stmt) => stmt.kind !== kind);
