/** Accesses of a kernel to two arrays, with indexes that can be compared. */
import type { Expr } from "../kernel/expr.ts";
import { mapParts, partsOf } from "../kernel/map-expr.ts";
import type { Kernel } from "../kernel/module.ts";
import type { Stmt } from "../kernel/stmt.ts";
import { blocksOf, exprsOf } from "../kernel/walk.ts";

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
  /** An access to one of the arrays that is not element by element. */
  readonly inBlocks: boolean;
}

/** The definition of a name in an index. */
type Meanings = ReadonlyMap<string, string>;

export function usesOf(kernel: Kernel, input: string, output: string): Uses {
  const reads: Access[] = [];
  const writes: Access[] = [];
  let inBlocks = false;
  let at = 0;
  const numbers = new Map<string, string>();
  // Short: a let that is used twice must not double the text.
  const intern = (text: string): string => {
    const known = numbers.get(text) ?? `#${numbers.size}`;
    numbers.set(text, known);
    return known;
  };
  // A variable gets a new identity after each assignment, and in each iteration of a loop that assigns it.
  const versions = new Map<string, number>();
  const renew = (name: string): void => {
    versions.set(name, (versions.get(name) ?? 0) + 1);
  };
  const meaning = (expr: Expr, known: Meanings): string => {
    if (expr.kind === "var") return known.get(expr.name) ?? `${expr.name}#${versions.get(expr.name) ?? 0}`;
    const parts = partsOf(expr).map((part) => meaning(part, known));
    const { kind, type } = expr;
    const own = Object.values(mapParts(expr, () => NOWHERE)).filter((value) => typeof value !== "object");
    return intern(`${kind}:${type}:${own.join(",")}(${parts.join(";")})`);
  };
  const look = (expr: Expr, known: Meanings, loops: readonly number[]): void => {
    for (const part of partsOf(expr)) look(part, known, loops);
    if (!("array" in expr) || (expr.array !== input && expr.array !== output)) return;
    if (expr.kind !== "load") inBlocks = true;
    else if (expr.array === input && expr.space === "storage")
      reads.push({ at, index: meaning(expr.index, known), loops });
  };
  const visit = (block: readonly Stmt[], outer: Meanings, loops: readonly number[]): void => {
    const known = new Map(outer);
    for (const stmt of block) {
      at++;
      for (const expr of exprsOf(stmt)) look(expr, known, loops);
      if (stmt.kind === "let") known.set(stmt.name, meaning(stmt.value, known));
      else if (stmt.kind === "var" || stmt.kind === "assign") renew(stmt.name);
      else if (stmt.kind === "store") {
        if (stmt.space === "storage" && stmt.array === output)
          writes.push({ at, index: meaning(stmt.index, known), loops });
      } else if ("array" in stmt && (stmt.array === input || stmt.array === output)) {
        inBlocks = true;
        if (stmt.kind === "load-row" && stmt.array === input)
          reads.push({ at, index: meaning(stmt.index, known), loops });
        if (stmt.kind === "store-row" && stmt.array === output)
          writes.push({ at, index: meaning(stmt.index, known), loops });
      }
      if (stmt.kind === "for" || stmt.kind === "while") {
        for (const name of assignedIn(stmt.body)) renew(name);
        const inner = new Map(known);
        if (stmt.kind === "for") {
          const range = [stmt.from, stmt.below].map((e) => meaning(e, known));
          inner.set(stmt.name, intern(`each:${loops.length}:${stmt.step}(${range.join(";")})`));
        }
        visit(stmt.body, inner, [...loops, at]);
        for (const name of assignedIn(stmt.body)) renew(name);
      } else for (const inner of blocksOf(stmt)) visit(inner, known, loops);
    }
  };
  visit(kernel.body, new Map(), []);
  return { reads, writes, inBlocks };
}

const NOWHERE: Expr = { kind: "const", type: "u32", value: 0 };

function* assignedIn(block: readonly Stmt[]): Generator<string> {
  for (const stmt of block) {
    if (stmt.kind === "assign") yield stmt.name;
    for (const inner of blocksOf(stmt)) yield* assignedIn(inner);
  }
}
