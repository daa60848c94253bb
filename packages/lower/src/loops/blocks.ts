/**
 * Exact scans, eight items at a time. The items of a block are combined with one another first, so that the chain from block to
 * block is one combine, and the prefixes are independent of one another.
 */
import { formOf, isScan } from "@groupwise/ir/document/collectives.js";
import type { PipelineNode } from "@groupwise/ir/document/node.js";
import type { Code } from "@groupwise/kernel/language/build.js";
import type { Expr, VarExpr } from "@groupwise/kernel/language/expr.js";
import { add } from "@groupwise/kernel/language/make-expr.js";
import { operandsAt } from "../parts/components.ts";
import { named } from "../parts/monoid.ts";
import { siteOf } from "../parts/site.ts";
import { isPerGroup, sinksAt } from "../parts/stages.ts";
import { SiteValues } from "../parts/values.ts";
import { UNROLLED } from "./counter.ts";
import type { Loop, Progress } from "./items.ts";

/** Nodes of a pipeline that are written out for each item. */
const MOST_NODES = 12;
/** Nodes whose text is short, and that do not read the number of the item. */
const SHORT: ReadonlySet<PipelineNode["kind"]> = new Set<PipelineNode["kind"]>([
  "input",
  "const",
  "param",
  "unary",
  "binary",
  "select",
  "cast",
  "reduce",
  "scan-inclusive",
  "scan-exclusive",
  "output",
]);

/** The scan of a loop if it is faster in blocks: the only collective of a loop that only writes items of outputs. */
export function inBlocks(
  { checked, plan, blockScans = {} }: Loop,
  stage: number,
  states: readonly Progress[],
): Progress | undefined {
  const [first, ...others] = states;
  const { builtin, nodes = [] } = first?.component ?? {};
  if (!builtin || others.length > 0 || !blockScans[builtin.op]?.includes(builtin.type)) return undefined;
  const { nodes: all } = checked.pipeline;
  const sinks = sinksAt(plan, stage, ["item", "group"]);
  const isShort =
    all.length <= MOST_NODES &&
    all.every(({ kind }) => SHORT.has(kind)) &&
    nodes.some(isScan) &&
    !plan.materialized.has(stage) &&
    !nodes.some(({ id }) => plan.stored.has(id)) &&
    sinks.every((sink) => sink.kind === "output" && !isPerGroup(checked, sink));
  return isShort ? first : undefined;
}

/** The work of one iteration for {@link UNROLLED} items. */
export function blockOfItems(
  loop: Loop,
  stage: number,
  code: Code,
  first: Expr,
  { component, state: { latest } }: Progress,
): void {
  const { monoid, nodes } = component;
  const combine = (hint: string, left: readonly Expr[], right: readonly Expr[]): readonly Expr[] =>
    named(code, monoid, hint, monoid.combine(code, left, right));
  let total: readonly Expr[] = [];
  const items = Array.from({ length: UNROLLED }, (_, j) => {
    const place = loop.geometry.place(j === 0 ? first : add(first, j));
    const values = new SiteValues(siteOf(loop, place), loop.uniforms);
    const own = operandsAt(component, values, code).map((value) => code.let("value", value));
    total = j === 0 ? own : combine(`total0to${j}`, total, own);
    return { values, total };
  });
  /** Of the first items of the block. */
  const prefixes: (readonly Expr[])[] = [latest];
  const prefix = (count: number): readonly Expr[] => {
    prefixes[count] ??= combine(`prefix${count}`, latest, items[count - 1]?.total ?? []);
    return prefixes[count] as readonly Expr[];
  };
  for (const [j, { values }] of items.entries()) {
    for (const node of nodes.filter(isScan))
      values.set(node.id, prefix(formOf(node) === "scan-exclusive" ? j : j + 1)[0] as Expr);
    for (const sink of sinksAt(loop.plan, stage, ["item"])) loop.storage.write(sink, values, code);
  }
  code.assignAll(latest as readonly VarExpr[], prefix(UNROLLED));
}
