/**
 * Shared printing of C-like languages: statements, nesting, names. A dialect prints everything else; its tables are
 * total, so a new operation that a target does not print is a compile error.
 */

import { bare } from "@groupwise/ir/base/formula.js";
import type { BinaryOp } from "@groupwise/ir/tables/expr-op.js";
import type { Scalar } from "@groupwise/ir/tables/scalar.js";
import type { BinaryExpr, CallExpr, Expr, PrintedOp, SelectExpr, Space } from "../language/expr.ts";
import { resultOf } from "../language/intrinsics.ts";
import { mapParts } from "../language/map-expr.ts";
import type { Fn } from "../language/module.ts";
import { type ForStmt, type IfStmt, ROW, type Stmt } from "../language/stmt.ts";
import { blocksOf } from "../language/walk.ts";
import { namedAs } from "./constants.ts";
import { type Dialect, lacking, type VectorDialect, type Written } from "./dialect.ts";
import { isPatternConst, ofBits, PrintedFacts } from "./facts.ts";
import { type FilledArray, filledAt } from "./filled.ts";
import { isNaming, type Naming, placeOf, readsIn } from "./inline.ts";
import { joined } from "./joined.ts";
import { marked, unmarked } from "./names.ts";
import { called, commentText, Text } from "./text.ts";

/** A value that is printed in place of its name: its text, and its expression. */
interface Inlined {
  readonly text: string;
  readonly value: Expr | undefined;
}

/**
 * Prints expressions and statements in the spelling of a dialect. Names are marked; functions and kernels are
 * words of the text: `spellNames` spells the names so that they equal none of its words.
 */
export class CFamily {
  private readonly dialect: Dialect;
  /** By name: a value that is printed in place of the name. */
  private readonly inlined = new Map<string, Inlined>();
  private readonly facts = new PrintedFacts();
  /** Whether a function is being printed. */
  isFunction: boolean = false;

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

  /** The condition of a select, safe within any operator. */
  condition(expr: Expr): string {
    return this.dialect.condition?.(expr, (e) => this.expr(e)) ?? this.expr(expr);
  }

  /** A whole expression, without outer parentheses. */
  alone(expr: Expr): string {
    return bare(this.expr(expr));
  }

  /** Statements in order, each on its own lines. */
  block(text: Text, stmts: readonly Stmt[]): void {
    const reads = readsIn(stmts);
    const lasts = new Map<number, string[]>();
    const filled = new Map<number, FilledArray>();
    for (let i = 0; i < stmts.length; i++) {
      const stmt = stmts[i] as Stmt;
      this.facts.declare(stmt);
      const later = this.dialect.filled && filledAt(stmts, i);
      const ready = filled.get(i);
      if (later) filled.set(later.at, later);
      else if (ready) {
        this.filled(text, ready);
        for (const end = i + ready.array.length - 1; i < end; i++) this.forget(lasts.get(i));
      } else {
        const reader = this.inline(stmts, i, reads);
        if (reader === undefined) this.stmt(text, stmt);
        else lasts.set(reader, [...(lasts.get(reader) ?? []), (stmt as Naming).name]);
      }
      this.forget(lasts.get(i));
    }
  }

  /** Keeps the text of a value for the statement that reads it, and returns that statement's place; undefined for values with names. */
  private inline(stmts: readonly Stmt[], i: number, reads: ReadonlyMap<string, number>): number | undefined {
    const naming = stmts[i] as Stmt;
    if (this.dialect.namesAll || !isNaming(naming)) return undefined;
    if (reads.get(naming.name) !== 1) return undefined;
    const value = naming.kind === "let" ? this.full(naming.value) : undefined;
    const place = placeOf(stmts, i, naming, value);
    if (!place) return undefined;
    const spell = VALUES[naming.kind] as (p: CFamily, d: Dialect, s: Stmt) => string | undefined;
    const text = spell(this, this.dialect, naming);
    if (text === undefined || unmarked(text).length > (place.isNext ? SHORT : SHORTER)) return undefined;
    this.inlined.set(naming.name, { text, value });
    return place.at;
  }

  /** An expression with the values that replace names in it; undefined if one of them is not an expression. */
  private full(expr: Expr): Expr | undefined {
    let isExpr = true;
    const change = (e: Expr): Expr => {
      const held = e.kind === "var" ? this.inlined.get(e.name) : undefined;
      isExpr &&= !held || held.value !== undefined;
      return held?.value ?? mapParts(e, change);
    };
    const changed = change(expr);
    return isExpr ? changed : undefined;
  }

  private forget(names: readonly string[] = []): void {
    for (const name of names) this.inlined.delete(name);
  }

