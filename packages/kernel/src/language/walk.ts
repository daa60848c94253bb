/** Traversals of statements and their expressions. */
import type { Expr, Space } from "./expr.ts";
import { TRAITS } from "./intrinsics.ts";
import { each, LEAVES, partsOf } from "./map-expr.ts";
import type { Module } from "./module.ts";
import { type AssignStmt, type NativeStmt, ROW, type Stmt } from "./stmt.ts";

/** The statement lists inside a statement. */
export function blocksOf(stmt: Stmt): readonly (readonly Stmt[])[] {
  if (stmt.kind === "if") return [stmt.then, stmt.otherwise];
  if (stmt.kind === "choice") return [stmt.native, stmt.portable];
  if (stmt.kind === "for" || stmt.kind === "while") return [stmt.body];
  return NO_BLOCKS;
}

const NO_BLOCKS: readonly (readonly Stmt[])[] = [];
const NO_EXPRS: readonly Expr[] = [];

/** The direct expressions of a statement. */
export function exprsOf(stmt: Stmt): readonly Expr[] {
  return (EXPRS[stmt.kind] as (stmt: Stmt) => readonly Expr[])(stmt);
}

/** The statement with every expression and inner block changed; the statement itself if none of these changes. */
export function mapStmt(
  stmt: Stmt,
  expr: (e: Expr) => Expr,
  block: (b: readonly Stmt[]) => readonly Stmt[],
): Stmt {
  return (MAP[stmt.kind] as (s: Stmt, e: typeof expr, b: typeof block) => Stmt)(stmt, expr, block);
}

/** The statement with its inner blocks changed; the statement itself if none of these changes. */
export const mapBlocks = (stmt: Stmt, block: (b: readonly Stmt[]) => readonly Stmt[]): Stmt =>
  blocksOf(stmt).length === 0 ? stmt : mapStmt(stmt, (e) => e, block);

/** Statements made of a block; the block itself if they are its own. */
export const blockOr = (block: readonly Stmt[], made: readonly Stmt[]): readonly Stmt[] =>
  made.length === block.length && made.every((stmt, i) => stmt === block[i]) ? block : made;

type Of<K extends Stmt["kind"]> = Extract<Stmt, { kind: K }>;
const none = (): readonly Expr[] => NO_EXPRS;
const value = (stmt: { value: Expr }): readonly Expr[] => [stmt.value];
const EXPRS: { readonly [K in Stmt["kind"]]: (stmt: Of<K>) => readonly Expr[] } = {
  comment: none,
  let: value,
  var: value,
  assign: value,
  array: none,
  store: (s) => [s.index, s.value],
  atomic: (s) => [s.index, s.value],
  barrier: none,
  intrinsic: (s) => s.args,
  "atomic-load": (s) => [s.index],
  "atomic-load-row": (s) => [s.index, s.condition],
  "atomic-store": (s) => [s.index, s.value],
  "atomic-add": (s) => [s.index, s.value],
  prefetch: (s) => [s.index],
  "load-row": (s) => [s.index],
  "store-row": (s) => [s.index, ...s.values],
  "uniform-load": (s) => [s.index],
  native: (s) => (s.source ? [s.value, s.source] : [s.value]),
  choice: none,
  if: (s) => [s.condition],
  for: (s) => [s.from, s.below],
  while: (s) => [s.condition],
  call: (s) => s.args,
  routine: none,
  results: (s) => s.values,
  return: (s) => s.values,
};

const itself = (stmt: Stmt): Stmt => stmt;
/** The statement itself if none of its parts changes: most passes change few statements. */
function withParts<S extends Stmt>(s: S, parts: Partial<S>): S {
  for (const name in parts) if (parts[name] !== s[name]) return { ...s, ...parts };
  return s;
}
type Change = (e: Expr) => Expr;
const ofValue = <S extends Stmt & { readonly value: Expr }>(s: S, e: Change): S => {
  const value = e(s.value);
  return value === s.value ? s : { ...s, value };
};
const stored = <S extends Stmt & { readonly index: Expr; readonly value: Expr }>(s: S, e: Change): S =>
  withParts(s, { index: e(s.index), value: e(s.value) } as Partial<S>);
const atIndex = <S extends Stmt & { readonly index: Expr }>(s: S, e: Change): S =>
  withParts(s, { index: e(s.index) } as Partial<S>);
const ofArgs = <S extends Stmt & { readonly args: readonly Expr[] }>(s: S, e: Change): S =>
  withParts(s, { args: each(s.args, e) } as Partial<S>);
const ofValues = <S extends Stmt & { readonly values: readonly Expr[] }>(s: S, e: Change): S =>
  withParts(s, { values: each(s.values, e) } as Partial<S>);
