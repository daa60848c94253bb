/** Which collectives one walk finishes that also gathers them, and what they share. */

import { formOf, isScan } from "../../../ir/document/collectives.ts";
import type { NodeId } from "../../../ir/document/node.ts";
import type { LookBack } from "../../capabilities/capabilities.ts";
import type { Code } from "../../kernel/build.ts";
import type { Expr } from "../../kernel/expr.ts";
import { type Component, operandsAt, placesOf } from "../../parts/components.ts";
import { product } from "../../parts/monoid.ts";
import type { Storage } from "../../parts/storage.ts";
import type { Values } from "../../parts/values.ts";
import { shapeOf, spineElements } from "./shape.ts";
import type { Spine } from "./spine.ts";

/** Scans whose operands are gathered at one stage. */
export interface Fused {
  readonly components: readonly Component[];
  readonly spine: Spine;
  /** Work-groups of a dispatch, at most. */
  readonly groups: number;
  /** log2 of how many consecutive work-items of a work-group are sure to exchange values. */
  readonly near: number;
}

export function fuse(
  components: readonly Component[],
  storage: Storage,
  lookBack: LookBack,
  near: number,
  maxItems: number,
  n: Spine["n"],
): Fused {
  const monoid = product(components.map((component) => component.monoid));
  const shape = shapeOf(lookBack, monoid, maxItems);
  const array = storage.scratch("spine", "u32", spineElements(shape), true);
  const { polls, withheld = [], groups } = lookBack;
  return { components, spine: { shape, monoid, array, n, polls, withheld }, groups, near };
}

/** The nodes whose values the operands are made from. */
export const operandIds = ({ components }: Fused): NodeId[] => components.flatMap(({ of }) => of);

/** The operands of an item, one per value of the monoid. */
export const operandsOfItem = ({ components }: Fused, values: Values, code: Code): Expr[] =>
  components.flatMap((component) => operandsAt(component, values, code));

/** The scans, each with the place of its value in the monoid. */
export function scansOf({
  components,
}: Fused): { readonly id: NodeId; readonly inclusive: boolean; readonly at: number }[] {
  return placesOf(components)
    .filter(({ node }) => isScan(node))
    .map(({ node, at }) => ({ id: node.id, inclusive: formOf(node) === "inclusive-scan", at }));
}
