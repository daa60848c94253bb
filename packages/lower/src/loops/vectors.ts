/**
 * Loops over vectors of items: maps, reduces and scans of one thread. A reduce that is exact in any order has several vectors of partial results; in the order of
 * floats, each step adds the even to the odd elements of two vectors, so that a block of items is a tree over aligned pairs.
 */
import { formOf, isScan } from "@groupwise/ir/document/collectives.js";
import type { Vectors, VectorLoop } from "@groupwise/kernel/capabilities/capabilities.js";
import { Code } from "@groupwise/kernel/language/build.js";
import type { Expr, VarExpr } from "@groupwise/kernel/language/expr.js";
import { add, and, permute, sub, u32 } from "@groupwise/kernel/language/make-expr.js";
import { typeOfSink } from "@groupwise/ir/document/sink-type.js";
import { arraySpec } from "@groupwise/ir/tables/narrow.js";
import { operandsAt } from "../parts/components.ts";
import { siteOf } from "../parts/site.ts";
import { isPerGroup, sinksAt } from "../parts/stages.ts";
import { Values } from "../parts/values.ts";
import type { Span } from "./each.ts";
import type { Loop, Progress } from "./items.ts";
import { repeated, Widening } from "./widening.ts";

/** Vectors of one iteration: of a tree, and of other collectives, which then do not wait for one another. */
const OF_TREE = 8;
const OF_OTHERS = 4;
/** Nodes of a pipeline that are written out for each vector of an iteration. */
const MOST_NODES = 24;

/** A collective, and what the iterations carry besides its latest prefix: vectors of partial results, or the prefix as a vector. */
interface Wide {
  readonly kind: Exclude<VectorLoop, "map">;
  readonly progress: Progress;
  readonly carried: readonly VarExpr[];
}

function kindOf({ component: { nodes, monoid, builtin } }: Progress): Wide["kind"] | undefined {
  if (!builtin || monoid.types.includes("bool")) return undefined;
  if (nodes.some(isScan)) return monoid.reassociable && nodes.every(isScan) ? "scan" : undefined;
  return monoid.reassociable ? "reduce" : "tree";
}

/** The items of an iteration, and the vectors that they are. */
interface Shape {
  readonly width: number;
  readonly count: number;
}

/** Items of an iteration with a tree, at most: its first item has a place that is a multiple of it. */
export const mostInTree = ({ bytes }: Vectors): number => (OF_TREE * bytes) / 4;

/** Whether a collective needs places that are multiples of {@link mostInTree}. */
export const isTree = (progress: Progress): boolean => kindOf(progress) === "tree";

/**
 * A loop over vectors of the items of a span, if the capabilities have what it needs.
 * @param placeOf the place of an item in the order of the range
 * @returns where the remaining items begin
 */
export function inVectors(
  loop: Loop,
  stage: number,
  code: Code,
  span: Span,
  { states, placeOf }: { readonly states: readonly Progress[]; placeOf(i: Expr): Expr },
): Expr | undefined {
  const { vectors, checked, plan } = loop;
  const kinds = states.map(kindOf);
  const sinks = sinksAt(plan, stage, ["item", "group"]);
  const isPlain =
    !plan.materialized.has(stage) &&
    !states.some(({ component }) => component.nodes.some((node) => isScan(node) && plan.stored.has(node.id))) &&
    sinks.every((sink) => sink.kind === "output" && !isPerGroup(checked, sink));
  if (!vectors || !isPlain || states.length + sinks.length === 0) return undefined;
  const all: readonly (VectorLoop | undefined)[] = sinks.length > 0 && !kinds.includes("scan") ? ["map", ...kinds] : kinds;
  if (!all.every((kind) => kind !== undefined && vectors.loops.includes(kind))) return undefined;
  const isShort = checked.pipeline.nodes.length <= MOST_NODES;
  if (kinds.includes("tree") && !isShort) return undefined;
  const count = kinds.includes("tree") ? OF_TREE : isShort && states.length > 0 ? OF_OTHERS : 1;
  const types = [
    ...states.flatMap(({ component }) => component.monoid.types),
    ...sinks.map((sink) => typeOfSink(checked, sink)),
  ];
  const width = vectors.bytes / Math.max(...types.map((type) => arraySpec(type).hostBytes));
  if (width < 2) return undefined;
  const made = new Code(code.names);
  const rest = loopOf(loop, stage, made, span, { vectors, shape: { width, count }, states, placeOf });
  if (!rest) return undefined;
  if (!vectors.isOptional) {
    code.stmts.push(...made.stmts);
    return rest;
  }
  const done = code.var("done", span.from);
  code.choice(
    "vectors",
    (inner) => {
      inner.stmts.push(...made.stmts);
      inner.assign(done, rest);
    },
    () => {},
  );
  return done;
}

