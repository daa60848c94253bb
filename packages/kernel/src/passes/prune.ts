/** Removes statements that a lowering wrote for other cases: names, arrays and assignments that nothing reads, and loops that never run. */
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
export const pruned = <B extends { readonly body: readonly Stmt[] }>(
  given: B,
  pure: ReadonlySet<string> = NONE,
): B => ({ ...given, body: new Pruner(pure).block(given.body, new Set()) });

/** Names of variables, values and private arrays that later statements read. */
type Live = Set<string>;

/** Goes through statements from the last to the first, with the names that are live after each. */
class Pruner {
  /** Variables that remaining statements assign: their declarations remain, even if nothing reads the first value. */
  private readonly assigned = new Set<string>();
  private readonly pure: ReadonlySet<string>;

  constructor(pure: ReadonlySet<string>) {
    this.pure = pure;
  }

  /** @param live what is live after the block, and then before it */
  block(stmts: readonly Stmt[], live: Live): readonly Stmt[] {
    const after: ReadonlySet<string> = new Set(live);
    const kept: Stmt[] = [];
    for (let i = stmts.length - 1; i >= 0; i--) {
      const stmt = this.stmt(stmts[i] as Stmt, live, after);
      if (stmt) kept.push(stmt);
    }
    return kept.reverse();
  }

  private stmt(stmt: Stmt, live: Live, after: ReadonlySet<string>): Stmt | undefined {
    switch (stmt.kind) {
      case "if":
      case "choice":
      case "for":
      case "while":
        return this.nested(stmt, live);
      case "return":
        live.clear();
        break;
      case "store":
        if (stmt.space === "private" && !live.has(stmt.array)) return undefined;
        break;
      case "assign":
      case "native":
        if (!live.delete(stmt.name)) return undefined;
        this.assigned.add(stmt.name);
        break;
      default:
        if ("name" in stmt && !this.declares(stmt, live, after)) return undefined;
    }
    addReads(stmt, live);
    return stmt;
  }

  /** Whether a statement that declares a name remains. */
  private declares(stmt: Named, live: Live, after: ReadonlySet<string>): boolean {
    const { name } = stmt;
    const isRead = live.has(name) || (stmt.kind === "var" && this.assigned.has(name));
    // A name that is live after the block is another one, of an enclosing block.
    if (after.has(name)) live.add(name);
    else live.delete(name);
    return isRead || !this.isRemovable(stmt);
  }

  /** Calls of routines may have effects, and other work-items change what atomics and uniform loads read. */
  private isRemovable(stmt: Named): boolean {
    const fn = routineOf(stmt);
    return fn === undefined ? REMOVABLE.has(stmt.kind) : this.pure.has(fn);
  }

  /** What an iteration of a loop reads is live after the one before it, so a loop repeats this until no name becomes live. */
  private nested(stmt: Nest, live: Live): Stmt | undefined {
    if (neverRuns(stmt)) return undefined;
    const isLoop = stmt.kind === "for" || stmt.kind === "while";
    for (;;) {
      const { size } = live;
      const ends: Live[] = [];
      const made = mapStmt(stmt, same, (block) => {
        const inner = new Set(live);
        ends.push(inner);
        return this.block(block, inner);
      });
      if (blocksOf(made).every((block) => block.length === 0)) return undefined;
      if (!isLoop) live.clear();
      for (const end of ends) for (const name of end) live.add(name);
      addReads(stmt, live);
      if (!isLoop || live.size === size) return made;
    }
  }
}

const same = (e: Expr): Expr => e;
type Nest = Extract<Stmt, { kind: "if" | "choice" | "for" | "while" }>;
type Named = Extract<Stmt, { readonly name: string }>;

/** Statements without an effect but the value that they name. */
const REMOVABLE: ReadonlySet<Stmt["kind"]> = new Set<Stmt["kind"]>([
  ...(["let", "var", "array", "call", "shuffle-xor", "shuffle", "ballot", "some-lane"] as const),
  ...(["reduce-lanes", "load-row"] as const),
]);

/** The function of a routine that a statement calls. */
function routineOf(stmt: Named): string | undefined {
  if (stmt.kind === "call") return stmt.named && stmt.fn;
  return stmt.kind === "let" && stmt.value.kind === "call" && stmt.value.routine ? stmt.value.fn : undefined;
}

const neverRuns = (stmt: Stmt): boolean =>
  stmt.kind === "for" &&
  stmt.from.kind === "const" &&
  stmt.below.kind === "const" &&
  Number(stmt.from.value) >= Number(stmt.below.value);

function addReads(stmt: Stmt, live: Live): void {
  for (const expr of exprsOf(stmt)) addNames(expr, live);
}

function addNames(expr: Expr, live: Live): void {
  if (expr.kind === "var") live.add(expr.name);
  else if (expr.kind === "part") live.add(expr.of);
  else if (expr.kind === "load" && expr.space === "private") live.add(expr.array);
  for (const part of partsOf(expr)) addNames(part, live);
}
