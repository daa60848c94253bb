/**
 * Statements for one item as the same statements for a vector of consecutive items. Where vectors have more elements than integers of 32 bits fill, elements
 * are the lowest bits of the integers: sums, products and bits of them are the lowest bits of the result, and comparisons and extremes need integers that fit.
 */

import { arraySpec, isNarrow } from "@groupwise/ir/tables/narrow.js";
import { SCALARS, type Scalar } from "@groupwise/ir/tables/scalar.js";
import type { Vectors } from "@groupwise/kernel/capabilities/capabilities.js";
import type { BinaryExpr, Expr, LoadExpr, UnaryExpr, VarExpr } from "@groupwise/kernel/language/expr.js";
import { repeated } from "@groupwise/kernel/language/make-expr.js";
import { partsOf } from "@groupwise/kernel/language/map-expr.js";
import type { Stmt, StoreStmt } from "@groupwise/kernel/language/stmt.js";
import { fits, isWhole, type Range, rangeOf } from "./ranges.ts";

/** Names of vectors in one iteration; `isPossible` is false once a statement has no form on vectors. */
export class Widening {
  isPossible: boolean = true;
  private readonly vectors: Vectors;
  private readonly width: number;
  /** The loop's variable, which differs between the items of a vector. */
  private readonly variable: string;
  private readonly wide = new Set<string>();
  /** Bytes of an element of 32 bits or fewer. */
  private readonly element: number;
  private readonly ranges = new Map<string, Range>();

  constructor(vectors: Vectors, width: number, variable: string) {
    this.vectors = vectors;
    this.width = width;
    this.variable = variable;
    this.element = vectors.bytes / width;
  }

  /** @param at the index of the vector's first item, the object that loads and stores have */
  block(stmts: readonly Stmt[], at: Expr): Stmt[] {
    return stmts.map((stmt) => {
      if (stmt.kind === "comment") return stmt;
      if (stmt.kind === "store") return this.store(stmt, at);
      if (stmt.kind !== "let") return this.refuse(stmt);
      const value = this.expr(stmt.value, at);
      if (value.width !== undefined) this.wide.add(stmt.name);
      if (this.isShort) this.ranges.set(stmt.name, rangeOf(value, this.ranges));
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

  /** Whether integers are not whole. */
  private get isShort(): boolean {
    return this.element < 4;
  }

  /** The operand of a collective, for all items or without a width, if elements hold it as it is. */
  operand(e: Expr, at: Expr): Expr {
    const value = this.whole(this.expr(e, at));
    return this.holds(value.type) ? value : this.refuse(value);
  }

  /** The value, if its elements hold it as it is. */
  private whole(e: Expr): Expr {
    const { type } = e;
    if (!this.isShort || (isWhole(type) && fits(type, rangeOf(e, this.ranges), 8 * this.element))) return e;
    return this.refuse(e);
  }

  private refuse<Of>(of: Of): Of {
    this.isPossible = false;
    return of;
  }

  /** Whether a vector has as many elements of the type; truth values are as wide as what they are of. */
  private holds(type: Scalar): boolean {
    if (type === "bool" || this.isShort)
      return type === "bool" || (isWhole(type) && this.vectors.short?.[this.element] !== undefined);
    const isFull = (SCALARS[type].bits / 8) * this.width === this.vectors.bytes;
    return isFull && this.vectors.operators[type] !== undefined;
  }

  private variableOf(e: VarExpr): Expr {
    if (e.name === this.variable) return this.refuse(e);
    return this.wide.has(e.name) ? { ...e, width: this.width } : e;
  }

  private load(e: LoadExpr, at: Expr): Expr {
    const { type, memory = type } = e;
    const isLoaded =
      isNarrow(memory) || memory === "bool"
        ? this.vectors.widens.includes(memory) && this.element <= 4
        : memory === type;
    const isLarger = arraySpec(memory).hostBytes > this.element;
    if (isLarger) return this.refuse(e);
    if (e.space !== "storage" || e.index !== at || !isLoaded || !this.holds(type)) return this.refuse(e);
    return { ...e, width: this.width };
  }

  private unary(e: UnaryExpr): Expr {
    if (!isWide(e.of)) return e;
    if (e.op === "abs") this.whole(e.of);
    return this.operators(e.of.type)?.includes(e.op) ? { ...e, width: this.width } : this.refuse(e);
  }

  private operators(type: Scalar): Operators | undefined {
    const { operators, short } = this.vectors;
    return this.isShort && type !== "bool"
      ? isWhole(type)
        ? short?.[this.element]
        : undefined
      : operators[type];
  }

  private binary(e: BinaryExpr): Expr {
    const { op, left, right } = e;
    if (!isWide(left) && !isWide(right)) return e;
    const isShift = op === "shl" || op === "shr";
    if (this.isShort) {
      if (!LOWEST.has(op)) for (const one of isShift ? [left] : [left, right]) this.whole(one);
      const isInside = right.kind === "const" && Number(right.value) < 8 * this.element;
      if (isShift && !isInside) return this.refuse(e);
    }
    const has = this.operators(left.type)?.includes(op) && !(isShift && isWide(right));
    return has ? { ...e, width: this.width } : this.refuse(e);
  }

  private store(stmt: StoreStmt, at: Expr): Stmt {
    const { space, index, value: given, memory = given.type } = stmt;
    const isStored =
      isNarrow(memory) || memory === "bool"
        ? this.vectors.narrows.includes(memory) && this.element <= 4
        : memory === given.type;
    const isLarger = arraySpec(memory).hostBytes > this.element;
    if (space !== "storage" || index !== at || !isStored || isLarger || !this.holds(given.type))
      return this.refuse(stmt);
    const value = this.expr(given, at);
    return { ...stmt, value: isWide(value) ? value : repeated(this.width, value) };
  }
}

type Operators = readonly (UnaryExpr["op"] | BinaryExpr["op"])[];

/** Operators whose lowest bits depend on those of the operands alone. */
const LOWEST: ReadonlySet<BinaryExpr["op"]> = new Set(["add", "sub", "mul", "and", "or", "xor", "shl"]);

const isWide = ({ width }: Expr): boolean => width !== undefined;
