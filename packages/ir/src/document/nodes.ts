/** Builds lists of nodes, of pipelines and of operators. A node's id is its position. */
import type { BinaryOp } from "../tables/expr-op.ts";
import type { Literal } from "../tables/literal.ts";
import type { ArrayType } from "../tables/narrow.ts";
import type { Scalar } from "../tables/scalar.ts";
import { FORMAT_VERSION, type NodeId, type Pipeline, type PipelineNode } from "./node.ts";
import { mapOperands } from "./operands.ts";
import type { Operator, OperatorNode } from "./operator.ts";
import type { Query } from "./query.ts";

/** A node without some of its properties, kind by kind. */
export type NodeWithout<N extends PipelineNode | OperatorNode, K extends string> = N extends unknown
  ? Omit<N, K>
  : never;
/** A node before it has an id. */
export type NewNode<N extends PipelineNode | OperatorNode = PipelineNode> = NodeWithout<N, "id">;

/**
 * A list of nodes that grows. The operands of a node precede it. Nodes are frozen.
 * @category Authors
 */
export class NodeList<N extends PipelineNode | OperatorNode = PipelineNode> {
  /** The nodes so far. */
  readonly nodes: N[] = [];
  private readonly known = new Map<string, NodeId>();

  /** Adds a node, with the next id in place of its own. */
  add(node: NewNode<N>): NodeId {
    const id = this.nodes.length;
    this.nodes.push(Object.freeze(Object.assign({ id }, node, { id })) as unknown as N);
    return id;
  }

  /** Adds a node, unless an equal one was added so. @param at its source location, which may differ between equal nodes */
  once(node: NodeWithout<N, "id" | "at">, at?: string): NodeId {
    const key = JSON.stringify(node);
    const id = this.known.get(key) ?? this.add({ ...node, ...(at !== undefined && { at }) } as never);
    this.known.set(key, id);
    return id;
  }

  /** A constant; equal ones are one node. */
  constant(type: Scalar, value: Literal): NodeId {
    return this.once({ kind: "const", type, value } as never);
  }

  /** An element-wise operator; equal nodes are one. */
  binary(op: BinaryOp, left: NodeId, right: NodeId): NodeId {
    return this.once({ kind: "binary", op, left, right } as never);
  }

  /** A choice; equal nodes are one. */
  select(condition: NodeId, then: NodeId, otherwise: NodeId): NodeId {
    return this.once({ kind: "select", condition, then, otherwise } as never);
  }
}

/**
 * The nodes of a pipeline.
 * @category Authors
 */
export class PipelineNodes extends NodeList<PipelineNode> {
  /** Adds a node of another list. @param moved by id in that list: the node in this one */
  move(node: PipelineNode, moved: readonly NodeId[]): NodeId {
    return this.add(mapOperands(node, (id) => moved[id] as NodeId));
  }

  /** Adds an input. */
  input(name: string, type: ArrayType): NodeId {
    return this.add({ kind: "input", name, type });
  }

  /** A query of dimension 0; equal ones are one node. */
  query(query: Query): NodeId {
    return this.once({ kind: "query", query, dimension: 0 });
  }

  /** Adds an output. */
  output(name: string, of: NodeId): NodeId {
    return this.add({ kind: "output", name, of });
  }

  /** The document of these nodes; no node can be added after. */
  pipeline(name: string, workGroupSize: readonly number[], operators: readonly Operator[] = []): Pipeline {
    return Object.freeze({
      format: "groupwise-pipeline",
      version: FORMAT_VERSION,
      name,
      workGroupSize: Object.freeze([...workGroupSize]),
      ...(operators.length > 0 && { operators: Object.freeze([...operators]) }),
      nodes: Object.freeze(this.nodes),
    });
  }
}
