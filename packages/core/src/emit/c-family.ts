/**
 * What languages with C's look share: statements, nesting, names. A dialect spells the rest; its tables
 * are total, so a new operation that a target does not spell is a compile error there.
 */
import type { BinaryOp, UnaryOp } from "../ir/expr-op.ts";
import type { Builtin, ConstExpr, Expr, Space } from "../kernel/expr.ts";
import { allExprs, type Fn, type Kernel, type Stmt, walk } from "../kernel/stmt.ts";
import type { Scalar } from "../scalar.ts";
import { commentText, type Text } from "./text.ts";

/** How a language spells the parts of expressions and statements. Texts of operands can stand in any operator. */
export interface Dialect {
  /** Words that no name may be; names of the lowering's own making get an underscore then. */
  readonly reserved: ReadonlySet<string>;
  literal(expr: ConstExpr): string;
  readonly unary: Readonly<Record<UnaryOp, (x: string, type: Scalar) => string>>;
  /** `type` is the operands' type. */
  readonly binary: Readonly<Record<BinaryOp, (a: string, b: string, type: Scalar) => string>>;
  select(condition: string, then: string, otherwise: string, type: Scalar): string;
  cast(x: string, from: Scalar, to: Scalar): string;
  bitcast(x: string, from: Scalar, to: Scalar): string;
  param(name: string): string;
  builtin(name: Builtin): string;
  load(space: Space, array: string, index: string, type: Scalar): string;
  let(name: string, type: Scalar, value: string): string;
  var(name: string, type: Scalar, value: string): string;
  array(name: string, type: Scalar, length: number): string;
  store(space: Space, array: string, index: string, value: string, type: Scalar): string;
  flag(array: string, index: string, bits: string): string;
  readonly barrier: readonly string[];
  /** The head of a loop up to its opening brace. */
  for(name: string, from: string, below: string, step: number): string;
  /** The head of an `if`, where a bool is not a condition as it stands. */
  if?(condition: string): string;
}

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

export class CFamily {
  private readonly dialect: Dialect;

  constructor(dialect: Dialect) {
    this.dialect = dialect;
  }

  /** A name that the lowering chose; an author's name was checked against the reserved words before. */
  name(name: string): string {
    return this.dialect.reserved.has(name) ? `${name}_` : name;
  }

  expr(expr: Expr): string {
    const d = this.dialect;
    switch (expr.kind) {
      case "const":
        return d.literal(expr);
      case "var":
        return this.name(expr.name);
      case "param":
        return d.param(this.name(expr.name));
      case "builtin":
        return d.builtin(expr.builtin);
      case "load":
        return d.load(expr.space, this.name(expr.array), bare(this.expr(expr.index)), expr.type);
      case "unary":
        return d.unary[expr.op](this.expr(expr.of), expr.type);
      case "binary":
        return d.binary[expr.op](this.expr(expr.left), this.expr(expr.right), expr.left.type);
      case "select":
        return d.select(
          this.expr(expr.condition),
          this.expr(expr.then),
          this.expr(expr.otherwise),
          expr.type,
        );
      case "cast":
        return d.cast(this.expr(expr.of), expr.of.type, expr.type);
      case "bitcast":
        return d.bitcast(this.expr(expr.of), expr.of.type, expr.type);
      case "call":
        return called(this.name(expr.fn))(...expr.args.map((arg) => this.expr(arg)));
    }
  }

  /** An expression that stands alone, without outer parentheses. */
  alone(expr: Expr): string {
    return bare(this.expr(expr));
  }

  block(text: Text, stmts: readonly Stmt[]): void {
    for (const stmt of stmts) this.stmt(text, stmt);
  }

  private stmt(text: Text, stmt: Stmt): void {
    const d = this.dialect;
    switch (stmt.kind) {
      case "comment":
        return text.line(`// ${commentText(stmt.text)}`);
      case "let":
        return text.line(d.let(this.name(stmt.name), stmt.value.type, this.alone(stmt.value)));
      case "var":
        return text.line(d.var(this.name(stmt.name), stmt.value.type, this.alone(stmt.value)));
      case "assign":
        return text.line(`${this.name(stmt.name)} = ${this.alone(stmt.value)};`);
      case "array":
        return text.line(d.array(this.name(stmt.name), stmt.type, stmt.length));
      case "store":
        return text.line(
          d.store(
            stmt.space,
            this.name(stmt.array),
            this.alone(stmt.index),
            this.alone(stmt.value),
            stmt.value.type,
          ),
        );
      case "flag":
        return text.line(d.flag(this.name(stmt.array), this.alone(stmt.index), this.alone(stmt.bits)));
      case "barrier":
        for (const line of d.barrier) text.line(line);
        return;
      case "if": {
        const [then, otherwise] = [() => this.block(text, stmt.then), () => this.block(text, stmt.otherwise)];
        const head = d.if ? d.if(this.expr(stmt.condition)) : `if (${this.alone(stmt.condition)}) {`;
        if (stmt.otherwise.length === 0) return text.block(head, then);
        text.block(head, then, "} else {");
        return text.indentedTail(otherwise);
      }
      case "for":
        return text.block(
          d.for(this.name(stmt.name), this.alone(stmt.from), this.expr(stmt.below), stmt.step),
          () => this.block(text, stmt.body),
        );
      case "while":
        return text.block(`while (${this.alone(stmt.condition)}) {`, () => this.block(text, stmt.body));
      case "return":
        return text.line(`return ${this.alone(stmt.value)};`);
    }
  }

  /** A function's body, with its comment above the head that the target spells. */
  fn(text: Text, fn: Fn, head: string): void {
    text.line(`// ${commentText(fn.doc)}`);
    text.block(head, () => this.block(text, fn.body));
  }
}

/** How a kernel uses the arrays of device memory. */
export interface ArrayUse {
  readonly name: string;
  readonly access: "read" | "write" | "read-write";
}

/** The arrays that a kernel touches, in the order of the module's list. */
export function arraysOf(kernel: Kernel, all: readonly { readonly name: string }[]): ArrayUse[] {
  const reads = new Set<string>();
  const writes = new Set<string>();
  for (const expr of allExprs(kernel.body))
    if (expr.kind === "load" && expr.space === "storage") reads.add(expr.array);
  for (const stmt of walk(kernel.body)) {
    if (stmt.kind === "store" && stmt.space === "storage") writes.add(stmt.array);
    if (stmt.kind === "flag") for (const set of [reads, writes]) set.add(stmt.array);
  }
  return all
    .filter(({ name }) => reads.has(name) || writes.has(name))
    .map(({ name }) => ({
      name,
      access: !writes.has(name) ? "read" : reads.has(name) ? "read-write" : "write",
    }));
}

/** The launch scalars that a kernel uses, in the order of the module's list. */
export function paramsOf<P extends { readonly name: string }>(kernel: Kernel, all: readonly P[]): P[] {
  const used = new Set<string>();
  for (const expr of allExprs(kernel.body)) if (expr.kind === "param") used.add(expr.name);
  return all.filter(({ name }) => used.has(name));
}
