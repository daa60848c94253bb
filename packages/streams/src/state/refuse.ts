/** Nodes of a pipeline that cannot run chunk by chunk. */
import { errorOf } from "@groupwise/ir/base/errors.js";
import { quoted } from "@groupwise/ir/base/quote.js";
import type { Checked } from "@groupwise/ir/document/check.js";
import { isCollective, isMonoid, isRank, isScan } from "@groupwise/ir/document/collectives.js";
import { LIMITS } from "@groupwise/ir/document/limits.js";
import type { NodeId, PipelineNode, QueryNode } from "@groupwise/ir/document/node.js";
import { isCount, isLinearId, type Query } from "@groupwise/ir/document/query.js";
import { operandsInChunk, orderedScatters } from "@groupwise/ir/slots/filled.js";
import { OPS } from "@groupwise/ir/tables/op.js";
import { distanceAhead, isEnd, isReadAhead } from "./others/ahead.ts";
import { FARTHEST_BACK, isOfScatter, isOther, isPicked, isPrevious, offsetOf } from "./others/reads.ts";
import { readsLast } from "./others/reads-last.ts";

const GROUPS = "the work-groups of a chunk are not those of the whole range";
const ELSEWHERE = "the item may be in another chunk";
const FAR = `it is more than ${FARTHEST_BACK} items before, and a state holds so many`;
const SCATTERED =
  "it reads what items of all chunks write; write the elements to a file, and read them as a table of another pipeline";
const NOT_OF_INPUTS =
  "only inputs of later items are known, and what is computed from them, without the number of the item; it reads another value";
const SLOTS =
  "its slots are those of the whole range, unless each counts the earlier items that write and the length is their number";
const WRAPS = "at the first item it reads the last one, which is in a later chunk";
const ROUNDS =
  "compute it in rounds from a source that can be read again: pass `stream` a function that returns the chunks, or pass files to `groupwise run --stream`";
const FROM_END =
  'if it is part of a scan with `reverse` and all scans of the pipeline have this option, pass `stream` the chunks from the last to the first, with the option from: "end"';
const LATER = "items of earlier chunks need it, and it is known after the last one";

/** Queries whose result depends on the division of the range. */
const OF_GROUPS: ReadonlySet<Query> = new Set([
  ...(["local-size", "local-id", "num-groups", "group-id", "local-linear-id"] as const),
]);

/** A query for the number of an item in the range. */
export const isIndex = (node: PipelineNode | undefined): node is QueryNode =>
  node?.kind === "query" &&
  node.dimension === 0 &&
  (node.query === "global-linear-id" || node.query === "global-id");

/** Whether the item is the first of the range, or the range is empty: the comparison of an index or a count with 0. */
export function isEdge(node: PipelineNode, nodes: readonly PipelineNode[]): boolean {
  if (node.kind !== "binary" || (node.op !== "eq" && node.op !== "ne")) return false;
  const sides = [nodes[node.left], nodes[node.right]];
  const isZero = (side: PipelineNode | undefined): boolean => side?.kind === "const" && side.value === 0;
  return sides.some(isZero) && sides.some((side) => isCount(side) || (isIndex(side) && isLinearId(side)));
}

/** The reason why a node cannot be computed chunk by chunk, regardless of other nodes; undefined if it can. */
function reasonAgainst(node: PipelineNode, checked: Checked): string | undefined {
  if (node.kind === "query" && OF_GROUPS.has(node.query)) return GROUPS;
  if (isPrevious(node, checked.pipeline.nodes) || isPicked(node, checked)) return undefined;
  if (isReadAhead(node, checked)) return undefined;
  if (isOther(node, checked.pipeline.nodes)) return reasonOfOther(node, checked.pipeline.nodes);
  if (node.kind === "scatter") return orderedScatters(checked).has(node.id) ? undefined : SLOTS;
  if (!isCollective(node)) return undefined;
  if (node.scope === "work-group") return GROUPS;
  if (isRank(node)) return "it counts the items of later chunks";
  if (!isMonoid(node)) return ELSEWHERE;
  const isAny = "order" in node && node.order === "any" && !OPS[node.op].exactlyAssociative(node.type);
  return isAny ? "in any order its bits depend on the chunks" : undefined;
}

