/**
 * Loops over vectors of items: maps, reduces and scans of one thread. A reduce that is exact in any order has several vectors of partial results; in the order of
 * floats, each step adds the even to the odd elements of two vectors, so that a block of items is a tree over aligned pairs.
 */

import type { Names } from "@groupwise/ir/base/names.js";
import { formOf, isScan } from "@groupwise/ir/document/collectives.js";
import type { Op } from "@groupwise/ir/tables/op.js";
import type { Scalar } from "@groupwise/ir/tables/scalar.js";
import type { Vectors } from "@groupwise/kernel/capabilities/capabilities.js";
import { Code } from "@groupwise/kernel/language/build.js";
import type { Expr, VarExpr } from "@groupwise/kernel/language/expr.js";
import { add, and, ne, permute, repeated, sub, u32 } from "@groupwise/kernel/language/make-expr.js";
import { operandsAt } from "../parts/components.ts";
import { siteOf } from "../parts/site.ts";
import { sinksAt } from "../parts/stages.ts";
import { SiteValues } from "../parts/values.ts";
import type { Span } from "./each.ts";
import type { Loop, Progress } from "./items.ts";
import { kindOf, type LoopKind, type LoopShape, SHORT, shapesOf } from "./shapes.ts";
import { Widening } from "./widening.ts";

/** A collective, and what the iterations carry besides its latest prefix: vectors of partial results, or the prefix as a vector. */
interface Wide {
  readonly kind: LoopKind;
  readonly progress: Progress;
  readonly carried: readonly VarExpr[];
  /** Whether partial results have fewer bits than the type. */
  readonly isShort: boolean;
}

/** What a loop over vectors is for. */
export interface Vectorised {
  readonly states: readonly Progress[];
  /** The place of an item in the order of the range. */
  placeOf(i: Expr): Expr;
  /** The same loop without vectors, for languages whose compilers may lack them. */
  otherwise?(code: Code, span: Span): void;
}

/** Statements before a loop, the loop, and where it ends. */
interface Attempt {
  readonly whole: Code;
  readonly loops: Code;
  readonly end: Expr;
}

/**
 * A loop over vectors of the first items of a span, if the capabilities have what it needs.
 * @returns where the remaining items begin
 */
export function vectorLoop(
  loop: Loop,
  stage: number,
  code: Code,
  { from, below }: Span,
  { states: given, placeOf, otherwise }: Vectorised,
): Expr | undefined {
  const { vectors } = loop;
  if (!vectors) return undefined;
  // A scan may be the operand of another one in the same loop.
  const states = given.toSorted((a, b) => Math.max(...a.component.of) - Math.max(...b.component.of));
  const made = firstPossible(
    shapesOf(loop, stage, vectors, states),
    { from, below },
    code,
    (inner, shape, span) => overVectors(loop, stage, inner, span, { vectors, shape, states, placeOf }),
  );
  if (!made) return undefined;
  const { whole, loops, end } = made;
  code.stmts.push(...whole.stmts);
  if (vectors.isOptional && otherwise)
    code.choice(
      "vectors",
      (inner) => inner.stmts.push(...loops.stmts),
      (inner) => otherwise(inner, { from, below: end }),
    );
  else code.stmts.push(...loops.stmts);
  return end;
}

/**
 * The loop over the first items of a span for the first shape with which it is possible.
 * @param make writes it, and returns whether vectors have all that it needs
 */
export function firstPossible(
  shapes: readonly LoopShape[],
  { from, below }: Span,
  { names }: Code,
  make: (code: Code, shape: LoopShape, span: Span) => boolean,
): Attempt | undefined {
  const attempt = (shape: LoopShape, own: Names): Attempt | undefined => {
    const [whole, loops] = [new Code(own), new Code(own)];
    const end = whole.let("whole", sub(below, and(sub(below, from), shape.width * shape.count - 1)));
    return make(loops, shape, { from, below: end }) ? { whole, loops, end } : undefined;
  };
  // Only one of them uses up names, and a vector shows whether several are possible.
  const isPossible = ({ width }: LoopShape): boolean =>
    attempt({ width, count: 1 }, names.fork()) !== undefined;
  const shape = shapes.length > 1 ? shapes.find(isPossible) : shapes[0];
  return shape && attempt(shape, names);
}

