/**
 * What C-like languages share: statements, nesting, names. A dialect spells everything else; its tables are
 * total, so a new operation that a target does not spell is a compile error.
 */

import { errorOf } from "../../ir/base/errors.ts";
import { bare } from "../../ir/base/formula.ts";
import type { BinaryOp, UnaryOp } from "../../ir/tables/expr-op.ts";
import type { Op } from "../../ir/tables/op.ts";
import type { Scalar } from "../../ir/tables/scalar.ts";
import type { GroupFeature } from "../capabilities/capabilities.ts";
import type { Builtin, ConstExpr, Expr, PrintedOp, SharedSpace, Space } from "../kernel/expr.ts";
import type { Memory } from "../kernel/memory.ts";
import type { Fn } from "../kernel/module.ts";
import { type AtomicOp, type GroupFunction, ROW, type Stmt } from "../kernel/stmt.ts";
import { namedForNext, readsIn } from "./inline.ts";
import { fixed, marked } from "./names.ts";
import { called, commentText, type Text } from "./text.ts";

/**
 * How a language spells the parts of expressions and statements. Texts of operands are safe within any
 * operator.
 */
export interface Dialect {
  /** A constant of its type. */
  literal(expr: ConstExpr): string;
  /** `type` is the operand's type. */
  readonly unary: Readonly<Record<UnaryOp, (x: string, type: Scalar) => string>>;
  /** `type` is the operands' type. */
  readonly binary: Readonly<Record<PrintedOp, (a: string, b: string, type: Scalar) => string>>;
  /** Both choices may be evaluated. */
  select(condition: string, then: string, otherwise: string, type: Scalar): string;
  /** Integers wrap; floats to integers truncate and saturate. */
  cast(x: string, from: Scalar, to: Scalar): string;
  /** The same bits, of the same width. */
  bitcast(x: string, from: Scalar, to: Scalar): string;
  /** A word of the bits of a 64-bit value, or the bits of an f16. */
  word(x: string, index: 0 | 1, from: Scalar): string;
  /** The value that has these words. */
  join(words: readonly string[], to: Scalar): string;
  /** A launch scalar. */
  param(name: string, type: Scalar): string;
  /** The work-item's lane, its work-group's number, or the element's index. */
  builtin(name: Builtin): string;
  /** The value of an element; converts it if memory has another form, as for bools. */
  load(space: Space, array: string, index: string, type: Scalar, memory: Memory): string;
  /** The statement that names a value. */
  let(name: string, type: Scalar, value: string): string;
  /** The statement that declares a variable. */
  var(name: string, type: Scalar, value: string): string;
  /** The statement that declares an array of one work-item, all zero. */
  array(name: string, type: Scalar, length: number): string;
  /** The statement that writes an element. */
  store(space: Space, array: string, index: string, value: string, type: Scalar, memory: Memory): string;
  /** The statement that combines a value into an element, atomically where work-items share it. */
  atomic(op: AtomicOp, space: SharedSpace, array: string, index: string, value: string, type: Scalar): string;
  /** The lines of a work-group barrier; none if there is only one work-item. */
  readonly barrier: readonly string[];
  /** The value of the work-item whose local id differs in `bit`. */
  shuffleXor(type: Scalar, value: string, bit: string): string;
  /** The value of work-item `from` of the subgroup. */
  shuffle(type: Scalar, value: string, from: string): string;
  /** The word of the subgroup's conditions. */
  ballot(value: string): string;
  /** The text that atomically reads a word of device memory. */
  atomicLoad(array: string, index: string): string;
  /** The statement that atomically writes a word. */
  atomicStore(array: string, index: string, value: string): string;
  /** The text that atomically adds to a word; its value is the previous one. */
  atomicAdd(array: string, index: string, value: string): string;
  /** The text that reads four elements of device memory from `index` on, a multiple of four. */
  loadRow(array: string, index: string, type: Scalar, memory: Memory): string;
  /** The statement that writes four. */
  storeRow(array: string, index: string, values: readonly string[], type: Scalar, memory: Memory): string;
  /** The lines of a barrier that name an element of work-group memory as a uniform value. */
  uniformLoad(name: string, array: string, index: string, type: Scalar): readonly string[];
  /** The same as one expression, where the language has that. */
  uniformValue?(array: string, index: string): string;
  /** The result of a work-group function. */
  native(fn: GroupFunction, op: Op | undefined, type: Scalar, value: string, source: string): string;
  /**
   * The lines that begin, separate and end the text for compilers with the feature and the text for others.
   */
  choice(feature: GroupFeature): { readonly native: string; readonly portable: string; readonly end: string };
  /** The lines that return several values of one type. */
  returns(values: readonly string[], type: Scalar): readonly string[];
  /** The lines that name the results of a call of such a function. */
  call(name: string, call: string, type: Scalar, width: number): readonly string[];
  /** One of the named results. */
  part(name: string, index: number): string;
  /** The value of results with names, of a function that has them. */
  construct?(fn: string, values: readonly string[]): string;
  /** The head of a loop up to its opening brace. */
  for(name: string, from: string, below: string, step: number): string;
  /** Functions that the language has, by the name that the module gives them. */
  readonly own?: Readonly<Record<string, (...args: string[]) => string>>;
  /** True where these stand in place of their calls, because the text has no functions. */
  readonly inlines?: boolean;
  /** True where every value keeps its name, because the language takes a value's type from its declaration. */
  readonly namesAll?: boolean;
  /** The head of an `if`, if a bool is not a condition itself. */
  if?(condition: string): string;
}

