/** Refuses pipelines that have no state of a part alone. */

import { BOOLEAN, optional, requireArguments } from "@groupwise/ir/base/arguments.js";
import { errorOf } from "@groupwise/ir/base/errors.js";
import { check } from "@groupwise/ir/document/check.js";
import { isCollective } from "@groupwise/ir/document/collectives.js";
import type { NodeId, Pipeline, PipelineNode } from "@groupwise/ir/document/node.js";
import { operandsOf } from "@groupwise/ir/document/operands.js";
import { DOCUMENT } from "@groupwise/ir/document/shapes.js";
import { isEnd, isReadAhead } from "./others/ahead.ts";
import { isPicked } from "./others/reads.ts";
import { describe } from "./refuse.ts";

/**
 * Refuses a pipeline whose parts cannot be computed side by side: the operand of a collective depends on another collective, which
 * in a part depends on all items before it. Steps and streams run such pipelines, because they go from chunk to chunk. Values of single items are refused too.
 * @param knowsLater whether the inputs of items after a part are known
 * @throws GroupwiseError `not-carried` at the first such collective
 * @category Authors
 */
export function refuseParts(pipeline: Pipeline, knowsLater: boolean = false): void {
  requireArguments(arguments, "refuseParts", { pipeline: DOCUMENT, knowsLater: optional(BOOLEAN) });
  const { nodes } = pipeline;
  const checked = check(pipeline);
  const picked = nodes.find((node) => isPicked(node, checked));
  if (picked) {
    const reason = "a run of no items is an error, which no part can detect";
    throw errorOf("not-carried", { what: describe(picked), reason }, picked.at ?? `node ${picked.id}`);
  }
  const ahead = nodes.find((node) => isReadAhead(node, checked) || isEnd(node, nodes));
  if (ahead && !knowsLater) {
    const reason = "it needs the items after its own, which another part has";
    const remedy = "run the whole range on one runtime, or chunk by chunk with `stream`";
    throw errorOf("not-carried", { what: describe(ahead), reason, remedy }, ahead.at ?? `node ${ahead.id}`);
  }
  /** For each value that depends on a collective: the first such one. */
  const from = new Map<NodeId, PipelineNode>();
  for (const node of nodes) {
    const before = operandsOf(node)
      .map((id) => from.get(id))
      .find((one) => one !== undefined);
    if (isCollective(node) && before !== undefined) {
      const reason = `a part is computed beside others, but the operand depends on ${describe(before)}, and so on all items before the part`;
      throw errorOf("not-carried", { what: describe(node), reason }, node.at ?? `node ${node.id}`);
    }
    const source = isCollective(node) ? node : before;
    if (source !== undefined) from.set(node.id, source);
  }
}
