/**
 * What it costs to read, check, lower, print and explain a document grows no faster than its nodes and what is
 * emitted. Work is counted, not timed.
 */
import { emit, explain, type Pipeline, plan, printExplanation } from "@groupwise/core";
import { parsePipeline, pipelineJsonSchema } from "@groupwise/core/schema";
import type { NodeKind } from "@groupwise/core/target";
import { js } from "@groupwise/target-js";
import { opencl } from "@groupwise/target-opencl";
import { wgsl } from "@groupwise/target-wgsl";
import { FAMILIES, kindsOf, operatorOfNodes, operatorOfSize, workOf } from "@groupwise/testkit";
import { describe, expect, it } from "vitest";

const [SMALL, MIDDLE, LARGE] = process.env.GROUPWISE_FULL ? [500, 1000, 2000] : [70, 140, 280];
/** Twice the nodes, twice the work; tables and chains begin anew at sizes of their own. */
const TOLERANCE = 1.25;

const lengthOf = (document: Pipeline, target: typeof js): number =>
  emit(document, target).files.reduce((sum, { text }) => sum + text.length, 0);
const STEPS: Readonly<Record<string, (document: Pipeline, text: string) => number>> = {
  parse: (_, text) => {
    parsePipeline(text);
    return text.length;
  },
  explain: (document) => printExplanation(explain(plan(document, js), { n: 100 })).length,
  ...Object.fromEntries(
    [js, wgsl, opencl].map((target) => [target.name, (document: Pipeline) => lengthOf(document, target)]),
  ),
};

/** Work of a step by the size of the document; undefined where a limit refuses it. */
function measured(
  family: (size: number) => Pipeline,
  size: number,
  step: string,
): { work: number; length: number } | undefined {
  const document = family(size);
  const text = JSON.stringify(document);
  try {
    const { work, result } = workOf(() => STEPS[step]?.(document, text) as number);
    return { work, length: text.length + result };
  } catch (error) {
    expect((error as { code?: string }).code).toMatch(/^(device-limit|too-large)$/);
    return undefined;
  }
}

const CHOSEN = Object.entries({ ...FAMILIES, "operator of many nodes": operatorOfNodes });
// A stage of a GPU's scan is a text of kilobytes: chains of them are for full runs.
const isShort = ([name]: readonly [string, unknown]): boolean =>
  Boolean(process.env.GROUPWISE_FULL) || !/in a chain|fold|operator|user-collective|rank/.test(name);
/** Of texts for GPUs every other family, of explanations every fourth, outside of full runs; of OpenCL C always every other, whose lowering is WGSL's. JavaScript has all. */
const isTurn =
  (step: string) =>
  (_: unknown, i: number): boolean =>
    process.env.GROUPWISE_FULL ? step !== "opencl" || i % 2 === 1 : i % (step === "explain" ? 4 : 2) === 0;

// OpenCL has WGSL's lowering.
const RUN = Object.keys(STEPS).filter((step) => step !== "opencl" || process.env.GROUPWISE_FULL);
describe.each(RUN)("%s", (step) => {
  const isGpu = step === "wgsl" || step === "opencl";
  const families = isGpu ? CHOSEN.filter(isShort) : CHOSEN;
  it.each(isGpu || step === "explain" ? families.filter(isTurn(step)) : families)("%s", (_, family) => {
    measured(family, SMALL, step); // what is made once, at the first call
    const [small, middle, large] = [SMALL, MIDDLE, LARGE].map((size) => measured(family, size, step));
    if (!small || !middle || !large) return;
    // What is there at any size cancels.
    const grown = (large.work - middle.work) / (middle.work - small.work);
    const expected = (LARGE - MIDDLE) / (MIDDLE - SMALL);
    const emitted = (large.length - middle.length) / (middle.length - small.length);
    expect(grown).toBeLessThan(TOLERANCE * Math.max(expected, emitted));
  });
});

it("a quadratic step is detected", () => {
  const quadratic = (n: number): number => {
    const list = Array.from({ length: n }, (_, i) => i);
    return workOf(() => list.map((i) => list.includes(i))).work;
  };
  expect((quadratic(400) - quadratic(200)) / (quadratic(200) - quadratic(100))).toBeGreaterThan(3);
});

it("every kind of node has a family", () => {
  const kinds = (pipelineJsonSchema() as { $defs: Record<string, unknown> }).$defs;
  const all = Object.keys(kinds).filter((kind) => !["operator", "left", "right"].includes(kind));
  expect([...kindsOf(FAMILIES)].sort()).toEqual(all.sort() as NodeKind[]);
});

describe("limits refuse", () => {
  const chain = FAMILIES.unary as (size: number) => Pipeline;
  const codeOf = (act: () => unknown): string | undefined => {
    try {
      act();
    } catch (error) {
      return (error as { code?: string }).code;
    }
    return undefined;
  };

  it.each([4097, 10_000, 100_000])("a chain of %i nodes, by its length alone", (size) => {
    const document = chain(size);
    const { work, result } = workOf(() => codeOf(() => parsePipeline(document)));
    expect(result).toBe("too-large");
    expect(codeOf(() => emit(document, js))).toBe("too-large");
    expect(work).toBeLessThan(1000);
  });

  it("collectives that expand an operator too often, but not the next smaller one", () => {
    const folds = (count: number, nodes: number): Pipeline => {
      const made = (FAMILIES["user-collective"] as (size: number) => Pipeline)(4 * count + 3);
      return { ...made, operators: [operatorOfSize(2, nodes)] };
    };
    expect(codeOf(() => parsePipeline(folds(10, 100)))).toBe(undefined);
    expect(codeOf(() => parsePipeline(folds(100, 100)))).toBe("too-large");
  });

  it("one list that occurs in a document a million times", () => {
    const shared = Array.from({ length: 1000 }, () => 1);
    const document = { nodes: Array.from({ length: 3000 }, () => shared) };
    expect(codeOf(() => parsePipeline(document))).toBe("too-large");
  });
});

it("a chain of 4,095 nodes is emitted without recursion of that depth", () => {
  expect(lengthOf((FAMILIES.unary as (size: number) => Pipeline)(4095), wgsl)).toBeGreaterThan(4095 * 4);
  const gathers = FAMILIES["gather of gathers"] as (size: number) => Pipeline;
  expect(lengthOf(gathers(4095), js)).toBeGreaterThan(4095 * 10);
});