  /** An array with its elements, in one statement if that is short. */
  private filled(text: Text, { array, stores }: FilledArray): void {
    const name = this.name(array.name);
    const values = stores.map(({ value }) => this.alone(value));
    const line = this.dialect.filled?.(name, array.type, values) ?? "";
    if (unmarked(line).length <= LINE) text.line(line);
    else for (const stmt of [array, ...stores]) this.stmt(text, stmt);
  }

  /** A variable, or the value that replaces it. */
  variable(name: string): string {
    return this.inlined.get(name)?.text ?? this.name(name);
  }

  /** The expression that an expression's text is of: the value of a name that the text does not have. */
  printed(expr: Expr): Expr {
    return (expr.kind === "var" ? this.inlined.get(expr.name)?.value : undefined) ?? expr;
  }

  private stmt(text: Text, stmt: Stmt): void {
    (STMTS[stmt.kind] as (p: CFamily, d: Dialect, text: Text, stmt: Stmt) => void)(
      this,
      this.dialect,
      text,
      stmt,
    );
  }

  /** The text of an operator and its operands. */
  binary(e: BinaryExpr): string {
    const { op, left, right } = e;
    const spell = (this.dialect.binary as Readonly<Partial<Record<BinaryOp, Dialect["binary"][PrintedOp]>>>)[
      op
    ];
    if (!spell) return lacking(op);
    if (op === "and" && this.facts.keepsAll(left, right)) return this.expr(left);
    const [a, b] = [this.operand(left, op, right), this.operand(right, op, left)];
    const type = e.width === undefined ? left.type : vectorsOf(this.dialect).operators(left.type);
    return spell(a, b, type, this.printed(right), () => [
      this.facts.boundsOf(left),
      this.facts.boundsOf(right),
    ]);
  }

  private operand(e: Expr, op: BinaryOp, other: Expr): string {
    const { kind } = this.printed(e);
    const hasConstant = kind === "const" || kind === "select";
    return hasConstant && this.facts.isBits(op, other) ? this.bits(e) : this.expr(e);
  }

  /** A value of bits: its constants are hexadecimal. */
  bits(e: Expr): string {
    const printed = this.printed(e);
    if (printed.kind === "const") return ofBits(printed, this.expr(e), this.isFunction);
    return printed === e && e.kind === "select" ? this.select(e, true) : this.expr(e);
  }

  /** A choice. @param isBits whether constants print in hexadecimal, as bits of a word */
  select({ condition, then, otherwise, type }: SelectExpr, isBits: boolean = false): string {
    const chosen = (e: Expr, other: Expr): string =>
      isBits || (e.kind === "const" && this.facts.isPattern(other)) ? this.bits(e) : this.expr(e);
    const texts = [chosen(then, otherwise), chosen(otherwise, then)] as const;
    return this.dialect.select(this.condition(condition), ...texts, type);
  }

  /** An index in brackets. */
  index(expr: Expr): string {
    const e = this.printed(expr);
    const { indexSum } = this.dialect;
    if (!indexSum || e.kind !== "binary" || e.inRange !== true) return this.alone(expr);
    return indexSum(this.expr(e.left), this.expr(e.right));
  }

  /** The arguments of a call. */
  args({ fn, args }: Pick<CallExpr, "fn" | "args">): string[] {
    const passed = this.dialect.passed?.(fn) ?? [];
    const isOfBits = fn.endsWith("of_bits");
    const spelled = args.map((arg) => (isOfBits ? this.bits(arg) : this.expr(arg)));
    return [...spelled, ...passed.map((name) => this.name(name))];
  }

  /** Whether a loop runs at least one round. */
  mustRun({ from, below }: ForStmt): boolean {
    return this.facts.boundsOf(from)[1] < this.facts.boundsOf(below)[0];
  }

  /** The lines of the language's own function. */
  private own({ name, params }: Fn): readonly string[] {
    const { own, ownBodies } = this.dialect;
    const args = params.map((p) => this.name(p.name));
    return (
      ownBodies?.[name]?.(...args) ?? [
        `return ${bare(own?.[name]?.(...args) ?? lacking(`function ${name}`))};`,
      ]
    );
  }

  /** A head and its block: on one line if that is short and the block has one statement without an inner block. */
  nested(text: Text, head: string, stmts: readonly Stmt[]): void {
    if (!stmts.every(isPlain)) {
      text.block(head, () => this.block(text, stmts));
      return;
    }
    const inner = new Text("");
    this.block(inner, stmts);
    const lines = inner
      .toString()
      .split("\n")
      .filter((line) => line !== "");
    const short = `${head} ${lines[0]} }`;
    if (lines.length === 1 && unmarked(short).length <= SHORT_BLOCK) text.line(short);
    else
      text.block(head, () => {
        for (const line of lines) text.line(line);
      });
  }