interface Making {
  readonly vectors: Vectors;
  readonly shape: LoopShape;
  readonly states: readonly Progress[];
  placeOf(i: Expr): Expr;
}

/** The loop over whole vectors. @returns whether vectors have all that it needs */
function overVectors(loop: Loop, stage: number, code: Code, { from, below }: Span, making: Making): boolean {
  const { vectors, shape, states } = making;
  const wides = states.map((one) => widened(code, one, making));
  let isPossible = true;
  const body = (inner: Code, first: Expr): void => {
    const widening = new Widening(vectors, shape.width, (first as VarExpr).name);
    iteration(loop, stage, inner, first, { ...making, wides, widening });
    isPossible = widening.isPossible;
  };
  code.for("i", from, below, body, shape.width * shape.count);
  for (const wide of wides) {
    if (wide.isShort) code.if(ne(from, below), (inner) => finish(inner, wide));
    else finish(code, wide);
  }
  return isPossible;
}

function widened(code: Code, progress: Progress, { vectors, shape: { width, count } }: Making): Wide {
  const kind = kindOf(progress) as LoopKind;
  const { component, state } = progress;
  const { op, type } = component.builtin as { readonly op: Op; readonly type: Scalar };
  const bytes = vectors.bytes / width;
  // Sums of short elements are whole.
  const isShort = bytes < 4 && op !== "add";
  const least = SHORT[op]?.(type === "i32", 8 * bytes) ?? 0;
  const identity: Expr = isShort
    ? { kind: "const", type, value: least }
    : (component.monoid.identity[0] as Expr);
  const start = kind === "scan" ? (state.latest[0] as Expr) : identity;
  const carried = Array.from({ length: { reduce: count, scan: 1, tree: 0 }[kind] }, () =>
    code.var(
      kind === "scan" ? "carry" : `${component.name}_part`,
      repeated(isShort || bytes >= 4 ? width : vectors.bytes / 4, start),
    ),
  );
  return { kind, progress, carried, isShort };
}

interface Iterating extends Making {
  readonly wides: readonly Wide[];
  readonly widening: Widening;
}

/** The work for the vectors of one iteration. */
function iteration(
  loop: Loop,
  stage: number,
  code: Code,
  first: Expr,
  { shape, wides, widening, placeOf }: Iterating,
): void {
  const leaves = wides.map((): Expr[] => []);
  const sinks = sinksAt(loop.plan, stage, ["item"]);
  for (let number = 0; number < shape.count; number++) {
    const at = add(first, number * shape.width);
    const values = new SiteValues(
      { ...siteOf(loop, loop.geometry.place(at)), number: number * shape.width, comparesPairs: false },
      loop.uniforms,
    );
    const scalar = new Code(code.names);
    const flush = (): void => void code.stmts.push(...widening.block(scalar.stmts.splice(0), at));
    for (const [k, wide] of wides.entries()) {
      const [operand] = operandsAt(wide.progress.component, values, scalar) as [Expr];
      flush();
      const value = widening.operand(operand, at);
      const vector = value.width === undefined ? repeated(shape.width, value) : value;
      if (wide.kind === "tree")
        (leaves[k] as Expr[]).push(code.named(`value${first === at ? "" : number * shape.width}`, vector));
      else if (wide.kind === "scan") scan(code, wide, vector, values);
      else {
        const part = wide.carried[number] as VarExpr;
        code.assign(part, both(code, wide, part, summed(code, wide, value, part.width as number, shape)));
      }
    }
    for (const sink of sinks) loop.storage.write(sink, values, scalar);
    flush();
  }
  for (const [k, { kind, progress }] of wides.entries()) {
    if (kind !== "tree") continue;
    const total = tree(code, wides[k] as Wide, leaves[k] as Expr[], shape.width);
    const size = u32(Math.log2(shape.width * shape.count));
    progress.state.pushBlock(code, code.named("at", placeOf(first)), [total], size);
  }
}

