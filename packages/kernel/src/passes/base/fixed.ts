/** Names of a kernel whose values do not change: those that one statement declares. */
import type { Expr } from "../../language/expr.ts";
import { partsOf } from "../../language/map-expr.ts";
import type { Stmt } from "../../language/stmt.ts";
import { walk } from "../../language/walk.ts";

export class Fixed {
  /** By name: its declaration; undefined if there are several, or if it is a variable. */
  private readonly names = new Map<string, Stmt | undefined>();

  constructor(body: readonly Stmt[]) {
    for (const stmt of walk(body)) {
      if (!("name" in stmt)) continue;
      const isOne = !this.names.has(stmt.name) && (stmt.kind === "let" || stmt.kind === "load-row");
      this.names.set(stmt.name, isOne ? stmt : undefined);
    }
  }

  has(name: string): boolean {
    return this.names.get(name) !== undefined;
  }

  /** The value of a name; undefined for other expressions. */
  valueOf(e: Expr): Expr | undefined {
    const stmt = e.kind === "var" ? this.names.get(e.name) : undefined;
    return stmt?.kind === "let" ? stmt.value : undefined;
  }

  /** Of a name, or of an element of a row: a string that no other has. Undefined for other expressions, and for variables. */
  keyOf(e: Expr): string | undefined {
    if (e.kind === "var") return this.has(e.name) ? e.name : undefined;
    return e.kind === "part" && this.has(e.of) ? `${e.of} ${e.index}` : undefined;
  }

  /** Whether a value is the same wherever it is computed. */
  holds(e: Expr): boolean {
    if (e.kind === "load" || e.kind === "call") return false;
    if (e.kind === "var" || e.kind === "part") return this.keyOf(e) !== undefined;
    return partsOf(e).every((part) => this.holds(part));
  }
}

/** Whether both are the same name, or the same element of a row. */
export const isSame = (a: Expr, b: Expr): boolean =>
  (a.kind === "var" && b.kind === "var" && a.name === b.name) ||
  (a.kind === "part" && b.kind === "part" && a.of === b.of && a.index === b.index);
