/** A WebAssembly module as a tree of instructions, from which the text and the binary form are made. */
import type { BRANCHES, NAMED, ValueType } from "./instructions.ts";

/** An operation on the values of its operands. */
export interface NumericNode {
  readonly kind: "numeric";
  readonly op: string;
  readonly operands: readonly Node[];
}
export interface ConstantNode {
  readonly kind: "const";
  readonly type: Exclude<ValueType, "v128">;
  readonly value: number | bigint;
}
/** An access of memory, at an address and a constant offset from it. */
export interface AccessNode {
  readonly kind: "access";
  readonly op: string;
  readonly offset: number;
  readonly operands: readonly Node[];
}
/** An instruction on a local variable, a global or a function. */
export interface NamedNode {
  readonly kind: "named";
  readonly op: keyof typeof NAMED;
  readonly name: string;
  readonly operands: readonly Node[];
}
export interface BranchNode {
  readonly kind: "branch";
  readonly op: keyof typeof BRANCHES;
  readonly label: string;
  readonly operands: readonly Node[];
}
/** A branch to the label of a block leaves it, to that of a loop begins it again. */
export interface BlockNode {
  readonly kind: "block";
  readonly op: "block" | "loop";
  readonly label: string;
  readonly body: readonly Node[];
}
export interface IfNode {
  readonly kind: "if";
  readonly result?: ValueType;
  readonly condition: Node;
  readonly then: readonly Node[];
  readonly otherwise: readonly Node[];
}
/** A line for readers of the text. */
export interface CommentNode {
  readonly kind: "comment";
  readonly text: string;
}
export type Node =
  | NumericNode
  | ConstantNode
  | AccessNode
  | NamedNode
  | BranchNode
  | BlockNode
  | IfNode
  | CommentNode;

export interface Variable {
  readonly name: string;
  readonly type: ValueType;
}

/** A function. */
export interface FunctionTree {
  readonly name: string;
  /** Lines for readers of the text. */
  readonly doc: readonly string[];
  readonly params: readonly Variable[];
  readonly results: readonly ValueType[];
  readonly locals: readonly Variable[];
  readonly body: readonly Node[];
}

/** The functions of a module, of which it exports the last one under its name. It imports its memory. */
export interface ModuleTree {
  readonly functions: readonly FunctionTree[];
  /** Bytes of memory for arrays of the functions, from the imported global on; 0: there is no global. */
  readonly frame: number;
}

/** The names of what modules import. */
export const IMPORTS = { module: "groupwise", memory: "memory", frame: "frame" } as const;

export const numeric = (op: string, ...operands: readonly Node[]): NumericNode => ({
  kind: "numeric",
  op,
  operands,
});
export const i32 = (value: number): ConstantNode => ({ kind: "const", type: "i32", value: value | 0 });
export const i64 = (value: bigint): ConstantNode => ({
  kind: "const",
  type: "i64",
  value: BigInt.asIntN(64, value),
});
export const named = (op: NamedNode["op"], name: string, ...operands: readonly Node[]): NamedNode => ({
  kind: "named",
  op,
  name,
  operands,
});
export const get = (name: string): NamedNode => named("local.get", name);
export const branch = (op: BranchNode["op"], label: string, ...operands: readonly Node[]): BranchNode => ({
  kind: "branch",
  op,
  label,
  operands,
});
export const block = (op: BlockNode["op"], label: string, ...body: readonly Node[]): BlockNode => ({
  kind: "block",
  op,
  label,
  body,
});