/** For languages without such functions: no lowering uses them. */
export const withoutGroupFunctions: Pick<Dialect, "native" | "choice"> = {
  native: (fn) => lacking(`function ${fn} of a work-group`),
  choice: (feature) => lacking(feature),
};
/** For languages whose capabilities have no subgroups. */
export const withoutSubgroups: Pick<Dialect, "shuffleXor" | "shuffle" | "ballot"> = {
  shuffleXor: () => lacking("subgroups"),
  shuffle: () => lacking("subgroups"),
  ballot: () => lacking("subgroups"),
};
/** For languages without look-back: no lowering uses it. */
export const withoutLookBack: Pick<
  Dialect,
  "atomicLoad" | "atomicStore" | "atomicAdd" | "loadRow" | "storeRow" | "uniformLoad"
> = {
  atomicLoad: () => lacking("device memory"),
  atomicStore: () => lacking("device memory"),
  atomicAdd: () => lacking("device memory"),
  loadRow: () => lacking("rows"),
  storeRow: () => lacking("rows"),
  uniformLoad: () => lacking("work-groups"),
};

function lacking(what: string): never {
  throw errorOf("bad-kernel", { reason: `the language has no ${what}` });
}

/** Several results as one vector, for languages with small vectors. */
export const inVectors = (
  vectorOf: (type: Scalar, width: number) => string,
  make: (vector: string, parts: string) => string,
  declare: string,
): Pick<Dialect, "returns" | "call" | "part"> => ({
  returns: (values, type) => [`return ${make(vectorOf(type, values.length), values.join(", "))};`],
  call: (name, call, type, width) => [`${declare.replace("T", vectorOf(type, width))} ${name} = ${call};`],
  part: (name, index) => `${name}.${"xyzw"[index]}`,
});

/**
 * Prints expressions and statements in the spelling of a dialect. Names are marked; functions and kernels are
 * words of the text: `spellNames` spells the names so that they equal none of its words.
 */
export class CFamily {
  private readonly dialect: Dialect;
  /** By name: the text of a value that stands where it is read. */
  private readonly inlined = new Map<string, string>();

  constructor(dialect: Dialect) {
    this.dialect = dialect;
  }

