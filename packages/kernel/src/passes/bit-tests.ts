/**
 * Conditions that compare one float with several constants become tests of its bits, for implementations whose own comparisons are not used:
 * a comparison holds for at most two spans of bits, and so does what is made of few. Of consecutive conditions of which at most one
 * holds, each is tested only where those before it do not hold.
 */

import { wordOf } from "@groupwise/ir/tables/convert-value.js";
import { type CompareOp, isCompare } from "@groupwise/ir/tables/expr-op.js";
import type { BinaryExpr, Expr } from "../language/expr.ts";
import { binary, bool, eq, lt, sub, unary } from "../language/make-expr.ts";
import { mapParts } from "../language/map-expr.ts";
import type { Kernel, Module } from "../language/module.ts";
import type { IfStmt, Stmt } from "../language/stmt.ts";
import { usesOfBlock } from "../language/uses.ts";
import { blockOr, mapStmt } from "../language/walk.ts";
import { INFINITY, SIGN } from "../library/types/base/define.ts";
import { comparisonOf } from "./base/comparison.ts";
import { Fixed, isSame } from "./base/fixed.ts";
import { type Around, mapKernels } from "./base/pass.ts";
import { bitsOf, LEAST_NORMAL } from "./base/short.ts";

/** Words from the first to the second, both included. */
type Span = readonly [number, number];
/** Ascending spans, with other words between them. */
type Spans = readonly Span[];
const ALL = 0xffff_ffff;

function complement(spans: Spans): Spans {
  const starts = [0, ...spans.map(([, last]) => last + 1)];
  const ends = [...spans.map(([first]) => first - 1), ALL];
  return starts.map((first, i): Span => [first, ends[i] as number]).filter(([first, last]) => first <= last);
}
const both = (a: Spans, b: Spans): Spans =>
  a.flatMap(([first, last]) =>
    b
      .map(([other, end]): Span => [Math.max(first, other), Math.min(last, end)])
      .filter(([from, to]) => from <= to),
  );
const either = (a: Spans, b: Spans): Spans => complement(both(complement(a), complement(b)));

const NUMBERS: Spans = [
  [0, INFINITY],
  [SIGN, SIGN + INFINITY],
];
const NEGATIVE: Span = [SIGN, SIGN + INFINITY];
const bitsOfNumber = (x: number): number => wordOf("f32", x, 0);

/** The numbers up to another, or below it. */
function upTo(x: number, isIncluded: boolean): Spans {
  const bits = bitsOfNumber(x);
  const last = isIncluded ? 0 : 1;
  if (x < 0) return both(NUMBERS, [[bits + last, NEGATIVE[1]]]);
  if (x === 0) return isIncluded ? [[0, 0], NEGATIVE] : [[SIGN + 1, NEGATIVE[1]]];
  return [[0, bits - last], NEGATIVE];
}
const from = (x: number, isIncluded: boolean): Spans => both(NUMBERS, complement(upTo(x, !isIncluded)));
const equal = (x: number): Spans => both(upTo(x, true), from(x, true));

/** The floats for which a comparison with a constant holds. */
const COMPARED: Readonly<Record<CompareOp, (x: number) => Spans>> = {
  lt: (x) => upTo(x, false),
  le: (x) => upTo(x, true),
  gt: (x) => from(x, false),
  ge: (x) => from(x, true),
  eq: equal,
  ne: (x) => complement(equal(x)),
};

/** The values of a float for which a condition holds, and the number of its comparisons. */
interface Test {
  readonly of: Expr;
  readonly spans: Spans;
  readonly comparisons: number;
}

/** The module with conditions as tests of bits, where its implementation compares floats through integers. */
export function testBits(module: Module, { capabilities }: Around): Module {
  return capabilities.expand.includes("float-compare") ? mapKernels(module, inKernel) : module;
}

function inKernel(kernel: Kernel): Kernel {
  if (!usesOfBlock(kernel.body).types.has("f32")) return kernel;
  const tests = new Tests(new Fixed(kernel.body));
  return { ...kernel, body: tests.block(kernel.body) };
}

