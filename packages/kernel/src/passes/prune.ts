/** Removes unused names, private arrays and loops that a lowering wrote for other cases. */
import type { Expr } from "../language/expr.ts";
import { partsOf } from "../language/map-expr.ts";
import type { Module } from "../language/module.ts";
import type { Stmt } from "../language/stmt.ts";
import { blocksOf, exprsOf, mapStmt } from "../language/walk.ts";

/** The module without statements that can affect neither what a function returns nor what a kernel writes to shared memory. */
export const prune = (module: Module): Module => ({
  ...module,
  functions: module.functions.map((fn) => pruned(fn)),
  kernels: module.kernels.map((kernel) => pruned(kernel)),
});

const NONE: ReadonlySet<string> = new Set();

/**
 * A kernel or a function without such statements.
 * @param pure functions of routines that have no effects; the calls of others remain
 */
export function pruned<B extends { readonly body: readonly Stmt[] }>(
  given: B,
  pure: ReadonlySet<string> = NONE,
): B {
  // The condition of an emptied `if` is removed in the next round.
  for (let { body } = given; ; ) {
    const next = pruneOnce(body, pure);
    if (sizeOf(next) === sizeOf(body)) return { ...given, body: next };
    body = next;
  }
}

const sizeOf = (stmts: readonly Stmt[]): number =>
  stmts.reduce((sum, stmt) => blocksOf(stmt).reduce((size, inner) => size + sizeOf(inner), sum + 1), 0);

function pruneOnce(body: readonly Stmt[], pure: ReadonlySet<string>): readonly Stmt[] {
  const uses = new Uses(pure);
  uses.block(body, new Scope());
  const live = uses.live();
  const block = (stmts: readonly Stmt[]): readonly Stmt[] =>
    stmts
      .filter((stmt) => {
        const target = uses.targets.get(stmt);
        return (target === undefined || live.has(target)) && !neverRuns(stmt);
      })
      .map((stmt) => mapStmt(stmt, (e) => e, block))
      .filter((stmt) => blocksOf(stmt).length === 0 || blocksOf(stmt).some((inner) => inner.length > 0));
  return block(body);
}

function neverRuns(stmt: Stmt): boolean {
  return (
    stmt.kind === "for" &&
    stmt.from.kind === "const" &&
    stmt.below.kind === "const" &&
    Number(stmt.from.value) >= Number(stmt.below.value)
  );
}

/** A declaration, and the declarations that its value depends on. */
interface Declared {
  readonly from: Declared[];
}
/** Blocks may shadow names: a name that is not found here is looked up in the enclosing block. */
class Scope {
  private readonly names = new Map<string, Declared>();
  private readonly outer: Scope | undefined;

  constructor(outer?: Scope) {
    this.outer = outer;
  }

  get(name: string): Declared | undefined {
    return this.names.get(name) ?? this.outer?.get(name);
  }

  declare(name: string): Declared {
    const declared: Declared = { from: [] };
    this.names.set(name, declared);
    return declared;
  }
}

class Uses {
  /** The declarations that a statement contributes to; none if it has an effect of its own. */
  readonly targets = new Map<Stmt, Declared>();
  private readonly roots: Declared[] = [];
  private readonly pure: ReadonlySet<string>;

  constructor(pure: ReadonlySet<string>) {
    this.pure = pure;
  }

  block(stmts: readonly Stmt[], outer: Scope): void {
    const scope = new Scope(outer);
    for (const stmt of stmts) {
      const read: Declared[] = [];
      for (const expr of exprsOf(stmt)) addReads(expr, scope, read);
      const target = targetOf(stmt, scope, this.pure);
      (target?.from ?? this.roots).push(...read);
      if (target) this.targets.set(stmt, target);
      const inner = new Scope(scope);
      if (stmt.kind === "for") inner.declare(stmt.name);
      for (const block of blocksOf(stmt)) this.block(block, inner);
    }
  }

  /** Declarations that a statement with an effect reads, directly or indirectly. */
  live(): ReadonlySet<Declared> {
    const found = new Set<Declared>();
    const pending = [...this.roots];
    for (let one = pending.pop(); one !== undefined; one = pending.pop()) {
      if (found.has(one)) continue;
      found.add(one);
      pending.push(...one.from);
    }
    return found;
  }
}

function targetOf(stmt: Stmt, scope: Scope, pure: ReadonlySet<string>): Declared | undefined {
  const routine = routineOf(stmt);
  if (routine && !pure.has(routine.fn)) {
    scope.declare(routine.name);
    return undefined;
  }
  if (stmt.kind === "let" || stmt.kind === "var" || stmt.kind === "array" || stmt.kind === "call")
    return scope.declare(stmt.name);
  if (["shuffle-xor", "shuffle", "ballot", "some-lane", "reduce-lanes", "load-row"].includes(stmt.kind))
    return scope.declare((stmt as { readonly name: string }).name);
  // These are never removed, because other work-items change the memory that they read; only their names are declared.
  if (["atomic-load", "atomic-load-row", "atomic-add", "uniform-load"].includes(stmt.kind))
    scope.declare((stmt as { readonly name: string }).name);
  if (stmt.kind === "native" || stmt.kind === "assign") return scope.get(stmt.name);
  return stmt.kind === "store" && stmt.space === "private" ? scope.get(stmt.array) : undefined;
}

/** The function of a routine that a statement calls, and the name of its result. */
function routineOf(stmt: Stmt): { readonly fn: string; readonly name: string } | undefined {
  if (stmt.kind === "call") return stmt.named ? stmt : undefined;
  if (stmt.kind !== "let" || stmt.value.kind !== "call" || !stmt.value.routine) return undefined;
  return { fn: stmt.value.fn, name: stmt.name };
}

function addReads(expr: Expr, scope: Scope, found: Declared[]): void {
  const isArray = expr.kind === "load" && expr.space === "private";
  const name = expr.kind === "var" ? expr.name : expr.kind === "part" ? expr.of : isArray ? expr.array : "";
  const declared = scope.get(name);
  if (declared) found.push(declared);
  for (const part of partsOf(expr)) addReads(part, scope, found);
}
