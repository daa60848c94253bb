/**
 * Pipelines that scan from the end, as pipelines whose item j is the item n - 1 - j. The builder makes a scan from the end of three parts: the mirrored
 * items, their scan, and its mirrored results. In the mirrored pipeline the scan is one from the start, and reads of mirrored items are those of the item itself.
 */
import { errorOf } from "@groupwise/ir/base/errors.js";
import { type Checked, check } from "@groupwise/ir/document/check.js";
import { isCollective, isMonoid, isScan } from "@groupwise/ir/document/collectives.js";
import type {
  GatherNode,
  MonoidCollective,
  NodeId,
  PipelineNode,
  QueryNode,
} from "@groupwise/ir/document/node.js";
import { PipelineNodes } from "@groupwise/ir/document/nodes.js";
import { isSink, mapOperands, operandsOf } from "@groupwise/ir/document/operands.js";
import { isCount, isLinearId } from "@groupwise/ir/document/query.js";
import type { BinaryOp } from "@groupwise/ir/tables/expr-op.js";
import { OPS } from "@groupwise/ir/tables/op.js";
import { isOther } from "../state/others/reads.ts";
import { describe } from "../state/refuse.ts";

/** The meaning of the number of an item: from the start of the range, or from its end, as in the operands of mirrored scans. */
type Side = "start" | "end";
const OTHER: Readonly<Record<Side, Side>> = { start: "end", end: "start" };

/** The item that a gather reads, relative to its own. */
type Place = "mirrored" | "before" | "after" | "mirrored-after";

const isOne = (node: PipelineNode | undefined): boolean => node?.kind === "const" && node.value === 1;

/** Whether a node is the number of items less one. */
function isLast(node: PipelineNode | undefined, nodes: readonly PipelineNode[]): boolean {
  return (
    node?.kind === "binary" && node.op === "sub" && isCount(nodes[node.left]) && isOne(nodes[node.right])
  );
}

function placeOf({ index }: GatherNode, nodes: readonly PipelineNode[]): Place | undefined {
  const node = nodes[index];
  if (node?.kind !== "binary") return undefined;
  const [left, right] = [nodes[node.left], nodes[node.right]];
  if (node.op === "add") return isLinearId(left) && isOne(right) ? "after" : undefined;
  if (node.op !== "sub") return undefined;
  if (isLinearId(left)) return isOne(right) ? "before" : undefined;
  if (!isLinearId(right)) return undefined;
  if (isCount(left)) return "mirrored-after";
  return isLast(left, nodes) ? "mirrored" : undefined;
}

/** Whether a pipeline scans mirrored items. */
export const isMirrored = ({ pipeline: { nodes } }: Checked): boolean =>
  nodes.some(isCollective) &&
  nodes.some((node) => node.kind === "gather" && isOther(node, nodes) && placeOf(node, nodes) === "mirrored");

/**
 * The pipeline over the mirrored items, for chunks from the last to the first.
 * @throws GroupwiseError `not-carried` if a value needs the items from the start
 */
export function mirroredOf(checked: Checked): Checked {
  const mirror = new Mirror(checked);
  for (const node of checked.pipeline.nodes.filter(isSink)) mirror.build(node.id, "start");
  return check({ ...checked.pipeline, nodes: mirror.list.nodes });
}

class Mirror {
  readonly list = new PipelineNodes();
  private readonly checked: Checked;
  private readonly nodes: readonly PipelineNode[];
  private readonly known = new Map<string, NodeId>();

  constructor(checked: Checked) {
    this.checked = checked;
    this.nodes = checked.pipeline.nodes;
    for (const node of this.nodes)
      if (node.kind === "input" || node.kind === "param" || node.kind === "table")
        this.build(node.id, "start");
  }

  /** The node for the value of a node. @param side how the value numbers items; values of the whole range have both */
  build(id: NodeId, side: Side): NodeId {
    const node = this.nodes[id] as PipelineNode;
    const key = `${id} ${this.checked.uniformities[id] === "item" ? side : ""}`;
    const made = this.known.get(key) ?? this.make(node, side);
    this.known.set(key, made);
    return made;
  }

