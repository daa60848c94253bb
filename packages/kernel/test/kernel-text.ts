/** Kernel IR as text, a statement to a line. */
import type { Expr } from "../src/language/expr.ts";
import type { Stmt } from "../src/language/stmt.ts";
import { blocksOf } from "../src/language/walk.ts";

const isExpr = (value: unknown): value is Expr => typeof value === "object" && value !== null;

/** An expression as calls: `add(x[i], 1)`. */
export function exprText(e: Expr): string {
  switch (e.kind) {
    case "const":
      return String(e.value);
    case "var":
    case "param":
      return e.name;
    case "builtin":
      return e.builtin;
    case "part":
      return `${e.of}.${e.index}`;
    case "load":
      return `${e.array}[${exprText(e.index)}]`;
    default: {
      const name =
        "op" in e ? e.op : "fn" in e ? e.fn : e.kind === "cast" && e.inRange ? "cast-in-range" : e.kind;
      const parts = Object.values(e).flatMap((value) => (Array.isArray(value) ? value : [value]));
      return `${name}(${parts.filter(isExpr).map(exprText).join(", ")})`;
    }
  }
}

/** Each statement as its kind and its fields, in order; blocks are indented. */
export function linesOf(block: readonly Stmt[], indent: string = ""): string[] {
  return block
    .filter(({ kind }) => kind !== "comment")
    .flatMap((stmt) => {
      const fields = Object.entries(stmt).filter(([name]) => name !== "space");
      const blocks = blocksOf(stmt);
      const own = fields.flatMap(([, value]) => (blocks.includes(value) ? [] : value));
      const head = own.map((value) => (isExpr(value) ? exprText(value) : String(value))).join(" ");
      return [indent + head, ...blocks.flatMap((inner) => linesOf(inner, `${indent}  `))];
    });
}