  /** A function's body, with its comment above the head that the target prints. */
  fn(text: Text, fn: Fn, head: string): void {
    this.facts.enter(fn);
    this.isFunction = true;
    text.line(`// ${commentText(fn.doc)}`);
    text.block(head, () => {
      if (fn.own) for (const line of this.own(fn)) text.line(line);
      else this.block(text, fn.body);
    });
    this.isFunction = false;
  }
}

type ExprOf<K extends Expr["kind"]> = Extract<Expr, { kind: K }>;
const EXPRS: { readonly [K in Expr["kind"]]: (p: CFamily, d: Dialect, e: ExprOf<K>) => string } = {
  const: (_, d, e) => {
    if (e.width !== undefined) return vectorsOf(d).constant(d.literal(e), e.type, e.width);
    if (e.name !== undefined) return namedAs(e.name, d.literal(e));
    return isPatternConst(e) ? ofBits(e, d.literal(e), false) : d.literal(e);
  },
  var: (p, _, e) => p.variable(e.name),
  param: (p, d, e) => d.param(p.name(e.name), e.type),
  builtin: (_, d, e) => d.builtin(e.builtin),
  load: (p, d, e) => {
    const [array, index, memory] = [p.name(e.array), p.index(e.index), e.memory ?? e.type];
    if (e.width !== undefined) return vectorsOf(d).load(array, index, e.type, e.width, memory);
    return d.load(e.space, array, index, e.type, memory);
  },
  unary: (p, d, e) => d.unary[e.op](p.expr(e.of), e.type),
  binary: (p, _, e) => p.binary(e),
  select: (p, _, e) => p.select(e),
  cast: (p, d, e) => d.cast(p.expr(e.of), e.of.type, e.type, e.inRange !== undefined),
  bitcast: (p, d, e) => d.bitcast(p.bits(e.of), e.of.type, e.type),
  word: (p, d, e) => d.word(p.expr(e.of), e.index, e.of.type),
  join: (p, d, e) =>
    d.join(
      e.words.map((part) => p.bits(part)),
      e.type,
    ),
  call: (p, d, e) => {
    const spell = (d.inlines ? d.own?.[e.fn] : undefined) ?? called(e.fn);
    return spell(...p.args(e));
  },
  permute: (p, d, e) => {
    const vectors = [e.left, ...(e.right ? [e.right] : [])].map((one) => p.expr(one));
    return vectorsOf(d).permute(e.pattern, vectors, e.type, e.left.width ?? 1);
  },
  bits: () => lacking("bits of vectors"),
  part: (p, d, e) =>
    e.field === undefined ? d.part(p.name(e.of), e.index) : `${p.name(e.of)}.${p.name(e.field)}`,
};

const vectorsOf = ({ vectors }: Dialect): VectorDialect => vectors ?? lacking("vectors");

const isPlain = (stmt: Stmt): boolean => stmt.kind !== "comment" && blocksOf(stmt).length === 0;

/** Maximum number of characters of a value that is printed in the next statement, and in a later one. */
const SHORT = 72;
const SHORTER = 40;
/** Maximum number of characters of a block on one line. */
const SHORT_BLOCK = 110;
/** Maximum number of characters of a statement with several values. */
const LINE = 120;

