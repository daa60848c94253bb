/** Nodes of a pipeline that cannot run chunk by chunk. */
import { errorOf } from "../base/errors.ts";
import { quoted } from "../base/quote.ts";
import type { Checked } from "../document/check.ts";
import { isCollective, isMonoid, isRank, isScan } from "../document/collectives.ts";
import { LIMITS } from "../document/limits.ts";
import type { NodeId, PipelineNode, QueryNode } from "../document/node.ts";
import { operandsOf } from "../document/operands.ts";
import { isCount, isLinearId, type Query } from "../document/query.ts";
import { orderedScatters } from "../slots/filled.ts";
import { OPS } from "../tables/op.ts";

const GROUPS = "the work-groups of a chunk are not those of the whole range";
const ELSEWHERE = "the item may be in another chunk";
const SLOTS =
  "its slots are those of the whole range, unless each counts the earlier items that write and the length is their number";
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
function reasonAgainst(node: PipelineNode, nodes: readonly PipelineNode[]): string | undefined {
  if (node.kind === "query" && OF_GROUPS.has(node.query)) return GROUPS;
  if (node.kind === "gather" && nodes[node.of]?.kind !== "table") return ELSEWHERE;
  if (!isCollective(node)) return undefined;
  if (node.scope === "work-group") return GROUPS;
  if (isRank(node)) return "it counts the items of later chunks";
  if (!isMonoid(node)) return ELSEWHERE;
  const isAny = "order" in node && node.order === "any" && !OPS[node.op].exactlyAssociative(node.type);
  return isAny ? "in any order its bits depend on the chunks" : undefined;
}

/**
 * Refuses a pipeline that cannot be computed chunk by chunk with the bits of the whole range.
 * @throws GroupwiseError `not-carried` at the first such node
 */
export function refuseUncarried(checked: Checked): void {
  const { pipeline, uniformities } = checked;
  const { nodes, workGroupSize, name } = pipeline;
  const fail = (what: string, reason: string, where: string): never => {
    throw errorOf("not-carried", { what, reason }, where);
  };
  if (workGroupSize.length > 1)
    fail(`a range of ${workGroupSize.length} dimensions`, "chunks follow one another in one", name);
  const ordered = orderedScatters(checked);
  /** Values that change until the last chunk. */
  const soFar = new Set<NodeId>();
  for (const node of nodes) {
    const isOrdered = ordered.has(node.id);
    const reason = node.kind === "scatter" && !isOrdered ? SLOTS : reasonAgainst(node, nodes);
    const where = node.at ?? `node ${node.id}`;
    const what = describe(node);
    if (reason !== undefined) fail(what, reason, where);
    const late = operandsOf(node).find((id) => soFar.has(id) && !(isOrdered && isLengthOf(node, id)));
    const isLate = late !== undefined && !isEdge(node, nodes);
    if (isLate && (isCollective(node) || uniformities[node.id] !== "uniform"))
      fail(describe(nodes[late] as PipelineNode), LATER, where);
    if (isLate || isCount(node) || (isCollective(node) && !isScan(node))) soFar.add(node.id);
  }
}

/** A chunk has a length of its own. */
const isLengthOf = (node: PipelineNode, id: NodeId): boolean =>
  node.kind === "scatter" && node.length === id && node.value !== id;

/** The description of a node in an error. */
export const describe = (node: PipelineNode): string => {
  if ("name" in node) return `the ${node.kind} ${quoted(node.name, LIMITS.name)}`;
  if (node.kind === "query") return `the query ${node.query}`;
  return node.kind === "user-collective"
    ? `the ${node.form}`
    : `the ${node.kind}${"op" in node ? ` ${node.op}` : ""}`;
};
