/** Results that are one value for the whole range, and the outputs of these. */
import { isCollective, isPick } from "@groupwise/ir/document/collectives.js";
import type { BroadcastNode, SinkNode } from "@groupwise/ir/document/node.js";
import type { Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { u32 } from "@groupwise/kernel/language/make-expr.js";
import type { Kernel } from "@groupwise/kernel/language/module.js";
import { type Loop, pick } from "../../loops/items.ts";
import { type Component, fieldOf } from "../../parts/components.ts";
import { siteAt } from "../../parts/site.ts";
import { sinksAt } from "../../parts/stages.ts";
import { Values } from "../../parts/values.ts";
import { type Context, reducedAt, uniformsOf } from "./context.ts";
import { lengthOf, loopKernel, severalChunks } from "./shape.ts";
import { foldChunks } from "./totals.ts";

/** What is ready at a stage, before its pass. */
export interface Finish {
  readonly stage: number;
  readonly reduced: readonly Component[];
  readonly picks: readonly BroadcastNode[];
  readonly sinks: readonly SinkNode[];
}

/** Undefined if there is nothing. */
export function finishAt(context: Context, stage: number): Finish | undefined {
  const { checked, plan } = context;
  const reduced = reducedAt(context, stage);
  const picks = checked.pipeline.nodes
    .filter(isCollective)
    .filter(isPick)
    .filter((node) => node.scope === "device" && plan.ready[node.id] === stage);
  const sinks = sinksAt(plan, stage, ["uniform"]);
  return reduced.length + picks.length + sinks.length > 0 ? { stage, reduced, picks, sinks } : undefined;
}

/** Writes the results. @param resultsOf the values of a reduce */
export function writeResults(
  context: Context,
  code: Code,
  { reduced, picks, sinks, stage }: Finish,
  { uniforms, resultsOf }: { readonly uniforms: Loop["uniforms"]; resultsOf(of: Component): readonly Expr[] },
): void {
  const { plan, storage } = context;
  for (const component of reduced) {
    const results = resultsOf(component);
    for (const node of component.nodes) uniforms.set(node.id, results[fieldOf(node)] as Expr);
  }
  const loop: Loop = { ...context, uniforms, carrying: undefined, nexts: new Map(), ends: new Map() };
  for (const node of picks) uniforms.set(node.id, pick(loop, code, node));
  const values = new Values(siteAt(context, u32(0)), uniforms);
  const made = [...reduced.flatMap(({ nodes }) => nodes), ...picks];
  for (const { id } of made)
    if (plan.stored.has(id) && plan.ready[id] === stage) storage.materialize(id, values, code);
  for (const sink of sinks) storage.write(sink, values, code);
}

/** @param isMade whether the pass before has written the results of a range of one chunk */
export function finishKernel(context: Context, finish: Finish, isMade: boolean): Kernel {
  const { chunks, geometry } = context;
  const doc = ["Results for the whole range."];
  const groups = isMade ? severalChunks(chunks) : 1;
  return loopKernel(context, { hint: "finish", doc, groups }, (code) => {
    const length = lengthOf(code, geometry.n, chunks);
    writeResults(context, code, finish, {
      uniforms: uniformsOf(context, finish.stage - 1, code),
      resultsOf: (component) => foldChunks(context, code, component, length).latest,
    });
  });
}
