/** The data flow of floats in a kernel, which the guard of rounded results (`guard-rounding.ts`) needs. */
import { BINARY } from "@groupwise/ir/tables/expr-op.js";
import { decodeLiteral } from "@groupwise/ir/tables/literal.js";
import type { Expr } from "../../language/expr.ts";
import { partsOf } from "../../language/map-expr.ts";
import type { Stmt } from "../../language/stmt.ts";
import { exprsOf, walk } from "../../language/walk.ts";
import { MAGNITUDE, nativeName } from "../../library/types/base/define.ts";
import { isShort, LEAST_NORMAL } from "../base/short.ts";
import { sumOfHalves } from "./half-sums.ts";

export const isRounding = (e: Expr): e is Extract<Expr, { kind: "binary" }> =>
  e.kind === "binary" && isShort(e) && BINARY[e.op].rounds;
/** A conversion between floats is an operation too: f32(a * b) of halves could be computed without rounding a * b. */
export const widens = (e: Expr): e is Extract<Expr, { kind: "cast" }> =>
  e.kind === "cast" && isShort(e) && isShort(e.of);

/**
 * The float that is tested for 0: its magnitude as bits, or as the operand of a comparison of bits with a constant that may be 0 or subnormal, of
 * which compilers make such a test. Undefined for other expressions.
 */
export function testedZero(e: Expr): Expr | undefined {
  if (e.kind === "call" && COMPARISONS.has(e.fn)) {
    const [a, b] = e.args as [Expr, Expr];
    return isTiny(b) ? a : isTiny(a) ? b : undefined;
  }
  if (e.kind !== "binary" || (e.op !== "ne" && e.op !== "eq") || !isZero(e.right)) return undefined;
  const { left } = e;
  if (left.kind !== "binary" || left.op !== "and" || left.right.kind !== "const") return undefined;
  return left.left.kind === "bitcast" && isShort(left.left.of) && left.right.value === MAGNITUDE
    ? left.left.of
    : undefined;
}
const COMPARISONS: ReadonlySet<string> = new Set(["eq", "lt", "le"].map((op) => nativeName(op, "f32")));
const isZero = (e: Expr): boolean => e.kind === "const" && e.value === 0;
/** -0 and subnormal numbers are constants as bits, as infinities are. */
const isTiny = (e: Expr): boolean => isZero(e) || (e.kind === "call" && e.fn === "f32_of_bits");

/** Destinations other than names: no name has a space in it. */
const OPERATION = "an operation";
const OTHERS = "other work-items";

/** Names of variables and arrays, by the use of their values. */
export interface Flow {
  /** An operation reads the value, directly or through others. */
  readonly operands: ReadonlySet<string>;
  /**
   * Of the operands, the variables whose computed value also goes to other work-items, which need not wait for a guard: the guard
   * is placed where an operation reads the variable.
   */
  readonly unguarded: ReadonlySet<string>;
}

type Edges = Map<string, string[]>;

/**
 * The uses of each float of the statements.
 * @param zeros whether a test for 0 is an operation
 */
export function flowOf(body: readonly Stmt[], zeros = false): Flow {
  const sources: Edges = new Map();
  const targets: Edges = new Map();
  const computed: string[] = [];
  const arrays = new Set<string>();
  const goes = (name: string, sink: string): void => {
    link(sources, sink, name);
    link(targets, name, sink);
  };
  /** @param sink the destination of the float's value; if absent, only its bits are used */
  const visit = (e: Expr, sink: string | undefined): void => {
    const sum = sumOfHalves(e);
    if (sum) {
      for (const part of partsOf(sum)) visit(part, undefined);
      return;
    }
    const tested = zeros ? testedZero(e) : undefined;
    if (tested) {
      visit(tested, OPERATION);
      return;
    }
    const name = nameOf(e);
    if (name !== undefined && sink !== undefined && isShort(e)) goes(name, sink);
    const inner = isRounding(e) || widens(e) ? OPERATION : isShort(e) ? sink : undefined;
    for (const part of partsOf(e)) visit(part, isShort(part) ? inner : undefined);
  };
  for (const stmt of walk(body)) {
    if (stmt.kind === "load-row") goes(stmt.array, stmt.name);
    if ("array" in stmt) arrays.add(stmt.array);
    const target = targetOf(stmt);
    for (const e of exprsOf(stmt)) {
      const sink = isShort(e) ? target : undefined;
      if (sink !== undefined && !isUnknown(e)) computed.push(sink);
      visit(e, sink);
    }
  }
  const operands = reachable(sources, sources.get(OPERATION) ?? []);
  const shown = reachable(sources, sources.get(OTHERS) ?? []);
  const isUnguarded = (name: string): boolean => operands.has(name) && shown.has(name) && !arrays.has(name);
  return { operands, unguarded: reachable(targets, computed, isUnguarded) };
}

function link(edges: Edges, from: string, to: string): void {
  const known = edges.get(from);
  if (known) known.push(to);
  else edges.set(from, [to]);
}

/** The wanted names that edges lead to from others, which are among them. */
function reachable(
  edges: Edges,
  from: readonly string[],
  isWanted: (name: string) => boolean = () => true,
): ReadonlySet<string> {
  const found = new Set(from.filter(isWanted));
  // The loop also visits names that it adds.
  for (const name of found) for (const next of edges.get(name) ?? []) if (isWanted(next)) found.add(next);
  return found;
}

/** The variable or array that an expression reads. */
export function nameOf(e: Expr): string | undefined {
  if (e.kind === "var") return e.name;
  if (e.kind === "part") return e.of;
  return e.kind === "load" ? e.array : undefined;
}

/** The destination of the value that a statement writes; undefined if it writes none. */
export function targetOf(stmt: Stmt): string | undefined {
  if (stmt.kind === "intrinsic" || stmt.kind === "native") return OTHERS;
  if (stmt.kind === "store") return stmt.space === "work-group" ? OTHERS : stmt.array;
  if (stmt.kind === "store-row") return stmt.array;
  return stmt.kind === "let" || stmt.kind === "var" || stmt.kind === "assign" ? stmt.name : undefined;
}

/**
 * Values from memory, a launch or another work-item, and constants to which no algebraic rule applies. An integer that is
 * computed is not such a value: a compiler knows the value of `k & 0`.
 * @param unguarded variables with a computed value that has no guard yet
 */
export function isUnknown(e: Expr, unguarded: ReadonlySet<string> = NONE): boolean {
  if (e.kind === "const") return isPlain(e);
  if (e.kind === "select") return isUnknown(e.then, unguarded) && isUnknown(e.otherwise, unguarded);
  if (e.kind === "var") return !unguarded.has(e.name);
  return e.kind === "param" || e.kind === "part" || e.kind === "load";
}

const NONE: ReadonlySet<string> = new Set();

/** x + 0, x * 0 and expressions with a NaN or an infinity could be folded wrongly; other constants fold exactly or not at all. */
function isPlain({ type, value }: Extract<Expr, { kind: "const" }>): boolean {
  const magnitude = Math.abs(Number(decodeLiteral(type, value)));
  return magnitude >= LEAST_NORMAL[type as "f32"] && magnitude < Number.POSITIVE_INFINITY;
}
