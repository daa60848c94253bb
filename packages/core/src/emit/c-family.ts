/**
 * What languages with C's look share: statements, nesting, names. A dialect spells the rest; its tables
 * are total, so a new operation that a target does not spell is a compile error there.
 */
import type { GroupFeature } from "../capabilities.ts";
import { errorOf } from "../errors.ts";
import type { BinaryOp, UnaryOp } from "../ir/expr-op.ts";
import type { Builtin, ConstExpr, Expr, Space } from "../kernel/expr.ts";
import type { Memory } from "../kernel/memory.ts";
import {
  type AtomicOp,
  allExprs,
  type Fn,
  type GroupFunction,
  isAtomic,
  type Kernel,
  ROW,
  type Stmt,
  walk,
} from "../kernel/stmt.ts";
import type { Op } from "../op.ts";
import type { Scalar } from "../scalar.ts";
import { marked } from "./names.ts";
import { commentText, type Text } from "./text.ts";

/** How a language spells the parts of expressions and statements. Texts of operands can stand in any operator. */
export interface Dialect {
  /** A constant of its type. */
  literal(expr: ConstExpr): string;
  /** `type` is the operand's type. */
  readonly unary: Readonly<Record<UnaryOp, (x: string, type: Scalar) => string>>;
  /** `type` is the operands' type. */
  readonly binary: Readonly<Record<BinaryOp, (a: string, b: string, type: Scalar) => string>>;
  /** Both choices may be evaluated. */
  select(condition: string, then: string, otherwise: string, type: Scalar): string;
  /** Integers wrap, floats to integers truncate and saturate. */
  cast(x: string, from: Scalar, to: Scalar): string;
  /** The same bits, of the same width. */
  bitcast(x: string, from: Scalar, to: Scalar): string;
  /** A word of the bits of a 64-bit value, or the bits of an f16. */
  word(x: string, index: 0 | 1, from: Scalar): string;
  /** The value that has these words. */
  join(words: readonly string[], to: Scalar): string;
  /** A launch scalar. */
  param(name: string, type: Scalar): string;
  /** The work-item's place, its group's number, or the cell. */
  builtin(name: Builtin): string;
  /** A value out of an element; where memory holds it in another form, as bools, it is converted here. */
  load(space: Space, array: string, index: string, type: Scalar, memory: Memory): string;
  /** The statement that names a value. */
  let(name: string, type: Scalar, value: string): string;
  /** The statement that declares a variable. */
  var(name: string, type: Scalar, value: string): string;
  /** The statement that declares an array of one work-item, all zero. */
  array(name: string, type: Scalar, length: number): string;
  /** The statement that writes an element. */
  store(space: Space, array: string, index: string, value: string, type: Scalar, memory: Memory): string;
  /** The statement that combines a value into an element of device memory, atomically where work-items share it. */
  atomic(op: AtomicOp, array: string, index: string, value: string, type: Scalar): string;
  /** The lines of a barrier of the work-group; none where one work-item runs alone. */
  readonly barrier: readonly string[];
  /** The statement that names what the work-item gives whose local id differs in `bit`. */
  exchange(name: string, type: Scalar, value: string, bit: string): string;
  /** The statement that names what the `from`-th work-item of the subgroup gives. */
  shuffle(name: string, type: Scalar, value: string, from: string): string;
  /** The text that reads a word of device memory which others may write meanwhile. */
  atomicLoad(array: string, index: string): string;
  /** The statement that writes such a word. */
  atomicStore(array: string, index: string, value: string): string;
  /** The text that adds to such a word; its value is what stood there before. */
  atomicAdd(array: string, index: string, value: string): string;
  /** The text that reads four elements of device memory from `index` on, a multiple of four. */
  loadRow(array: string, index: string, type: Scalar): string;
  /** The statement that writes four. */
  storeRow(array: string, index: string, values: readonly string[], type: Scalar): string;
  /** The lines of a barrier that name an element of work-group memory, the same for all. */
  uniformLoad(name: string, array: string, index: string, type: Scalar): readonly string[];
  /** What a function of the work-group gives. */
  native(fn: GroupFunction, op: Op | undefined, type: Scalar, value: string, source: string): string;
  /** The lines that begin, part and end the text for a compiler with the feature and that for others. */
  choice(feature: GroupFeature): { readonly native: string; readonly portable: string; readonly end: string };
  /** The lines that return several values of one type. */
  returns(values: readonly string[], type: Scalar): readonly string[];
  /** The lines that name the results of a call of such a function. */
  call(name: string, call: string, type: Scalar, width: number): readonly string[];
  /** One of the results that were named so. */
  part(name: string, index: number): string;
  /** The head of a loop up to its opening brace. */
  for(name: string, from: string, below: string, step: number): string;
  /** The head of an `if`, where a bool is not a condition as it stands. */
  if?(condition: string): string;
}

