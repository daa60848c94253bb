/** Constant folding of expressions, and integer operations of which one constant operand decides the result. */
import { bitcastValue, castValue } from "@groupwise/ir/tables/convert-value.js";
import { BINARY, UNARY } from "@groupwise/ir/tables/expr-op.js";
import { decodeLiteral } from "@groupwise/ir/tables/literal.js";
import { isFloat, SCALARS, type Scalar, type ScalarValue } from "@groupwise/ir/tables/scalar.js";
import type { BinaryExpr, ConstExpr, Expr, UnaryExpr } from "./expr.ts";
import { asWideAs, constant } from "./make-expr.ts";
import { mapParts } from "./map-expr.ts";

/** Names whose values are constants. */
export type ConstantsByName = ReadonlyMap<string, ConstExpr>;
const NONE: ConstantsByName = new Map();

export const isConst = (expr: Expr): expr is ConstExpr => expr.kind === "const";
export const valueFrom = (expr: ConstExpr): ScalarValue =>
  decodeLiteral(expr.type, expr.value) as ScalarValue;

/** The expression with every constant subexpression folded. */
export const fold = (expr: Expr): Expr => foldWith(expr, NONE);

/** The same with the values of some names. */
export function foldWith(expr: Expr, known: ConstantsByName): Expr {
  if (expr.kind === "var") return known.get(expr.name) ?? expr;
  return asWideAs(expr, folded(mapParts(expr, (part) => foldWith(part, known))));
}

/** An expression of folded parts. */
function folded(e: Expr): Expr {
  switch (e.kind) {
    case "unary":
      return isConst(e.of) ? constant(e.type, UNARY[e.op].apply(e.type, valueFrom(e.of))) : opposite(e);
    case "binary":
      if (!isConst(e.left) || !isConst(e.right)) return simplified(e);
      return constant(e.type, BINARY[e.op].apply(e.left.type, valueFrom(e.left), valueFrom(e.right)));
    case "select":
      if (isConst(e.condition)) return e.condition.value ? e.then : e.otherwise;
      return isSameName(e.then, e.otherwise) ? e.then : e;
    case "cast":
      return isConst(e.of) ? constant(e.type, castValue(e.of.type, e.type, valueFrom(e.of))) : e;
    case "bitcast":
      return isConst(e.of) ? constant(e.type, bitcastValue(e.of.type, e.type, valueFrom(e.of))) : e;
    default:
      return e;
  }
}

/** Whether both are the same variable or launch scalar. */
export const isSameName = (a: Expr, b: Expr): boolean =>
  (a.kind === "var" || a.kind === "param") && a.kind === b.kind && a.name === b.name;

/** `not (a != b)` becomes `a == b` for every type: NaN is unequal to everything. */
function opposite(e: UnaryExpr): Expr {
  const { of } = e;
  if (e.op !== "not" || of.kind !== "binary" || (of.op !== "eq" && of.op !== "ne")) return e;
  return { ...of, op: of.op === "eq" ? "ne" : "eq" };
}

type Value = (type: Scalar) => ScalarValue;
const zero: Value = (type) => SCALARS[type].whole(0);
const one: Value = (type) => SCALARS[type].whole(1);
const ones: Value = (type) => SCALARS[type].whole(-1);
const least: Value = (type) => SCALARS[type].lowest;
const greatest: Value = (type) => SCALARS[type].highest;

/** Constant operands of an operator: with `nothing` the result is the other operand, with `all` it is the constant. */
interface Deciding {
  readonly nothing: Value;
  readonly all?: Value;
  /** Whether they decide on the left too. */
  readonly left: boolean;
}
const DECIDING: Readonly<Partial<Record<BinaryExpr["op"], Deciding>>> = {
  add: { nothing: zero, left: true },
  sub: { nothing: zero, left: false },
  mul: { nothing: one, all: zero, left: true },
  min: { nothing: greatest, all: least, left: true },
  max: { nothing: least, all: greatest, left: true },
  and: { nothing: ones, all: zero, left: true },
  or: { nothing: zero, all: ones, left: true },
  xor: { nothing: zero, left: true },
  shl: { nothing: zero, left: false },
  shr: { nothing: zero, left: false },
};

/** Floats are excluded because they round, and have NaN. */
function simplified(e: BinaryExpr): Expr {
  const deciding = DECIDING[e.op];
  if (!deciding || isFloat(e.left.type)) return e;
  const { nothing, all, left } = deciding;
  const is = (side: Expr, value: Value | undefined): boolean =>
    value !== undefined && isConst(side) && valueFrom(side) === value(side.type);
  if (is(e.right, nothing)) return e.left;
  if (left && is(e.left, nothing)) return e.right;
  if (is(e.right, all)) return e.right;
  return left && is(e.left, all) ? e.left : e;
}