const MAP: {
  readonly [K in Stmt["kind"]]: (s: Of<K>, e: Change, b: (x: readonly Stmt[]) => readonly Stmt[]) => Stmt;
} = {
  comment: itself,
  let: ofValue,
  var: ofValue,
  assign: ofValue,
  array: itself,
  store: stored,
  atomic: stored,
  barrier: itself,
  intrinsic: ofArgs,
  "atomic-load": atIndex,
  "atomic-load-row": (s, e) => withParts(s, { index: e(s.index), condition: e(s.condition) }),
  "atomic-store": stored,
  "atomic-add": stored,
  prefetch: atIndex,
  "load-row": atIndex,
  "store-row": (s, e) => withParts(s, { index: e(s.index), values: each(s.values, e) }),
  "uniform-load": atIndex,
  native: (s, e) => withParts(s, { value: e(s.value), source: s.source && e(s.source) }),
  choice: (s, _, b) => withParts(s, { native: b(s.native), portable: b(s.portable) }),
  if: (s, e, b) => withParts(s, { condition: e(s.condition), then: b(s.then), otherwise: b(s.otherwise) }),
  for: (s, e, b) => withParts(s, { from: e(s.from), below: e(s.below), body: b(s.body) }),
  while: (s, e, b) => withParts(s, { condition: e(s.condition), body: b(s.body) }),
  call: ofArgs,
  routine: itself,
  results: ofValues,
  return: ofValues,
};

/** Every statement of a block, outer ones first. */
export function walk(block: readonly Stmt[]): readonly Stmt[] {
  const found: Stmt[] = [];
  addStatements(block, found);
  return found;
}

function addStatements(block: readonly Stmt[], found: Stmt[]): void {
  for (const stmt of block) {
    found.push(stmt);
    for (const inner of blocksOf(stmt)) addStatements(inner, found);
  }
}

/** Whether work-items see after a statement what others wrote before it. */
export const isBarrier = ({ kind }: Stmt): boolean =>
  TRAITS[kind].meets === "work-group" && kind !== "native";

/** Whether a statement gives a variable another value. */
export const assigns = (stmt: Stmt): stmt is AssignStmt | NativeStmt =>
  TRAITS[stmt.kind].names === "variable";

/** Whether a statement gives a value a new name, which other names in its block do not equal. */
export const declares = (
  stmt: Stmt,
): stmt is Exclude<Extract<Stmt, { readonly name: string }>, AssignStmt | NativeStmt> =>
  TRAITS[stmt.kind].names === "new";

/** The names of variables that some statement assigns. */
export const assignedIn = (block: readonly Stmt[]): ReadonlySet<string> =>
  new Set(walk(block).flatMap((s) => (assigns(s) ? [s.name] : [])));

/** Every statement of a module's kernels. */
export const statementsOf = ({ kernels }: Pick<Module, "kernels">): Stmt[] =>
  kernels.flatMap(({ body }) => walk(body));

/** Whether some statement shuffles values within a subgroup. */
export const usesSubgroups = (module: Pick<Module, "kernels">): boolean =>
  statementsOf(module).some(({ kind }) => kind === "intrinsic");

/** Whether some subgroups of a work-group shuffle where others do not. */
export const dividesSubgroups = (module: Pick<Module, "kernels">): boolean =>
  statementsOf(module).some((stmt) => stmt.kind === "if" && stmt.ofSubgroups === true);

/** Every expression of a block, before its subexpressions. It returns a list because emitting calls it often, and generators are slow. */
export function allExprs(stmts: readonly Stmt[]): readonly Expr[] {
  const found: Expr[] = [];
  const stack: Expr[] = [];
  for (const stmt of walk(stmts)) {
    for (const expr of exprsOf(stmt)) stack.push(expr);
    for (let expr = stack.pop(); expr !== undefined; expr = stack.pop()) {
      found.push(expr);
      if (!LEAVES.has(expr.kind)) for (const part of partsOf(expr)) stack.push(part);
    }
  }
  return found;
}

/** A statement that accesses an array. */
export type AccessStmt = Extract<Stmt, { readonly array: string }>;
/** Whether a statement accesses an array; expressions that load are not among it. */
export const isAccess = (stmt: Stmt): stmt is AccessStmt => "array" in stmt;
/** Whether it does so by an atomic operation. */
export const isAtomic = (stmt: Stmt): stmt is AccessStmt => TRAITS[stmt.kind].atomic === true;

/** Whether it counts as a read of its array, and as a write: an atomic operation counts as both, as its array is declared so. */
export function accessUse(stmt: AccessStmt): { readonly reads: boolean; readonly writes: boolean } {
  const { reads = false, writes = false, atomic = false } = TRAITS[stmt.kind];
  return { reads: reads || atomic, writes: writes || atomic };
}

/** The memory that a statement accesses. */
export const spaceOf = (stmt: AccessStmt): Space =>
  "space" in stmt ? stmt.space : stmt.kind === "uniform-load" ? "work-group" : "storage";

/** The number of elements that it accesses, from its index on. */
export function widthOf(stmt: AccessStmt): number {
  if (stmt.kind === "store-row") return stmt.values.length;
  if (stmt.kind === "store") return stmt.value.width ?? 1;
  return stmt.kind === "load-row" || stmt.kind === "atomic-load-row" ? (stmt.width ?? ROW) : 1;
}
