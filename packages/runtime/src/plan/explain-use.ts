/** Features that a plan uses: user-defined operators, subgroups, functions of the language. */

import { fastUseOf } from "@groupwise/ir/document/fast.js";
import type { Scalar } from "@groupwise/ir/tables/scalar.js";
import type { GroupFeature } from "@groupwise/kernel/capabilities/capabilities.js";
import type { Subnormals } from "@groupwise/kernel/capabilities/subnormals.js";
import type { Kernel } from "@groupwise/kernel/language/module.js";
import { statementsOf, usesSubgroups, walk } from "@groupwise/kernel/language/walk.js";
import { fastName } from "@groupwise/kernel/library/functions/format.js";
import { flushedIn, isKeeping } from "@groupwise/kernel/library/types/subnormal-names.js";
import type { Plan } from "@groupwise/lower/lower.js";
import type { ExplainedFast } from "./explanation.ts";

/** A user-defined operator. */
export interface ExplainedOperator {
  readonly name: string;
  readonly fields: readonly { readonly name: string; readonly type: Scalar }[];
  readonly commutative: boolean;
}

/** Whether values are shuffled within subgroups, and the reason if not. */
export type SubgroupUse = { readonly used: true } | { readonly used: false; readonly reason: string };

/** Work-group functions of the language that kernels use if the compiler has them, with replacements if it does not. */
export interface NativeUse {
  /** Requirements for the compiler. */
  readonly feature: GroupFeature;
  /** `scan-inclusive add u32`, each once. */
  readonly functions: readonly string[];
}

export function operatorsOf({ checked }: Plan): ExplainedOperator[] {
  return (checked.pipeline.operators ?? []).map(({ name, fields, commutative }) => ({
    name,
    fields: fields.map((field) => ({ name: field.name, type: field.type })),
    commutative,
  }));
}

export function subgroupsOf({ module, capabilities }: Plan): SubgroupUse {
  if (usesSubgroups(module)) return { used: true };
  const { subgroups } = capabilities;
  const reason =
    "unsupported" in subgroups ? subgroups.unsupported : "no pass shuffles values in a work-group";
  return { used: false, reason };
}

export function nativesIn(kernel: Kernel): NativeUse[] {
  const byFeature = new Map<GroupFeature, Set<string>>();
  for (const stmt of statementsOf({ kernels: [kernel] })) {
    if (stmt.kind !== "choice" || stmt.feature === "vectors") continue;
    const names = byFeature.get(stmt.feature) ?? new Set();
    byFeature.set(stmt.feature, names);
    for (const inner of walk(stmt.native)) {
      if (inner.kind === "native")
        names.add([inner.fn, inner.op, inner.value.type].filter(Boolean).join(" "));
    }
  }
  return [...byFeature].map(([feature, functions]) => ({ feature, functions: [...functions] }));
}

/** How a plan treats subnormal numbers; undefined if it computes none that a device may flush. */
export function subnormalsIn(plan: Plan): Subnormals | undefined {
  const { subnormals } = plan.capabilities;
  const isAny = plan.module.functions.some(({ name }) => isKeeping(name)) || flushedIn(plan).length > 0;
  return isAny ? subnormals : undefined;
}

/** The fast functions of a plan, if it has any. */
export function fastOf({ checked, capabilities }: Plan): ExplainedFast | undefined {
  const { functions, outputs } = fastUseOf(checked.pipeline);
  if (functions.length === 0) return undefined;
  const named = functions.map((name) => {
    const bound = capabilities.fast?.[fastName(name)];
    return { name, ...(bound !== undefined && { bound }) };
  });
  return { functions: named, outputs };
}
