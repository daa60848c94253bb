/** Reads of other items as collectives, which states carry. */
import { type Checked, check } from "@groupwise/ir/document/check.js";
import { isCollective } from "@groupwise/ir/document/collectives.js";
import type { BroadcastNode, GatherNode, NodeId, PipelineNode } from "@groupwise/ir/document/node.js";
import { PipelineNodes } from "@groupwise/ir/document/nodes.js";
import { isSink, mapOperands } from "@groupwise/ir/document/operands.js";
import type { Operator } from "@groupwise/ir/document/operator.js";
import type { Scalar } from "@groupwise/ir/tables/scalar.js";
import { lastsOf, noValue } from "@groupwise/lower/parts/lasts.js";
import { Ahead, isReadAhead } from "./ahead.ts";
import { lastOf } from "./last.ts";
import { isGiven, livePart } from "./live.ts";
import { distanceBack, isOther, isPicked, isPrevious } from "./reads.ts";
import { readsLast } from "./reads-last.ts";

/**
 * The pipeline without reads of earlier and of single items: they become scans and reduces of the last values. Reads of later items become reads of inputs. Other pipelines are unchanged.
 * @param checked a pipeline that `refuseAlways` accepts
 */
export function withoutOthers(checked: Checked): Checked {
  const { nodes } = checked.pipeline;
  if (!nodes.some((node) => isOther(node, nodes))) return checked;
  const made = new Rewriting(checked).run();
  return check({ ...checked.pipeline, ...made });
}

class Rewriting {
  private readonly list = new PipelineNodes();
  private readonly operators: Operator[];
  /** By name and type: the position of an operator. */
  private readonly lasts = new Map<string, number>();
  /** By node: the greatest distance by which later items read it. */
  private readonly farthest = new Map<NodeId, number>();
  private readonly checked: Checked;
  private readonly wraps: boolean;

  constructor(checked: Checked) {
    this.checked = checked;
    this.operators = [...(checked.pipeline.operators ?? [])];
    this.wraps = readsLast(checked);
  }

  run(): { readonly nodes: readonly PipelineNode[]; readonly operators: readonly Operator[] } {
    const { nodes } = this.checked.pipeline;
    for (const node of nodes.filter((one) => isPrevious(one, nodes)))
      this.farthest.set(node.of, Math.max(this.farthest.get(node.of) ?? 0, distanceBack(node, nodes)));
    const moved: NodeId[] = [];
    // States have a value for each collective, read or not.
    const collectives = new Set<NodeId>();
    const ahead = new Ahead(this.checked, this.list, moved);
    for (const node of nodes) {
      const linked = mapOperands(node, (id) => moved[id] as NodeId);
      const type = this.checked.types[node.id] as Scalar;
      if (isPrevious(node, nodes)) moved.push(this.previous(linked as GatherNode, type, node));
      else if (isReadAhead(node, this.checked)) moved.push(ahead.read(node));
      else if (isPicked(node, this.checked))
        moved.push(this.picked(linked as GatherNode | BroadcastNode, type));
      else moved.push(this.list.add(linked));
      if (isCollective(node)) collectives.add(moved[node.id] as NodeId);
    }
    return {
      nodes: livePart(this.list.nodes, (node) => isGiven(node) || isSink(node) || collectives.has(node.id))
        .nodes,
      operators: this.operators,
    };
  }

  /** @param node the read, before its operands moved */
  private previous({ of, at }: GatherNode, type: Scalar, node: GatherNode): NodeId {
    const place = at === undefined ? {} : { at };
    const distance = distanceBack(node, this.checked.pipeline.nodes);
    const before = this.before(of, type, distance, this.farthest.get(node.of) as number, place);
    if (!this.wraps) return before;
    const last = this.last("reduce", type, [this.list.constant("bool", true), of], place);
    const index = this.list.query("global-linear-id");
    const condition = this.list.binary("lt", index, this.list.constant("u32", distance));
    return this.list.add({ kind: "select", condition, then: last, otherwise: before, ...place });
  }

  /** The value of the item at a distance before. @param farthest the greatest distance: all share one scan */
  private before(of: NodeId, type: Scalar, distance: number, farthest: number, place: object): NodeId {
    const operator = this.operator(`${farthest} ${type}`, () => lastsOf(type, farthest));
    const none = this.list.constant(type, noValue(type));
    const values = [this.list.constant("u32", 1), of, ...Array.from({ length: farthest - 1 }, () => none)];
    const own = { form: "scan-exclusive", operator, field: distance, scope: "device", of: values } as const;
    return this.list.add({ kind: "user-collective", ...own, ...place });
  }

  /** An index past the end means the last item. */
  private picked(node: GatherNode | BroadcastNode, type: Scalar): NodeId {
    const place = node.at === undefined ? {} : { at: node.at };
    const wanted = node.kind === "gather" ? node.index : (node.index[0] as NodeId);
    const there = this.list.binary("le", this.list.query("global-linear-id"), wanted);
    return this.last("reduce", type, [there, node.of], place);
  }

  private last(
    form: "reduce" | "scan-exclusive",
    type: Scalar,
    of: readonly NodeId[],
    place: object,
  ): NodeId {
    const operator = this.operator(type, () => lastOf(type));
    return this.list.add({
      kind: "user-collective",
      form,
      operator,
      field: 1,
      scope: "device",
      of,
      ...place,
    });
  }

  private operator(key: string, make: () => Operator): number {
    const operator = this.lasts.get(key) ?? this.operators.push(make()) - 1;
    this.lasts.set(key, operator);
    return operator;
  }
}
