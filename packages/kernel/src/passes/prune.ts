/** Removes statements that a lowering wrote for other cases: names, arrays and assignments that nothing reads, and loops that never run. */
import type { Expr } from "../language/expr.ts";
import { TRAITS } from "../language/intrinsics.ts";
import { partsOf } from "../language/map-expr.ts";
import type { Kernel, Module } from "../language/module.ts";
import type { Stmt, StoreStmt } from "../language/stmt.ts";
import { blockOr, blocksOf, exprsOf, mapBlocks, walk } from "../language/walk.ts";

/** The module without statements that can affect neither what a function returns nor what a kernel writes to shared memory. */
export const prune = (module: Module): Module => ({
  ...module,
  functions: module.functions.map((fn) => pruned(fn)),
  kernels: module.kernels.map((kernel) => withoutUnread(pruned(kernel))),
});

/** A kernel without the work-group arrays that it writes and does not read: one that is shared by a group of one work-item. */
function withoutUnread(kernel: Kernel): Kernel {
  const unread = new Set(kernel.shared.map(({ name }) => name));
  const visit = (e: Expr): void => {
    if (e.kind === "load") unread.delete(e.array);
    for (const part of partsOf(e)) visit(part);
  };
  for (const stmt of walk(kernel.body)) {
    if (unread.size === 0) return kernel;
    exprsOf(stmt).forEach(visit);
    if ("array" in stmt && !isStore(stmt)) unread.delete(stmt.array);
  }
  if (unread.size === 0) return kernel;
  const block = (stmts: readonly Stmt[]): readonly Stmt[] =>
    stmts
      .filter((stmt) => !(isStore(stmt) && stmt.space === "work-group" && unread.has(stmt.array)))
      .map((stmt) => mapBlocks(stmt, block));
  const shared = kernel.shared.filter(({ name }) => !unread.has(name));
  return pruned({ ...kernel, shared, body: block(kernel.body) });
}

const isStore = (stmt: Stmt): stmt is StoreStmt => stmt.kind === "store";

const NONE: ReadonlySet<string> = new Set();

/**
 * A kernel or a function without such statements.
 * @param pure functions of routines that have no effects; the calls of others remain
 */
export const pruned = <B extends { readonly body: readonly Stmt[] }>(
  given: B,
  pure: ReadonlySet<string> = NONE,
): B => ({ ...given, body: new Pruner(pure).block(given.body) });

/** Names of variables, values and private arrays that later statements read. Changes are undone by name, so that no block copies all names. */
class Live {
  private readonly names = new Set<string>();
  /** Names that came or went, in order. */
  private readonly changed: string[] = [];

  has(name: string): boolean {
    return this.names.has(name);
  }

  set(name: string, isLive: boolean): boolean {
    const before = this.names.has(name);
    if (before === isLive) return false;
    if (isLive) this.names.add(name);
    else this.names.delete(name);
    this.changed.push(name);
    return true;
  }

  clear(): void {
    for (const name of [...this.names]) this.set(name, false);
  }

  /** What a block changes, which is undone. */
  during(block: () => void): ReadonlyMap<string, boolean> {
    const from = this.changed.length;
    block();
    const found = new Map(this.changed.slice(from).map((name) => [name, this.names.has(name)]));
    for (const name of this.changed.splice(from).reverse()) this.set(name, !this.names.has(name));
    this.changed.length = from;
    return found;
  }
}

/** Goes through statements from the last to the first, with the names that are live after each. */
class Pruner {
  /** Variables that remaining statements assign, up to their declarations, which remain, even if nothing reads the first value. */
  private readonly assigned = new Set<string>();
  /** By loop the names that its iterations need. In another iteration around it they are needed again, so that it does not begin anew. */
  private readonly needed = new Map<Stmt, Set<string>>();
  private readonly pure: ReadonlySet<string>;

  constructor(pure: ReadonlySet<string>) {
    this.pure = pure;
  }

  private readonly live = new Live();

  block(stmts: readonly Stmt[]): readonly Stmt[] {
    const kept: Stmt[] = [];
    for (let i = stmts.length - 1; i >= 0; i--) {
      const stmt = this.stmt(stmts[i] as Stmt);
      if (stmt) kept.push(stmt);
    }
    kept.reverse();
    return blockOr(stmts, kept);
  }