class Tests {
  private readonly fixed: Fixed;
  /** By name of a condition. */
  private readonly known = new Map<string, Test | undefined>();

  constructor(fixed: Fixed) {
    this.fixed = fixed;
  }

  block = (stmts: readonly Stmt[]): readonly Stmt[] => {
    const done: Stmt[] = [];
    // The values for which one of the conditions that follow holds.
    let after: Test | undefined;
    for (const stmt of stmts.toReversed()) {
      const isPlain = stmt.kind === "if" && stmt.otherwise.length === 0 && !stmt.ofSubgroups;
      const own = isPlain ? this.testOf(stmt.condition) : undefined;
      const made = mapStmt(stmt, this.expr, this.block);
      const isApart = own && after && isSame(own.of, after.of) && both(own.spans, after.spans).length === 0;
      if (isApart) done.push({ ...(made as IfStmt), otherwise: [done.pop() as Stmt] });
      else done.push(made);
      after = own && { ...own, spans: isApart && after ? either(own.spans, after.spans) : own.spans };
    }
    return blockOr(stmts, done.reverse());
  };

  private expr = (e: Expr): Expr => {
    const test = e.type === "bool" && e.kind !== "var" ? this.testOf(e) : undefined;
    return test && test.comparisons > 1 ? testedBy(test) : mapParts(e, this.expr);
  };

  private testOf(e: Expr): Test | undefined {
    const value = this.fixed.valueOf(e);
    if (e.kind === "var" && value) {
      if (value.type !== "bool") return undefined;
      if (!this.known.has(e.name)) this.known.set(e.name, this.testOf(value));
      return this.known.get(e.name);
    }
    if (e.kind === "unary" && e.op === "not") {
      const test = this.testOf(e.of);
      return test && { ...test, spans: complement(test.spans) };
    }
    if (e.kind !== "binary") return undefined;
    const { op, left, right } = e;
    if (isCompare(op))
      return left.type === "f32" && left.width === undefined ? this.comparison(e) : undefined;
    if (e.type !== "bool" || (op !== "and" && op !== "or")) return undefined;
    const [a, b] = [this.testOf(left), this.testOf(right)];
    if (!a || !b || !isSame(a.of, b.of)) return undefined;
    const spans = (op === "and" ? both : either)(a.spans, b.spans);
    return { of: a.of, spans, comparisons: a.comparisons + b.comparisons };
  }

  private comparison(e: BinaryExpr): Test | undefined {
    const { op, left, right } = e;
    if (isSame(left, right) && (op === "eq" || op === "ne"))
      return this.test(left, op === "eq" ? NUMBERS : complement(NUMBERS));
    const found = comparisonOf(e);
    if (!found) return undefined;
    const { of, number } = found;
    // A computed number that a device may flush has a guard where it is compared with such a constant.
    if (Math.abs(number) < LEAST_NORMAL.f32 && !this.isRead(of)) return undefined;
    return this.test(of, COMPARED[found.op](number));
  }

  private test(of: Expr, spans: Spans): Test | undefined {
    return this.fixed.keyOf(of) === undefined ? undefined : { of, spans, comparisons: 1 };
  }

  private isRead(e: Expr): boolean {
    return e.kind === "part" || this.fixed.valueOf(e)?.kind === "load";
  }
}

/** A test of bits by as few comparisons as spans or the words between them need. */
function testedBy({ of, spans }: Test): Expr {
  const others = complement(spans);
  return costOf(spans) <= costOf(others) ? isIn(of, spans) : unary("not", isIn(of, others));
}
function isIn(of: Expr, spans: Spans): Expr {
  const [first = bool(false), ...others] = spans.map((span) => isInOne(of, span));
  return others.reduce((a, b) => binary("or", a, b), first);
}
function isInOne(of: Expr, [first, last]: Span): Expr {
  const bits = bitsOf(of);
  if (first === last) return eq(bits, first);
  if (last === ALL) return binary("ge", bits, first);
  return lt(sub(bits, first), last - first + 1);
}
const costOf = (spans: Spans): number =>
  spans.reduce((sum, [first, last]) => sum + (first === 0 || last === ALL || first === last ? 1 : 2), 0);