  private make(node: PipelineNode, side: Side): NodeId {
    if (node.kind === "scatter" || (node.kind === "input" && side === "end")) return this.refuse(node);
    if (node.kind === "query") return this.query(node, side);
    if (node.kind === "binary" && this.isFirstFromEnd(node.id) && side === "start")
      return this.isFirst(node.op);
    if (isOther(node, this.nodes))
      return node.kind === "gather" ? this.gather(node, side) : this.refuse(node);
    if (!isCollective(node)) return this.list.add(mapOperands(node, (id) => this.build(id, side)));
    return isMonoid(node) ? this.collective(node, side) : this.refuse(node);
  }

  private query(node: QueryNode, side: Side): NodeId {
    if (node.query === "global-linear-id") return side === "end" ? this.list.add(node) : this.fromEnd();
    return this.checked.uniformities[node.id] === "item" ? this.refuse(node) : this.list.add(node);
  }

  /** The number of the item from the start. */
  private fromEnd(): NodeId {
    const { list } = this;
    const last = list.binary("sub", list.query("global-size"), list.constant("u32", 1));
    return list.binary("sub", last, list.query("global-linear-id"));
  }

  /** Whether a node compares the number of an item with that of the last one. */
  private isFirstFromEnd(id: NodeId): boolean {
    const node = this.nodes[id];
    if (node?.kind !== "binary" || (node.op !== "eq" && node.op !== "ne")) return false;
    const sides = [this.nodes[node.left], this.nodes[node.right]];
    return sides.some(isLinearId) && sides.some((one) => isLast(one, this.nodes));
  }

  private isFirst(op: BinaryOp): NodeId {
    return this.list.binary(op, this.list.query("global-linear-id"), this.list.constant("u32", 0));
  }

  private gather(node: GatherNode, side: Side): NodeId {
    const place = placeOf(node, this.nodes);
    if (place === "mirrored") return this.build(node.of, OTHER[side]);
    if (place === "before" && side === "end") return this.before(this.build(node.of, side), node);
    // Past the last item from the start is the last one itself: the first of the mirrored items.
    const isNext = place === (side === "start" ? "after" : "mirrored-after");
    if (!isNext) return this.refuse(node);
    const then = this.build(node.of, "start");
    const otherwise = this.before(then, node);
    return this.list.select(this.isFirst("eq"), then, otherwise);
  }

  private before(of: NodeId, { at }: GatherNode): NodeId {
    const { list } = this;
    const index = list.binary("sub", list.query("global-linear-id"), list.constant("u32", 1));
    return list.once({ kind: "gather", of, index }, at);
  }

  private collective(node: MonoidCollective, side: Side): NodeId {
    if (isScan(node) && side === "start") return this.refuse(node);
    const isEither = node.kind === "all" || node.kind === "any" || isCommuting(node);
    const from = isEither && !isScan(node) && !this.isOf(operandsOf(node), "end") ? "start" : "end";
    return this.list.add(mapOperands(node, (id) => this.build(id, from)));
  }

  /** Whether values number items so. Tries it without effect on the pipeline. */
  private isOf(ids: readonly NodeId[], side: Side): boolean {
    const trial = new Mirror(this.checked);
    try {
      for (const id of ids) trial.build(id, side);
      return true;
    } catch {
      return false;
    }
  }

  private refuse(node: PipelineNode): never {
    const reason = "other values begin at the last item, and it needs the items from the first on";
    const remedy =
      "run the whole range at once, or compute the scans of each direction in a pipeline of their own";
    throw errorOf("not-carried", { what: describe(node), reason, remedy }, node.at ?? `node ${node.id}`);
  }
}

/** Whether the order of the operands changes no bit. */
const isCommuting = (node: MonoidCollective): boolean =>
  "op" in node && OPS[node.op].exactlyAssociative(node.type) && OPS[node.op].commutative;
