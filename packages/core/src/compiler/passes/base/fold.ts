/**
 * Constant folding, with the tables of operators. Compilers fold constants too, and some languages refuse the result:
 * no constant may be infinite or NaN, or overflow.
 */

import { bitcastValue, castValue } from "../../../ir/tables/convert-value.ts";
import { BINARY, UNARY } from "../../../ir/tables/expr-op.ts";
import { decodeLiteral } from "../../../ir/tables/literal.ts";
import { isInteger } from "../../../ir/tables/op.ts";
import type { ScalarValue } from "../../../ir/tables/scalar.ts";
import type { BinaryExpr, ConstExpr, Expr, UnaryExpr } from "../../kernel/expr.ts";
import { EVERYTHING, intervalOf } from "../../kernel/interval.ts";
import { constant } from "../../kernel/make-expr.ts";
import { mapParts } from "../../kernel/map-expr.ts";
import type { Module } from "../../kernel/module.ts";
import type { Stmt } from "../../kernel/stmt.ts";
import { mapStmt } from "../../kernel/walk.ts";
import { mapKernels } from "./pass.ts";

const isConst = (expr: Expr): expr is ConstExpr => expr.kind === "const";
const valueFrom = (expr: ConstExpr): ScalarValue => decodeLiteral(expr.type, expr.value) as ScalarValue;

/** Names whose values are constants. */
type Known = ReadonlyMap<string, ConstExpr>;
const NONE: Known = new Map();
/** Statements with a name whose value the enclosing block does not record. */
const KEEP: ReadonlySet<Stmt["kind"]> = new Set(["assign", "native", "for"]);

/** The module with every constant subexpression folded, names of constants included. */
export const foldConstants = (module: Module): Module =>
  mapKernels(module, (kernel) => ({ ...kernel, body: foldBlock(kernel.body, NONE) }));

function foldBlock(stmts: readonly Stmt[], outside: Known): readonly Stmt[] {
  const known = new Map(outside);
  return stmts.map((stmt) => {
    const inside = (inner: readonly Stmt[]): readonly Stmt[] => {
      if (stmt.kind !== "for") return foldBlock(inner, known);
      return foldBlock(inner, without(known, stmt.name));
    };
    const folded = taken(mapStmt(stmt, (e) => foldWith(e, known), inside));
    if (folded.kind === "let" && folded.role !== "argument" && isConst(folded.value))
      known.set(folded.name, folded.value);
    // An inner block may use a name again.
    else if ("name" in folded && !KEEP.has(folded.kind)) known.delete(folded.name);
    return folded;
  });
}

/** A choice without the branch that is never taken, in which an index may be outside of its array. */
function taken(stmt: Stmt): Stmt {
  if (stmt.kind !== "if") return stmt;
  const { condition } = stmt;
  if (isNever(condition)) return { ...stmt, condition: constant("bool", false), then: [] };
  return isConst(condition) && condition.value ? { ...stmt, otherwise: [] } : stmt;
}

/** False, or a constant that is never below the right operand. */
function isNever(e: Expr): boolean {
  if (isConst(e)) return !e.value;
  if (e.kind !== "binary" || e.op !== "lt" || e.left.type !== "u32" || !isConst(e.left)) return false;
  return Number(e.left.value) >= intervalOf(e.right, ANYTHING)[1];
}
const ANYTHING = { variable: () => EVERYTHING, workGroupSize: EVERYTHING[1] };

const without = (known: Known, name: string): Known =>
  known.has(name) ? new Map([...known].filter(([other]) => other !== name)) : known;

/** The expression with every constant subexpression folded. */
export const fold = (expr: Expr): Expr => foldWith(expr, NONE);

function foldWith(expr: Expr, known: Known): Expr {
  if (expr.kind === "var") return known.get(expr.name) ?? expr;
  const e = mapParts(expr, (part) => foldWith(part, known));
  switch (e.kind) {
    case "unary":
      return isConst(e.of) ? constant(e.type, UNARY[e.op].apply(e.type, valueFrom(e.of))) : opposite(e);
    case "binary":
      if (!isConst(e.left) || !isConst(e.right)) return simplified(e);
      return constant(e.type, BINARY[e.op].apply(e.left.type, valueFrom(e.left), valueFrom(e.right)));
    case "select":
      return isConst(e.condition) ? (e.condition.value ? e.then : e.otherwise) : e;
    case "cast":
      return isConst(e.of) ? constant(e.type, castValue(e.of.type, e.type, valueFrom(e.of))) : e;
    case "bitcast":
      return isConst(e.of) ? constant(e.type, bitcastValue(e.of.type, e.type, valueFrom(e.of))) : e;
    default:
      return e;
  }
}

/** `not (a != b)` becomes `a == b` for every type: NaN is unequal to everything. */
function opposite(e: UnaryExpr): Expr {
  const { of } = e;
  if (e.op !== "not" || of.kind !== "binary" || (of.op !== "eq" && of.op !== "ne")) return e;
  return { ...of, op: of.op === "eq" ? "ne" : "eq" };
}

/** Integer operations that do not change the other operand, by the constant operand. Floats are excluded because they round. */
const NEUTRAL: Readonly<
  Partial<Record<BinaryExpr["op"], { readonly with: number; readonly left: boolean }>>
> = {
  add: { with: 0, left: true },
  sub: { with: 0, left: false },
  mul: { with: 1, left: true },
  or: { with: 0, left: true },
  xor: { with: 0, left: true },
  shl: { with: 0, left: false },
  shr: { with: 0, left: false },
};

function simplified(e: BinaryExpr): Expr {
  const neutral = NEUTRAL[e.op];
  if (!neutral || !isInteger(e.type)) return e;
  const is = (side: Expr): boolean =>
    isConst(side) && BigInt(valueFrom(side) as number | bigint) === BigInt(neutral.with);
  if (is(e.right)) return e.left;
  return neutral.left && is(e.left) ? e.right : e;
}
