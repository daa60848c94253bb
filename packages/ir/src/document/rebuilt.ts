/** Pipelines with replaced nodes, without another check: added nodes must be valid. */
import type { BinaryOp } from "../tables/expr-op.ts";
import { encodeLiteral } from "../tables/literal.ts";
import { SCALARS, type Scalar, type ScalarValue } from "../tables/scalar.ts";
import type { Checked } from "./check.ts";
import type { NodeId, PipelineNode } from "./node.ts";
import { type NewNode, NodeList } from "./nodes.ts";
import { isSink, mapOperands } from "./operands.ts";
import { type Uniformity, uniformityOf } from "./uniformity.ts";

/** A pipeline's nodes, with replaced and added nodes. */
export class RebuiltPipeline {
  private readonly list = new NodeList();
  private readonly types: Scalar[] = [];
  private readonly uniformities: Uniformity[] = [];
  private readonly given: Checked;
  /** By id in the given pipeline. */
  private readonly ids = new Map<NodeId, NodeId>();

  constructor(given: Checked) {
    this.given = given;
  }

  /** Sets the replacement of a node of the given pipeline. */
  keep(from: NodeId, to: NodeId): void {
    this.ids.set(from, to);
  }

  /** Its replacement. */
  idOf(given: NodeId): NodeId {
    return this.ids.get(given) as NodeId;
  }

  typeOf(id: NodeId): Scalar {
    return this.types[id] as Scalar;
  }

  /** Copies a node of the given pipeline. */
  add(node: PipelineNode): void {
    const linked = mapOperands(node, (id) => this.idOf(id));
    this.keep(node.id, this.append(linked, this.given.types[node.id] as Scalar));
  }

  /** Adds a node. */
  append(node: NewNode, type: Scalar): NodeId {
    const id = this.list.add(node);
    this.types.push(type);
    this.uniformities.push(uniformityOf(this.list.nodes[id] as PipelineNode, this.uniformities));
    return id;
  }

  constant(type: Scalar, value: ScalarValue): NodeId {
    return this.append({ kind: "const", type, value: encodeLiteral(type, SCALARS[type].wrap(value)) }, type);
  }

  binary(op: BinaryOp, left: NodeId, right: NodeId, type: Scalar = this.types[left] as Scalar): NodeId {
    return this.append({ kind: "binary", op, left, right }, type);
  }

  /** The pipeline with its checked properties. */
  checked(): Checked {
    const { types, uniformities, given } = this;
    const { nodes } = this.list;
    return {
      pipeline: { ...given.pipeline, nodes },
      types,
      uniformities,
      inputs: nodes.filter((node) => node.kind === "input"),
      params: nodes.filter((node) => node.kind === "param"),
      tables: nodes.filter((node) => node.kind === "table"),
      sinks: nodes.filter(isSink),
    };
  }
}
