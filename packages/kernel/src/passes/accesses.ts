/** Accesses of a kernel to two arrays, with indexes that can be compared. */
import type { Expr } from "../language/expr.ts";
import { mapParts, partsOf } from "../language/map-expr.ts";
import type { Kernel } from "../language/module.ts";
import type { Stmt } from "../language/stmt.ts";
import { blocksOf, exprsOf } from "../language/walk.ts";

/** An access: its position in the text, and its index with names that are unique in the kernel. */
export interface Access {
  readonly at: number;
  readonly index: string;
  /** The enclosing loops, the outermost first, by position in the text. */
  readonly loops: readonly number[];
}
export interface Uses {
  readonly reads: readonly Access[];
  readonly writes: readonly Access[];
  /** An access to one of the arrays that is neither of an element nor of a vec4. */
  readonly inBlocks: boolean;
}

/** The definition of a name in an index. */
type Meanings = ReadonlyMap<string, string>;

/** The accesses of a kernel to elements of two arrays. */
export function usesOf(kernel: Kernel, input: string, output: string): Uses {
  const reader = new Reader(input, output);
  reader.visit(kernel.body, new Map(), []);
  return reader;
}

class Reader implements Uses {
  readonly reads: Access[] = [];
  readonly writes: Access[] = [];
  inBlocks = false;
  private readonly input: string;
  private readonly output: string;
  private at = 0;
  private readonly numbers = new Map<string, string>();
  /** A variable gets a new identity after each assignment, and in each iteration of a loop that assigns it. */
  private readonly versions = new Map<string, number>();

  constructor(input: string, output: string) {
    this.input = input;
    this.output = output;
  }

  visit(block: readonly Stmt[], outer: Meanings, loops: readonly number[]): void {
    const known = new Map(outer);
    for (const stmt of block) {
      this.at++;
      for (const expr of exprsOf(stmt)) this.look(expr, known, loops);
      if (stmt.kind === "let") known.set(stmt.name, this.meaning(stmt.value, known));
      else if (stmt.kind === "var" || stmt.kind === "assign") this.renew(stmt.name);
      else this.access(stmt, known, loops);
      if (stmt.kind === "for" || stmt.kind === "while") this.loop(stmt, known, loops);
      else for (const inner of blocksOf(stmt)) this.visit(inner, known, loops);
    }
  }

  private loop(
    stmt: Extract<Stmt, { kind: "for" | "while" }>,
    known: Meanings,
    loops: readonly number[],
  ): void {
    for (const name of assignedIn(stmt.body)) this.renew(name);
    const inner = new Map(known);
    if (stmt.kind === "for") {
      const range = [stmt.from, stmt.below].map((e) => this.meaning(e, known));
      inner.set(stmt.name, this.intern(`each:${loops.length}:${stmt.step}(${range.join(";")})`));
    }
    this.visit(stmt.body, inner, [...loops, this.at]);
    for (const name of assignedIn(stmt.body)) this.renew(name);
  }

  /** Of a statement itself; `look` has the loads of its expressions. */
  private access(stmt: Stmt, known: Meanings, loops: readonly number[]): void {
    if (!("array" in stmt) || (stmt.array !== this.input && stmt.array !== this.output)) return;
    const note = (list: Access[], index: Expr, what: string): void =>
      void list.push({ at: this.at, index: what + this.meaning(index, known), loops });
    // Two vectors at one index are the same elements; a vector and an element are not.
    if (stmt.kind === "load-row" && stmt.array === this.input) note(this.reads, stmt.index, "row ");
    else if (stmt.kind === "store-row" && stmt.array === this.output) note(this.writes, stmt.index, "row ");
    else if (stmt.kind !== "store") this.inBlocks = true;
    else if (stmt.array === this.output) note(this.writes, stmt.index, vectorOf(stmt.value));
  }

  private look(expr: Expr, known: Meanings, loops: readonly number[]): void {
    for (const part of partsOf(expr)) this.look(part, known, loops);
    if (expr.kind === "load" && expr.array === this.input)
      this.reads.push({ at: this.at, index: vectorOf(expr) + this.meaning(expr.index, known), loops });
  }

  private meaning(expr: Expr, known: Meanings): string {
    if (expr.kind === "var")
      return known.get(expr.name) ?? `${expr.name}#${this.versions.get(expr.name) ?? 0}`;
    const parts = partsOf(expr).map((part) => this.meaning(part, known));
    const { kind, type } = expr;
    const own = Object.values(mapParts(expr, () => NOWHERE));
    return this.intern(`${kind}:${type}:${own.join(",")}(${parts.join(";")})`);
  }

  /** Short: a let that is used twice must not double the text. */
  private intern(text: string): string {
    const known = this.numbers.get(text) ?? `#${this.numbers.size}`;
    this.numbers.set(text, known);
    return known;
  }

  private renew(name: string): void {
    this.versions.set(name, (this.versions.get(name) ?? 0) + 1);
  }
}

const vectorOf = ({ width }: Expr): string => (width === undefined ? "" : `${width} `);

const NOWHERE: Expr = { kind: "const", type: "u32", value: 0 };

function* assignedIn(block: readonly Stmt[]): Generator<string> {
  for (const stmt of block) {
    if (stmt.kind === "assign") yield stmt.name;
    for (const inner of blocksOf(stmt)) yield* assignedIn(inner);
  }
}
