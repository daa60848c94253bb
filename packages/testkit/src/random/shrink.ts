/** Smaller cases that may fail for the same reason; fast-check traverses them. */
import { check, type Literal, type Pipeline, type PipelineNode, problemsOf } from "@groupwise/core";
import { isSink, itemsIn, mapOperands, operandsOf, PipelineNodes } from "@groupwise/core/target";
import * as fc from "fast-check";
import { sinksOf, withOutputs, withoutDead } from "../data/parts.ts";
import { type Random, randomOf } from "../data/random.ts";
import type { RandomCase } from "./make/case.ts";

/** The same nodes, those that use `id` using `by` instead. */
function substituted(pipeline: Pipeline, id: number, by: number): Pipeline {
  const nodes = pipeline.nodes.map((node) => mapOperands(node, (used) => (used === id ? by : used)));
  return withoutDead({ ...pipeline, nodes });
}

/** The pipeline without one node that nothing uses. */
function dropped(pipeline: Pipeline, id: number): Pipeline {
  const list = new PipelineNodes();
  const moved = pipeline.nodes.map((_, used) => (used > id ? used - 1 : used));
  for (const node of pipeline.nodes) if (node.id !== id) list.move(node, moved);
  return { ...pipeline, nodes: list.nodes };
}

/** Nodes that no output needs may cause the failure, so they are removed one by one too. */
function* fewerUnused({ pipeline, run }: RandomCase): Generator<RandomCase> {
  yield { pipeline: withoutDead(pipeline), run };
  const used = new Set(pipeline.nodes.flatMap(operandsOf));
  for (const { id } of pipeline.nodes.toReversed())
    if (!used.has(id)) yield { pipeline: dropped(pipeline, id), run };
}

function* fewerOutputs({ pipeline, run }: RandomCase): Generator<RandomCase> {
  const names = sinksOf(pipeline);
  if (names.length < 2) return;
  const half = names.length >> 1;
  const parts = names.length > 3 ? [names.slice(0, half), names.slice(half)] : [];
  for (const part of [...parts, ...names.map((name) => [name])])
    yield { pipeline: withoutDead(withOutputs(pipeline, new Set(part))), run };
}

function* fewerItems({ pipeline, run }: RandomCase): Generator<RandomCase> {
  const { globalSize, globalOffset, from = 0, ...rest } = run;
  if (globalOffset?.some((offset) => offset !== 0)) yield { pipeline, run: { ...rest, from, globalSize } };
  const own = { ...rest, ...(globalOffset && { globalOffset }) };
  for (const [dimension, side] of globalSize.entries()) {
    const sides = (length: number): number[] => globalSize.map((s, d) => (d === dimension ? length : s));
    for (const length of new Set([1, side >> 1, side - (side >> 2), side - 1]))
      if (length < side && length > 0) {
        yield { pipeline, run: { ...own, from, globalSize: sides(length) } };
        if (globalSize.length === 1)
          yield { pipeline, run: { ...own, from: from + side - length, globalSize: sides(length) } };
      }
  }
}

const SIMPLE: readonly Literal[] = [0, 1, "0", "1", false];

function* simplerNode({ pipeline, run }: RandomCase, id: number): Generator<RandomCase> {
  const { types } = check(pipeline);
  const node = pipeline.nodes[id] as PipelineNode;
  if (isSink(node) || node.kind === "table") return;
  const type = types[id];
  // Replaces it by a part of it, or a part of a part.
  const below = [
    ...new Set(
      operandsOf(node).flatMap((used) => [used, ...operandsOf(pipeline.nodes[used] as PipelineNode)]),
    ),
  ];
  for (const used of below)
    if (types[used] === type && pipeline.nodes[used]?.kind !== "table")
      yield { pipeline: substituted(pipeline, id, used), run };
  if (node.kind === "input" || node.kind === "const") return;
  for (const other of pipeline.nodes)
    if (other.id < id && other.kind === "input" && other.type === type)
      yield { pipeline: substituted(pipeline, id, other.id), run };
  for (const value of SIMPLE) {
    const constant = { id, kind: "const", type: type ?? "u32", value } as const;
    const nodes = pipeline.nodes.map((other) => (other.id === id ? constant : other));
    yield { pipeline: withoutDead({ ...pipeline, nodes }), run };
  }
}

function* simplerNodes(one: RandomCase): Generator<RandomCase> {
  for (let id = one.pipeline.nodes.length - 1; id >= 0; id--) yield* simplerNode(one, id);
}

function* smallerGroups({ pipeline, run }: RandomCase): Generator<RandomCase> {
  for (const [dimension, side] of pipeline.workGroupSize.entries())
    for (const length of new Set([1, side >> 1]))
      if (length > 0 && length < side) {
        const workGroupSize = pipeline.workGroupSize.map((s, d) => (d === dimension ? length : s));
        yield { pipeline: { ...pipeline, workGroupSize }, run };
      }
}

/** A measure that every step of shrinking lowers, so that it ends. */
function sizeOf({ pipeline, run }: RandomCase): number {
  const parts = pipeline.nodes.reduce(
    (sum, node) =>
      sum + 4 + operandsOf(node).length + (node.kind === "const" ? -1 : node.kind === "input" ? -0.5 : 0),
    0,
  );
  const offsets = (run.globalOffset ?? []).filter((offset) => offset !== 0).length;
  const sides = pipeline.workGroupSize.reduce((sum, side) => sum + Math.log2(side), 0);
  return parts + offsets + Math.log2(1 + itemsIn(run.globalSize)) / 8 + sides / 16;
}

/** Every valid case that is one step smaller, the greatest steps first. */
export function* smaller(one: RandomCase): Generator<RandomCase> {
  const size = sizeOf(one);
  for (const steps of [fewerOutputs, fewerUnused, simplerNodes, fewerItems, smallerGroups])
    for (const step of steps(one))
      if (sizeOf(step) < size && problemsOf(step.pipeline).length === 0) yield step;
}

/** Cases for fast-check: made by a function of random numbers, shrunk by {@link smaller}. */
export class CaseArbitrary extends fc.Arbitrary<RandomCase> {
  private readonly make: (random: Random) => RandomCase;

  constructor(make: (random: Random) => RandomCase) {
    super();
    this.make = make;
  }

  generate(source: fc.Random): fc.Value<RandomCase> {
    return new fc.Value(this.make(randomOf(source.nextInt())), undefined);
  }

  canShrinkWithoutContext(value: unknown): value is RandomCase {
    return typeof value === "object" && value !== null && "pipeline" in value;
  }

  shrink(value: RandomCase): fc.Stream<fc.Value<RandomCase>> {
    return fc.stream(smaller(value)).map((one) => new fc.Value(one, undefined));
  }
}

/** The smallest case found within a time that still fails, beginning with one that does. */
export async function smallest(
  one: RandomCase,
  fails: (one: RandomCase) => Promise<boolean>,
  milliseconds: number,
): Promise<RandomCase> {
  const end = performance.now() + milliseconds;
  const cases = new CaseArbitrary(() => one);
  const holds = async (tried: RandomCase): Promise<boolean> =>
    performance.now() > end || !(await fails(tried));
  const result = await fc.check(fc.asyncProperty(cases, holds), { examples: [[one]], numRuns: 1, seed: 1 });
  return result.counterexample?.[0] ?? one;
}
