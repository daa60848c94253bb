/** Names that a text does better without: one statement reads the value, once, and it stands there. */
import { SCALARS } from "../../ir/tables/scalar.ts";
import type { Expr } from "../kernel/expr.ts";
import { partsOf } from "../kernel/map-expr.ts";
import type { Stmt } from "../kernel/stmt.ts";
import { blocksOf, exprsOf, walk } from "../kernel/walk.ts";

/** Statements that name one value, which a language writes as an expression. */
export type Naming = Extract<
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
  "load-row",
  "store-row",
  "atomic",
  "atomic-load",
  "atomic-add",
  "call",
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

/** A value, and the place in the block of the statement that alone reads it. */
export interface Place {
  readonly naming: Naming;
  readonly at: number;
  /** It is the next one. */
  readonly isNext: boolean;
}

/** Statements that a value may move past. */
const NEAR = 8;

/** The statement of a block, if it names a value that one statement behind it reads, once, and can compute itself. */
export function placeOf(
  block: readonly Stmt[],
  i: number,
  reads: ReadonlyMap<string, number>,
): Place | undefined {
  const naming = block[i] as Naming;
  if (!NAMING.has(naming.kind) || reads.get(naming.name) !== 1) return undefined;
  const found = readerIn(block.slice(i + 1, i + 2 + NEAR), naming.name);
  if (!found || !TAKING.has(found.reader.kind)) return undefined;
  const at = block.indexOf(found.outer, i);
  const isNext = found.reader === block[i + 1];
  if (!isNext && !passes(naming, found.before)) return undefined;
  const isRounded = naming.kind === "let" && SCALARS[naming.value.type].kind === "float";
  if (isRounded && !exprsOf(found.reader).some((e) => hands(e, naming.name))) return undefined;
  return { naming, at, isNext };
}

/** The statement that reads a name, in the block or in a choice of it. */
interface Reader {
  readonly reader: Stmt;
  /** The statement of the block that it is, or is in. */
  readonly outer: Stmt;
  /** What comes before it. */
  readonly before: readonly Stmt[];
}

function readerIn(block: readonly Stmt[], name: string): Reader | undefined {
  for (const [i, outer] of block.entries()) {
    const before = block.slice(0, i);
    if (exprsOf(outer).some((e) => isIn(e, name))) return { reader: outer, outer, before };
    if (outer.kind !== "if") continue;
    for (const inner of blocksOf(outer)) {
      const found = readerIn(inner, name);
      if (found) return { reader: found.reader, outer, before: [...before, ...found.before] };
    }
  }
  return undefined;
}

/** Whether a value is the same behind the statements: they change nothing that it reads. */
function passes(naming: Naming, stmts: readonly Stmt[]): boolean {
  if (naming.kind !== "let" || isPinned(naming)) return false;
  const all = walk(stmts);
  const names = all.flatMap((stmt) => ("name" in stmt ? [stmt.name] : []));
  const arrays = all.flatMap((stmt) => (stmt.kind === "store" ? [stmt.array] : []));
  return (
    !names.some((name) => name === naming.name || isIn(naming.value, name)) &&
    !arrays.some((array) => readsArray(naming.value, array))
  );
}

/** Whether a value is one of its place alone: of memory that others write too, or of a function in which lanes may have to meet. */
export const isPinned = (naming: Naming): boolean => naming.kind !== "let" || isOfPlace(naming.value);
const isOfPlace = (e: Expr): boolean =>
  (e.kind === "load" && e.space !== "private") ||
  (e.kind === "call" && e.routine === true) ||
  partsOf(e).some(isOfPlace);
/** Whether a value is made of one of the names. */
export const isMadeOf = (naming: Naming, names: ReadonlySet<string>): boolean =>
  names.size > 0 && exprsOf(naming).some((e) => [...names].some((name) => isIn(e, name)));
const readsArray = (e: Expr, array: string): boolean =>
  (e.kind === "load" && e.array === array) || partsOf(e).some((part) => readsArray(part, array));
