/** Statements, kernels and modules of the Kernel IR: what a lowering writes and a target spells. */
import type { GroupFeature } from "../capabilities.ts";
import type { Formula } from "../formula.ts";
import type { CollectiveNode } from "../ir/node.ts";
import type { Op } from "../op.ts";
import type { Scalar } from "../scalar.ts";
import { type Expr, partsOf, type Space } from "./expr.ts";
import { type Memory, memoryOf, valueIn } from "./memory.ts";

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
}
/** A variable with its first value. */
export interface VarStmt {
  readonly kind: "var";
  readonly name: string;
  readonly value: Expr;
  /** Every value that it gets is the same for all of the work-group, and is given where all of it come. */
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
  /** Where the array's elements are not of the value's type. */
  readonly memory?: Memory;
}
/** An operator that work-items may apply to one element at once. */
export type AtomicOp = "add" | "min" | "max" | "and" | "or" | "xor";
/** Combines a value into an element of device memory, an i32 or a u32; many work-items may do so at once. */
export interface AtomicStmt {
  readonly kind: "atomic";
  readonly op: AtomicOp;
  readonly space: "storage";
  readonly array: string;
  readonly index: Expr;
  readonly value: Expr;
}
/** All work-items of the group arrive, and then see one another's work-group memory; of device memory it promises nothing. */
export interface BarrierStmt {
  readonly kind: "barrier";
}
/**
 * Names what the work-item gives whose local id differs from one's own in `bit` alone. All of the work-group come;
 * `bit` is a power of two below both the subgroup's size and the group's, and the same for all.
 */
