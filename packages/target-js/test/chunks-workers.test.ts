/** Chunks of streams on several threads and runtimes: the bits of one run over the whole range on one thread. */
import type { Runtime } from "@groupwise/core";
import { acrossRuntimes, stepper, stream } from "@groupwise/core/state";
import { type OpenPort, portsHere } from "@groupwise/core/target";
import { f32, param, pipeline, scalar, u32 } from "@groupwise/dsl";
import { found } from "@groupwise/testkit/devices";
import { chunkedCase, cutsOf, inChunks, inOneRun } from "@groupwise/testkit/random";
import { compactionRuns, type Density, states } from "@groupwise/testkit/states";
import { afterAll, describe, expect, it } from "vitest";
import { jsRuntime } from "../src/runtime.ts";
import { JS_WORKER, workersRuntime } from "../src/workers/make.ts";
import { jsWorkersRuntime } from "../src/workers/runtime.ts";
import { PARTED, valuesFor } from "./fixtures/parted.ts";

const isFull = Boolean(process.env.GROUPWISE_FULL);

states("JavaScript, 3 workers", async () => found(jsWorkersRuntime({ workers: 3, leastItems: 0 })), true);

const one = jsRuntime();
const several = [1, 2, 3].map((workers) => jsWorkersRuntime({ workers, leastItems: 0 }));
const across = [
  acrossRuntimes([one]),
  acrossRuntimes([one, one, one], { shares: [2, 0, 1] }),
  acrossRuntimes([one, several[1] as Runtime]),
];
const named = [
  ["1 worker", several[0]],
  ["2 workers", several[1]],
  ["3 workers", several[2]],
  ["one runtime of several", across[0]],
  ["unequal runtimes", across[1]],
  ["a runtime beside two workers", across[2]],
] as [string, Runtime][];
/** Outside of full runs the last of each: three workers, and a runtime beside two. */
const few = <T>(all: readonly T[]): readonly T[] => (isFull ? all : all.slice(-1));
afterAll(() => {
  for (const runtime of several) runtime.dispose();
});

describe("random pipelines in random chunks", () => {
  it("have the bits of the whole range on 1, 2 and 3 workers, and across runtimes where they are divided", async () => {
    const tally: Record<string, number> = {};
    for (let seed = 0; seed < (isFull ? 3000 : 240); seed++) {
      const some = await chunkedCase(one, seed);
      if (!some) continue;
      const { ir, values, n, kind } = some;
      tally[kind] = (tally[kind] ?? 0) + 1;
      const want = await inOneRun(one, ir, values, n);
      for (const runtime of [...few(several), ...(kind === "whole" ? [] : few(across))])
        expect(await inChunks(runtime, ir, values, cutsOf(n, seed)), `seed ${seed}`).toEqual(want);
    }
    for (const kind of ["map", "reduce", "scan", "whole"]) expect(tally[kind]).toBeGreaterThan(1);
  }, 900_000);
});

