/**
 * Values that consecutive items share: what depends on the number of their block, such as `index >> 3`, and not on their place in it. Where one
 * work-item computes a whole block, it computes these once.
 */
import type { NodeId, PipelineNode } from "@groupwise/ir/document/node.js";
import { ELEMENTWISE, operandsOf } from "@groupwise/ir/document/operands.js";
import { isLinearId } from "@groupwise/ir/document/query.js";
import type { Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { u32 } from "@groupwise/kernel/language/make-expr.js";
import { computedFor } from "../schedule/computed.ts";
import type { SiteContext } from "./site.ts";
import type { SiteValues } from "./values.ts";

/** The cost of a function or a gather, in operations. */
export const HEAVY = 8;
const LONG: ReadonlySet<PipelineNode["kind"]> = new Set(["function", "gather"]);
export const isLong = (node: PipelineNode): boolean => LONG.has(node.kind);
const costOf = (nodes: readonly PipelineNode[]): number =>
  nodes.reduce((sum, node) => sum + (isLong(node) ? HEAVY : Math.min(1, operandsOf(node).length)), 0);

/** What the items of an aligned block share. */
export interface Shared {
  /** Values that are the same for all of them, and that others depend on. */
  readonly values: readonly NodeId[];
  /** Values that are the place of an item in the block. */
  readonly places: readonly NodeId[];
}

/**
 * What the items of blocks share, if one computation for the whole block takes at most half of the operations.
 * @param count items of a block, a power of two
 */
export function sharedIn(
  { checked, geometry, written }: Pick<SiteContext, "checked" | "geometry" | "written">,
  roots: readonly NodeId[],
  count: number,
): Shared | undefined {
  if (geometry.dimensions > 1) return undefined;
  const { pipeline, uniformities } = checked;
  const isUniform = (id: NodeId): boolean => uniformities[id] === "uniform";
  // Uniform values are computed apart: they may depend on a collective that this pass ends.
  const computed = [...computedFor(pipeline.nodes, roots, written)]
    .filter(({ id }) => !isUniform(id))
    .sort((a, b) => a.id - b.id);
  const same = new Set<NodeId>();
  const isSame = (id: NodeId): boolean => isUniform(id) || same.has(id);
  for (const node of computed)
    if (isOfBlock(pipeline.nodes, node, count) || pureOperands(pipeline.nodes, node)?.every(isSame))
      same.add(node.id);
  const own = computed.filter(({ id }) => !same.has(id));
  const [once, each] = [computed.filter(({ id }) => same.has(id)), own].map(costOf) as [number, number];
  if (each + once / count >= (each + once) / 2) return undefined;
  const used = new Set([...roots, ...own.flatMap(operandsOf)]);
  const places = computed.filter((node) => indexBits(pipeline.nodes, node) === count - 1);
  return { values: [...same].filter((id) => used.has(id)), places: places.map(({ id }) => id) };
}

/** Computes the shared values at the first item of a block. @returns those that are known of its j-th item */
export function shareIn(
  { values, places }: Shared,
  first: SiteValues,
  code: Code,
): (j: number) => ReadonlyMap<NodeId, Expr> {
  const common = values.map((id) => [id, first.get(id, code)] as const);
  return (j) => new Map([...common, ...places.map((id) => [id, u32(j)] as const)]);
}

/** The bits of an item's index that a node has, if it is `index & bits`. */
function indexBits(nodes: readonly PipelineNode[], node: PipelineNode): number | undefined {
  if (node.kind !== "binary" || node.op !== "and" || !isLinearId(nodes[node.left])) return undefined;
  return numberIn(nodes[node.right]);
}

/** Whether a node is the number of the block that an item is in, or depends on this alone. */
function isOfBlock(nodes: readonly PipelineNode[], node: PipelineNode, count: number): boolean {
  if (node.kind !== "binary" || node.op !== "shr" || !isLinearId(nodes[node.left])) return false;
  // Shifts are modulo the width.
  return 2 ** ((numberIn(nodes[node.right]) ?? 0) % 32) >= count;
}

const numberIn = (node: PipelineNode | undefined): number | undefined =>
  node?.kind === "const" && typeof node.value === "number" ? node.value : undefined;

/** The operands that a value is computed from, if nothing else decides it. */
function pureOperands(nodes: readonly PipelineNode[], node: PipelineNode): readonly NodeId[] | undefined {
  if (node.kind === "gather" && nodes[node.of]?.kind === "table") return [node.index];
  return ELEMENTWISE.has(node.kind) ? operandsOf(node) : undefined;
}
