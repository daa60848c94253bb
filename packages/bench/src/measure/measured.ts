/** The pipelines whose throughput is measured: all of one input `x` and one output `y`. */
import type { PipelineSource, Scalar } from "@groupwise/core";
import { f32, pipeline, u32 } from "@groupwise/dsl";

const options = { places: false } as const;

/** A pipeline whose throughput is measured. */
export interface Measured {
  readonly name: string;
  /** Without what keeps a compiler from merging float operations: what the guards cost. Its result may differ. */
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
  {
    name: "scan add u32",
    type: "u32",
    source: pipeline("scan-add-u32", { x: u32 }, ({ x }) => ({ y: x.scanInclusive("add") }), options),
    outputs: all,
  },
  {
    name: "scan add f32",
    type: "f32",
    source: pipeline("scan-add-f32", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }), options),
    outputs: all,
  },
  {
    name: "exclusive scan add u32",
    type: "u32",
    source: pipeline("exclusive-add-u32", { x: u32 }, ({ x }) => ({ y: x.scanExclusive("add") }), options),
    outputs: all,
  },
  {
    name: "exclusive scan add f32",
    type: "f32",
    source: pipeline("exclusive-add-f32", { x: f32 }, ({ x }) => ({ y: x.scanExclusive("add") }), options),
    outputs: all,
  },
  {
    name: "scan max f32",
    type: "f32",
    source: pipeline("scan-max-f32", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("max") }), options),
    outputs: all,
  },
  {
    name: "reduce add u32",
    type: "u32",
    source: pipeline("reduce-add-u32", { x: u32 }, ({ x }) => ({ y: x.reduce("add") }), options),
    outputs: one,
  },
  {
    name: "reduce add f32",
    type: "f32",
    source: pipeline("reduce-add-f32", { x: f32 }, ({ x }) => ({ y: x.reduce("add") }), options),
    outputs: one,
  },
];