interface Making {
  readonly vectors: Vectors;
  readonly shape: Shape;
  readonly states: readonly Progress[];
  placeOf(i: Expr): Expr;
}

function loopOf(loop: Loop, stage: number, code: Code, { from, below }: Span, making: Making): Expr | undefined {
  const { vectors, shape, states } = making;
  const step = shape.width * shape.count;
  const whole = code.let("whole_vectors", sub(below, and(sub(below, from), step - 1)));
  const wides = states.map((one) => widened(code, one, shape));
  let isPossible = true;
  code.for(
    "i",
    from,
    whole,
    (body, first) => {
      const widening = new Widening(vectors, shape.width, (first as VarExpr).name);
      iteration(loop, stage, body, first, { ...making, wides, widening });
      isPossible = widening.isPossible;
    },
    step,
  );
  if (!isPossible) return undefined;
  for (const wide of wides) finish(code, wide, shape);
  return whole;
}

function widened(code: Code, progress: Progress, { width, count }: Shape): Wide {
  const kind = kindOf(progress) as Wide["kind"];
  const { component, state } = progress;
  const identity = component.monoid.identity[0] as Expr;
  const start = kind === "scan" ? (state.latest[0] as Expr) : identity;
  const carried = Array.from({ length: { reduce: count, scan: 1, tree: 0 }[kind] }, () =>
    code.var(kind === "scan" ? "carry" : `${component.name}_part`, repeated(width, start)),
  );
  return { kind, progress, carried };
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
    const values = new Values({ ...siteOf(loop, loop.geometry.place(at)), number: number * shape.width }, loop.uniforms);
    const scalar = new Code(code.names);
    const flush = (): void => void code.stmts.push(...widening.block(scalar.stmts.splice(0), at));
    for (const [k, wide] of wides.entries()) {
      const [operand] = operandsAt(wide.progress.component, values, scalar) as [Expr];
      flush();
      const value = widening.expr(operand, at);
      const vector = value.width === undefined ? repeated(shape.width, value) : value;
      if (wide.kind === "tree") (leaves[k] as Expr[]).push(code.named("value", vector));
      else if (wide.kind === "scan") scan(code, wide, vector, values);
      else {
        const part = wide.carried[number] as VarExpr;
        code.assign(part, both(code, wide, part, vector));
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
  let level = leaves;
  const joined = (count: number, left: Expr, right?: Expr): Expr => {
    const [even, odd] = [0, 1].map((from) => permute(alternate(width, count, from), left, right));
    return code.let("pairs", both(code, wide, even as Expr, odd as Expr));
  };
  while (level.length > 1)
    level = Array.from({ length: level.length / 2 }, (_, i) =>
      joined(2 * width, level[2 * i] as Expr, level[2 * i + 1]),
    );
  let [last] = level as [Expr];
  for (let count = width; count > 2; count /= 2) last = joined(count, last);
  return code.let("total", both(code, wide, permute([0], last), permute([1], last)));
}

/** The prefixes of the items of a vector, in log2(width) steps, and the carry after them. */
function scan(code: Code, wide: Wide, vector: Expr, values: Values): void {
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
function finish(code: Code, wide: Wide, { width }: Shape): void {
  const { kind, carried, progress } = wide;
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
