/**
 * The Pipeline IR: the computation as plain data, which is its own JSON form. It contains no target and no
 * algorithm. Nodes are in topological order; a node's id is its position.
 */

import type { FunctionName } from "../functions/spec.ts";
import type { BinaryOp, UnaryOp } from "../tables/expr-op.ts";
import type { Literal } from "../tables/literal.ts";
import type { ArrayType, Narrow } from "../tables/narrow.ts";
import type { Op } from "../tables/op.ts";
import type { Scalar } from "../tables/scalar.ts";
import type { Operator } from "./operator.ts";
import type { Query } from "./query.ts";

/** Position of a node in its pipeline. */
export type NodeId = number;

/** The items that take part: the work-group (OpenCL C's scope) or the whole range, in index order. */
export type Scope = "work-group" | "device";

/** `fixed`: the Fenwick order, the same bits everywhere. `any`: the fastest order, within an error bound. */
export type Order = "fixed" | "any";

interface NodeBase {
  readonly id: NodeId;
  /** The source location (`file:line:column`), for messages only. */
  readonly at?: string;
}

/** One array of n elements. */
export interface InputNode extends NodeBase {
  readonly kind: "input";
  readonly name: string;
  /** The type of the elements; the value of a narrow one is an i32, u32 or f32. */
  readonly type: ArrayType;
}

/** One scalar given with each run, the same for every item. */
export interface ParamNode extends NodeBase {
  readonly kind: "param";
  readonly name: string;
  readonly type: Scalar;
  /** Its value, a u32, is not 0 and divides the number of items; every run of a whole range checks it. */
  readonly divides?: true;
}

/** An array with a length of its own, given with each run. Only `gather` and `table-length` read it. */
export interface TableNode extends NodeBase {
  readonly kind: "table";
  readonly name: string;
  /** The type of the elements; the value of a narrow one is an i32, u32 or f32. */
  readonly type: ArrayType;
}

/** The number of elements of a table; u32, the same for every item. */
export interface TableLengthNode extends NodeBase {
  readonly kind: "table-length";
  /** A table. */
  readonly of: NodeId;
}

/** A constant, the same for every item. */
export interface ConstNode extends NodeBase {
  readonly kind: "const";
  readonly type: Scalar;
  readonly value: Literal;
}

/** The position of an item, or a size of the range or its work-group (OpenCL C's work-item functions); the result is u32. */
export interface QueryNode extends NodeBase {
  readonly kind: "query";
  readonly query: Query;
  /**
   * 0 to 2^32 - 1. For a dimension that the pipeline does not have the result is that of the specification: 0 for positions,
   * 1 for sizes. It is 0 if the query has no dimension.
   */
  readonly dimension: number;
}

/** An element-wise operator of one operand. */
export interface UnaryNode extends NodeBase {
  readonly kind: "unary";
  readonly op: UnaryOp;
  readonly of: NodeId;
}

/** An element-wise operator of two operands. */
export interface BinaryNode extends NodeBase {
  readonly kind: "binary";
  readonly op: BinaryOp;
  readonly left: NodeId;
  readonly right: NodeId;
}

/** An element-wise function; the first operand determines the type. */
export interface FunctionNode extends NodeBase {
  readonly kind: "function";
  readonly op: FunctionName;
  readonly of: readonly NodeId[];
  /**
   * For an elementary function: targets may use their language's own function, within the bound that the language states. Bits may then differ
   * between targets; the value is that of the function without it, up to the bound.
   */
  readonly fast?: true;
}

/** `then` if the condition (bool) is true, `otherwise` if not; both are computed. */
export interface SelectNode extends NodeBase {
  readonly kind: "select";
  readonly condition: NodeId;
  readonly then: NodeId;
  readonly otherwise: NodeId;
}

/** Conversion of the value: integers wrap, floats to integers truncate and saturate, NaN becomes 0. */
export interface CastNode extends NodeBase {
  readonly kind: "cast";
  readonly to: Scalar;
  readonly of: NodeId;
}

/** The same bits as another type of the same width. */
export interface BitcastNode extends NodeBase {
  readonly kind: "bitcast";
  readonly to: Scalar;
  readonly of: NodeId;
}

/** A value for every item, from a value of a group or of the whole range. */
export interface SpreadNode extends NodeBase {
  readonly kind: "spread";
  readonly of: NodeId;
}

/**
 * The element of a table or of a scatter at an index, or the value of a node at the item with that linear index in the range.
 * An index past the end means the last; the result for an empty table or scatter is 0. It has the uniformity of the index.
 */
export interface GatherNode extends NodeBase {
  readonly kind: "gather";
  /** A table, a scatter without `combine` and `as`, or any value, including computed values and results of collectives. */
  readonly of: NodeId;
  /** u32 */
  readonly index: NodeId;
}

interface MonoidNode extends NodeBase {
  readonly op: Op;
  readonly type: Scalar;
  /** The operator's identity on the type, stated so that a document cannot be misread. */
  readonly identity: Literal;
  readonly scope: Scope;
  /** Only add and mul of floats depend on it. */
  readonly order: Order;
  readonly of: NodeId;
}

/** work_group_reduce_<op>; over no items it is the identity. */
export interface ReduceNode extends MonoidNode {
  readonly kind: "reduce";
}
/** work_group_scan_inclusive_<op>; element 0 is unchanged. */
export interface InclusiveScanNode extends MonoidNode {
  readonly kind: "scan-inclusive";
}
/** work_group_scan_exclusive_<op>; element 0 is the identity. */
export interface ExclusiveScanNode extends MonoidNode {
  readonly kind: "scan-exclusive";
}

/** The result of a collective: the combined value of all items, or each prefix. */
export type CollectiveForm = "reduce" | "scan-inclusive" | "scan-exclusive";