  /** A name of the document or of the lowering, for a text that `spellNames` finishes. */
  name(name: string): string {
    return marked(name);
  }

  /** An expression that is safe within any operator. */
  expr(expr: Expr): string {
    return (EXPRS[expr.kind] as (p: CFamily, d: Dialect, expr: Expr) => string)(this, this.dialect, expr);
  }

  /** An expression that stands alone, without outer parentheses. */
  alone(expr: Expr): string {
    return bare(this.expr(expr));
  }

  /** Statements in order, each on lines of its own. */
  block(text: Text, stmts: readonly Stmt[]): void {
    let last: string | undefined;
    const reads = readsIn(stmts);
    for (const [i, stmt] of stmts.entries()) {
      const naming = this.dialect.namesAll ? undefined : namedForNext(stmts, i, reads);
      const value =
        naming && (VALUES[naming.kind] as (p: CFamily, d: Dialect, s: Stmt) => string | undefined);
      const shown = value?.(this, this.dialect, stmt);
      const isInlined = shown !== undefined && shown.length <= SHORT;
      if (!isInlined) this.stmt(text, stmt);
      if (last !== undefined) this.inlined.delete(last);
      last = isInlined ? naming?.name : undefined;
      if (last !== undefined) this.inlined.set(last, shown as string);
    }
  }

  /** A variable, or the value that stands in its place. */
  variable(name: string): string {
    return this.inlined.get(name) ?? this.name(name);
  }

  private stmt(text: Text, stmt: Stmt): void {
    (STMTS[stmt.kind] as (p: CFamily, d: Dialect, text: Text, stmt: Stmt) => void)(
      this,
      this.dialect,
      text,
      stmt,
    );
  }

  private own({ name }: Pick<Fn, "name">, args: readonly string[]): string {
    const spell = this.dialect.own?.[name];
    return spell ? spell(...args) : lacking(`function ${name}`);
  }

  /** A function's body, with its comment above the head that the target spells. */
  fn(text: Text, fn: Fn, head: string): void {
    text.line(`// ${commentText(fn.doc)}`);
    text.block(head, () => {
      if (fn.own)
        text.line(
          `return ${bare(
            this.own(
              fn,
              fn.params.map((p) => this.name(p.name)),
            ),
          )};`,
        );
      else this.block(text, fn.body);
    });
  }
}

type ExprOf<K extends Expr["kind"]> = Extract<Expr, { kind: K }>;
const EXPRS: { readonly [K in Expr["kind"]]: (p: CFamily, d: Dialect, e: ExprOf<K>) => string } = {
  const: (_, d, e) => d.literal(e),
  var: (p, _, e) => p.variable(e.name),
  param: (p, d, e) => d.param(p.name(e.name), e.type),
  builtin: (_, d, e) => d.builtin(e.builtin),
  load: (p, d, e) => d.load(e.space, p.name(e.array), p.alone(e.index), e.type, e.memory ?? e.type),
  unary: (p, d, e) => d.unary[e.op](p.expr(e.of), e.type),
  binary: (p, d, e) => {
    const spell = (d.binary as Readonly<Partial<Record<BinaryOp, Dialect["binary"][PrintedOp]>>>)[e.op];
    return spell ? spell(p.expr(e.left), p.expr(e.right), e.left.type) : lacking(e.op);
  },
  select: (p, d, e) => d.select(p.expr(e.condition), p.expr(e.then), p.expr(e.otherwise), e.type),
  cast: (p, d, e) => d.cast(p.expr(e.of), e.of.type, e.type),
  bitcast: (p, d, e) => d.bitcast(p.expr(e.of), e.of.type, e.type),
  word: (p, d, e) => d.word(p.expr(e.of), e.index, e.of.type),
  join: (p, d, e) =>
    d.join(
      e.words.map((part) => p.expr(part)),
      e.type,
    ),
  call: (p, d, e) => {
    const spell = (d.inlines ? d.own?.[e.fn] : undefined) ?? called(e.fn);
    return spell(...e.args.map((arg) => p.expr(arg)));
  },
  part: (p, d, e) =>
    e.field === undefined ? d.part(p.name(e.of), e.index) : `${p.name(e.of)}.${fixed(e.field)}`,
};

