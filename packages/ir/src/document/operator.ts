/**
 * User-defined operators: functions of two records, by which collectives combine. A record is split
 * into its fields, each a scalar; the function is a list of nodes, as in a pipeline.
 */

import { FUNCTION_ROWS } from "../functions/functions.ts";
import { resolved } from "../functions/spec.ts";
import { BINARY } from "../tables/expr-op.ts";
import type { Literal } from "../tables/literal.ts";
import type { Scalar } from "../tables/scalar.ts";
import type {
  BinaryNode,
  BitcastNode,
  CastNode,
  ConstNode,
  FunctionNode,
  NodeId,
  SelectNode,
  UnaryNode,
} from "./node.ts";

/** One scalar of the records. */
export interface OperatorField {
  /** Its path in the record: `value`, `m.a`; the element 2 of a list `v` is `v_2`. */
  readonly name: string;
  readonly type: Scalar;
  /** The field of the identity, in the exact form of a literal. */
  readonly identity: Literal;
}

interface SideNode {
  readonly id: NodeId;
  readonly at?: string;
  /** Position of the field in the operator's list. */
  readonly field: number;
}
/** A field of the left record: the one of the earlier items. */
export interface LeftNode extends SideNode {
  readonly kind: "left";
}
/** A field of the right record: the one of the later items. */
export interface RightNode extends SideNode {
  readonly kind: "right";
}

/** A node of an operator; ids are positions in the operator's own list. */
export type OperatorNode =
  | LeftNode
  | RightNode
  | ConstNode
  | UnaryNode
  | BinaryNode
  | FunctionNode
  | SelectNode
  | CastNode
  | BitcastNode;
/** The tag by which an operator's nodes are distinguished. */
export type OperatorNodeKind = OperatorNode["kind"];

/**
 * A user-defined monoid. It must be associative, at least up to rounding, and the identity must not change values;
 * `checkLaws` tests this. Results have the same bits everywhere, even if the laws hold only up to rounding.
 */
export interface Operator {
  readonly name: string;
  /** 1 to 32. */
  readonly fields: readonly OperatorField[];
  /** The author's claim that the operands may be swapped. */
  readonly commutative: boolean;
  readonly nodes: readonly OperatorNode[];
  /** The node of each field of the result. */
  readonly results: readonly NodeId[];
}

/** Limits of operators. */
export const OPERATOR_LIMITS = { operators: 64, fields: 32, nodes: 4096 } as const;

/** The types of an operator's nodes; the operator must be valid. */
export function typesOfOperator({ fields, nodes }: Pick<Operator, "fields" | "nodes">): readonly Scalar[] {
  const types: Scalar[] = [];
  for (const node of nodes) types.push(typeOf(node, types, fields));
  return types;
}

function typeOf(node: OperatorNode, types: readonly Scalar[], fields: readonly OperatorField[]): Scalar {
  switch (node.kind) {
    case "left":
    case "right":
      return (fields[node.field] as OperatorField).type;
    case "const":
      return node.type;
    case "cast":
    case "bitcast":
      return node.to;
    case "unary":
      return types[node.of] as Scalar;
    case "binary":
      return BINARY[node.op].compares ? "bool" : (types[node.left] as Scalar);
    case "function":
      return resolved(FUNCTION_ROWS[node.op].result, types[node.of[0] as NodeId] as Scalar);
    case "select":
      return types[node.then] as Scalar;
  }
}
