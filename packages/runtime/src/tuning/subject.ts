/** The rows of a tuning that a pipeline is compared with. */

import type { Checked } from "@groupwise/ir/document/check.js";
import { isCollective, isMonoid, isRank, isScan } from "@groupwise/ir/document/collectives.js";
import { SCALARS, type Scalar } from "@groupwise/ir/tables/scalar.js";
import type { Capabilities } from "@groupwise/kernel/capabilities/capabilities.js";
import { componentsOf } from "@groupwise/lower/parts/components.js";
import { orderedByKeys } from "@groupwise/lower/parts/float-keys.js";
import { withoutUnread } from "@groupwise/lower/unread.js";
import type { TunedKind } from "./tuning.ts";

/** The properties of a pipeline that decide which sizes are fast. */
export interface TuningSubject {
  readonly kind: TunedKind;
  /** The type of the values that are combined, if they have only one. */
  readonly type: Scalar | undefined;
  /** The 32-bit words of a value, or of a record. */
  readonly words: number;
}

/** 32-bit words of a value of a type. */
export const wordsOf = (type: Scalar): number => (SCALARS[type].words === "pair" ? 2 : 1);

/**
 * The subject of a pipeline; undefined if nothing over the whole range is combined, or if items are ranked, whose
 * kernels have tiles of their own. Minima and maxima of floats count as the integers that kernels combine.
 */
export function subjectOf(given: Checked, capabilities: Capabilities): TuningSubject | undefined {
  const { pipeline } = orderedByKeys(withoutUnread(given), capabilities);
  if (pipeline.nodes.some(isRank)) return undefined;
  const nodes = pipeline.nodes
    .filter(isCollective)
    .filter(isMonoid)
    .filter(({ scope }) => scope === "device");
  if (nodes.length === 0) return undefined;
  const types = componentsOf(nodes, pipeline.operators).flatMap(({ monoid }) => monoid.types);
  const [first] = types;
  return {
    kind: nodes.some(isScan) ? "scan" : "reduce",
    type: types.every((type) => type === first) && types.length === 1 ? first : undefined,
    words: types.reduce((sum, type) => sum + wordsOf(type), 0),
  };
}
