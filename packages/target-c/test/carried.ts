/** A pipeline with a scan of each kind, and what stands in its states. */
import type { HostArray } from "@groupwise/core";
import { SCALARS } from "@groupwise/core/target";
import { bool, f16, f32, f64, i64, operators, outputs, pipeline } from "@groupwise/dsl";

/** Rounding and exact operators, records that do not commute, segments, and numbers of items. */
export const carried = pipeline(
  "carried",
  { x: f32, d: f64, h: f16, l: i64, starts: bool },
  ({ x, d, h, l, starts }, { index }) => ({
    sums: x.scanInclusive("add"),
    doubles: d.scanExclusive("add"),
    products: x.mul(0.01).add(1).scanInclusive("mul"),
    ...outputs({ trend: operators.affine(f32).scanInclusive({ a: f32(0.9).perItem(), b: x.mul(0.1) }) }),
    peaks: x.scanInclusive("max", { segments: starts }),
    ...outputs({ best: operators.argmax(f32).scanInclusive({ value: x, index: index() }) }),
    halves: h.scanInclusive("add"),
    wide: l.scanInclusive("add"),
    least: l.reduce("min"),
    some: starts.any(),
    total: x.reduce("add"),
    numbers: index(),
  }),
);

/** Numbers from 0 to 1, the same for the same seed. */
export function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Inputs of many magnitudes and both signs, which no two groupings add alike. */
export function inputsOf(n: number, next: () => number): Record<string, HostArray> {
  const float = (): number => (next() - 0.5) * 2 ** Math.floor(next() * 20 - 10);
  const fill = <A extends HostArray>(array: A, make: () => number | bigint): A => {
    for (let i = 0; i < n; i++) (array as unknown as (number | bigint)[])[i] = make();
    return array;
  };
  return {
    x: fill(new Float32Array(n), float),
    d: fill(new Float64Array(n), float),
    h: fill(new Uint16Array(n), () => SCALARS.f16.toHost(next() - 0.5)),
    l: fill(new BigInt64Array(n), () => BigInt(Math.floor(float() * 2 ** 40))),
    starts: fill(new Uint8Array(n), () => Number(next() < 0.01)),
  };
}
