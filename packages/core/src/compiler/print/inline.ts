/** Names that a text does better without: their value stands where the next statement reads it, and nothing else does. */
import { SCALARS } from "../../ir/tables/scalar.ts";
import type { Expr } from "../kernel/expr.ts";
import { partsOf } from "../kernel/map-expr.ts";
import type { Stmt } from "../kernel/stmt.ts";
import { allExprs, blocksOf, exprsOf } from "../kernel/walk.ts";

/** Statements that name one value, which a language writes as an expression. */
type Naming = Extract<
  Stmt,
  { kind: "let" | "shuffle" | "shuffle-xor" | "atomic-load" | "atomic-add" | "uniform-load" }
>;

const NAMING: ReadonlySet<Stmt["kind"]> = new Set<Naming["kind"]>([
  "let",
  "shuffle",
  "shuffle-xor",
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
]);

const timesIn = (e: Expr, name: string): number =>
  (e.kind === "var" && e.name === name) || (e.kind === "part" && e.of === name)
    ? 1
    : partsOf(e).reduce((sum, part) => sum + timesIn(part, name), 0);

/**
 * Whether an expression is the name, or a call that it is an argument of: then no operation comes to stand in another, which
 * compilers could contract where floats are rounded.
 */
const hands = (e: Expr, name: string): boolean =>
  (e.kind === "var" && e.name === name) ||
  (e.kind === "call" && e.args.some((arg) => arg.kind === "var" && arg.name === name));

/** The statement of a block, if it names a value that only the next statement reads, once. */
export function namedForNext(block: readonly Stmt[], i: number): Naming | undefined {
  const [stmt, next] = [block[i], block[i + 1]];
  if (!stmt || !next || !NAMING.has(stmt.kind) || !TAKING.has(next.kind)) return undefined;
  const naming = stmt as Naming;
  const { name } = naming;
  const read = exprsOf(next);
  if (read.reduce((sum, e) => sum + timesIn(e, name), 0) !== 1) return undefined;
  const isRounded = naming.kind === "let" && SCALARS[naming.value.type].kind === "float";
  if (isRounded && !read.some((e) => hands(e, name))) return undefined;
  const later = [...blocksOf(next), block.slice(i + 2)];
  return later.some((stmts) => allExprs(stmts).some((e) => timesIn(e, name) > 0)) ? undefined : naming;
}
