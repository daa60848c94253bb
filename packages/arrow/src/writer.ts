/** Writes the nodes of a document. */
import type { NodeId } from "@groupwise/core";
import { PipelineNodes } from "@groupwise/core/target";

/** A validity that holds for every item. */
export type Validity = NodeId | undefined;

/** The nodes of a document with nulls. */
export class DocumentWriter extends PipelineNodes {
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
