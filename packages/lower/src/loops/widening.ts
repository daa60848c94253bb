/** Statements for one item as the same statements for a vector of consecutive items. */

import { isNarrow } from "@groupwise/ir/tables/narrow.js";
import { SCALARS, type Scalar } from "@groupwise/ir/tables/scalar.js";
import type { Vectors } from "@groupwise/kernel/capabilities/capabilities.js";
import type { BinaryExpr, Expr, LoadExpr, UnaryExpr, VarExpr } from "@groupwise/kernel/language/expr.js";
import { permute } from "@groupwise/kernel/language/make-expr.js";
import { partsOf } from "@groupwise/kernel/language/map-expr.js";
import type { Stmt, StoreStmt } from "@groupwise/kernel/language/stmt.js";

/** Each element of a vector the same. */
export const repeated = (width: number, value: Expr): Expr =>
  value.kind === "const" ? { ...value, width } : permute(Array<number>(width).fill(0), value);

/** Names of vectors in one iteration; `isPossible` is false once a statement has no form on vectors. */
export class Widening {
  isPossible: boolean = true;
  private readonly vectors: Vectors;
  private readonly width: number;
  /** The loop's variable, which differs between the items of a vector. */
  private readonly variable: string;
  private readonly wide = new Set<string>();

  constructor(vectors: Vectors, width: number, variable: string) {
    this.vectors = vectors;
    this.width = width;
    this.variable = variable;
  }

  /** @param at the index of the vector's first item, the object that loads and stores have */
  block(stmts: readonly Stmt[], at: Expr): Stmt[] {
    return stmts.map((stmt) => {
      if (stmt.kind === "comment") return stmt;
      if (stmt.kind === "store") return this.store(stmt, at);
      if (stmt.kind !== "let") return this.refuse(stmt);
      const value = this.expr(stmt.value, at);
      if (value.width !== undefined) this.wide.add(stmt.name);
      return { ...stmt, value };
    });
  }

  /** The value for all items; without a width if it is the same for each. */
  expr(e: Expr, at: Expr): Expr {
    switch (e.kind) {
      case "var":
        return this.variableOf(e);
      case "load":
        return this.load(e, at);
      case "unary":
        return this.unary({ ...e, of: this.expr(e.of, at) });
      case "binary":
        return this.binary({ ...e, left: this.expr(e.left, at), right: this.expr(e.right, at) });
      case "select": {
        const [condition, then, otherwise] = [e.condition, e.then, e.otherwise].map((one) =>
          this.expr(one, at),
        ) as [Expr, Expr, Expr];
        const made = { ...e, condition, then, otherwise };
        if (![condition, then, otherwise].some(isWide)) return made;
        return isWide(condition) && this.holds(e.type) ? { ...made, width: this.width } : this.refuse(e);
      }
      case "cast": {
        const of = this.expr(e.of, at);
        if (!isWide(of)) return { ...e, of };
        const has = this.vectors.casts[of.type]?.includes(e.type) && this.holds(e.type);
        return has ? { ...e, of, width: this.width } : this.refuse(e);
      }
      case "bitcast": {
        const of = this.expr(e.of, at);
        if (!isWide(of)) return { ...e, of };
        return this.holds(e.type) ? { ...e, of, width: this.width } : this.refuse(e);
      }
      default:
        for (const part of partsOf(e)) if (isWide(this.expr(part, at))) return this.refuse(e);
        return e.kind === "call" || e.kind === "part" ? this.refuse(e) : e;
    }
  }

  private refuse<Of>(of: Of): Of {
    this.isPossible = false;
    return of;
  }

  /** Whether a vector has as many elements of the type; truth values are as wide as what they are of. */
  private holds(type: Scalar): boolean {
    const isWhole = (SCALARS[type].bits / 8) * this.width === this.vectors.bytes;
    return type === "bool" || (isWhole && this.vectors.operators[type] !== undefined);
  }

  private variableOf(e: VarExpr): Expr {
    if (e.name === this.variable) return this.refuse(e);
    return this.wide.has(e.name) ? { ...e, width: this.width } : e;
  }

  private load(e: LoadExpr, at: Expr): Expr {
    const { type, memory = type } = e;
    const isLoaded =
      memory === type ? type !== "bool" : isNarrow(memory) && this.vectors.widens.includes(memory);
    if (e.space !== "storage" || e.index !== at || !isLoaded || !this.holds(type)) return this.refuse(e);
    return { ...e, width: this.width };
  }

  private unary(e: UnaryExpr): Expr {
    if (!isWide(e.of)) return e;
    const has = this.vectors.operators[e.of.type]?.includes(e.op);
    return has ? { ...e, width: this.width } : this.refuse(e);
  }

  private binary(e: BinaryExpr): Expr {
    const { op, left, right } = e;
    if (!isWide(left) && !isWide(right)) return e;
    const isShift = op === "shl" || op === "shr";
    const has = this.vectors.operators[left.type]?.includes(op) && !(isShift && isWide(right));
    return has ? { ...e, width: this.width } : this.refuse(e);
  }

  private store(stmt: StoreStmt, at: Expr): Stmt {
    const { space, index, value: given, memory = given.type } = stmt;
    const { type } = given;
    if (space !== "storage" || index !== at || memory !== type || type === "bool" || !this.holds(type))
      return this.refuse(stmt);
    const value = this.expr(given, at);
    return { ...stmt, value: isWide(value) ? value : repeated(this.width, value) };
  }
}

const isWide = ({ width }: Expr): boolean => width !== undefined;