/** For languages whose capabilities have no such function: no lowering writes one. */
export const withoutGroupFunctions: Pick<Dialect, "native" | "choice"> = {
  native: (fn) => lacking(`function ${fn} of a work-group`),
  choice: (feature) => lacking(feature),
};
/** For languages whose capabilities have no subgroups. */
export const withoutSubgroups: Pick<Dialect, "exchange" | "shuffle"> = {
  exchange: () => lacking("subgroups"),
  shuffle: () => lacking("subgroups"),
};
/** For languages whose work-groups never wait for one another: no lowering looks back there. */
export const withoutLookBack: Pick<
  Dialect,
  "atomicLoad" | "atomicStore" | "atomicAdd" | "loadRow" | "storeRow" | "uniformLoad"
> = {
  atomicLoad: () => lacking("memory between work-groups"),
  atomicStore: () => lacking("memory between work-groups"),
  atomicAdd: () => lacking("memory between work-groups"),
  loadRow: () => lacking("rows"),
  storeRow: () => lacking("rows"),
  uniformLoad: () => lacking("work-groups"),
};

function lacking(what: string): never {
  throw errorOf("bad-kernel", { reason: `the language has no ${what}` });
}

/** What languages with small vectors make of several results: one vector. */
export const inVectors = (
  vectorOf: (type: Scalar, width: number) => string,
  make: (vector: string, parts: string) => string,
  declare: string,
): Pick<Dialect, "returns" | "call" | "part"> => ({
  returns: (values, type) => [`return ${make(vectorOf(type, values.length), values.join(", "))};`],
  call: (name, call, type, width) => [`${declare.replace("T", vectorOf(type, width))} ${name} = ${call};`],
  part: (name, index) => `${name}.${"xyzw"[index]}`,
});

/** `(a op b)`: nested anywhere without a thought of precedence. */
export const infix =
  (op: string) =>
  (a: string, b: string): string =>
    `(${a} ${op} ${b})`;
/** `f(a, b)` */
export const called =
  (fn: string) =>
  (...args: string[]): string =>
    `${fn}(${args.map(bare).join(", ")})`;

/** Without the outermost parentheses, where the text stands alone. */
export function bare(text: string): string {
  if (!text.startsWith("(") || !text.endsWith(")")) return text;
  let depth = 0;
  for (let i = 0; i < text.length - 1; i++) {
    if (text[i] === "(") depth++;
    if (text[i] === ")") depth--;
    if (depth === 0) return text;
  }
  return text.slice(1, -1);
}

/**
 * Prints expressions and statements in the spelling of a dialect. Names are marked, and functions and kernels are words
 * of the text: `spellNames` spells the names so that they meet none of its words.
 */
export class CFamily {
  private readonly dialect: Dialect;

  constructor(dialect: Dialect) {
    this.dialect = dialect;
  }

  /** A name of the document or of the lowering, for a text that `spellNames` finishes. */
  name(name: string): string {
    return marked(name);
  }

  /** An expression that can stand in any operator. */
  expr(expr: Expr): string {
    return (EXPRS[expr.kind] as (p: CFamily, d: Dialect, expr: Expr) => string)(this, this.dialect, expr);
  }

  /** An expression that stands alone, without outer parentheses. */
  alone(expr: Expr): string {
    return bare(this.expr(expr));
  }

  /** Statements in order, each on lines of its own. */
  block(text: Text, stmts: readonly Stmt[]): void {
    for (const stmt of stmts) this.stmt(text, stmt);
  }

  private stmt(text: Text, stmt: Stmt): void {
    (STMTS[stmt.kind] as (p: CFamily, d: Dialect, text: Text, stmt: Stmt) => void)(
      this,
      this.dialect,
      text,
      stmt,
    );
  }

  /** A function's body, with its comment above the head that the target spells. */
  fn(text: Text, fn: Fn, head: string): void {
    text.line(`// ${commentText(fn.doc)}`);
    text.block(head, () => this.block(text, fn.body));
  }
}