/**
 * One field of a reduce or a scan by an operator of the pipeline. Nodes with the same form, operator, scope and
 * operands are one collective. Over no items, and before the first item, it is the field of the identity.
 */
export interface UserCollectiveNode extends NodeBase {
  readonly kind: "user-collective";
  readonly form: CollectiveForm;
  /** Position in the pipeline's list of operators. */
  readonly operator: number;
  /** Position in the operator's list of fields. */
  readonly field: number;
  readonly scope: Scope;
  /** One value for each field of the operator. */
  readonly of: readonly NodeId[];
}
/** A scan by an operator of the pipeline. */
export type UserScanNode = UserCollectiveNode & { readonly form: "scan-inclusive" | "scan-exclusive" };

interface VoteBase extends NodeBase {
  readonly scope: Scope;
  readonly of: NodeId;
}
/** work_group_all: whether the predicate holds for every item; true over no items. The result is a bool. */
export interface AllNode extends VoteBase {
  readonly kind: "all";
}
/** work_group_any: whether the predicate holds for some item; false over no items. The result is a bool. */
export interface AnyNode extends VoteBase {
  readonly kind: "any";
}
/** all or any. */
export type VoteNode = AllNode | AnyNode;

/**
 * work_group_broadcast by one index per dimension; for device scope the index counts from the range's first item. An index
 * past the end of its dimension means the last item of that dimension.
 */
export interface BroadcastNode extends NodeBase {
  readonly kind: "broadcast";
  readonly scope: Scope;
  readonly of: NodeId;
  readonly index: readonly NodeId[];
}

/**
 * The stable rank of each item's key: the number of items with a smaller key plus the number of earlier items with the same one. The ranks of n items
 * are a permutation of the numbers from 0 to n - 1. A key of `bins` or more counts as `bins` - 1.
 */
export interface RankNode extends NodeBase {
  readonly kind: "rank";
  readonly scope: "device";
  /** u32 */
  readonly of: NodeId;
  /** The number of keys, 1 to `LIMITS.bins`. */
  readonly bins: number;
}

/** One output: n elements of an item's value, one per group of a group's value, one of a uniform value. */
export interface OutputNode extends NodeBase {
  readonly kind: "output";
  readonly name: string;
  readonly of: NodeId;
  /** The type of the elements, if it is narrower than the value: integers wrap, floats round to nearest even. */
  readonly as?: Narrow;
}

/** The operator that combines the values of one slot; its bits are the same in any order. */
export type ScatterCombine = "add" | "min" | "max" | "and" | "or" | "xor";

/**
 * An output in which items write to computed slots. No two items may write the same slot, unless
 * `combine` is the operator that combines them. Slots that no item writes hold 0, with `combine` the operator's
 * identity. A slot at or past the end is reported, never written. Elements of the array at or past `length` are not part
 * of the output: they hold 0, or the previous content of the caller's array.
 */
export interface ScatterNode extends NodeBase {
  readonly kind: "scatter";
  readonly name: string;
  readonly value: NodeId;
  /** u32 */
  readonly slot: NodeId;
  /** bool: the items that write; default: every item. */
  readonly where?: NodeId;
  /** u32, uniform: the number of valid slots, at most the capacity. Default: the capacity. */
  readonly length?: NodeId;
  /**
   * u32: elements of the output, as a host can compute it before the run. Constants, parameters, global sizes, lengths of
   * tables, and add, sub, mul, div, min, max of those; no term may leave u32. Default: n.
   */
  readonly capacity?: NodeId;
  /** Only for i32 and u32. */
  readonly combine?: ScatterCombine;
  /** As for an output; not with `combine`. */
  readonly as?: Narrow;
}

/** A node with a value that other nodes can use. */
export type ValueNode =
  | InputNode
  | ParamNode
  | ConstNode
  | QueryNode
  | UnaryNode
  | BinaryNode
  | FunctionNode
  | SelectNode
  | CastNode
  | BitcastNode
  | SpreadNode
  | TableLengthNode
  | GatherNode
  | ReduceNode
  | InclusiveScanNode
  | ExclusiveScanNode
  | UserCollectiveNode
  | AllNode
  | AnyNode
  | BroadcastNode
  | RankNode;
/** An output of the pipeline, which has no value that other nodes can use. */
export type SinkNode = OutputNode | ScatterNode;
/** Any node. */
export type PipelineNode = ValueNode | TableNode | SinkNode;
/** The tag by which nodes are distinguished. */
export type NodeKind = PipelineNode["kind"];
/** An inclusive or an exclusive scan by a built-in operator. */
export type ScanNode = InclusiveScanNode | ExclusiveScanNode;
/** A collective whose values are combined by a monoid, over one operand or one record: a reduce, a scan, or a vote. */
export type MonoidCollective = ReduceNode | ScanNode | UserCollectiveNode | VoteNode;
/** Any collective. */
export type CollectiveNode = MonoidCollective | BroadcastNode | RankNode;
/** A collective that takes the value of one item. */
export type PickCollective = Exclude<CollectiveNode, MonoidCollective | RankNode>;

/** The version of the document format that this release writes and reads. */
export const FORMAT_VERSION = 1;

/** A whole pipeline over a range of n items, in 1 to 3 dimensions. */
export interface Pipeline {
  readonly format: "groupwise-pipeline";
  readonly version: 1;
  readonly name: string;
  /** Work-items of a work-group per dimension; its length is the number of dimensions. */
  readonly workGroupSize: readonly number[];
  readonly nodes: readonly PipelineNode[];
  /** User-defined operators, for user-collective nodes; absent if there is none. */
  readonly operators?: readonly Operator[];
}
