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
  const live = liveNames(body);
  const block = (stmts: readonly Stmt[]): readonly Stmt[] =>
    stmts
      .filter((stmt) => {
        const target = targetOf(stmt);
        return (target === undefined || live.has(target)) && !neverRuns(stmt);
      })
      .map((stmt) => mapStmt(stmt, (e) => e, block))
      .filter((stmt) => blocksOf(stmt).length === 0 || blocksOf(stmt).some((inner) => inner.length > 0));
  return block(body);
}

/** The name that a statement serves; undefined where it does something by itself. */
function targetOf(stmt: Stmt): string | undefined {
  switch (stmt.kind) {
    case "let":
    case "var":
    case "assign":
    case "array":
      return stmt.name;
    case "store":
      return stmt.space === "private" ? stmt.array : undefined;
    default:
      return undefined;
  }
}

function neverRuns(stmt: Stmt): boolean {
  return (
    stmt.kind === "for" &&
    stmt.from.kind === "const" &&
    stmt.below.kind === "const" &&
    Number(stmt.from.value) >= Number(stmt.below.value)
  );
}

/** Names that something which is done for itself reads, directly or through other names. */
function liveNames(body: readonly Stmt[]): ReadonlySet<string> {
  const uses = new Map<string, string[]>();
  const pending: string[] = [];
  for (const stmt of walk(body)) {
    const target = targetOf(stmt);
    const read = exprsOf(stmt).flatMap(namesIn);
    if (target === undefined) pending.push(...read);
    else uses.set(target, (uses.get(target) ?? []).concat(read));
  }
  const live = new Set<string>();
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (live.has(name)) continue;
    live.add(name);
    pending.push(...(uses.get(name) ?? []));
  }
  return live;
}

function namesIn(expr: Expr): string[] {
  const here =
    expr.kind === "var" ? [expr.name] : expr.kind === "load" && expr.space === "private" ? [expr.array] : [];
  return [...here, ...partsOf(expr).flatMap(namesIn)];
}
