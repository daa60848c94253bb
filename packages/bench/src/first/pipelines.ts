/** Pipelines whose first runs are timed, with inputs whose results follow from their indexes. */
import { f32, type PipelineDefinition, pipeline, u32 } from "@groupwise/dsl";
import { compact } from "@groupwise/primitives";

export const FIRST_TARGETS = ["cuda", "opencl", "wgsl", "c"] as const;
export type FirstTarget = (typeof FIRST_TARGETS)[number];
export type FirstName = "sums of f32" | "compaction";

interface FirstPipeline {
  readonly source: PipelineDefinition;
  values(n: number): Readonly<Record<string, Float32Array | Uint32Array | Uint8Array>>;
  /** What its output must hold, and the value of each element. */
  readonly output: string;
  length(n: number): number;
  readonly at: (i: number) => number;
}

/** Every so many items there is a one: sums are below 2^24 up to 2^30 items. */
const APART = 64;
const KEPT = 3;

export const FIRST: Readonly<Record<FirstName, FirstPipeline>> = {
  "sums of f32": {
    source: pipeline("first-sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") })) as never,
    values: (n) => ({ x: Float32Array.from({ length: n }, (_, i) => Number(i % APART === 0)) }),
    output: "y",
    length: (n) => n,
    at: (i) => Math.floor(i / APART) + 1,
  },
  compaction: {
    source: compact(u32) as never,
    values: (n) => ({
      x: Uint32Array.from({ length: n }, (_, i) => i),
      keep: Uint8Array.from({ length: n }, (_, i) => Number(i % KEPT === 0)),
    }),
    output: "kept",
    length: (n) => Math.ceil(n / KEPT),
    at: (i) => KEPT * i,
  },
};

/** The first difference of a result; undefined if there is none. */
export function wrongOf(
  name: FirstName,
  n: number,
  results: Readonly<Record<string, unknown>>,
): string | undefined {
  const { output, length, at } = FIRST[name];
  const got = results[output] as ArrayLike<number>;
  if (got.length !== length(n)) return `${output} has ${got.length} elements, not ${length(n)}`;
  for (let i = 0; i < got.length; i++)
    if (got[i] !== at(i)) return `${output}[${i}] is ${got[i]}, not ${at(i)}`;
  return undefined;
}