type ExprOf<K extends Expr["kind"]> = Extract<Expr, { kind: K }>;
const EXPRS: { readonly [K in Expr["kind"]]: (p: CFamily, d: Dialect, e: ExprOf<K>) => string } = {
  const: (_, d, e) => d.literal(e),
  var: (p, _, e) => p.name(e.name),
  param: (p, d, e) => d.param(p.name(e.name), e.type),
  builtin: (_, d, e) => d.builtin(e.builtin),
  load: (p, d, e) => d.load(e.space, p.name(e.array), p.alone(e.index), e.type, e.memory ?? e.type),
  unary: (p, d, e) => d.unary[e.op](p.expr(e.of), e.type),
  binary: (p, d, e) => d.binary[e.op](p.expr(e.left), p.expr(e.right), e.left.type),
  select: (p, d, e) => d.select(p.expr(e.condition), p.expr(e.then), p.expr(e.otherwise), e.type),
  cast: (p, d, e) => d.cast(p.expr(e.of), e.of.type, e.type),
  bitcast: (p, d, e) => d.bitcast(p.expr(e.of), e.of.type, e.type),
  word: (p, d, e) => d.word(p.expr(e.of), e.index, e.of.type),
  join: (p, d, e) =>
    d.join(
      e.words.map((part) => p.expr(part)),
      e.type,
    ),
  call: (p, _, e) => called(e.fn)(...e.args.map((arg) => p.expr(arg))),
  part: (p, d, e) => d.part(p.name(e.of), e.index),
};

type StmtOf<K extends Stmt["kind"]> = Extract<Stmt, { kind: K }>;
const STMTS: { readonly [K in Stmt["kind"]]: (p: CFamily, d: Dialect, text: Text, s: StmtOf<K>) => void } = {
  comment: (_, __, text, s) => text.line(`// ${commentText(s.text)}`),
  let: (p, d, text, s) => text.line(d.let(p.name(s.name), s.value.type, p.alone(s.value))),
  var: (p, d, text, s) => text.line(d.var(p.name(s.name), s.value.type, p.alone(s.value))),
  assign: (p, _, text, s) => text.line(`${p.name(s.name)} = ${p.alone(s.value)};`),
  array: (p, d, text, s) => text.line(d.array(p.name(s.name), s.type, s.length)),
  store: (p, d, text, s) => {
    const { type } = s.value;
    const [array, index, value] = [p.name(s.array), p.alone(s.index), p.alone(s.value)];
    text.line(d.store(s.space, array, index, value, type, s.memory ?? type));
  },
  atomic: (p, d, text, s) =>
    text.line(d.atomic(s.op, p.name(s.array), p.alone(s.index), p.alone(s.value), s.value.type)),
  barrier: (_, d, text) => {
    for (const line of d.barrier) text.line(line);
  },
  exchange: (p, d, text, s) =>
    text.line(d.exchange(p.name(s.name), s.value.type, p.alone(s.value), p.alone(s.bit))),
  shuffle: (p, d, text, s) =>
    text.line(d.shuffle(p.name(s.name), s.value.type, p.alone(s.value), p.alone(s.from))),
  "atomic-load": (p, d, text, s) =>
    text.line(d.let(p.name(s.name), "u32", d.atomicLoad(p.name(s.array), p.alone(s.index)))),
  "atomic-store": (p, d, text, s) =>
    text.line(d.atomicStore(p.name(s.array), p.alone(s.index), p.alone(s.value))),
  "atomic-add": (p, d, text, s) =>
    text.line(d.let(p.name(s.name), "u32", d.atomicAdd(p.name(s.array), p.alone(s.index), p.alone(s.value)))),
  "load-row": (p, d, text, s) => {
    const row = d.loadRow(p.name(s.array), p.expr(s.index), s.type);
    for (const line of d.call(p.name(s.name), row, s.type, ROW)) text.line(line);
  },
  "store-row": (p, d, text, s) => {
    const values = s.values.map((value) => p.alone(value));
    text.line(d.storeRow(p.name(s.array), p.expr(s.index), values, s.values[0]?.type as Scalar));
  },
  "uniform-load": (p, d, text, s) => {
    for (const line of d.uniformLoad(p.name(s.name), p.name(s.array), p.alone(s.index), s.type))
      text.line(line);
  },
  native: (p, d, text, s) => {
    const source = s.source ? p.alone(s.source) : "";
    text.line(`${p.name(s.name)} = ${bare(d.native(s.fn, s.op, s.value.type, p.expr(s.value), source))};`);
  },
  choice: (p, d, text, s) => {
    const lines = d.choice(s.feature);
    // Braces: names of either block are free again behind it.
    text.bare(lines.native);
    text.block("{", () => p.block(text, s.native));
    text.bare(lines.portable);
    text.block("{", () => p.block(text, s.portable));
    text.bare(lines.end);
  },
  if: (p, d, text, s) => {
    const head = d.if ? d.if(p.expr(s.condition)) : `if (${p.alone(s.condition)}) {`;
    text.block(head, () => p.block(text, s.then), s.otherwise.length === 0 ? "}" : "} else {");
    if (s.otherwise.length > 0) text.indentedTail(() => p.block(text, s.otherwise));
  },
  for: (p, d, text, s) =>
    text.block(d.for(p.name(s.name), p.alone(s.from), p.expr(s.below), s.step), () => p.block(text, s.body)),
  while: (p, _, text, s) => text.block(`while (${p.alone(s.condition)}) {`, () => p.block(text, s.body)),
  call: (p, d, text, s) => {
    const call = called(s.fn)(...s.args.map((arg) => p.expr(arg)));
    for (const line of d.call(p.name(s.name), call, s.type, s.width)) text.line(line);
  },
  return: (p, d, text, s) => {
    const values = s.values.map((value) => p.alone(value));
    const type = s.values[0]?.type as Scalar;
    for (const line of values.length === 1 ? [`return ${values[0]};`] : d.returns(values, type))
      text.line(line);
  },
};

