/** Leaves out what nobody reads: names, private arrays and loops that a lowering wrote for other cases. */
import { type Expr, partsOf } from "../kernel/expr.ts";
import { blocksOf, exprsOf, type Kernel, mapStmt, type Stmt, walk } from "../kernel/stmt.ts";

/** The kernel without statements that cannot change what it writes to memory of others. */
export function prune(kernel: Kernel): Kernel {
  // What an emptied `if` asked for goes in the next round.
  for (let body = kernel.body; ; ) {
    const next = pruneOnce(body);
    if ([...walk(next)].length === [...walk(body)].length) return { ...kernel, body: next };
    body = next;
  }
}

function pruneOnce(body: readonly Stmt[]): readonly Stmt[] {
  const uses = new Uses();
  uses.block(body, new Map());
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

/** A declaration, and the declarations whose values go into it. */
interface Declared {
  readonly from: Declared[];
}
/** Two blocks may use one name for two things. */
type Scope = Map<string, Declared>;

class Uses {
  /** What a statement serves; nothing where it does something by itself. */
  readonly targets = new Map<Stmt, Declared>();
  private readonly roots: Declared[] = [];

  block(stmts: readonly Stmt[], outer: Scope): void {
    const scope: Scope = new Map(outer);
    for (const stmt of stmts) {
      const read = exprsOf(stmt).flatMap((expr) => readsOf(expr, scope));
      const target = targetOf(stmt, scope);
      (target?.from ?? this.roots).push(...read);
      if (target) this.targets.set(stmt, target);
      const inner: Scope = stmt.kind === "for" ? new Map(scope).set(stmt.name, { from: [] }) : scope;
      for (const block of blocksOf(stmt)) this.block(block, inner);
    }
  }

  /** Declarations that something which is done for itself reads, directly or through others. */
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

function targetOf(stmt: Stmt, scope: Scope): Declared | undefined {
  if (stmt.kind === "let" || stmt.kind === "var" || stmt.kind === "array") {
    const declared: Declared = { from: [] };
    scope.set(stmt.name, declared);
    return declared;
  }
  if (stmt.kind === "assign") return scope.get(stmt.name);
  return stmt.kind === "store" && stmt.space === "private" ? scope.get(stmt.array) : undefined;
}

function readsOf(expr: Expr, scope: Scope): Declared[] {
  const name =
    expr.kind === "var"
      ? expr.name
      : expr.kind === "load" && expr.space === "private"
        ? expr.array
        : undefined;
  const declared = name === undefined ? undefined : scope.get(name);
  const parts = partsOf(expr).flatMap((part) => readsOf(part, scope));
  return declared ? [declared, ...parts] : parts;
}