/** Characters of a value that may stand within another statement. */
const SHORT = 72;

type StmtOf<K extends Stmt["kind"]> = Extract<Stmt, { kind: K }>;
type Naming = NonNullable<ReturnType<typeof namedForNext>>["kind"];
/** The values that statements name, each safe within any operator. */
const VALUES = {
  let: (p, _, s) => p.expr(s.value),
  "shuffle-xor": (p, d, s) => d.shuffleXor(s.value.type, p.alone(s.value), p.alone(s.bit)),
  shuffle: (p, d, s) => d.shuffle(s.value.type, p.alone(s.value), p.alone(s.from)),
  ballot: (p, d, s) => d.ballot(p.alone(s.value)),
  "atomic-load": (p, d, s) => d.atomicLoad(p.name(s.array), p.alone(s.index)),
  "atomic-add": (p, d, s) => d.atomicAdd(p.name(s.array), p.alone(s.index), p.alone(s.value)),
  "uniform-load": (p, d, s) => d.uniformValue?.(p.name(s.array), p.alone(s.index)),
} satisfies { readonly [K in Naming]: (p: CFamily, d: Dialect, s: StmtOf<K>) => string | undefined };
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
    text.line(d.atomic(s.op, s.space, p.name(s.array), p.alone(s.index), p.alone(s.value), s.value.type)),
  barrier: (_, d, text) => {
    for (const line of d.barrier) text.line(line);
  },
  "shuffle-xor": (p, d, text, s) =>
    text.line(d.let(p.name(s.name), s.value.type, bare(VALUES["shuffle-xor"](p, d, s)))),
  shuffle: (p, d, text, s) => text.line(d.let(p.name(s.name), s.value.type, bare(VALUES.shuffle(p, d, s)))),
  ballot: (p, d, text, s) => text.line(d.let(p.name(s.name), "u32", VALUES.ballot(p, d, s))),
  "atomic-load": (p, d, text, s) => text.line(d.let(p.name(s.name), "u32", VALUES["atomic-load"](p, d, s))),
  "atomic-store": (p, d, text, s) =>
    text.line(d.atomicStore(p.name(s.array), p.alone(s.index), p.alone(s.value))),
  "atomic-add": (p, d, text, s) => text.line(d.let(p.name(s.name), "u32", VALUES["atomic-add"](p, d, s))),
  "load-row": (p, d, text, s) => {
    const row = d.loadRow(p.name(s.array), p.expr(s.index), s.type, s.memory ?? s.type);
    for (const line of d.call(p.name(s.name), row, s.type, ROW)) text.line(line);
  },
  "store-row": (p, d, text, s) => {
    const values = s.values.map((value) => p.alone(value));
    const type = s.values[0]?.type as Scalar;
    text.line(d.storeRow(p.name(s.array), p.expr(s.index), values, type, s.memory ?? type));
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
    // Braces limit the scope of the names of either block.
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
    if (s.named) {
      text.line(s.width === 0 ? `${call};` : d.let(p.name(s.name), s.type, call));
      return;
    }
    for (const line of d.call(p.name(s.name), call, s.type, s.width)) text.line(line);
  },
  routine: () => {},
  results: () => {},
  return: (p, d, text, s) => {
    const values = s.values.map((value) => p.alone(value));
    const type = s.values[0]?.type as Scalar;
    if (s.of !== undefined) {
      text.line(`return ${d.construct?.(s.of, values) ?? lacking("structures")};`);
      return;
    }
    for (const line of values.length === 1 ? [`return ${values[0]};`] : d.returns(values, type))
      text.line(line);
  },
};

/** The arrays of device memory that kernels access as vec4. */