function reasonOfOther(node: PipelineNode, nodes: readonly PipelineNode[]): string {
  if (isOfScatter(node, nodes)) return SCATTERED;
  if (distanceAhead(node, nodes) > 0) return NOT_OF_INPUTS;
  return (offsetOf(node, nodes) ?? 0) < 0 ? FAR : ELSEWHERE;
}

/** Whether a node reads items whose index is subtracted from the number of items. */
function isFromEnd(node: PipelineNode, nodes: readonly PipelineNode[]): boolean {
  const index = node.kind === "gather" ? nodes[node.index] : undefined;
  if (index?.kind !== "binary" || index.op !== "sub" || !isLinearId(nodes[index.right])) return false;
  const from = nodes[index.left];
  return isCount(from) || (from?.kind === "binary" && from.op === "sub" && isCount(nodes[from.left]));
}

/** Refuses a node. */
function fail(node: PipelineNode, why: { reason: string; remedy?: string }, where: PipelineNode): never {
  throw errorOf("not-carried", { what: describe(node), ...why }, where.at ?? `node ${where.id}`);
}

/**
 * Refuses a pipeline that cannot be computed chunk by chunk, even in rounds.
 * @throws GroupwiseError `not-carried` at the first such node
 */
export function refuseAlways(checked: Checked): void {
  const { nodes, workGroupSize, name } = checked.pipeline;
  if (workGroupSize.length > 1) {
    const what = `a range of ${workGroupSize.length} dimensions`;
    throw errorOf("not-carried", { what, reason: "chunks follow one another in one" }, name);
  }
  for (const node of nodes) {
    const reason = reasonAgainst(node, checked);
    if (reason !== undefined)
      fail(node, { reason, ...(isFromEnd(node, nodes) && { remedy: FROM_END }) }, node);
  }
}

/**
 * Refuses a pipeline that cannot be computed chunk by chunk in one round with the bits of the whole range.
 * @param knowsCount the number of items is given
 * @throws GroupwiseError `not-carried` at the first such node
 */
export function refuseUncarried(checked: Checked, knowsCount: boolean = false): void {
  const { pipeline, uniformities } = checked;
  const { nodes } = pipeline;
  refuseAlways(checked);
  const wrapping = nodes.find((node) => isPrevious(node, nodes));
  if (wrapping && readsLast(checked)) fail(wrapping, { reason: WRAPS, remedy: ROUNDS }, wrapping);
  const ordered = orderedScatters(checked);
  /** Values that change until the last chunk. */
  const soFar = new Set<NodeId>();
  for (const node of nodes) {
    const late = operandsInChunk(node, ordered).find((id) => soFar.has(id));
    const isLate = late !== undefined && !isEdge(node, nodes) && !isEnd(node, nodes);
    const isOne = isPicked(node, checked);
    if (isLate && (isOne || isCollective(node) || uniformities[node.id] !== "uniform"))
      fail(nodes[late] as PipelineNode, { reason: LATER, remedy: ROUNDS }, node);
    const isNumber = isCount(node) && !knowsCount;
    if (isLate || isOne || isNumber || (isCollective(node) && !isScan(node))) soFar.add(node.id);
  }
}

/** The description of a node in an error. */
export const describe = (node: PipelineNode): string => {
  if ("name" in node) return `the ${node.kind} ${quoted(node.name, LIMITS.name)}`;
  if (node.kind === "query") return `the query ${node.query}`;
  return node.kind === "user-collective"
    ? `the ${node.form}`
    : `the ${node.kind}${"op" in node ? ` ${node.op}` : ""}`;
};
