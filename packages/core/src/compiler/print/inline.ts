/** Names that a text does better without: their value stands where the next statement reads it, and nothing else does. */
import { SCALARS } from "../../ir/tables/scalar.ts";
import type { Expr } from "../kernel/expr.ts";
import { partsOf } from "../kernel/map-expr.ts";
import type { Stmt } from "../kernel/stmt.ts";
import { blocksOf, exprsOf } from "../kernel/walk.ts";

/** Statements that name one value, which a language writes as an expression. */
type Naming = Extract<
  Stmt,
  { kind: "let" | "shuffle" | "shuffle-xor" | "ballot" | "atomic-load" | "atomic-add" | "uniform-load" }
>;

const NAMING: ReadonlySet<Stmt["kind"]> = new Set<Naming["kind"]>([
  "let",
  "shuffle",
  "shuffle-xor",
  "ballot",
  "atomic-load",
  "atomic-add",
  "uniform-load",
]);
/** Statements that evaluate their expressions once, where they stand. */
const TAKING: ReadonlySet<Stmt["kind"]> = new Set([
  "let",
  "var",
  "assign",
  "store",
  "atomic-store",
  "return",
  "if",
  "shuffle",
  "shuffle-xor",
  "ballot",
]);

const isIn = (e: Expr, name: string): boolean =>
  (e.kind === "var" && e.name === name) || partsOf(e).some((part) => isIn(part, name));

/**
 * Whether an expression is the name, or a call that it is an argument of: then no operation comes to stand in another, which
 * compilers could contract where floats are rounded.
 */
const hands = (e: Expr, name: string): boolean =>
  (e.kind === "var" && e.name === name) ||
  (e.kind === "call" && e.args.some((arg) => arg.kind === "var" && arg.name === name));

const known = new WeakMap<readonly Stmt[], ReadonlyMap<string, number>>();

/** How often a block, and those in it, read each name that is not declared in one of those in it. */
export function readsIn(block: readonly Stmt[]): ReadonlyMap<string, number> {
  const before = known.get(block);
  if (before) return before;
  const reads = new Map<string, number>();
  const add = (name: string, times: number): void => void reads.set(name, (reads.get(name) ?? 0) + times);
  const visit = (e: Expr): void => {
    if (e.kind === "var") add(e.name, 1);
    else if (e.kind === "part") add(e.of, 1);
    else partsOf(e).forEach(visit);
  };
  for (const stmt of block) {
    exprsOf(stmt).forEach(visit);
    for (const inner of blocksOf(stmt)) {
      const own = new Set(inner.map((s) => ("name" in s && s.kind !== "assign" ? s.name : "")));
      for (const [name, times] of readsIn(inner)) if (!own.has(name)) add(name, times);
    }
  }
  known.set(block, reads);
  return reads;
}

/** The statement of a block, if it names a value that only the next statement reads, once. */
export function namedForNext(
  block: readonly Stmt[],
  i: number,
  reads: ReadonlyMap<string, number>,
): Naming | undefined {
  const [stmt, next] = [block[i], block[i + 1]];
  if (!stmt || !next || !NAMING.has(stmt.kind) || !TAKING.has(next.kind)) return undefined;
  const naming = stmt as Naming;
  const { name } = naming;
  if (reads.get(name) !== 1) return undefined;
  const read = exprsOf(next);
  if (!read.some((e) => isIn(e, name))) return undefined;
  const isRounded = naming.kind === "let" && SCALARS[naming.value.type].kind === "float";
  return isRounded && !read.some((e) => hands(e, name)) ? undefined : naming;
}
