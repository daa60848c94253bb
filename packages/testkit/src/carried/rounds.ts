/** Streams in rounds return the bits of the reference over the whole range. */
import {
  check,
  type HostArray,
  type Pipeline,
  type Runtime,
  reference,
  SCALAR_NAMES,
  type ScalarValue,
} from "@groupwise/core";
import { roundsOf, stream } from "@groupwise/core/state";
import { valueTypeOf } from "@groupwise/core/target";
import { describe, expect } from "vitest";
import { difference, toArray, toValues } from "../data/arrays.ts";
import { randomOf } from "../data/random.ts";
import { deviceTest, type Probe, sharedRuntime } from "../devices/require-device.ts";
import { anyValue } from "../random/make/case.ts";
import { backwards, circular, following, keyed, near, normalised, softmax, spreading } from "./pipelines.ts";

type Arrays = Readonly<Record<string, HostArray>>;

/** Inputs of n items; keys change seldom. */
function inputsOf(ir: Pipeline, n: number): Arrays {
  const random = randomOf("rounds", ir.name, n);
  const isTame = !ir.name.startsWith("spread");
  const of = (name: string, type: Parameters<typeof valueTypeOf>[0], i: number): ScalarValue => {
    if (name === "k") return random.chance(0.2) ? i : Math.floor(i / 9);
    if (name === "f") return random.pick([1, 1, 1, -0, 0, Number.NaN]);
    if (name === "weight") return random.int(0, 2 ** 31);
    if (isTame && valueTypeOf(type) === "f32") return Math.fround((random.unit() - 0.5) * 20);
    if (isTame && valueTypeOf(type) === "f64") return (random.unit() - 0.5) * 2 ** random.int(-9, 30);
    return anyValue(valueTypeOf(type), random);
  };
  return Object.fromEntries(
    check(ir).inputs.map(({ name, type }) => [
      name,
      toArray(
        type,
        Array.from({ length: n }, (_, i) => of(name, type, i)),
      ),
    ]),
  );
}

/** The outputs that differ from those of the reference. */
async function differing(
  runtime: Runtime,
  ir: Pipeline,
  n: number,
  size: number,
  count?: number,
): Promise<readonly string[]> {
  const checked = check(ir);
  const arrays = inputsOf(ir, n);
  const values = Object.fromEntries(
    checked.inputs.map(({ name, type }) => [name, toValues(type, arrays[name] as HostArray)]),
  );
  const whole = reference(checked, { n, inputs: values });
  const found = new Set<string>();
  const { order } = roundsOf(ir);
  let from = 0;
  function* chunks({ inputs }: { readonly inputs: readonly string[] }): Generator<Arrays> {
    const starts = Array.from({ length: Math.ceil(n / size) }, (_, i) => i * size);
    for (const at of order === "backwards" ? starts.toReversed() : starts)
      yield Object.fromEntries(
        inputs.map((name) => [name, (arrays[name] as HostArray).subarray(at, at + size)]),
      );
  }
  const options = {
    ...(count !== undefined && { n: count }),
    ...(order === "backwards" && { from: "end" as const }),
  };
  for await (const { outputs, state } of stream(runtime, ir, chunks, options)) {
    const to = Number(state.to);
    const part = order === "backwards" ? ([n - to, n - from] as const) : ([from, to] as const);
    for (const { name, id } of checked.sinks) {
      const all = whole[name] as ScalarValue[];
      const isPerItem = checked.uniformities[id] === "item";
      if (!isPerItem && to < n) continue;
      const want = toArray(checked.types[id] as never, isPerItem ? all.slice(...part) : all);
      const got = (outputs as Arrays)[name] as HostArray;
      if (difference(checked.types[id] as never, got, want)) found.add(`${name} from ${from}`);
    }
    from = to;
  }
  expect(from).toBe(n);
  return [...found];
}

/** Lengths of chunks, and numbers of items. */
const CHUNKS = [
  [1, 23],
  [7, 150],
  [1000, 2500],
] as const;
const PIPELINES = [
  [softmax, 3],
  [normalised, 3],
  [keyed, 1],
  [near, 1],
  [following, 1],
  [circular, 2],
  [backwards, 2],
] as const;

const FEW = PIPELINES.filter(([ir]) => [softmax, circular, backwards].includes(ir));
const FEW_TYPES = ["i64", "f32"] as const;

const roundsIn = (ir: Pipeline): number => roundsOf(ir).list.length;

/** Tests that a runtime returns in rounds over chunks the bits of the whole range. @param few only some of them, for slow devices */
export function rounds(title: string, probe: Probe<Runtime>, few: boolean = false): void {
  describe(`${title} runs in rounds`, () => {
    const open = sharedRuntime(probe);
    for (const [ir, count] of few ? FEW : PIPELINES)
      deviceTest(`${ir.name} has the bits of the whole range`, open, async (runtime) => {
        expect(roundsIn(ir)).toBe(count);
        for (const [size, n] of few ? CHUNKS.slice(1) : CHUNKS)
          expect(await differing(runtime, ir, n, size)).toEqual([]);
        expect(await differing(runtime, ir, 1, 5, 1)).toEqual([]);
        expect(await differing(runtime, ir, 40, 9, 40)).toEqual([]);
      });
    for (const type of few ? FEW_TYPES : SCALAR_NAMES)
      deviceTest(`results of ${type} reach all items unchanged`, open, async (runtime) => {
        const ir = spreading(type);
        expect(roundsIn(ir)).toBe(2);
        for (const n of [1, 2, 3, 30]) expect(await differing(runtime, ir, n, 4)).toEqual([]);
      });
  });
}
