/**
 * Names that only one way of a choice reads are made there: a compiler that takes the other way would warn of a name
 * that nobody reads.
 */
import { type Expr, partsOf } from "../kernel/expr.ts";
import { blocksOf, exprsOf, type Kernel, mapStmt, type Stmt, walk } from "../kernel/stmt.ts";

type Block = readonly Stmt[];
type Let = Extract<Stmt, { kind: "let" }>;

/** The kernel, its names as far inside as choices ask for. */
export function sink(kernel: Kernel): Kernel {
  const all = [...walk(kernel.body)];
  if (!all.some(({ kind }) => kind === "choice")) return kernel;
  const changing = new Set(all.flatMap((stmt) => ("name" in stmt && stmt.kind !== "let" ? [stmt.name] : [])));
  const isFixed = (e: Expr): boolean =>
    e.kind !== "load" &&
    e.kind !== "part" &&
    !(e.kind === "var" && changing.has(e.name)) &&
    partsOf(e).every(isFixed);
  const block = (stmts: Block): Block => {
    let done: Block = [];
    // The last first: what a value that went inside reads can follow it.
    for (const stmt of stmts.toReversed()) {
      const sinks = stmt.kind === "let" && isFixed(stmt.value) && !isRead(stmt.name, done);
      done = sinks ? intoChoices(stmt, done) : [mapStmt(stmt, (e) => e, block), ...done];
    }
    return done;
  };
  return { ...kernel, body: block(kernel.body) };
}

/** True where a block reads a name whichever way its choices go. */
const isRead = (name: string, block: Block): boolean =>
  block.some((stmt) => {
    const inner = blocksOf(stmt).map((b) => isRead(name, b));
    if (stmt.kind === "choice") return inner.every(Boolean);
    return exprsOf(stmt).some((e) => reads(e, name)) || inner.some(Boolean);
  });

const reads = (e: Expr, name: string): boolean =>
  (e.kind === "var" && e.name === name) ||
  (e.kind === "part" && e.of === name) ||
  partsOf(e).some((part) => reads(part, name));

function intoChoices(one: Let, block: Block): Block {
  return block.map((stmt) => {
    const inside = (b: Block): Block =>
      stmt.kind === "choice" && isRead(one.name, b) ? [one, ...b] : intoChoices(one, b);
    return mapStmt(stmt, (e) => e, inside);
  });
}
