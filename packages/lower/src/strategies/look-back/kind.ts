/** The kinds of passes that may have tiles of their own, and conditions, of which work-items hold bits. */
import type { Checked } from "@groupwise/ir/document/check.js";
import type { NodeId, PipelineNode } from "@groupwise/ir/document/node.js";
import { operandsOf } from "@groupwise/ir/document/operands.js";
import { SCALARS, type Scalar } from "@groupwise/ir/tables/scalar.js";
import type { TileKind } from "@groupwise/kernel/capabilities/capabilities.js";
import type { Component } from "../../parts/components.ts";
import { isWide } from "./tiles/shape.ts";

/** Operators that are recomputed instead of held. */
const CHEAP: ReadonlySet<PipelineNode["kind"]> = new Set(["unary", "binary", "select", "cast", "bitcast"]);

/** The only condition that a value depends on, besides the item's index; undefined if it depends on more. */
export function conditionsOf(
  { pipeline, types, uniformities }: Checked,
  root: NodeId,
): ReadonlySet<NodeId> | undefined {
  const found = new Set<NodeId>();
  const stack = [root];
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    const node = pipeline.nodes[id] as PipelineNode;
    if (types[id] === "bool" && uniformities[id] === "item") found.add(id);
    else if (CHEAP.has(node.kind)) stack.push(...operandsOf(node));
    else if (!["const", "param", "query"].includes(node.kind)) return undefined;
    if (found.size > 1) return undefined;
  }
  return found;
}

const areWords = (types: readonly Scalar[]): boolean => types.every((type) => SCALARS[type].words === "bits");

/**
 * The kind of a pass; undefined for others: several operands, records of other sizes, and conditions, of which a work-item has a bit each.
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
  if (!areWords(types)) return undefined;
  if (isRecord) return types.length === 2 ? "record" : undefined;
  return "word";
}
