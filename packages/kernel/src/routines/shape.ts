/** Routines without their names: equal shapes become one function. */

import { Names } from "@groupwise/ir/base/names.js";
import type { Expr, VarExpr } from "../language/expr.ts";
import { mapParts, partsOf } from "../language/map-expr.ts";
import type { Fn } from "../language/module.ts";
import { type Routine, readBy } from "../language/routines.ts";
import type { ReturnStmt, Stmt } from "../language/stmt.ts";
import { assignedIn, mapStmt } from "../language/walk.ts";

/** A routine with the names of the function that it could become. */
export interface Shape {
  /** Equal for routines that can be one function. */
  readonly key: string;
  readonly fn: Omit<Fn, "name">;
  /** The arguments of the function. */
  readonly args: readonly VarExpr[];
}

/** Without the number that made it unique: equal routines differ in these. */
export const withoutNumber = (name: string): string => name.replace(/_\d+(?=(?:_lo|_hi)?$)/, "");

/** @param taken names that the function's own must not hide */
export function shapeOf(routine: Routine, taken: Names): Shape {
  const { head, results } = routine;
  const args = readBy(routine);
  const assigned = assignedIn(routine.body);
  const outer = args.find(({ name }) => assigned.has(name));
  if (outer) throw new Error(`the routine ${head.title} assigns to ${outer.name}, which is declared outside`);
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
  const { kept, values } = withoutResults(routine);
  const [...renamed] = rename([...kept, { kind: "return", values }], nameOf);
  const end = { ...(renamed.pop() as ReturnStmt), ...(fields.length > 1 && { of: head.title }) };
  const body = fields.length === 0 ? renamed : [...renamed, end];
  const key = JSON.stringify([head.title, params, fields, body]);
  const returns = fields[0]?.type ?? "u32";
  return { key, fn: { doc: head.doc, params, returns, width: fields.length, results: fields, body }, args };
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
