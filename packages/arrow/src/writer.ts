/** Writes the nodes of a document. */
import type { NodeId, PipelineNode, Scalar } from "@groupwise/core";
import type { BinaryOp } from "@groupwise/core/target";

/** A validity that holds for every item. */
export type Validity = NodeId | undefined;

/** A list of nodes that grows; equal constants are one node. */
export class Writer {
  readonly nodes: PipelineNode[] = [];
  private readonly made = new Map<string, NodeId>();

  add(node: object): NodeId {
    return this.nodes.push({ ...node, id: this.nodes.length } as PipelineNode) - 1;
  }

  /** A node; equal contents give the same node. */
  once(node: object): NodeId {
    const key = JSON.stringify(node);
    const id = this.made.get(key) ?? this.add(node);
    this.made.set(key, id);
    return id;
  }

  constant(type: Scalar, value: unknown): NodeId {
    return this.once({ kind: "const", type, value });
  }

  binary(op: BinaryOp, left: NodeId, right: NodeId): NodeId {
    return this.once({ kind: "binary", op, left, right });
  }

  select(condition: NodeId, then: NodeId, otherwise: NodeId): NodeId {
    return this.once({ kind: "select", condition, then, otherwise });
  }

  not(value: NodeId): NodeId {
    return this.once({ kind: "unary", op: "not", of: value });
  }

  /** The conjunction of validities. */
  both(validities: readonly Validity[]): Validity {
    const known = [...new Set(validities.filter((one) => one !== undefined))];
    return known.length === 0 ? undefined : known.reduce((a, b) => this.binary("and", a, b));
  }

  /** A bit of a table of bytes, the least significant bit first. */
  bit(table: NodeId, position: NodeId): NodeId {
    const u32 = (value: number): NodeId => this.constant("u32", value);
    const byte = this.once({ kind: "gather", of: table, index: this.binary("shr", position, u32(3)) });
    const shifted = this.binary("shr", byte, this.binary("and", position, u32(7)));
    return this.binary("ne", this.binary("and", shifted, u32(1)), u32(0));
  }
}
