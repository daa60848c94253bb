/** Routines in a block: their ends, their arguments, and their results. */
import type { Expr, VarExpr } from "./expr.ts";
import { partsOf } from "./map-expr.ts";
import type { RoutineStmt, Stmt } from "./stmt.ts";
import { exprsOf, walk } from "./walk.ts";

/** A routine of a block. */
export interface Routine {
  readonly head: RoutineStmt;
  readonly body: readonly Stmt[];
  readonly results: readonly VarExpr[];
  /** Names of its arguments, in the order of the call. */
  readonly args: readonly string[];
}

/** The parts of a block in order: single statements, and its outermost routines. */
export function partsOfBlock(block: readonly Stmt[]): readonly (Stmt | Routine)[] {
  const parts: (Stmt | Routine)[] = [];
  let args: string[] = [];
  for (let at = 0; at < block.length; at++) {
    const stmt = block[at] as Stmt;
    if (stmt.kind !== "routine") {
      parts.push(stmt);
      if (stmt.kind === "let" && stmt.role === "argument") args.push(stmt.name);
      else args = [];
      continue;
    }
    const begin = at + 1;
    for (let open = 1; open > 0; ) {
      const { kind } = block[++at] as Stmt;
      if (kind === "routine") open++;
      if (kind === "results") open--;
    }
    const end = block[at] as Extract<Stmt, { kind: "results" }>;
    const results = end.values.filter((value) => value.kind === "var");
    parts.push({ head: stmt, body: block.slice(begin, at), results, args });
    args = [];
  }
  return parts;
}

export const isRoutine = (part: Stmt | Routine): part is Routine => "head" in part;

/** The routine's statements, including its first and last one. */
export const blockOf = ({ head, results }: Routine, body: readonly Stmt[]): readonly Stmt[] => [
  head,
  ...body,
  { kind: "results", values: results },
];

/** The variables that statements declare, in any of their blocks. */
export function declaredIn(body: readonly Stmt[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const stmt of walk(body)) if ("name" in stmt && stmt.kind !== "assign") names.add(stmt.name);
  return names;
}

/** The variables that a routine reads from outside: its arguments, and others in the order of their first use. */
export function readBy({ body, args }: Routine): readonly VarExpr[] {
  const declared = declaredIn(body);
  const found = new Map<string, VarExpr>();
  const visit = (e: Expr): void => {
    if (e.kind === "var" && !declared.has(e.name) && !found.has(e.name)) found.set(e.name, e);
    partsOf(e).forEach(visit);
  };
  for (const stmt of walk(body)) exprsOf(stmt).forEach(visit);
  const others = [...found.values()].filter(({ name }) => !args.includes(name));
  return [...args.flatMap((name) => found.get(name) ?? []), ...others];
}
