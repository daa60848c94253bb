/** A pipeline with a scan of each kind, and the content of its states. */
import type { HostArray, Pipeline } from "@groupwise/core";
import { SCALARS } from "@groupwise/core/target";
import { bool, f16, f32, f64, i64, operators, outputs, pipeline } from "@groupwise/dsl";
import { rounding } from "../data/random.ts";
import { layoutOf } from "./program.ts";

/** Rounding and exact operators, records that do not commute, segments, and numbers of items. */
export const carried: { readonly ir: Pipeline } = pipeline(
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

/** Inputs of many magnitudes and both signs, whose sums depend on the grouping. */
export function inputsOf(n: number, next: () => number): Record<string, HostArray> {
  const float = (): number => rounding(next);
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

/** The arrays in the order of the arguments. */
const { inputs, outputs: results } = layoutOf(carried.ir);
/** The arguments of a call in C, with the arrays of {@link ARRAYS} from an item on. */
export const callFrom = (from: string): string =>
  [
    ...inputs.map((bytes, i) => `(void *)(in[${i}] + ${from} * ${bytes})`),
    ...results.map(({ bytes, isPerItem }, i) =>
      isPerItem ? `(void *)(out[${i}] + ${from} * ${bytes})` : `(void *)out[${i}]`,
    ),
  ].join(", ");

/** In C: arrays of a number of items for all arguments. */
export const ARRAYS: string = `#include <stdio.h>
#include <stdlib.h>
enum { INPUTS = ${inputs.length}, OUTPUTS = ${results.length} };
static const size_t IN_BYTES[] = {${inputs.join(", ")}}, OUT_BYTES[] = {${results.map(({ bytes }) => bytes).join(", ")}};
static const int PER_ITEM[] = {${results.map(({ isPerItem }) => Number(isPerItem)).join(", ")}};
static char *in[INPUTS], *out[OUTPUTS];
static size_t out_bytes(int i, size_t n) { return OUT_BYTES[i] * (PER_ITEM[i] ? n : 1); }
static void make(size_t n) {
  for (int i = 0; i < INPUTS; i++) in[i] = malloc(IN_BYTES[i] * n + 1);
  for (int i = 0; i < OUTPUTS; i++) out[i] = malloc(out_bytes(i, n) + 1);
}
static void drop(void) {
  for (int i = 0; i < INPUTS; i++) free(in[i]);
  for (int i = 0; i < OUTPUTS; i++) free(out[i]);
}
`;

/** The bytes of an array. */
export const raw = (array: HostArray): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

/** The bytes of the outputs of a run, in the order of the arguments. */
export const outputBytes = (given: object): Uint8Array[] =>
  results.map(({ name }) => raw((given as Readonly<Record<string, HostArray>>)[name] as HostArray));
