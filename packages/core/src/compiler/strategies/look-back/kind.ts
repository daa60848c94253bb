/** The kinds of passes that may have tiles of their own. */
import type { Checked } from "../../../ir/document/check.ts";
import { SCALARS, type Scalar } from "../../../ir/tables/scalar.ts";
import type { TileKind } from "../../capabilities/capabilities.ts";
import type { Component } from "../../parts/components.ts";
import { conditionsOf } from "./held.ts";
import { isWide } from "./tiles/shape.ts";

const areWords = (types: readonly Scalar[]): boolean => types.every((type) => SCALARS[type].words === "bits");

/**
 * The kind of a pass; undefined for others: several operands, longer records, and conditions, of which a work-item has a bit each.
 * @param inPairs whether halves are combined in pairs
 */
export function kindOf(
  [one, ...others]: readonly Component[],
  checked: Checked,
  inPairs: boolean,
): TileKind | undefined {
  if (!one || others.length > 0 || one.of.some((id) => conditionsOf(checked, id))) return undefined;
  if (inPairs) return "pairs";
  const { types, isRecord } = one.monoid;
  if (isWide(types)) return "wide";
  if (isRecord) return types.length === 2 && areWords(types) ? "record" : undefined;
  return areWords(types) ? "word" : undefined;
}