export interface ExchangeStmt {
  readonly kind: "exchange";
  readonly name: string;
  readonly value: Expr;
  readonly bit: Expr;
}
/** Names what the work-item gives that is `from`-th in the subgroup. All of the work-group come; subgroups are consecutive. */
export interface ShuffleStmt {
  readonly kind: "shuffle";
  readonly name: string;
  readonly value: Expr;
  readonly from: Expr;
}
/** Names a word of device memory that other work-groups may write meanwhile. What else they wrote need not be seen. */
export interface AtomicLoadStmt {
  readonly kind: "atomic-load";
  readonly name: string;
  readonly array: string;
  readonly index: Expr;
}
/** Writes a word of device memory that other work-groups may read meanwhile. */
export interface AtomicStoreStmt {
  readonly kind: "atomic-store";
  readonly array: string;
  readonly index: Expr;
  readonly value: Expr;
}
/** Adds to a word of device memory, and names what it held before. */
export interface AtomicAddStmt {
  readonly kind: "atomic-add";
  readonly name: string;
  readonly array: string;
  readonly index: Expr;
  readonly value: Expr;
}
/** Four elements. */
export const ROW = 4;
/** Names four elements of device memory, from an index that is a multiple of four; `part` expressions read them. */
export interface LoadRowStmt {
  readonly kind: "load-row";
  readonly name: string;
  readonly array: string;
  readonly type: Scalar;
  readonly index: Expr;
}
/** Writes four elements of device memory, from an index that is a multiple of four. */
export interface StoreRowStmt {
  readonly kind: "store-row";
  readonly array: string;
  readonly index: Expr;
  readonly values: readonly Expr[];
}
/** A barrier, and names an element of work-group memory, which is known to be the same for all. */
export interface UniformLoadStmt {
  readonly kind: "uniform-load";
  readonly name: string;
  readonly array: string;
  readonly type: Scalar;
  readonly index: Expr;
}
/** A function of the whole work-group that a language may have. Scans are in the order of local ids. */
export type GroupFunction = Exclude<CollectiveNode["kind"], "fold">;
/**
 * A new value for a variable: what the implementation's own function of the work-group gives. All of it come.
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
/** `native` where what compiles the text promises the feature, else `portable`. */
export interface ChoiceStmt {
  readonly kind: "choice";
  readonly feature: GroupFeature;
  readonly native: readonly Stmt[];
  readonly portable: readonly Stmt[];
}
/** One of two blocks; `otherwise` may be empty. */
export interface IfStmt {
  readonly kind: "if";
  readonly condition: Expr;
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
  readonly name: string;
  readonly fn: string;
  readonly args: readonly Expr[];
  /** The results' common type, and how many there are. */
  readonly type: Scalar;
  readonly width: number;
}
/** Only in functions: a value for each of its results. */
export interface ReturnStmt {
  readonly kind: "return";
  readonly values: readonly Expr[];
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
  | ExchangeStmt
  | ShuffleStmt
  | AtomicLoadStmt
  | AtomicStoreStmt
  | AtomicAddStmt
  | LoadRowStmt
  | StoreRowStmt
  | UniformLoadStmt
  | NativeStmt
  | ChoiceStmt
  | ReturnStmt;

/** A pure function of scalars that kernels call. */
export interface Fn {
  readonly name: string;
  readonly doc: string;
  readonly params: readonly { readonly name: string; readonly type: Scalar }[];
  readonly returns: Scalar;
  /** Results, all of that type: 1 to 4. Several are named by a call statement, one is an expression. */
  readonly width: number;
  readonly body: readonly Stmt[];
}

/** An array of the work-group's memory. */
export interface SharedArray {
  readonly name: string;
  readonly type: Scalar;
  readonly length: number;
}

/** A parameter of a group function; `part` expressions read one of a width above 1. */
export interface FnParam {
  readonly name: string;
  readonly type: Scalar;
  readonly width?: number;
}

/**
 * A function that all work-items of a group call together: it has barriers, and is given the memory of the
 * work-group that it needs. Libraries are made of such; a pipeline's kernels are whole.
 */
export interface GroupFn {
  readonly name: string;
  /** Lines for readers of the emitted text. */
  readonly doc: readonly string[];
  readonly params: readonly FnParam[];
  readonly returns: Scalar;
  readonly width: number;
  /** Work-items of a group, at most. */
  readonly workGroupSize: number;
  /** The memory that it is given, for a group of that size. */
  readonly shared: readonly SharedArray[];
  readonly body: readonly Stmt[];
}

/** Group functions, and the functions that they call. */
export interface Library {
  readonly functions: readonly Fn[];
  readonly groups: readonly GroupFn[];
}

/** One pass: a kernel and how many work-groups of it run. */
export interface Kernel {
  readonly name: string;
  /** Lines for readers of the emitted text. */
  readonly doc: readonly string[];
  /** Work-items of a group; 1 for sequential and gather kernels. */
  readonly workGroupSize: number;
  /** Work-groups (simt), cells (gather), or 1 (sequential). None at all where it gives 0. */
  readonly groups: Formula;
  readonly shared: readonly SharedArray[];
  readonly body: readonly Stmt[];
}

/** `table`: an input of its own length. `scratch` lives during one run only; `status` is one word per 32 scatters that runtimes look at after a run. */
export type BufferRole = "input" | "table" | "output" | "scratch" | "status";

/** An array of device memory. */
export interface Buffer {
  readonly name: string;
  readonly role: BufferRole;
  /** The pipeline's type of an element. */
  readonly type: Scalar;
  /** What the kernels see, where that is not the type: the type's two words, or a half in another form. */
  readonly memory?: Memory;
  /** Elements of the pipeline's type. */
  readonly elements: Formula;
  /** It must hold zeros before the first pass of every run. */
  readonly cleared: boolean;
  /** Of an output: the input whose elements it holds before the first pass. */
  readonly inPlace?: string;
  /** Where an array stands in several buffers, of which this is one. */
  readonly part?: Part;
}

/** One of the buffers that an array stands in. */
export interface Part {
  /** The whole array. */
  readonly of: Buffer;
  readonly index: number;
  readonly count: number;
  /** Elements of the pipeline's type in every part but the last, a power of two. */
  readonly elements: number;
}

/**
 * `length`: n; `size`: a side of the range; `offset`: what global ids count from; `table-length`: elements of a
 * table; `zero`: always 0, which compilers do not know; `user`: a parameter of the pipeline.
 */
export interface LaunchParam {
  readonly name: string;
  readonly type: Scalar;
  readonly role: "length" | "size" | "offset" | "table-length" | "zero" | "user";
  /** Of `size` and `offset`. */
  readonly dimension?: number;
  /** Of `table-length`. */
  readonly table?: string;
  /** Where it is not the pipeline's parameter as it stands, but a word of it. */
  readonly from?: ParamSource;
}

/** What a launch scalar is made from. */
export interface ParamSource {
  /** The pipeline's parameter. */
  readonly name: string;
  readonly type: Scalar;
  /** 32 of its bits, word 0 the low ones; an f16 has 16 bits, in word 0. */
  readonly word: 0 | 1;
}

/** All kernels of a pipeline, in the order in which they run. */
export interface Module {
  readonly name: string;
  readonly params: readonly LaunchParam[];
  readonly buffers: readonly Buffer[];
  readonly functions: readonly Fn[];
  readonly kernels: readonly Kernel[];
}

/** The statement lists inside a statement. */
export function blocksOf(stmt: Stmt): readonly (readonly Stmt[])[] {
  if (stmt.kind === "if") return [stmt.then, stmt.otherwise];
  if (stmt.kind === "choice") return [stmt.native, stmt.portable];
  if (stmt.kind === "for" || stmt.kind === "while") return [stmt.body];
  return [];
}

/** The expressions that stand directly in a statement. */
export function exprsOf(stmt: Stmt): readonly Expr[] {
  return (EXPRS[stmt.kind] as (stmt: Stmt) => readonly Expr[])(stmt);
}

/** The statement with every expression and inner block changed. */
export function mapStmt(
  stmt: Stmt,
  expr: (e: Expr) => Expr,
  block: (b: readonly Stmt[]) => readonly Stmt[],
): Stmt {
  return (MAP[stmt.kind] as (s: Stmt, e: typeof expr, b: typeof block) => Stmt)(stmt, expr, block);
}

type Of<K extends Stmt["kind"]> = Extract<Stmt, { kind: K }>;
const none = (): readonly Expr[] => [];
const value = (stmt: { value: Expr }): readonly Expr[] => [stmt.value];
const EXPRS: { readonly [K in Stmt["kind"]]: (stmt: Of<K>) => readonly Expr[] } = {
  comment: none,
  let: value,
  var: value,
  assign: value,
  array: none,
  store: (s) => [s.index, s.value],
  atomic: (s) => [s.index, s.value],
  barrier: none,
  exchange: (s) => [s.value, s.bit],
  shuffle: (s) => [s.value, s.from],
  "atomic-load": (s) => [s.index],
  "atomic-store": (s) => [s.index, s.value],
  "atomic-add": (s) => [s.index, s.value],
  "load-row": (s) => [s.index],
  "store-row": (s) => [s.index, ...s.values],
  "uniform-load": (s) => [s.index],
  native: (s) => (s.source ? [s.value, s.source] : [s.value]),
  choice: none,
  if: (s) => [s.condition],
  for: (s) => [s.from, s.below],
  while: (s) => [s.condition],
  call: (s) => s.args,
  return: (s) => s.values,
};

const itself = (stmt: Stmt): Stmt => stmt;
const MAP: {
  readonly [K in Stmt["kind"]]: (
    s: Of<K>,
    e: (x: Expr) => Expr,
    b: (x: readonly Stmt[]) => readonly Stmt[],
  ) => Stmt;
} = {
  comment: itself,
  let: (s, e) => ({ ...s, value: e(s.value) }),
  var: (s, e) => ({ ...s, value: e(s.value) }),
  assign: (s, e) => ({ ...s, value: e(s.value) }),
  array: itself,
  store: (s, e) => ({ ...s, index: e(s.index), value: e(s.value) }),
  atomic: (s, e) => ({ ...s, index: e(s.index), value: e(s.value) }),
  barrier: itself,
  exchange: (s, e) => ({ ...s, value: e(s.value), bit: e(s.bit) }),
  shuffle: (s, e) => ({ ...s, value: e(s.value), from: e(s.from) }),
  "atomic-load": (s, e) => ({ ...s, index: e(s.index) }),
  "atomic-store": (s, e) => ({ ...s, index: e(s.index), value: e(s.value) }),
  "atomic-add": (s, e) => ({ ...s, index: e(s.index), value: e(s.value) }),
  "load-row": (s, e) => ({ ...s, index: e(s.index) }),
  "store-row": (s, e) => ({ ...s, index: e(s.index), values: s.values.map(e) }),
  "uniform-load": (s, e) => ({ ...s, index: e(s.index) }),
  native: (s, e) => ({ ...s, value: e(s.value), source: s.source && e(s.source) }),
  choice: (s, _, b) => ({ ...s, native: b(s.native), portable: b(s.portable) }),
  if: (s, e, b) => ({ ...s, condition: e(s.condition), then: b(s.then), otherwise: b(s.otherwise) }),
  for: (s, e, b) => ({ ...s, from: e(s.from), below: e(s.below), body: b(s.body) }),
  while: (s, e, b) => ({ ...s, condition: e(s.condition), body: b(s.body) }),
  call: (s, e) => ({ ...s, args: s.args.map(e) }),
  return: (s, e) => ({ ...s, values: s.values.map(e) }),
};

/** Every statement of a block, outer ones first. */
export function* walk(block: readonly Stmt[]): Generator<Stmt> {
  for (const stmt of block) {
    yield stmt;
    for (const inner of blocksOf(stmt)) yield* walk(inner);
  }
}

/** Every statement of a module's kernels. */
export const statementsOf = ({ kernels }: Pick<Module, "kernels">): Stmt[] =>
  kernels.flatMap(({ body }) => [...walk(body)]);

/** Whether work-items of a subgroup exchange values somewhere. */
export const exchanges = (module: Pick<Module, "kernels">): boolean =>
  statementsOf(module).some(({ kind }) => kind === "exchange");

/** Every expression of a block, whole ones before their parts. */
export function* allExprs(stmts: readonly Stmt[]): Generator<Expr> {
  const stack: Expr[] = [];
  for (const stmt of walk(stmts)) {
    stack.push(...exprsOf(stmt));
    for (let expr = stack.pop(); expr !== undefined; expr = stack.pop()) {
      yield expr;
      stack.push(...partsOf(expr));
    }
  }
}

/** The types that a module's text names: of parameters, memory, arrays and values, read or not. */
export function typesIn({ params, buffers, kernels, functions }: Module): ReadonlySet<Scalar> {
  const bodies = [...kernels, ...functions].flatMap(({ body }) => body);
  const arrays = [...walk(bodies)].filter((stmt) => stmt.kind === "array");
  const named = [...params, ...kernels.flatMap(({ shared }) => shared), ...arrays, ...allExprs(bodies)];
  return new Set([...buffers.map((buffer) => valueIn(memoryOf(buffer))), ...named.map(({ type }) => type)]);
}

/** Statements whose array many work-groups may touch at once. */
const ATOMIC: ReadonlySet<Stmt["kind"]> = new Set(["atomic", "atomic-load", "atomic-store", "atomic-add"]);
type OnAtomics = AtomicStmt | AtomicLoadStmt | AtomicStoreStmt | AtomicAddStmt;
/** Whether a statement touches an array by an atomic operation. */
export const isAtomic = (stmt: Stmt): stmt is OnAtomics => ATOMIC.has(stmt.kind);

/** The arrays of device memory that several work-groups may touch at once: all access to them is atomic. */
export const atomicArrays = (module: Pick<Module, "kernels">): ReadonlySet<string> =>
  new Set(
    statementsOf(module)
      .filter(isAtomic)
      .map(({ array }) => array),
  );
