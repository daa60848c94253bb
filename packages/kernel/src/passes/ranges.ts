/** Conversions of floats to integers that a condition keeps in range need not saturate. Targets that gain from it apply it before they print. */
import { decodeLiteral } from "@groupwise/ir/tables/literal.js";
import { isFloat, type Scalar } from "@groupwise/ir/tables/scalar.js";
import type { CastExpr, Expr } from "../language/expr.ts";
import { mapParts, partsOf } from "../language/map-expr.ts";
import type { Kernel, Module } from "../language/module.ts";
import type { IfStmt, LetStmt, Stmt } from "../language/stmt.ts";
import { exprsOf, mapBlocks, walk } from "../language/walk.ts";
import { mapBlock, mapKernels } from "./base/pass.ts";

type Block = readonly Stmt[];

/** Comparisons of a value with constants that hold, so that it is no NaN. */
type Facts = readonly (readonly [op: Order, limit: number])[];

/** Values from `least` on and below `end` truncate to a value of the type. */
const LIMITS: Readonly<Partial<Record<Scalar, { readonly least: number; readonly end: number }>>> = {
  i32: { least: -(2 ** 31), end: 2 ** 31 },
  u32: { least: 0, end: 2 ** 32 },
};

function isWithin(type: Scalar, facts: Facts): boolean {
  const { least, end } = LIMITS[type] ?? { least: Number.NaN, end: Number.NaN };
  const isLow = facts.some(([op, limit]) => (op === "ge" || op === "gt") && limit >= least);
  const isHigh = facts.some(([op, limit]) => (op === "lt" && limit <= end) || (op === "le" && limit < end));
  return isLow && isHigh;
}

/**
 * The module with unsaturated conversions where a condition compares the operand with constants. A conversion before an `if` that only its
 * first block reads moves into that block.
 */
export const useRanges = (module: Module): Module => mapKernels(module, inKernel);

function inKernel(kernel: Kernel): Kernel {
  const all = walk(kernel.body);
  if (!all.some((stmt) => exprsOf(stmt).some(converts))) return kernel;
  const lets = new Map<string, Expr | undefined>();
  for (const stmt of all) {
    if (!("name" in stmt)) continue;
    lets.set(stmt.name, stmt.kind === "let" && !lets.has(stmt.name) ? stmt.value : undefined);
  }
  return { ...kernel, body: inBlock(kernel.body, lets) };
}

/** The values of names that have one in the whole kernel; undefined for others. */
type Lets = ReadonlyMap<string, Expr | undefined>;

const isConversion = (e: Expr): e is CastExpr => e.kind === "cast" && isFloat(e.of.type) && e.type in LIMITS;
const converts = (e: Expr): boolean => isConversion(e) || partsOf(e).some(converts);

function inBlock(stmts: Block, lets: Lets): Block {
  const done: Stmt[] = [];
  for (const stmt of stmts) {
    const inner = mapBlocks(stmt, (block) => inBlock(block, lets));
    done.push(inner.kind === "if" ? inIf(inner, done, stmts, lets) : inner);
  }
  return done;
}

/** @param before the statements before it, from which conversions are removed that move into it */
function inIf(stmt: IfStmt, before: Stmt[], all: Block, lets: Lets): IfStmt {
  const facts = new Map<string, Facts>();
  addFacts(stmt.condition, lets, facts);
  if (facts.size === 0) return stmt;
  const isInRange = (e: Expr): e is CastExpr =>
    isConversion(e) && e.of.kind === "var" && isWithin(e.type, facts.get(e.of.name) ?? []);
  const isPart = (e: Expr): boolean => isInRange(e) || partsOf(e).some(isPart);
  const isFixed = (e: Expr): boolean =>
    (e.kind === "var"
      ? lets.get(e.name) !== undefined
      : e.kind !== "load" && e.kind !== "part" && e.kind !== "call") && partsOf(e).every(isFixed);
  const moves = ({ name, value, role }: LetStmt): boolean =>
    !role && lets.get(name) !== undefined && isPart(value) && isFixed(value) && isReadIn(stmt, name, all);
  const moved = before.filter((one) => one.kind === "let" && moves(one));
  for (const one of moved) before.splice(before.indexOf(one), 1);
  const mark = (e: Expr): Expr => (isInRange(e) ? { ...e, inRange: true } : mapParts(e, mark));
  return { ...stmt, then: mapBlock([...moved, ...stmt.then], mark) };
}

/** Whether only the first block of an `if` reads a name. */
function isReadIn(stmt: IfStmt, name: string, all: Block): boolean {
  const reads = (e: Expr): boolean => (e.kind === "var" && e.name === name) || partsOf(e).some(reads);
  const readers = (block: Block): number => walk(block).filter((one) => exprsOf(one).some(reads)).length;
  return readers(all) === readers(stmt.then);
}

const OPPOSITE = { lt: "gt", le: "ge", gt: "lt", ge: "le" } as const;
type Order = keyof typeof OPPOSITE;
const isOrder = (op: string): op is Order => Object.hasOwn(OPPOSITE, op);

/** Adds the comparisons of names that hold if the condition does. */
function addFacts(condition: Expr, lets: Lets, facts: Map<string, Facts>): void {
  const value = condition.kind === "var" ? lets.get(condition.name) : undefined;
  if (value) addFacts(value, lets, facts);
  if (condition.kind !== "binary") return;
  const { op, left, right } = condition;
  if (op === "and") for (const part of [left, right]) addFacts(part, lets, facts);
  if (!isOrder(op)) return;
  const add = (of: Expr, order: Order, limit: Expr): void => {
    if (of.kind !== "var" || !lets.get(of.name) || limit.kind !== "const" || !isFloat(limit.type)) return;
    const number = decodeLiteral(limit.type, limit.value) as number;
    facts.set(of.name, [...(facts.get(of.name) ?? []), [order, number]]);
  };
  add(left, op, right);
  add(right, OPPOSITE[op], left);
}
