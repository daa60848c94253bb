/**
 * Conversions of floats to integers that a condition keeps in range need not saturate. A condition bounds the values that it compares with
 * constants, and those that follow from them by sums and products with constants.
 */
import { BINARY } from "@groupwise/ir/tables/expr-op.js";
import { decodeLiteral } from "@groupwise/ir/tables/literal.js";
import { isFloat, type Scalar } from "@groupwise/ir/tables/scalar.js";
import type { CastExpr, Expr } from "../language/expr.ts";
import { mapParts, partsOf } from "../language/map-expr.ts";
import type { Kernel, Module } from "../language/module.ts";
import type { IfStmt, LetStmt, Stmt } from "../language/stmt.ts";
import { usesOfBlock } from "../language/uses.ts";
import { allExprs, blockOr, exprsOf, mapBlocks, walk } from "../language/walk.ts";
import { comparisonOf } from "./base/comparison.ts";
import { Fixed, isSame } from "./base/fixed.ts";
import { mapBlock, mapKernels } from "./base/pass.ts";

type Block = readonly Stmt[];

/** The least and the greatest value that a number can have. */
type Extent = readonly [least: number, most: number];

/** What a condition tells of a value: its range unless it is NaN, and whether it is none. */
interface Fact {
  readonly range: Extent;
  readonly isNumber: boolean;
}
type Facts = ReadonlyMap<string, Fact>;

/** Values from `least` on and below `end` truncate to a value of the type. */
const LIMITS: Readonly<Partial<Record<Scalar, { readonly least: number; readonly end: number }>>> = {
  i32: { least: -(2 ** 31), end: 2 ** 31 },
  u32: { least: 0, end: 2 ** 32 },
};

const FLOATS: readonly Scalar[] = ["f32", "f16", "f64"];

/**
 * The module with unsaturated conversions where a condition keeps their operands in range. A conversion before an `if` that only its
 * first block reads moves into that block.
 */
export const useRanges = (module: Module): Module => mapKernels(module, inKernel);

function inKernel(kernel: Kernel): Kernel {
  const { types } = usesOfBlock(kernel.body);
  if (!FLOATS.some((type) => types.has(type)) || !allExprs(kernel.body).some(isConversion)) return kernel;
  return { ...kernel, body: inBlock(kernel.body, new Fixed(kernel.body)) };
}

const isConversion = (e: Expr): e is CastExpr => e.kind === "cast" && isFloat(e.of.type) && e.type in LIMITS;

function inBlock(stmts: Block, fixed: Fixed): Block {
  const done: Stmt[] = [];
  for (const stmt of stmts) {
    const inner = mapBlocks(stmt, (block) => inBlock(block, fixed));
    done.push(inner.kind === "if" ? inIf(inner, done, stmts, fixed) : inner);
  }
  return blockOr(stmts, done);
}

/** @param before the statements before it, from which conversions are removed that move into it */
function inIf(stmt: IfStmt, before: Stmt[], all: Block, fixed: Fixed): IfStmt {
  const facts = new Map<string, Fact>();
  addFacts(stmt.condition, true, fixed, facts);
  if (facts.size === 0) return stmt;
  const inRange = (e: Expr): CastExpr | undefined => {
    if (!isConversion(e)) return undefined;
    const [least, most] = rangeOf(e.of, fixed, facts) ?? NOTHING;
    const limit = LIMITS[e.type];
    if (!limit || !(least >= limit.least && most < limit.end)) return undefined;
    return { ...e, inRange: Math.max(-least, most) };
  };
  const following = new Set<string>();
  const follows = (e: Expr): boolean =>
    inRange(e) !== undefined || (e.kind === "var" && following.has(e.name)) || partsOf(e).some(follows);
  for (const one of before) if (one.kind === "let" && follows(one.value)) following.add(one.name);
  const moved: LetStmt[] = [];
  const moves = ({ name, value, role }: LetStmt): boolean =>
    !role &&
    fixed.has(name) &&
    fixed.holds(value) &&
    following.has(name) &&
    isReadIn([...moved, ...stmt.then], name, all);
  // The last first: what only they read can follow them.
  for (const one of before.toReversed()) if (one.kind === "let" && moves(one)) moved.unshift(one);
  for (const one of moved) before.splice(before.indexOf(one), 1);
  const mark = (e: Expr): Expr => inRange(e) ?? mapParts(e, mark);
  return { ...stmt, then: mapBlock([...moved, ...stmt.then], mark) };
}

