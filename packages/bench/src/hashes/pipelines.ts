/** The pipelines whose results are compared by hash, and their data, which are functions of the index. */
import type { HostArray, Pipeline } from "@groupwise/core";
import { bool, f32, f64, operators, outputs, pipeline } from "@groupwise/dsl";
import { numbers } from "@groupwise/testkit/mpi";

/** An input: the type on the command line of `groupwise run`, and its values. */
export interface Input {
  readonly type: "f32" | "f64" | "bool";
  of(n: number): HostArray;
}

export interface Hashed {
  readonly name: string;
  readonly ir: Pipeline;
  readonly inputs: Readonly<Record<string, Input>>;
}

/** Values of many magnitudes and both signs, whose sum depends on the order. */
function wide(seed: number): () => number {
  const next = numbers(seed);
  return () => (next() - 0.5) * 2 ** Math.floor(next() * 20 - 10);
}

const wave: Input = { type: "f32", of: (n) => Float32Array.from({ length: n }, wide(1)) };
const doubles: Input = { type: "f64", of: (n) => Float64Array.from({ length: n }, wide(2)) };
/** Factors so close to 1 that products of millions are neither 0 nor infinite. */
const factors: Input = {
  type: "f32",
  of: (n) => {
    const next = numbers(3);
    return Float32Array.from({ length: n }, () => 1 + (next() - 0.5) * 2 ** -9);
  },
};
const starts: Input = {
  type: "bool",
  of: (n) => {
    const next = numbers(4);
    return Uint8Array.from({ length: n }, () => Number(next() < 0.001));
  },
};

const hashed = (definition: { readonly ir: Pipeline }, inputs: Hashed["inputs"]): Hashed => ({
  name: definition.ir.name,
  ir: definition.ir,
  inputs,
});

export const PIPELINES: readonly Hashed[] = [
  hashed(
    pipeline("add-f32", { x: f32 }, ({ x }) => ({
      sums: x.scanInclusive("add"),
      before: x.scanExclusive("add"),
      total: x.reduce("add"),
    })),
    { x: wave },
  ),
  hashed(
    pipeline("add-f64", { x: f64 }, ({ x }) => ({ sums: x.scanInclusive("add"), total: x.reduce("add") })),
    { x: doubles },
  ),
  hashed(
    pipeline("mul-f32", { x: f32 }, ({ x }) => ({
      products: x.scanInclusive("mul"),
      total: x.reduce("mul"),
    })),
    { x: factors },
  ),
  hashed(
    pipeline("affine-f32", { a: f32, b: f32 }, ({ a, b }) =>
      outputs({ trend: operators.affine(f32).scanInclusive({ a, b }) }),
    ),
    { a: factors, b: wave },
  ),
  hashed(
    pipeline("segmented-max", { x: f32, starts: bool }, ({ x, starts: segments }) => ({
      peaks: x.scanInclusive("max", { segments }),
    })),
    { x: wave, starts },
  ),
  hashed(
    pipeline("argmax", { x: f32 }, ({ x }, { index }) =>
      outputs({ best: operators.argmax(f32).scanInclusive({ value: x, index: index() }) }),
    ),
    { x: wave },
  ),
  hashed(
    pipeline("kept-f32", { x: f32, starts: bool }, ({ x, starts: where }) => {
      const into = {
        to: where.toU32().scanExclusive("add"),
        where,
        length: where.toU32().reduce("add"),
      };
      return { sums: x.scanInclusive("add").scatter(into), kept: x.scatter(into), total: x.reduce("add") };
    }),
    { x: wave, starts },
  ),
];