// Outside of full runs those of several runtimes; one runtime on three workers has the suite and the random pipelines above.
describe.each(isFull ? named : named.slice(4))("%s", (_, runtime) => {
  it.each(["map", "reduce", "scan"] as const)("has the bits of one run: a %s", async (kind) => {
    for (const n of isFull ? [0, 1, 7, 997, 20_011] : [0, 7, 5011]) {
      const values = valuesFor(kind, n);
      const want = await inOneRun(one, PARTED[kind], values);
      for (const seed of isFull ? [1, 2, 3] : [2])
        expect(await inChunks(runtime, PARTED[kind], values, cutsOf(n, seed + n))).toEqual(want);
    }
  });

  it.each((isFull ? ["none", "some", "all"] : ["some"]) satisfies Density[])(
    "compactions of %s of the items",
    async (density) => {
      for (const n of isFull ? [0, 2, 31, 4099] : [2, 4099])
        for (const { ir, values } of compactionRuns(n, density)) {
          const want = await inOneRun(one, ir, values);
          for (const seed of isFull ? [2, 3] : [3])
            expect(await inChunks(runtime, ir, values, cutsOf(n, seed))).toEqual(want);
        }
    },
  );

  it("two rounds, of which both are divided, and a stream that goes on from a state", async () => {
    const centred = pipeline("centred", { x: f32, w: u32, by: param(f32) }, ({ x, w, by }) => ({
      y: x.sub(x.reduce("max")).mul(by).scanInclusive("add"),
      parts: w.scanExclusive("add"),
      most: scalar(x.reduce("max")),
    }));
    const n = 3001;
    const x = Float32Array.from({ length: n }, (_, i) => Math.sin(i) * 10);
    const w = Uint32Array.from({ length: n }, (_, i) => i * i);
    const whole = await (await one.compile(centred)).run({ x, w, by: 0.3 });
    const chunks = (from: number) =>
      [from, 1700, 2048, n].slice(0, -1).map((at, i, all) => ({
        x: x.subarray(at, all[i + 1] ?? n),
        w: w.subarray(at, all[i + 1] ?? n),
      }));
    const options = { values: { by: 0.3 } };
    const first = stream(runtime, centred, () => chunks(0), options);
    const begun = (await first.next()).value;
    await first.return(undefined);
    if (!begun) throw new Error("there is no first chunk");
    const rest: Float32Array[] = [begun.outputs.y];
    for await (const step of stream(runtime, centred, ({ from }) => chunks(Number(from)), {
      ...options,
      state: begun.state,
    })) {
      rest.push(step.outputs.y);
      expect(step.outputs.most).toBe(whole.most);
    }
    expect(rest.flatMap((y) => [...y])).toEqual([...whole.y]);
  });
});

const nested = pipeline("nested", { x: f32 }, ({ x }) => ({
  y: x.scanInclusive("add").scanInclusive("min"),
}));
const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
const x = Float32Array.from({ length: 1000 }, (_, i) => Math.sin(i) * 100);

describe("which threads compute a chunk", () => {
  /** The numbers of the threads that computed a second chunk. */
  async function threadsOf(source: typeof sums, leastItems: number): Promise<readonly string[]> {
    const callers = new Set<string>();
    const open: OpenPort = async (name, listener) => {
      const port = await portsHere(JS_WORKER, "jsRuntime")(name, listener);
      const send: typeof port.send = (order) => {
        if (order.call !== undefined) callers.add(name);
        port.send(order);
      };
      return { ...port, send };
    };
    const runtime = workersRuntime({ workers: 3, leastItems }, open);
    const steps = await stepper(runtime, source);
    const { state } = await steps.step({ x });
    callers.clear();
    await steps.step({ x }, { state });
    runtime.dispose();
    return [...callers];
  }

  it("all, if it is divided; one, if it is not; none of them, if it has few items", async () => {
    expect(await threadsOf(sums, 0)).toHaveLength(3);
    expect(await threadsOf(nested, 0)).toHaveLength(1);
    expect(await threadsOf(sums, 1001)).toHaveLength(0);
  });

  it("several runtimes refuse a pipeline that is not divided", async () => {
    const steps = stepper(acrossRuntimes([one, one]), nested);
    await expect(steps).rejects.toMatchObject({ code: "not-carried" });
  });

  it("several runtimes return the state of a part alone, and refuse a stepper that was disposed of", async () => {
    const steps = await stepper(acrossRuntimes([one, one]), sums);
    const alone = await (await stepper(one, sums)).stateOf({ x }, { from: 77n });
    expect(await steps.stateOf({ x }, { from: 77n })).toEqual(alone);
    steps.dispose();
    await expect(steps.step({ x })).rejects.toMatchObject({ code: "disposed" });
  });
});

it("several runtimes take parameters of pipelines that read no numbers of items", async () => {
  const scaled = pipeline("scaled", { x: f32, by: param(f32) }, ({ x, by }) => ({ y: x.mul(by) }));
  const executable = await acrossRuntimes([one, one]).compile(scaled);
  expect(await executable.run({ x, by: 3 })).toEqual({ y: x.map((value) => value * 3) });
});