/** Whether no statement but some of a block reads a name. */
function isReadIn(some: Block, name: string, all: Block): boolean {
  const reads = (e: Expr): boolean => (e.kind === "var" && e.name === name) || partsOf(e).some(reads);
  const readers = (block: Block): number => walk(block).filter((one) => exprsOf(one).some(reads)).length;
  return readers(all) === readers(some);
}

const NOTHING: Extent = [Number.NaN, Number.NaN];
const NUMBERS: Extent = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];

/** The range of a value that is no NaN; undefined if it may be one. */
function rangeOf(e: Expr, fixed: Fixed, facts: Facts, depth: number = MOST_STEPS): Extent | undefined {
  const fact = facts.get(fixed.keyOf(e) ?? "");
  if (fact) return fact.isNumber ? fact.range : undefined;
  const value = fixed.valueOf(e);
  if (value) return depth > 0 ? rangeOf(value, fixed, facts, depth - 1) : undefined;
  if (e.kind === "const") {
    const number = decodeLiteral(e.type, e.value) as number;
    return [number, number];
  }
  if (e.kind !== "binary" || !STEADY.has(e.op) || !isFloat(e.type)) return undefined;
  const { op, type, left, right } = e;
  const isConst = left.kind === "const" || right.kind === "const";
  const [a, b] = isConst && depth > 0 ? [left, right].map((of) => rangeOf(of, fixed, facts, depth - 1)) : [];
  if (!a || !b) return undefined;
  // Roundings keep the order.
  const ends = [0, 1].map((k) => BINARY[op].apply(type, a[k] as number, b[k] as number)) as [number, number];
  return ends.every(Number.isFinite) ? [Math.min(...ends), Math.max(...ends)] : undefined;
}
const MOST_STEPS = 32;
/** Operations of which a value and a constant give results in the order of the values, or in the opposite one. */
const STEADY: ReadonlySet<string> = new Set(["add", "sub", "mul"]);

const CONTRARY = { lt: "ge", le: "gt", gt: "le", ge: "lt" } as const;
type Order = keyof typeof CONTRARY;
const isOrder = (op: string): op is Order => Object.hasOwn(CONTRARY, op);
/** Of a limit that is not included, the next number, or one between both. */
const TINY = 2 ** -53;
const WITHIN: Readonly<Record<Order, (limit: number) => Extent>> = {
  lt: (limit) => [NUMBERS[0], limit - Math.abs(limit) * TINY],
  le: (limit) => [NUMBERS[0], limit],
  gt: (limit) => [limit + Math.abs(limit) * TINY, NUMBERS[1]],
  ge: (limit) => [limit, NUMBERS[1]],
};

/** Adds what is known of values if a condition holds, or if it does not. */
function addFacts(condition: Expr, holds: boolean, fixed: Fixed, facts: Map<string, Fact>): void {
  const value = fixed.valueOf(condition);
  if (value) addFacts(value, holds, fixed, facts);
  if (condition.kind === "unary" && condition.op === "not") addFacts(condition.of, !holds, fixed, facts);
  if (condition.kind !== "binary") return;
  const { op, left, right } = condition;
  if (op === (holds ? "and" : "or")) for (const part of [left, right]) addFacts(part, holds, fixed, facts);
  const add = (of: Expr, range: Extent, isNumber: boolean): void => {
    const key = fixed.keyOf(of);
    if (key === undefined || !isFloat(of.type)) return;
    const before = facts.get(key);
    const [least, most] = before?.range ?? NUMBERS;
    facts.set(key, {
      range: [Math.max(least, range[0]), Math.min(most, range[1])],
      isNumber: isNumber || before?.isNumber === true,
    });
  };
  if (op === (holds ? "eq" : "ne") && isSame(left, right)) add(left, NUMBERS, true);
  const found = comparisonOf(condition);
  if (!found || !isOrder(found.op)) return;
  add(found.of, WITHIN[holds ? found.op : CONTRARY[found.op]](found.number), holds);
}