/** The arrays of device memory that kernels read or write in rows. */
export function rowArrays(kernels: readonly Kernel[]): ReadonlySet<string> {
  const stmts = kernels.flatMap(({ body }) => [...walk(body)]);
  return new Set(
    stmts.filter((stmt) => stmt.kind === "load-row" || stmt.kind === "store-row").map(({ array }) => array),
  );
}

/** How a kernel uses the arrays of device memory. */
export interface ArrayUse {
  readonly name: string;
  readonly access: "read" | "write" | "read-write";
}

/** The arrays that a kernel touches, by functions that load from them too, in the order of the module's list. */
export function arraysOf(
  kernel: Kernel,
  all: readonly { readonly name: string }[],
  functions: readonly Fn[] = [],
): ArrayUse[] {
  const reads = new Set<string>();
  const writes = new Set<string>();
  const loaders = functions.filter((fn) => loadsOf(fn.body).length > 0);
  const called = new Set<string>();
  for (const expr of allExprs(kernel.body)) if (expr.kind === "call") called.add(expr.fn);
  for (const { name, body } of loaders)
    if (called.has(name)) for (const array of loadsOf(body)) reads.add(array);
  for (const array of loadsOf(kernel.body)) reads.add(array);
  for (const stmt of walk(kernel.body)) {
    if (stmt.kind === "store" && stmt.space === "storage") writes.add(stmt.array);
    if (stmt.kind === "load-row") reads.add(stmt.array);
    if (stmt.kind === "store-row") writes.add(stmt.array);
    if (isAtomic(stmt)) for (const set of [reads, writes]) set.add(stmt.array);
  }
  return inOrder(new Set([...reads, ...writes]), all).map(({ name }) => ({
    name,
    access: !writes.has(name) ? "read" : reads.has(name) ? "read-write" : "write",
  }));
}

const places = new WeakMap<readonly { readonly name: string }[], ReadonlyMap<string, number>>();

/** What has one of the names, in the order of the list; a list is read once, however many kernels ask. */
function inOrder<T extends { readonly name: string }>(names: ReadonlySet<string>, all: readonly T[]): T[] {
  const place = places.get(all) ?? new Map(all.map(({ name }, i) => [name, i]));
  places.set(all, place);
  const found = [...names].flatMap((name) => place.get(name) ?? []);
  return found.sort((a, b) => a - b).map((i) => all[i] as T);
}

/** Arrays of device memory that statements load from. */
function loadsOf(stmts: readonly Stmt[]): string[] {
  return [...allExprs(stmts)].flatMap((e) => (e.kind === "load" && e.space === "storage" ? [e.array] : []));
}

/** The launch scalars that a kernel uses, in the order of the module's list. */
export function paramsOf<P extends { readonly name: string }>(kernel: Kernel, all: readonly P[]): P[] {
  const used = new Set<string>();
  for (const expr of allExprs(kernel.body)) if (expr.kind === "param") used.add(expr.name);
  return inOrder(used, all);
}
