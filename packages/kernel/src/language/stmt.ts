/** Statements of the Kernel IR, which lowerings make and targets print. */

import type { CollectiveNode } from "@groupwise/ir/document/node.js";
import type { Op } from "@groupwise/ir/tables/op.js";
import type { Scalar } from "@groupwise/ir/tables/scalar.js";
import type { GroupFeature } from "../capabilities/capabilities.ts";
import type { Expr, HeldArray, Inside, SharedSpace, Space } from "./expr.ts";
import type { Memory } from "./memory.ts";

/** A line for readers of the emitted text. */
export interface CommentStmt {
  readonly kind: "comment";
  readonly text: string;
}
/** A name for a value. */
export interface LetStmt {
  readonly kind: "let";
  readonly name: string;
  readonly value: Expr;
  /**
   * An argument of the routine that begins after it, or a result of the routine that ends: it remains a separate name, and
   * passes do not use its value inside the routine.
   */
  readonly role?: "argument" | "result";
}
/** A variable with its first value. */
export interface VarStmt {
  readonly kind: "var";
  readonly name: string;
  readonly value: Expr;
  /** Every value assigned to it is the same for the whole work-group, in control flow that all work-items reach. */
  readonly uniform?: true;
}
/** A new value for a variable. */
export interface AssignStmt {
  readonly kind: "assign";
  readonly name: string;
  readonly value: Expr;
}
/** An array of one work-item, all zero. */
export interface ArrayStmt {
  readonly kind: "array";
  readonly name: string;
  readonly type: Scalar;
  readonly length: number;
}
/** Writes an element of an array; the index is u32. */
export interface StoreStmt {
  readonly kind: "store";
  readonly space: Space;
  readonly array: string;
  readonly index: Expr;
  readonly value: Expr;
  /** The form of the array's elements, if it is not the value's type. */
  readonly memory?: Memory;
  readonly inside?: Inside;
  readonly held?: HeldArray;
}
/** An operator that several work-items may apply to one element at the same time. */
export type AtomicOp = "add" | "min" | "max" | "and" | "or" | "xor";
/** Combines a value into an element of shared memory, an i32 or a u32; several work-items may do so at the same time. */
export interface AtomicStmt {
  readonly kind: "atomic";
  readonly op: AtomicOp;
  readonly space: SharedSpace;
  readonly array: string;
  readonly index: Expr;
  readonly value: Expr;
}
/** A barrier: all work-items of the group reach it, and then see all earlier writes to work-group memory; device memory is not synchronized. */
export interface BarrierStmt {
  readonly kind: "barrier";
}
/**
 * Functions of a subgroup, whose whole work-group reaches them; subgroups are consecutive work-items. `shuffle-xor`: the value of the work-item
 * whose local id differs only in a bit, a power of two below both the subgroup's size and the group's; `shuffle`: that of a lane; `ballot`:
 * a word whose bit i is the condition of the i-th of at most 32 work-items; `some-lane`: whether a condition holds for one of
 * them; `reduce-lanes`: the values of 32 consecutive work-items combined, a block of a subgroup of 32 or more, in each of them.
 */
export type Intrinsic = "shuffle-xor" | "shuffle" | "ballot" | "some-lane" | "reduce-lanes";
/** Names the result of a function of a subgroup: a row of `INTRINSICS`. */
export interface IntrinsicStmt {
  readonly kind: "intrinsic";
  readonly fn: Intrinsic;
  readonly name: string;
  /** The value, and the bit or the lane. */
  readonly args: readonly Expr[];
  /** The operator of a reduction. */
  readonly op?: AtomicOp;
}
/** Names a word of device memory that other work-groups may write at the same time. It does not make their other writes visible. */
export interface AtomicLoadStmt {
  readonly kind: "atomic-load";
  readonly name: string;
  readonly array: string;
  readonly index: Expr;
  readonly inside?: Inside;
}
/**
 * Names two or four words of device memory, from an index that is a multiple of their number; each is read as by {@link AtomicLoadStmt}. Where the
 * condition is false, nothing is read, and the words are zero.
 */
