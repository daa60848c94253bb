/** The operations that a device may flush, and the names of their functions without the bodies: programs that only print need no more. */
import type { Checked } from "@groupwise/ir/document/check.js";
import type { Expr } from "../../language/expr.ts";
import { bool } from "../../language/make-expr.ts";
import type { Module } from "../../language/module.ts";
import { allExprs } from "../../language/walk.ts";

/** By the operation. */
export const FLUSHED_NAMES = { add: "add_f32", sub: "sub_f32", mul: "mul_f32" } as const;
/** An operation whose subnormal operands and results a device may flush. */
export type Flushed = keyof typeof FLUSHED_NAMES;
export const FLUSHED_OPS = Object.keys(FLUSHED_NAMES) as readonly Flushed[];
/** The name of an operation's function that a condition may free of subnormal numbers, with it as the last argument. */
export const unlessName = (op: Flushed): string => `${FLUSHED_NAMES[op]}_unless`;
/** Whether a device may flush what an operation reads and computes. */
export const isFlushed = (op: string): op is Flushed => op in FLUSHED_NAMES;
const NAMES: ReadonlySet<string> = new Set(FLUSHED_OPS.flatMap((op) => [FLUSHED_NAMES[op], unlessName(op)]));

/** Whether a function of this name computes an operation that a device may flush. */
export const isKeeping = (name: string): boolean => NAMES.has(name);

/**
 * The operation as a call that keeps subnormal numbers; undefined for others, and where none occur.
 * @param unless whether functions have a condition: then the module's other operations call them too, so that each is printed once
 */
export function keepingSubnormals(e: Expr, unless: boolean = false): Expr | undefined {
  if (e.kind !== "binary" || e.type !== "f32" || e.normal === true) return undefined;
  if (!isFlushed(e.op)) return undefined;
  const args = unless ? [e.left, e.right, e.normal ?? bool(false)] : [e.left, e.right];
  return { kind: "call", fn: unless ? unlessName(e.op) : FLUSHED_NAMES[e.op], args, type: "f32" };
}

/** The types of a plan's kernels whose subnormal numbers a device may flush. Halves have no functions that keep them. */
export function flushedIn({
  checked,
  module,
}: {
  readonly checked: Pick<Checked, "types">;
  readonly module: Pick<Module, "kernels">;
}): readonly ("f16" | "f32")[] {
  const types = new Set<"f16" | "f32">();
  if (!checked.types.some((type) => type === "f16" || type === "f32")) return [];
  for (const e of allExprs(module.kernels.flatMap(({ body }) => body))) {
    if (e.type === "f16") types.add("f16");
    if (keepingSubnormals(e)) types.add("f32");
  }
  return [...types];
}
