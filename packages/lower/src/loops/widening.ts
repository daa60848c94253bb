/**
 * Statements for one item as the same statements for a vector of consecutive items. Where vectors have more elements than integers of 32 bits fill, elements
 * are the lowest bits of the integers: sums, products and bits of them are the lowest bits of the result, and comparisons and extremes need integers that fit.
 */
import { arraySpec, isNarrow, NARROW, type Narrow } from "@groupwise/ir/tables/narrow.js";
import { SCALARS, type Scalar } from "@groupwise/ir/tables/scalar.js";
import type { Vectors } from "@groupwise/kernel/capabilities/capabilities.js";
import type { BinaryExpr, Expr, LoadExpr, UnaryExpr, VarExpr } from "@groupwise/kernel/language/expr.js";
import { bitsAbove } from "@groupwise/kernel/language/interval.js";
import { repeated } from "@groupwise/kernel/language/make-expr.js";
import { partsOf } from "@groupwise/kernel/language/map-expr.js";
import type { Stmt, StoreStmt } from "@groupwise/kernel/language/stmt.js";

// The integers that expressions of narrow elements can be: where they fit into fewer bits, operators of those bits return the same.
/** Least and greatest value, both included. */
type Range = readonly [number, number];

type WholeScalar = "u32" | "i32" | "bool";
const ALL: Readonly<Record<WholeScalar, Range>> = {
  u32: [0, 2 ** 32 - 1],
  i32: [-(2 ** 31), 2 ** 31 - 1],
  bool: [0, 1],
};
const isWhole = (type: Scalar): type is WholeScalar => Object.hasOwn(ALL, type);

/** The range, or all values of the type if operators wrap. */
const wrapped = (type: WholeScalar, low: number, high: number): Range =>
  low < ALL[type][0] || high > ALL[type][1] ? ALL[type] : [low, high];

type Rule = (type: WholeScalar, a: Range, b: Range) => Range;
const corners = (type: WholeScalar, all: readonly number[]): Range =>
  wrapped(type, Math.min(...all), Math.max(...all));
const bits: Rule = (type, a, b) => (a[0] < 0 || b[0] < 0 ? ALL[type] : [0, bitsAbove(a[1], b[1])]);
const RULES: Readonly<Record<string, Rule>> = {
  add: (type, a, b) => wrapped(type, a[0] + b[0], a[1] + b[1]),
  sub: (type, a, b) => wrapped(type, a[0] - b[1], a[1] - b[0]),
  mul: (type, a, b) => corners(type, [a[0] * b[0], a[0] * b[1], a[1] * b[0], a[1] * b[1]]),
  min: (_, a, b) => [Math.min(a[0], b[0]), Math.min(a[1], b[1])],
  max: (_, a, b) => [Math.max(a[0], b[0]), Math.max(a[1], b[1])],
  // The sign bit of a number that is not negative clears that of the other.
  and: (type, a, b) => {
    const most = [a, b].flatMap(([low, high]) => (low < 0 ? [] : [high]));
    return most.length > 0 ? [0, Math.min(...most)] : ALL[type];
  },
  or: bits,
  xor: bits,
  shr: (type, a, b) =>
    b[0] === b[1] ? [Math.floor(a[0] / 2 ** b[0]), Math.floor(a[1] / 2 ** b[0])] : ALL[type],
};
const COMPARED: ReadonlySet<string> = new Set(["eq", "ne", "lt", "le", "gt", "ge"]);

/** The range of an expression. @param known those of variables; others have any value */
function rangeOf(e: Expr, known: ReadonlyMap<string, Range>): Range {
  if (!isWhole(e.type)) return [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const all = ALL[e.type];
  const of = (one: Expr): Range => rangeOf(one, known);
  switch (e.kind) {
    case "const":
      return [Number(e.value), Number(e.value)];
    case "var":
      return known.get(e.name) ?? all;
    case "load":
      return (e.memory === undefined ? undefined : NARROW[e.memory as Narrow]?.range) ?? all;
    case "binary":
      return COMPARED.has(e.op) ? all : (RULES[e.op]?.(e.type, of(e.left), of(e.right)) ?? all);
    case "select": {
      const [a, b] = [of(e.then), of(e.otherwise)];
      return [Math.min(a[0], b[0]), Math.max(a[1], b[1])];
    }
    case "cast":
    case "bitcast": {
      if (!isWhole(e.of.type)) return all;
      const [low, high] = of(e.of);
      return wrapped(e.type, low, high);
    }
    case "permute":
      return e.right ? all : of(e.left);
    default:
      return all;
  }
}

/** Whether elements of so many bits hold the values as they are, with the sign that the type has. */
function fits(type: WholeScalar, [low, high]: Range, size: number): boolean {
  if (type === "bool") return true;
  return type === "u32" ? low >= 0 && high < 2 ** size : low >= -(2 ** (size - 1)) && high < 2 ** (size - 1);
}

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