type StmtOf<K extends Stmt["kind"]> = Extract<Stmt, { kind: K }>;
/** The values that statements name, each safe within any operator. */
const VALUES = {
  let: (p, _, s) => p.expr(s.value),
  intrinsic: (p, d, s) => {
    const [value, lane] = s.args.map((arg) => p.alone(arg)) as [string, string | undefined];
    const type = (s.args[0] as Expr).type;
    return d.intrinsics[s.fn]({ value, type, lane: lane ?? "", op: s.op ?? "add" });
  },
  "atomic-load": (p, d, s) => d.atomicLoad(p.name(s.array), p.alone(s.index)),
  "atomic-add": (p, d, s) => d.atomicAdd(p.name(s.array), p.alone(s.index), p.alone(s.value)),
  "uniform-load": (p, d, s) => d.uniformValue?.(p.name(s.array), p.alone(s.index)),
} satisfies { readonly [K in Naming["kind"]]: (p: CFamily, d: Dialect, s: StmtOf<K>) => string | undefined };
type Writing<S extends Space> = Pick<StmtOf<"store">, "array" | "index" | "value"> & { readonly space: S };
const written = <S extends Space>(p: CFamily, { space, array, index, value }: Writing<S>): Written<S> => ({
  space,
  array: p.name(array),
  index: p.index(index),
  value: p.alone(value),
  type: value.type,
});
const STMTS: { readonly [K in Stmt["kind"]]: (p: CFamily, d: Dialect, text: Text, s: StmtOf<K>) => void } = {
  comment: (_, __, text, s) => text.line(`// ${commentText(s.text)}`),
  let: (p, d, text, s) => text.line(d.let(p.name(s.name), s.value.type, p.alone(s.value), s.value.width)),
  var: (p, d, text, s) => text.line(d.var(p.name(s.name), s.value.type, p.alone(s.value), s.value.width)),
  assign: (p, _, text, s) => text.line(`${p.name(s.name)} = ${p.alone(s.value)};`),
  array: (p, d, text, s) => {
    for (const line of d.array(p.name(s.name), s.type, s.length)) text.line(line);
  },
  store: (p, d, text, s) => {
    const to = { ...written(p, s), memory: s.memory ?? s.value.type };
    text.line(s.value.width === undefined ? d.store(to) : vectorsOf(d).store(to, s.value.width));
  },
  atomic: (p, d, text, s) => text.line(d.atomic(s.op, written(p, s))),
  barrier: (_, d, text) => {
    for (const line of d.barrier) text.line(line);
  },
  intrinsic: (p, d, text, s) =>
    text.line(d.let(p.name(s.name), resultOf(s), bare(VALUES.intrinsic(p, d, s)))),
  "atomic-load": (p, d, text, s) => text.line(d.let(p.name(s.name), "u32", VALUES["atomic-load"](p, d, s))),
  "atomic-load-row": (p, d, text, s) => {
    const row = d.atomicLoadRow?.(p.name(s.array), p.alone(s.index), s.width, p.alone(s.condition));
    for (const line of d.call(p.name(s.name), row ?? lacking("rows of atomics"), "u32", s.width))
      text.line(line);
  },
  "atomic-store": (p, d, text, s) =>
    text.line(d.atomicStore(p.name(s.array), p.alone(s.index), p.alone(s.value))),
  "atomic-add": (p, d, text, s) => text.line(d.let(p.name(s.name), "u32", VALUES["atomic-add"](p, d, s))),
  prefetch: (p, d, text, s) =>
    text.line(d.prefetch?.(p.name(s.array), p.alone(s.index)) ?? lacking("prefetches")),
  "load-row": (p, d, text, s) => {
    const { type, memory = type, width = ROW } = s;
    const row = d.loadRow(p.name(s.array), p.expr(s.index), type, memory, width);
    for (const line of d.call(p.name(s.name), row, type, width)) text.line(line);
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
    const lines = s.feature === "vectors" ? vectorsOf(d).choice : d.choice(s.feature);
    // Braces limit the scope of the names of either block.
    text.bare(lines.native);
    text.block("{", () => p.block(text, s.native));
    if (s.portable.length > 0) {
      text.bare(lines.portable);
      text.block("{", () => p.block(text, s.portable));
    }
    text.bare(lines.end);
  },
  if: (p, _, text, stmt) => {
    let s = joined(stmt);
    const headOf = ({ condition }: IfStmt): string => `if (${bare(p.condition(condition))}) {`;
    if (s.otherwise.length === 0) return p.nested(text, headOf(s), s.then);
    text.line(headOf(s));
    for (let [other] = s.otherwise; other?.kind === "if" && s.otherwise.length === 1; [other] = s.otherwise) {
      const { then } = s;
      s = joined(other);
      text.indent(() => p.block(text, then));
      text.line(`} else ${headOf(s)}`);
    }
    text.indent(() => p.block(text, s.then));
    if (s.otherwise.length > 0) text.block("} else {", () => p.block(text, s.otherwise));
    else text.line("}");
  },
  for: (p, d, text, s) => {
    const [name, from, below] = [p.name(s.name), p.alone(s.from), p.expr(s.below)];
    if (!d.testsLast || s.below.kind === "const" || !p.mustRun(s))
      return p.nested(text, d.for(name, from, below, s.step, s), s.body);
    text.line(d.var(name, "u32", from));
    const next = s.step === 1 ? `++${name}` : `(${name} += ${s.step}u)`;
    text.block("do {", () => p.block(text, s.body), `} while (${next} < ${below});`);
  },
  while: (p, _, text, s) => p.nested(text, `while (${p.alone(s.condition)}) {`, s.body),
  call: (p, d, text, s) => {
    const call = called(s.fn)(...p.args(s));
    if (s.named) {
      const results = (): string => d.results?.(p.name(s.name), s.fn, call) ?? lacking("structures");
      text.line(s.name === "" ? `${call};` : results());
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
    const [only] = values;
    const single = only === undefined ? "return;" : `return ${only};`;
    const lines = values.length > 1 ? d.returns(values, type) : [single];
    for (const line of lines) text.line(line);
  },
};
