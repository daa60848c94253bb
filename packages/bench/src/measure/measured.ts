/** The pipelines whose throughput is measured: all of one input `x` and one output `y`. */
import type { PipelineSource, Scalar } from "@groupwise/core";
import { type F32Value, f32, pipeline, u32 } from "@groupwise/dsl";

const options = { places: false } as const;

/** A pipeline whose throughput is measured. */
export interface Measured {
  readonly name: string;
  /** Without guards of float operations, to measure their cost. Its result may differ. */
  readonly unguarded?: boolean;
  readonly type: Scalar;
  readonly source: PipelineSource;
  /** Elements of the output. */
  readonly outputs: (n: number) => number;
}

const all = (n: number): number => n;
const one = (): number => 1;
/** Ten operations in a chain, between a load and a store. */
const TEN = pipeline(
  "map-of-ten",
  { x: f32 },
  ({ x }) => ({
    y: x.mul(1.5).add(3).mul(x).sub(x).add(0.25).mul(x).sub(1).mul(0.5).add(x).mul(1.25),
  }),
  options,
);
const TYPES = { u32, f32 };
/** A collective of either type; both have the same operators here. */
function collective(
  what: string,
  type: keyof typeof TYPES,
  of: (x: F32Value) => F32Value,
  outputs: Measured["outputs"] = all,
): Measured {
  const name = `${what} ${type}`;
  const inputs = { x: TYPES[type] as typeof f32 };
  const source = pipeline(name.replaceAll(" ", "-"), inputs, ({ x }) => ({ y: of(x) }), options);
  return { name, type, source, outputs };
}

/** Every measured pipeline. */
export const MEASURED: readonly Measured[] = [
  { name: "map of ten operations f32", type: "f32", source: TEN, outputs: all },
  { name: "map of ten operations f32, unguarded", type: "f32", source: TEN, outputs: all, unguarded: true },
  {
    name: "map of one operation f32",
    type: "f32",
    source: pipeline("map-of-one", { x: f32 }, ({ x }) => ({ y: x.add(3) }), options),
    outputs: all,
  },
  collective("scan add", "u32", (x) => x.scanInclusive("add")),
  collective("scan add", "f32", (x) => x.scanInclusive("add")),
  collective("exclusive scan add", "u32", (x) => x.scanExclusive("add")),
  collective("exclusive scan add", "f32", (x) => x.scanExclusive("add")),
  collective("scan max", "f32", (x) => x.scanInclusive("max")),
  collective("reduce add", "u32", (x) => x.reduce("add"), one),
  collective("reduce add", "f32", (x) => x.reduce("add"), one),
  collective("reduce max", "f32", (x) => x.reduce("max"), one),
];
