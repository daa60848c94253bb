/** Guards of rounded results, where a compiler may contract or reorder operations: see `guards/guard-rounding.ts`. */
import { param } from "../language/make-expr.ts";
import type { Module } from "../language/module.ts";
import { type Around, freshName, mapKernels } from "./base/pass.ts";
import { guardRounding } from "./guards/guard-rounding.ts";

/** The module with every rounded result guarded, and the launch parameter 0 that guards use. */
export function guardModule(module: Module, { capabilities }: Around): Module {
  if (!capabilities.expand.includes("guard-rounding")) return module;
  const zero = freshName("always_zero", module);
  const hint = freshName("zero", module);
  const minusZero = capabilities.expand.includes("guard-minus-zero");
  const zeros = capabilities.subnormals === "exact";
  const guards = { param: param(zero, "u32"), hint, minusZero, zeros };
  const guarded = mapKernels(module, (kernel) => ({ ...kernel, body: guardRounding(kernel.body, guards) }));
  const usesZero = guarded.kernels.some(
    ({ body }) => body[0]?.kind === "let" && body[0].value === guards.param,
  );
  if (!usesZero) return guarded;
  return { ...guarded, params: [...guarded.params, { name: zero, type: "u32", role: "zero" }] };
}
