/** Removes names that one statement reads once: the value is printed in that statement. */
import { SCALARS } from "@groupwise/ir/tables/scalar.js";
import type { Expr } from "../language/expr.ts";
import { TRAITS } from "../language/intrinsics.ts";
import { partsOf } from "../language/map-expr.ts";
import type { Stmt } from "../language/stmt.ts";
import { blocksOf, exprsOf, walk } from "../language/walk.ts";

/** Statements that name one value, which a language can print as an expression. */
export type Naming = Extract<
  Stmt,
  { kind: "let" | "intrinsic" | "atomic-load" | "atomic-add" | "uniform-load" }
>;

const isIn = (e: Expr, name: string): boolean =>
  (e.kind === "var" && e.name === name) || partsOf(e).some((part) => isIn(part, name));

/**
 * Whether an expression is the name, or a call that it is an argument of: then no operation is nested in another, which
 * compilers could contract where floats are rounded.
 */
const hands = (e: Expr, name: string): boolean =>
  (e.kind === "var" && e.name === name) ||
  (e.kind === "call" && e.args.some((arg) => arg.kind === "var" && arg.name === name));

const known = new WeakMap<readonly Stmt[], ReadonlyMap<string, number>>();

/** The number of reads of each name in a block and its inner blocks, without names that inner blocks declare. */
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

/** A value, and the position in the block of the only statement that reads it. */
interface Place {
  readonly at: number;
  /** Whether it is the next statement. */
  readonly isNext: boolean;
}

/** Statements that a value may move past. */
const NEAR = 8;

/**
 * The position of the statement that can compute a value that is read once.
 * @param value with inlined values in place of names; undefined if it is not an expression
 */
export function placeOf(
  block: readonly Stmt[],
  i: number,
  naming: Naming,
  value: Expr | undefined,
): Place | undefined {
  const found = readerIn(block, naming.name, i + 1, Math.min(block.length, i + 2 + NEAR));
  if (!found || !TRAITS[found.reader.kind].inPlace) return undefined;
  const isNext = found.reader === block[i + 1];
  const moves = isNext ? commutes(naming, value, found.reader) : passes(naming.name, value, found.before);
  if (!moves) return undefined;
  const { reader } = found;
  if (meets(naming, value) && exprsOf(reader).some((e) => isConditional(e, naming.name))) return undefined;
  const isRounded = naming.kind === "let" && SCALARS[naming.value.type].kind === "float";
  if (isRounded && !exprsOf(reader).some((e) => hands(e, naming.name))) return undefined;
  return { at: found.at, isNext };
}

export const isNaming = (stmt: Stmt): stmt is Naming => TRAITS[stmt.kind].isValue === true;

/** The statement that reads a name, in the block or in a choice of it. */
interface Reader {
  readonly reader: Stmt;
  /** The position in the block of the statement that it is, or is in. */
  readonly at: number;
  /** The statements before it. */
  readonly before: readonly Stmt[];
}

/** Searches the statements of a block between two positions. */
function readerIn(block: readonly Stmt[], name: string, from: number, to: number): Reader | undefined {
  const before: Stmt[] = [];
  for (let at = from; at < to; at++) {
    const outer = block[at] as Stmt;
    if (exprsOf(outer).some((e) => isIn(e, name))) return { reader: outer, at, before };
    for (const inner of outer.kind === "if" ? blocksOf(outer) : []) {
      const found = readerIn(inner, name, 0, inner.length);
      if (found) return { reader: found.reader, at, before: [...before, ...found.before] };
    }
    before.push(outer);
  }
  return undefined;
}

const has = (e: Expr, test: (e: Expr) => boolean): boolean =>
  test(e) || partsOf(e).some((part) => has(part, test));
/** Whether the expression reads memory that other work-items write. */
const isShared = (e: Expr): boolean =>
  (e.kind === "load" && e.space !== "private") || (e.kind === "call" && e.loads === true);
/** Statements that may have barriers or shuffles, and may change memory. */
const isRoutine = (e: Expr): boolean => e.kind === "call" && e.routine === true;

/** Every work-item must execute its own, once. */
const meets = ({ kind }: Naming, value: Expr | undefined): boolean =>
  TRAITS[kind].meets !== undefined ||
  TRAITS[kind].writes === true ||
  (value !== undefined && has(value, isRoutine));

/** The subexpressions that C evaluates only in some work-items. */
function lazyPartsOf(e: Expr): readonly Expr[] {
  if (e.kind === "select") return [e.then, e.otherwise];
  return e.kind === "binary" && e.type === "bool" && (e.op === "and" || e.op === "or") ? [e.right] : [];
}
/** Whether the name is read in a subexpression that is not always evaluated. */
const isConditional = (e: Expr, name: string): boolean =>
  lazyPartsOf(e).some((part) => isIn(part, name)) || partsOf(e).some((part) => isConditional(part, name));

/** Whether a value may be computed among the other expressions of the later statement, in any order. */
function commutes(naming: Naming, value: Expr | undefined, reader: Stmt): boolean {
  const others = exprsOf(reader);
  if (others.some((e) => has(e, isRoutine)))
    return !hasEffect(naming, value) && !(value && has(value, isShared));
  return !hasEffect(naming, value) || !others.some((e) => has(e, isShared));
}

const hasEffect = ({ kind }: Naming, value: Expr | undefined): boolean =>
  value
    ? has(value, isRoutine)
    : kind === "let" || TRAITS[kind].writes === true || TRAITS[kind].meets === "work-group";

/** Whether a value is the same after the statements: they change nothing that it reads. */
function passes(own: string, value: Expr | undefined, stmts: readonly Stmt[]): boolean {
  if (!value || has(value, (e) => isShared(e) || isRoutine(e))) return false;
  const all = walk(stmts);
  const names = all.flatMap((stmt) => ("name" in stmt ? [stmt.name] : []));
  const arrays = all.flatMap((stmt) => (stmt.kind === "store" ? [stmt.array] : []));
  return (
    !names.some((name) => name === own || isIn(value, name)) &&
    !arrays.some((array) => has(value, (e) => e.kind === "load" && e.array === array))
  );
}
