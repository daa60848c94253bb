/** Documents with unused computations, which the builder omits: inputs, results, and whole kernels. */
import type { Pipeline } from "@groupwise/core";
import { type NewNode, PipelineNodes } from "@groupwise/core/target";
import { bool, f32, pipeline, u32 } from "@groupwise/dsl";
import { type Case, caseOf } from "./base/case.ts";

/** A document of nodes, whose ids are their positions in the list. */
function documentOf(name: string, drafts: readonly NewNode[]): { readonly ir: Pipeline } {
  const list = new PipelineNodes();
  for (const node of drafts) list.add(node);
  return { ir: list.pipeline(name, [64]) };
}

const add = { op: "add", type: "u32", identity: 0, order: "fixed" } as const;

/** An input, a table, a parameter, and every collective, of which only `out` is read. */
const unread = documentOf("unread", [
  { kind: "input", name: "x", type: "u32" },
  { kind: "input", name: "y", type: "u32" },
  { kind: "table", name: "table", type: "u32" },
  { kind: "param", name: "factor", type: "u32" },
  { kind: "const", type: "u32", value: 3 },
  { kind: "broadcast", of: 0, index: [4], scope: "device" },
  { kind: "broadcast", of: 0, index: [4], scope: "work-group" },
  { kind: "reduce", of: 0, ...add, scope: "device" },
  { kind: "reduce", of: 0, ...add, scope: "work-group" },
  { kind: "scan-inclusive", of: 0, ...add, scope: "device" },
  { kind: "scan-exclusive", of: 0, ...add, scope: "work-group" },
  { kind: "gather", of: 9, index: 0 },
  { kind: "gather", of: 2, index: 0 },
  { kind: "query", query: "global-id", dimension: 0 },
  { kind: "output", name: "out", of: 13 },
]);

/** Collectives that a constant choice makes dead. */
const chosen = documentOf("dead-choices", [
  { kind: "input", name: "x", type: "u32" },
  { kind: "const", type: "bool", value: true },
  { kind: "const", type: "u32", value: 3 },
  { kind: "broadcast", of: 0, index: [2], scope: "device" },
  { kind: "select", condition: 1, then: 2, otherwise: 3 },
  { kind: "output", name: "ofBroadcast", of: 4 },
  { kind: "reduce", of: 0, ...add, scope: "device" },
  { kind: "select", condition: 1, then: 2, otherwise: 6 },
  { kind: "output", name: "ofReduce", of: 7 },
  { kind: "query", query: "global-id", dimension: 0 },
  { kind: "gather", of: 0, index: 9 },
  { kind: "select", condition: 1, then: 9, otherwise: 10 },
  { kind: "output", name: "ofGather", of: 11 },
]);

/** The same from the builder, with an unused input. */
const built = pipeline("dead-built", { x: u32, unread: f32 }, ({ x }, { index }) => ({
  ofBroadcast: bool(false)
    .select(x.broadcast(u32(0)), u32(7))
    .add(index()),
  ofReduce: bool(true).select(u32(5), x.reduce("max")),
  ofGather: bool(true).select(index(), x.at(index().add(1))),
}));

/** Only a broadcast, beside an output of constants. */
const broadcastAlone = documentOf("dead-broadcast", [
  { kind: "input", name: "x", type: "f32" },
  { kind: "const", type: "u32", value: 0 },
  { kind: "broadcast", of: 0, index: [1], scope: "device" },
  { kind: "const", type: "f32", value: 1.5 },
  { kind: "output", name: "halves", of: 3 },
]);

/** Nothing is written: the output keeps its initial zeros. */
const idle = documentOf("nothing-to-do", [
  { kind: "input", name: "x", type: "u32" },
  { kind: "const", type: "bool", value: false },
  { kind: "scatter", name: "kept", value: 0, slot: 0, where: 1 },
]);

export const DEAD: readonly Case[] = [
  caseOf(unread, "inputs, tables, parameters and results that nobody reads", { params: [{ factor: 3 }] }),
  caseOf(chosen, "results that a constant choice makes dead"),
  caseOf(built, "an input that nobody reads, and results that a constant choice makes dead"),
  caseOf(broadcastAlone, "a broadcast that nobody reads"),
  caseOf(idle, "a pipeline whose kernels have nothing to do"),
];
