/** Calls functions that keep subnormal numbers where an implementation may flush them. Functions that are called compute with integers, or meet none. */
import { Names } from "@groupwise/ir/base/names.js";
import { decodeLiteral } from "@groupwise/ir/tables/literal.js";
import type { BinaryExpr, Expr } from "../language/expr.ts";
import { mapParts } from "../language/map-expr.ts";
import type { Module } from "../language/module.ts";
import { allExprs } from "../language/walk.ts";
import { SHORT_NAME } from "../library/types/convert.ts";
import { keepingSubnormals } from "../library/types/subnormal-names.ts";
import { namesOf } from "./base/names-of.ts";
import { type Around, mapBlock, mapKernels } from "./base/pass.ts";
import { LEAST_NORMAL } from "./base/short.ts";
import { TwoForms } from "./two-forms.ts";

const TRUNCATIONS: ReadonlySet<string> = new Set(["i32_of_f32", "u32_of_f32", SHORT_NAME]);
const isTruncation = (e: Expr): boolean => e.kind === "call" && TRUNCATIONS.has(e.fn);

/** The magnitude of a constant operand; NaN if there is none. */
function constantOf(e: Expr): number {
  if (e.kind !== "binary" || e.type !== "f32") return Number.NaN;
  const [one] = [e.left, e.right].filter(({ kind }) => kind === "const");
  return one?.kind === "const" ? Math.abs(decodeLiteral("f32", one.value) as number) : Number.NaN;
}

/**
 * A sum with a constant of at least 2^-100: where it is less than half of that, it is exact and a multiple of 2^-125; elsewhere a subnormal
 * operand is less than half of its last digit.
 */
const isIndifferent = (e: Expr): e is BinaryExpr =>
  e.kind === "binary" && (e.op === "add" || e.op === "sub") && constantOf(e) >= 2 ** -100;

/** What is truncated: a product with such a constant is less than 1 wherever it or the other operand is subnormal. */
function truncated(e: Expr): Expr {
  if (e.kind !== "binary" || e.op !== "mul") return e;
  const factor = constantOf(e);
  return factor >= LEAST_NORMAL.f32 && factor <= 2 ** 126 ? { ...e, normal: true } : e;
}

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
    const outer = isTruncation(e) ? mapParts(e, truncated) : e;
    const inner = mapParts(isIndifferent(outer) ? { ...outer, normal: true } : outer, change);
    return keepingSubnormals(inner, isConditional) ?? inner;
  };
  return mapKernels(module, (kernel) => ({ ...kernel, body: mapBlock(kernel.body, change) }));
}