export interface AtomicLoadRowStmt {
  readonly kind: "atomic-load-row";
  readonly name: string;
  readonly array: string;
  readonly index: Expr;
  readonly width: 2 | 4;
  readonly condition: Expr;
  readonly inside?: Inside;
}
/** Writes a word of device memory that other work-groups may read at the same time. */
export interface AtomicStoreStmt {
  readonly kind: "atomic-store";
  readonly array: string;
  readonly index: Expr;
  readonly value: Expr;
  readonly inside?: Inside;
}
/** Adds to a word of shared memory, and names its previous value. */
export interface AtomicAddStmt {
  readonly kind: "atomic-add";
  readonly name: string;
  readonly space: SharedSpace;
  readonly array: string;
  readonly index: Expr;
  readonly value: Expr;
}
/** Asks for the cache line of an element of device memory that other work-groups read soon. */
export interface PrefetchStmt {
  readonly kind: "prefetch";
  readonly array: string;
  readonly type: Scalar;
  readonly index: Expr;
}
/** Four elements. */
export const ROW = 4;
/** Elements that are loaded or stored at once: four, or two where they have 64 bits or hold four narrow ones. */
export type RowWidth = 2 | typeof ROW;
/** Names elements of device memory, from an index that is a multiple of their number; `part` expressions read them. */
export interface LoadRowStmt {
  readonly kind: "load-row";
  readonly name: string;
  readonly array: string;
  readonly type: Scalar;
  readonly index: Expr;
  /** Where the array's elements are not of the type that is loaded. */
  readonly memory?: Memory;
  /** The number of elements, if it is not four. */
  readonly width?: 2;
  readonly held?: HeldArray;
}
/** Writes four elements of device memory, or two, from an index that is a multiple of their number. */
export interface StoreRowStmt {
  readonly kind: "store-row";
  readonly array: string;
  readonly index: Expr;
  readonly values: readonly Expr[];
  /** The form of the array's elements, if it is not the values' type. */
  readonly memory?: Memory;
  readonly held?: HeldArray;
}
/** A barrier that names an element of work-group memory as a uniform value. */
export interface UniformLoadStmt {
  readonly kind: "uniform-load";
  readonly name: string;
  readonly array: string;
  readonly type: Scalar;
  readonly index: Expr;
}
/** A function of the whole work-group that a language may have. Scans are in the order of local ids. */
export type GroupFunction = Exclude<CollectiveNode["kind"], "user-collective" | "rank">;
/**
 * A new value for a variable: the result of the implementation's own work-group function. The whole work-group reaches it.
 * `broadcast` takes the local id of the source, which is the same for all. Types are integers and, without
 * an operator, bool; broadcasts take any.
 */
export interface NativeStmt {
  readonly kind: "native";
  readonly name: string;
  readonly fn: GroupFunction;
  readonly op: Op | undefined;
  readonly value: Expr;
  readonly source: Expr | undefined;
}
/** What compilers of a text may have or lack: work-group functions, or vectors. */
export type ChoiceFeature = GroupFeature | "vectors";
/** `native` if the compiler of the text guarantees the feature, otherwise `portable`. */
export interface ChoiceStmt {
  readonly kind: "choice";
  readonly feature: ChoiceFeature;
  readonly native: readonly Stmt[];
  readonly portable: readonly Stmt[];
}
/** One of two blocks; `otherwise` may be empty. */
export interface IfStmt {
  readonly kind: "if";
  readonly condition: Expr;
  /** The condition is the same in the work-items of each subgroup, 32 or more: they may shuffle in the blocks. */
  readonly ofSubgroups?: true;
  readonly then: readonly Stmt[];
  readonly otherwise: readonly Stmt[];
}
/** The variable (u32) runs from `from`, by `step`, as long as it is below `below`. */
export interface ForStmt {
  readonly kind: "for";
  readonly name: string;
  readonly from: Expr;
  readonly below: Expr;
  readonly step: number;
  readonly body: readonly Stmt[];
}
/** The body as long as the condition holds. */
export interface WhileStmt {
  readonly kind: "while";
  readonly condition: Expr;
  readonly body: readonly Stmt[];
}
/** Names the results of a function that has several; `part` expressions read them. */
export interface CallStmt {
  readonly kind: "call";
  /** Empty if nothing reads the results. */
  readonly name: string;
  readonly fn: string;
  readonly args: readonly Expr[];
  /** The results' common type, and their number. */
  readonly type: Scalar;
  readonly width: number;
  /** The results have names and types of their own, or there are none. */
  readonly named?: true;
}
/**
 * Begins a routine: the statements up to its {@link ResultsStmt}, in the same block, represent a call. They read only
 * `argument`s and other names that are never assigned, and change nothing but device memory.
 */
export interface RoutineStmt {
  readonly kind: "routine";
  /** The function's name, if printers emit it as a function. */
  readonly title: string;
  readonly doc: string;
  /** The name of what a call returns, if it is not that of the first result. */
  readonly returns?: string;
}
/** Ends a routine: the names of its results, the only ones that later statements read. */
export interface ResultsStmt {
  readonly kind: "results";
  readonly values: readonly Expr[];
}
/** In functions: a value for each result. Printers also end kernels with one without values. */
export interface ReturnStmt {
  readonly kind: "return";
  readonly values: readonly Expr[];
  /** The function whose results have names. */
  readonly of?: string;
}

/** Any statement. */
export type Stmt =
  | CommentStmt
  | LetStmt
  | VarStmt
  | AssignStmt
  | ArrayStmt
  | StoreStmt
  | AtomicStmt
  | BarrierStmt
  | IfStmt
  | ForStmt
  | WhileStmt
  | CallStmt
  | IntrinsicStmt
  | AtomicLoadStmt
  | AtomicLoadRowStmt
  | AtomicStoreStmt
  | AtomicAddStmt
  | PrefetchStmt
  | LoadRowStmt
  | StoreRowStmt
  | UniformLoadStmt
  | NativeStmt
  | ChoiceStmt
  | RoutineStmt
  | ResultsStmt
  | ReturnStmt;
