/** Chunks of streams on several threads and runtimes: the bits of one run over the whole range on one thread. */
import { check, GroupwiseError, type HostArray, type Pipeline, type Runtime } from "@groupwise/core";
import {
  acrossRuntimes,
  type ChunkRuntimes,
  decodeState,
  divisionOf,
  encodeState,
  type State,
  stepper,
  stream,
} from "@groupwise/core/state";
import { f32, pipeline, scalar } from "@groupwise/dsl";
import { found } from "@groupwise/testkit/devices";
import { carriable, pipelineCase, valuesOf } from "@groupwise/testkit/random";
import { compactionRuns, type Density, states } from "@groupwise/testkit/states";
import { afterAll, describe, expect, it } from "vitest";
import { jsRuntime } from "../src/runtime.ts";
import { workersRuntime } from "../src/workers/make.ts";
import { type OpenPort, portsHere } from "../src/workers/port.ts";
import { jsWorkersRuntime } from "../src/workers/runtime.ts";
import { hashesOf, PARTED, valuesFor } from "./fixtures/parted.ts";

states("JavaScript, 3 workers", async () => found(jsWorkersRuntime({ workers: 3, leastItems: 0 })));

const one = jsRuntime();
const several = [1, 2, 3].map((workers) => jsWorkersRuntime({ workers, leastItems: 0 }));
const across = [
  acrossRuntimes([one]),
  acrossRuntimes([one, one, one], { shares: [2, 0, 1] }),
  acrossRuntimes([one, several[1] as Runtime]),
];
afterAll(() => {
  for (const runtime of several) runtime.dispose();
});

type Values = Readonly<Record<string, unknown>>;

/** Random cuts, with chunks of 0 and 1 items and of all sizes. */
function cutsOf(n: number, seed: number): number[] {
  const at = (i: number): number => Math.floor((Math.abs(Math.sin(seed * 7 + i) * 1e4) % 1) * (n + 1));
  const some = Array.from({ length: seed % 4 }, (_, i) => at(i));
  return [0, 0, Math.min(1, n), ...some, n].sort((a, b) => a - b);
}

const isNotCarried = (error: unknown): boolean =>
  error instanceof GroupwiseError && error.code === "not-carried";

/** The outputs of a stream, joined, as hashes. The state between two chunks is encoded and decoded. */
async function streamed(
  runtime: Runtime | ChunkRuntimes,
  ir: Pipeline,
  values: Values,
  cuts: readonly number[],
): Promise<Readonly<Record<string, string>>> {
  const { inputs, sinks, uniformities } = check(ir);
  const names = inputs.map(({ name }) => name);
  const steps = await stepper(runtime, ir);
  const parts: Record<string, HostArray>[] = [];
  let state: State = steps.start;
  for (const [i, from] of cuts.slice(0, -1).entries()) {
    const cut = names.map((name) => [name, (values[name] as HostArray).subarray(from, cuts[i + 1])]);
    const step = await steps.step({ ...values, ...Object.fromEntries(cut) } as never, { state });
    parts.push(step.outputs as Record<string, HostArray>);
    state = decodeState(encodeState(step.state));
  }
  steps.dispose();
  const joined = sinks.map(({ id, name }) => {
    const arrays = parts.map((part) => part[name] as HostArray);
    const last = arrays.at(-1) as HostArray;
    if (uniformities[id] !== "item") return [name, last];
    const whole = new (last.constructor as Float32ArrayConstructor)(arrays.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const array of arrays as unknown as Float32Array[]) {
      whole.set(array, at);
      at += array.length;
    }
    return [name, whole];
  });
  return hashesOf(Object.fromEntries(joined));
}

/** A random pipeline with inputs whose chunks are carried in one round, and the hashes of its run. */
async function randomOf(seed: number) {
  const { pipeline: made, run } = pipelineCase(seed % 4 ? "small" : "large", "workers", seed);
  if (made.workGroupSize.length > 1) return undefined;
  const ir = carriable(made);
  if (check(ir).inputs.length === 0) return undefined;
  const { globalOffset: _, ...rest } = run;
  const { values } = valuesOf({ pipeline: ir, run: rest }, true);
  const [n = 0] = run.globalSize;
  try {
    (await stepper(one, ir)).dispose();
  } catch (error) {
    if (isNotCarried(error)) return undefined;
    throw error;
  }
  const executable = await one.compile(ir);
  return { ir, values: values as Values, n, want: hashesOf(await executable.run(values, { n })) };
}

const kindOf = (ir: Pipeline): string => {
  try {
    return divisionOf(ir);
  } catch (error) {
    if (isNotCarried(error)) return "whole";
    throw error;
  }
};

describe("random pipelines in random chunks", () => {
  it("have the bits of the whole range on 1, 2 and 3 workers, and across runtimes where they are divided", async () => {
    const tally: Record<string, number> = {};
    for (let seed = 0; seed < (process.env.GROUPWISE_FULL ? 1000 : 120); seed++) {
      const case_ = await randomOf(seed);
      if (!case_) continue;
      const { ir, values, n, want } = case_;
      const kind = kindOf(ir);
      tally[kind] = (tally[kind] ?? 0) + 1;
      const cuts = cutsOf(n, seed);
      for (const runtime of [...several, ...(kind === "whole" ? [] : across)])
        expect(await streamed(runtime, ir, values, cuts), `seed ${seed}`).toEqual(want);
    }
    for (const kind of ["map", "reduce", "scan", "whole"]) expect(tally[kind]).toBeGreaterThan(3);
  }, 900_000);
});

describe.each([...several, ...across])("pipelines on which another order shows", (runtime) => {
  it.each(["map", "reduce", "scan"] as const)("have the bits of one run: a %s", async (kind) => {
    for (const n of [0, 1, 7, 997, 20_011]) {
      const values = valuesFor(kind, n);
      // A pipeline that returns the number of items is one of the whole range only at its end.
      const want = hashesOf(await (await one.compile(PARTED[kind])).run(values as never));
      for (const seed of [1, 2, 3])
        expect(await streamed(runtime, PARTED[kind], values, cutsOf(n, seed + n))).toEqual(want);
    }
  });

  it.each(["none", "some", "all"] satisfies Density[])("compactions of %s of the items", async (density) => {
    for (const n of [0, 2, 31, 4099])
      for (const { ir, values } of compactionRuns(n, density)) {
        const want = hashesOf(await (await one.compile(ir)).run(values));
        for (const seed of [2, 3]) expect(await streamed(runtime, ir, values, cutsOf(n, seed))).toEqual(want);
      }
  });
});
