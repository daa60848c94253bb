/** The collectives of a pipeline alone, for the state of a part. */

import { requireArguments } from "@groupwise/ir/base/arguments.js";
import { Names } from "@groupwise/ir/base/names.js";
import { type Checked, check } from "@groupwise/ir/document/check.js";
import { isCollective, isMonoid } from "@groupwise/ir/document/collectives.js";
import type { NodeId, PipelineNode } from "@groupwise/ir/document/node.js";
import { PipelineNodes } from "@groupwise/ir/document/nodes.js";
import { isSink } from "@groupwise/ir/document/operands.js";
import { CHECKED } from "@groupwise/ir/document/shapes.js";
import { isGiven, neededFor } from "./others/live.ts";

/** The same collective with one result for all items. */
function reduceOf(node: PipelineNode): PipelineNode {
  if (node.kind === "user-collective") return { ...node, form: "reduce" };
  const isScan = node.kind === "scan-inclusive" || node.kind === "scan-exclusive";
  return isScan ? { ...node, kind: "reduce" } : node;
}

/**
 * The pipeline whose only outputs are its scans as reduces, in the same order, so that its state is that of the pipeline. Its loops write no items.
 * @param checked a pipeline with collectives of which none reads another one
 * @category Authors
 */
export function totalsOnly(checked: Checked): Checked {
  requireArguments(arguments, "totalsOnly", { pipeline: CHECKED });
  const { pipeline } = checked;
  const names = new Names(pipeline.nodes.flatMap((node) => ("name" in node ? [node.name] : [])));
  const isNeeded = neededFor(pipeline.nodes, (node) => isGiven(node) || isTotal(node));
  const list = new PipelineNodes();
  const moved: NodeId[] = [];
  for (const node of pipeline.nodes) {
    if (isSink(node) || !isNeeded[node.id]) continue;
    moved[node.id] = list.move(reduceOf(node), moved);
  }
  for (const { id } of list.nodes.filter(isTotal)) list.output(names.fresh("total"), id);
  return check({ ...pipeline, nodes: list.nodes });
}

const isTotal = (node: PipelineNode): boolean => isCollective(node) && isMonoid(node);