  private stmt(stmt: Stmt): Stmt | undefined {
    const { live } = this;
    switch (stmt.kind) {
      case "if":
      case "choice":
      case "for":
      case "while":
        return this.nested(stmt);
      case "return":
        live.clear();
        break;
      case "store":
        if (stmt.space === "private" && !live.has(stmt.array)) return undefined;
        break;
      case "assign":
      case "native":
        if (isItself(stmt)) return undefined;
        if (!live.set(stmt.name, false)) return undefined;
        this.assigned.add(stmt.name);
        break;
      case "var": {
        // Statements before it with that name are of a block beside this one.
        const isAssigned = this.assigned.delete(stmt.name);
        if (!live.set(stmt.name, false) && !isAssigned) return undefined;
        break;
      }
      default:
        // No block hides a name of another one around it.
        if ("name" in stmt && !(live.set(stmt.name, false) || this.remains(stmt))) return undefined;
    }
    this.read(stmt);
    return stmt;
  }

  /** Calls of routines may have effects, and other work-items change what atomics and uniform loads read. */
  private remains(stmt: Named): boolean {
    const fn = routineOf(stmt);
    return fn === undefined ? !TRAITS[stmt.kind].pure : !this.pure.has(fn);
  }

  /** What an iteration of a loop reads is live after the one before it, so a loop repeats this until no name becomes live. */
  private nested(stmt: Nest): Stmt | undefined {
    if (neverRuns(stmt)) return undefined;
    const { live } = this;
    const isLoop = stmt.kind === "for" || stmt.kind === "while";
    const needed = this.needed.get(stmt) ?? new Set();
    this.needed.set(stmt, needed);
    for (const name of needed) live.set(name, true);
    for (;;) {
      const ends: ReadonlyMap<string, boolean>[] = [];
      const made = mapBlocks(stmt, (block) => {
        let kept = block;
        ends.push(
          live.during(() => {
            kept = this.block(block);
          }),
        );
        return kept;
      });
      if (blocksOf(made).every((block) => block.length === 0)) return undefined;
      let grows = false;
      for (const name of new Set(ends.flatMap((end) => [...end.keys()]))) {
        // The loop declares its index.
        if (stmt.kind === "for" && name === stmt.name) continue;
        const before = live.has(name);
        const isLive = (isLoop && before) || ends.some((end) => end.get(name) ?? before);
        if (!live.set(name, isLive) || !isLoop) continue;
        needed.add(name);
        grows = true;
      }
      if (this.read(stmt) && isLoop) grows = true;
      if (!grows) return made;
    }
  }

  /** Whether names become live. */
  private read(stmt: Stmt): boolean {
    let grows = false;
    const visit = (expr: Expr): void => {
      const isArray = expr.kind === "load" && expr.space === "private";
      const name =
        expr.kind === "var" ? expr.name : expr.kind === "part" ? expr.of : isArray ? expr.array : "";
      if (name !== "" && this.live.set(name, true)) grows = true;
      partsOf(expr).forEach(visit);
    };
    exprsOf(stmt).forEach(visit);
    return grows;
  }
}

type Nest = Extract<Stmt, { kind: "if" | "choice" | "for" | "while" }>;
type Named = Extract<Stmt, { readonly name: string }>;

/** The function of a routine that a statement calls. */
function routineOf(stmt: Named): string | undefined {
  if (stmt.kind === "call") return stmt.named && stmt.fn;
  return stmt.kind === "let" && stmt.value.kind === "call" && stmt.value.routine ? stmt.value.fn : undefined;
}

/** Folding leaves `x = x` of `x = x + 0`. */
const isItself = (stmt: Stmt): boolean =>
  stmt.kind === "assign" && stmt.value.kind === "var" && stmt.value.name === stmt.name;

const neverRuns = (stmt: Stmt): boolean =>
  stmt.kind === "for" &&
  stmt.from.kind === "const" &&
  stmt.below.kind === "const" &&
  Number(stmt.from.value) >= Number(stmt.below.value);
