/** Calls functions that keep subnormal numbers where an implementation may flush them. Functions that are called compute with integers, or meet none. */
import { Names } from "@groupwise/ir/base/names.js";
import type { Expr } from "../language/expr.ts";
import { mapParts } from "../language/map-expr.ts";
import type { Module } from "../language/module.ts";
import { allExprs } from "../language/walk.ts";
import { keepingSubnormals } from "../library/types/subnormal-names.ts";
import { namesOf } from "./base/names-of.ts";
import { type Around, mapBlock, mapKernels } from "./base/pass.ts";
import { TwoForms } from "./two-forms.ts";

/** The module whose kernels call functions for sums, differences and products of f32. The guards of operands are in place. */
export function keepSubnormals(given: Module, { capabilities }: Around): Module {
  if (capabilities.subnormals !== "exact") return given;
  const hasRoutines = capabilities.routines !== undefined;
  const module = mapKernels(given, (kernel) => {
    const names = new Names(namesOf({ ...given, kernels: [kernel] }));
    return { ...kernel, body: new TwoForms(names, hasRoutines).block(kernel.body) };
  });
  const isConditional = allExprs(module.kernels.flatMap(({ body }) => body)).some(
    (e) => e.kind === "binary" && typeof e.normal === "object",
  );
  const change = (e: Expr): Expr => {
    const inner = mapParts(e, change);
    return keepingSubnormals(inner, isConditional) ?? inner;
  };
  return mapKernels(module, (kernel) => ({ ...kernel, body: mapBlock(kernel.body, change) }));
}
