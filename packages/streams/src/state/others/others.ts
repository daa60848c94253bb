/** Reads of other items as collectives, which states carry. */
import { type Checked, check } from "@groupwise/ir/document/check.js";
import { isCollective } from "@groupwise/ir/document/collectives.js";
import type { BroadcastNode, GatherNode, NodeId, PipelineNode } from "@groupwise/ir/document/node.js";
import { isSink, mapOperands } from "@groupwise/ir/document/operands.js";
import type { Operator } from "@groupwise/ir/document/operator.js";
import { encodeLiteral } from "@groupwise/ir/tables/literal.js";
import { SCALARS, type Scalar } from "@groupwise/ir/tables/scalar.js";
import { isGiven, livePart } from "./live.ts";
import { isOther, isPicked, isPrevious } from "./reads.ts";
import { readsLast } from "./reads-last.ts";

/** The value of the last item that has one. It is exactly associative, and the identity is one without a value. */
const lastOf = (type: Scalar): Operator => ({
  name: "last",
  fields: [
    { name: "there", type: "bool", identity: false },
    { name: "value", type, identity: encodeLiteral(type, SCALARS[type].whole(0)) },
  ],
  commutative: false,
  nodes: [
    { id: 0, kind: "left", field: 0 },
    { id: 1, kind: "right", field: 0 },
    { id: 2, kind: "binary", op: "or", left: 0, right: 1 },
    { id: 3, kind: "left", field: 1 },
    { id: 4, kind: "right", field: 1 },
    { id: 5, kind: "select", condition: 1, then: 4, otherwise: 3 },
  ],
  results: [2, 5],
});

/**
 * The pipeline without reads of the previous item and of single items: they become scans and reduces of the last value. Other pipelines are unchanged.
 * @param checked a pipeline that `refuseAlways` accepts
 */
export function withoutOthers(checked: Checked): Checked {
  const { nodes } = checked.pipeline;
  if (!nodes.some((node) => isOther(node, nodes))) return checked;
  const made = new Rewriting(checked).run();
  return check({ ...checked.pipeline, ...made });
}

class Rewriting {
  private readonly nodes: PipelineNode[] = [];
  private readonly operators: Operator[];
  /** By type: the position of its operator. */
  private readonly lasts = new Map<Scalar, number>();
  private readonly checked: Checked;
  private readonly wraps: boolean;

  constructor(checked: Checked) {
    this.checked = checked;
    this.operators = [...(checked.pipeline.operators ?? [])];
    this.wraps = readsLast(checked);
  }

  run(): { readonly nodes: readonly PipelineNode[]; readonly operators: readonly Operator[] } {
    const { nodes } = this.checked.pipeline;
    const moved: NodeId[] = [];
    // States have a value for each collective, read or not.
    const collectives = new Set<NodeId>();
    for (const node of nodes) {
      const linked = mapOperands(node, (id) => moved[id] as NodeId);
      const type = this.checked.types[node.id] as Scalar;
      if (isPrevious(node, nodes)) moved.push(this.previous(linked as GatherNode, type));
      else if (isPicked(node, this.checked))
        moved.push(this.picked(linked as GatherNode | BroadcastNode, type));
      else moved.push(this.add(linked));
      if (isCollective(node)) collectives.add(moved[node.id] as NodeId);
    }
    return {
      nodes: livePart(this.nodes, (node) => isGiven(node) || isSink(node) || collectives.has(node.id)).nodes,
      operators: this.operators,
    };
  }

  private add(node: object): NodeId {
    return this.nodes.push({ ...node, id: this.nodes.length } as PipelineNode) - 1;
  }

  private previous({ of, at }: GatherNode, type: Scalar): NodeId {
    const place = at === undefined ? {} : { at };
    const there = this.add({ kind: "const", type: "bool", value: true });
    const before = this.last("scan-exclusive", type, [there, of], place);
    if (!this.wraps) return before;
    const last = this.last("reduce", type, [there, of], place);
    const index = this.add({ kind: "query", query: "global-linear-id", dimension: 0 });
    const zero = this.add({ kind: "const", type: "u32", value: 0 });
    const condition = this.add({ kind: "binary", op: "eq", left: index, right: zero });
    return this.add({ kind: "select", condition, then: last, otherwise: before, ...place });
  }

  /** An index past the end means the last item. */
  private picked(node: GatherNode | BroadcastNode, type: Scalar): NodeId {
    const place = node.at === undefined ? {} : { at: node.at };
    const wanted = node.kind === "gather" ? node.index : (node.index[0] as NodeId);
    const index = this.add({ kind: "query", query: "global-linear-id", dimension: 0 });
    const there = this.add({ kind: "binary", op: "le", left: index, right: wanted });
    return this.last("reduce", type, [there, node.of], place);
  }

  private last(
    form: "reduce" | "scan-exclusive",
    type: Scalar,
    of: readonly NodeId[],
    place: object,
  ): NodeId {
    const operator = this.lasts.get(type) ?? this.operators.push(lastOf(type)) - 1;
    this.lasts.set(type, operator);
    return this.add({ kind: "user-collective", form, operator, field: 1, scope: "device", of, ...place });
  }
}
