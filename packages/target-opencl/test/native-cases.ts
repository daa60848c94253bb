/** Work-group collectives whose results the language's own functions may give. */
import type { PipelineSource, Runtime, Scalar } from "@groupwise/core";
import { pipelineOf } from "@groupwise/core/target";
import { bf16, bool, f32, i32, param, pipeline, u32 } from "@groupwise/dsl";
import { collectivesOf, opsOf, runAll } from "@groupwise/testkit";

const group = { scope: "work-group" } as const;
const options = { workGroupSize: 64, places: false } as const;

const moved = pipeline(
  "moved",
  { a: i32, b: u32, c: f32, d: bool, at: param(u32) },
  ({ a, b, c, d, at }) => ({
    aAt: a.broadcast(at, group),
    bAt: b.broadcast(at, group),
    cAt: c.broadcast(at, group),
    dAt: d.broadcast(at, group),
    every: d.all(group),
    some: d.any(group),
  }),
  options,
);
/** Beside a float sum, which has an order, integers go by the same butterfly. */
const beside = pipeline(
  "beside",
  { a: i32, c: f32 },
  ({ a, c }) => ({ most: a.scanExclusive("max", group), sum: c.scanInclusive("add", group) }),
  options,
);

/** See QUIRKS.fixpoint. */
export const GREATER: PipelineSource = pipeline("greater", { x: f32, h: bf16 }, ({ x, h }) => ({
  y: bf16(x.max(h)),
}));

const typesOfInterest: readonly Scalar[] = ["i32", "u32", "bool", "f32"];

/** Every operator of a type at once, a few alone, and what moves values. */
export const NATIVE_CASES: readonly PipelineSource[] = [
  moved,
  beside,
  ...typesOfInterest.map((type) =>
    collectivesOf({ type, scope: "work-group", workGroupSize: 64, ops: opsOf(type) }),
  ),
  collectivesOf({ type: "i32", scope: "work-group", workGroupSize: 100, ops: ["add", "min", "max"] }),
  collectivesOf({ type: "u32", scope: "work-group", workGroupSize: 1, ops: ["add", "min"] }),
  collectivesOf({ type: "i32", scope: "work-group", workGroupSize: 2, ops: ["add", "min"] }),
  collectivesOf({ type: "u32", scope: "work-group", workGroupSize: 7, ops: ["max", "mul"] }),
];

/** In full runs all, else what moves values, and a group of no power of two. */
export const TRIED: readonly PipelineSource[] = NATIVE_CASES.filter(
  (_, i) => process.env.GROUPWISE_FULL || [0, 6].includes(i),
);
const SIZES = process.env.GROUPWISE_FULL ? [1, 6, 63, 64, 65, 1000] : [65, 1000];

/** Where a runtime's results differ from the reference's, in words. */
export async function nativeDifferences(
  runtime: Pick<Runtime, "compile">,
  cases: readonly PipelineSource[] = TRIED,
): Promise<string[]> {
  const found: string[] = [];
  for (const source of cases) {
    const ir = pipelineOf(source);
    const executable = await runtime.compile(ir);
    found.push(...(await runAll(executable, ir, SIZES, ir === moved.ir ? { at: 40 } : {})));
    executable.dispose();
  }
  return found;
}