const both = (code: Code, { progress }: Wide, left: Expr, right: Expr): Expr =>
  progress.component.monoid.combine(code, [left], [right])[0] as Expr;

/** Every second of so many elements, from the first or the second one on. */
const alternate = (width: number, count: number, from: number): number[] =>
  Array.from({ length: width }, (_, i) => (2 * i + from) % count);

/** The items of vectors combined in a tree over aligned pairs. */
function tree(code: Code, wide: Wide, leaves: readonly Expr[], width: number): Expr {
  const all = leaves.length * width;
  const joined = (hint: string, count: number, left: Expr, right?: Expr): Expr => {
    const [even, odd] = [0, 1].map((from) => permute(alternate(width, count, from), left, right));
    return code.let(hint, both(code, wide, even as Expr, odd as Expr));
  };
  let level = leaves;
  while (level.length > 1) {
    const items = (2 * all) / level.length;
    level = Array.from({ length: level.length / 2 }, (_, i) =>
      joined(`totals${i * items}to${(i + 1) * items - 1}`, 2 * width, level[2 * i] as Expr, level[2 * i + 1]),
    );
  }
  let [last] = level as [Expr];
  for (let count = width; count > 2; count /= 2) last = joined("halves", count, last);
  return both(code, wide, permute([0], last), permute([1], last));
}

/** Sums of neighbours, until there are as many elements. */
function summed(code: Code, wide: Wide, value: Expr, width: number, shape: LoopShape): Expr {
  // The same value for all items is added to itself.
  const isSame = value.width === undefined;
  let sums = isSame ? repeated(width, value) : value;
  for (let count = shape.width; count > width; count /= 2) {
    const of = code.named(count === shape.width ? "value" : "sums", sums);
    const [even, odd] = isSame
      ? [of, of]
      : [0, 1].map((from) => permute(alternate(count / 2, count, from), of));
    sums = both(code, wide, even as Expr, odd as Expr);
  }
  return sums;
}

/** The prefixes of the items of a vector, in log2(width) steps, and the carry after them. */
function scan(code: Code, wide: Wide, vector: Expr, values: SiteValues): void {
  const { component } = wide.progress;
  const width = vector.width as number;
  const carry = wide.carried[0] as VarExpr;
  const none = repeated(width, component.monoid.identity[0] as Expr);
  const moved = (of: Expr, by: number): Expr =>
    permute(
      Array.from({ length: width }, (_, i) => width + i - by),
      none,
      of,
    );
  let sums = code.named("value", vector);
  for (let by = 1; by < width; by *= 2) sums = code.let("prefixes", both(code, wide, moved(sums, by), sums));
  for (const node of component.nodes.filter(isScan)) {
    const isExclusive = formOf(node) === "scan-exclusive";
    const inside = isExclusive ? moved(sums, 1) : sums;
    values.set(node.id, code.let(isExclusive ? "exclusive" : "inclusive", both(code, wide, carry, inside)));
  }
  const last = permute(Array<number>(width).fill(width - 1), sums);
  code.assign(carry, both(code, wide, carry, last));
}

/** The results of the items of all iterations, for those that remain. */
function finish(code: Code, wide: Wide): void {
  const { kind, carried, progress } = wide;
  const [{ width = 0 } = {}] = carried;
  const latest = progress.state.latest[0] as VarExpr;
  if (kind === "scan") code.assign(latest, permute([0], carried[0] as Expr));
  if (kind !== "reduce") return;
  let parts: readonly Expr[] = carried;
  while (parts.length > 1)
    parts = Array.from({ length: parts.length / 2 }, (_, i) =>
      code.let("part", both(code, wide, parts[2 * i] as Expr, parts[2 * i + 1] as Expr)),
    );
  let [part] = parts as [Expr];
  for (let by = width / 2; by >= 1; by /= 2) {
    const turned = Array.from({ length: width }, (_, i) => (i + by) % width);
    part = code.let("part", both(code, wide, part, permute(turned, part)));
  }
  code.assign(latest, both(code, wide, latest, permute([0], part)));
}
