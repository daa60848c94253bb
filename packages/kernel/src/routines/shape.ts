/** Routines without their names: equal shapes become one function. */

import { Names } from "@groupwise/ir/base/names.js";
import type { Expr, VarExpr } from "../language/expr.ts";
import { mapParts, partsOf } from "../language/map-expr.ts";
import type { Fn } from "../language/module.ts";
import { type Routine, readBy } from "../language/routines.ts";
import type { ReturnStmt, Stmt } from "../language/stmt.ts";
import { assignedIn, mapStmt } from "../language/walk.ts";

/** A routine, and the function that it could become. */
export interface RoutineShape {
  /** Equal for routines that can be one function, whatever their names. */
  readonly key: string;
  /** The function, with the names of this routine. */
  readonly fn: () => Omit<Fn, "name">;
  /** The arguments of the function. */
  readonly args: readonly VarExpr[];
}

/** Without the number that made it unique: equal routines differ in these. */
export const withoutNumber = (name: string): string => name.replace(/_\d+(?=(?:_lo|_hi)?$)/, "");

/** @param taken names that the function's own must not hide */
export function shapeOf(routine: Routine, taken: Names): RoutineShape {
  const { head, results } = routine;
  const args = readBy(routine);
  const assigned = assignedIn(routine.body);
  const outer = args.find(({ name }) => assigned.has(name));
  if (outer) throw new Error(`the routine ${head.title} assigns to ${outer.name}, which is declared outside`);
  const { kept, values } = withoutResults(routine);
  const body: readonly Stmt[] = [...kept, { kind: "return", values }];
  const key = JSON.stringify([
    head.title,
    args.map(({ type }) => type),
    results.map(({ type }) => type),
    rename(body, numbered(args)),
  ]);
  return { key, fn: () => functionOf(routine, args, body, taken), args };
}

/** The names of a routine as numbers, in the order of the arguments and then of the statements. */
function numbered(args: readonly VarExpr[]): (name: string) => string {
  const found = new Map(args.map(({ name }, i) => [name, `${i}`]));
  return (name) => {
    const known = found.get(name) ?? `${found.size}`;
    found.set(name, known);
    return known;
  };
}

/** The names are the hints of the routine's, with the first free numbers. @param body ends with the results */
function functionOf(
  { head, results }: Routine,
  args: readonly VarExpr[],
  body: readonly Stmt[],
  taken: Names,
): Omit<Fn, "name"> {
  const names = taken.fork();
  const found = new Map<string, string>();
  const nameOf = (name: string): string => {
    const known = found.get(name) ?? names.fresh(withoutNumber(name));
    found.set(name, known);
    return known;
  };
  const params = args.map(({ name, type }) => ({ name: nameOf(name), type }));
  const own = new Names();
  const fields = results.map(({ name, type }) => ({ name: own.fresh(withoutNumber(name)), type }));
  const [...renamed] = rename(body, nameOf);
  const end = { ...(renamed.pop() as ReturnStmt), ...(fields.length > 1 && { of: head.title }) };
  const returns = fields[0]?.type ?? "u32";
  const statements = fields.length === 0 ? renamed : [...renamed, end];
  return { doc: head.doc, params, returns, width: fields.length, results: fields, body: statements };
}

/** Calls back with the name of each variable that the expression reads. */
function eachRead(e: Expr, found: (name: string) => void): void {
  if (e.kind === "var") found(e.name);
  for (const part of partsOf(e)) eachRead(part, found);
}

/** The statements without the names that only name results at the end, and the results' values. */
function withoutResults({ body, results }: Routine): { kept: readonly Stmt[]; values: readonly Expr[] } {
  const kept = [...body];
  const values = new Map<string, Expr>(results.map((result) => [result.name, result]));
  /** Names that the values found so far read. */
  const read = new Set<string>();
  for (
    let last = kept.at(-1);
    last?.kind === "let" && values.has(last.name) && !read.has(last.name);
    last = kept.at(-1)
  ) {
    values.set(last.name, last.value);
    eachRead(last.value, (name) => read.add(name));
    kept.pop();
  }
  return { kept, values: results.map(({ name }) => values.get(name) as Expr) };
}

/** The statements with other names for their variables and their own arrays. */
export function rename(body: readonly Stmt[], nameOf: (name: string) => string): readonly Stmt[] {
  const expr = (e: Expr): Expr => {
    const mapped = mapParts(e, expr);
    if (mapped.kind === "var") return { ...mapped, name: nameOf(mapped.name) };
    if (mapped.kind === "part") return { ...mapped, of: nameOf(mapped.of) };
    const isOwn = mapped.kind === "load" && mapped.space === "private";
    return isOwn ? { ...mapped, array: nameOf(mapped.array) } : mapped;
  };
  const block = (stmts: readonly Stmt[]): readonly Stmt[] =>
    stmts.map((stmt) => {
      const own = "name" in stmt ? { ...stmt, name: nameOf(stmt.name) } : stmt;
      const mapped = mapStmt(own, expr, block);
      const isStore = mapped.kind === "store" && mapped.space === "private";
      return isStore ? { ...mapped, array: nameOf(mapped.array) } : mapped;
    });
  return block(body);
}
