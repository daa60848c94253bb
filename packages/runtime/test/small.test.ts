/** Which runs a runtime of the host's process takes, by a clock that the test turns. */
import { check } from "@groupwise/ir/document/check.js";
import type { Pipeline, PipelineNode } from "@groupwise/ir/document/node.js";
import type { Capabilities } from "@groupwise/kernel/capabilities/capabilities.js";
import type { Plan } from "@groupwise/lower/lower.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CompileOptions, Executable, RunOptions, Runtime } from "../src/api/runtime.ts";
import type { RunOutputs, RunValues } from "../src/api/typed.ts";
import type { Launch } from "../src/checks/host.ts";
import type { Manifest } from "../src/plan/manifest.ts";
import { Small, SmallPipeline } from "../src/run/small.ts";

const document = (more: readonly object[] = [], of = 0): Pipeline => ({
  format: "groupwise-pipeline",
  version: 1,
  name: "p",
  workGroupSize: [64],
  nodes: [
    { id: 0, kind: "input", name: "x", type: "f32" },
    ...more,
    { id: 1 + more.length, kind: "output", name: "y", of },
  ] as PipelineNode[],
});
const planOf = (ir: Pipeline, capabilities: Partial<Capabilities> = {}, more: Partial<Plan> = {}): Plan =>
  ({ checked: check(ir), capabilities, ...more }) as Plan;
const bindings = [{ name: "y", role: "output", type: "f32", elements: "n" }];
const manifest = { pipeline: "p", workGroupSize: [64], maxItems: 2 ** 31, bindings } as unknown as Manifest;
const launch = (n: number): Launch => ({ n, globalSize: [n] }) as unknown as Launch;

/** Milliseconds of a run of n items on either. */
interface Costs {
  readonly device: (n: number) => number;
  readonly host: (n: number) => number;
}

/** A pipeline on two devices that only take time. @param tick of the clock that the runtime sees */
function timed(costs: Costs, { tick = 0, plan = planOf(document()), capacity = 0 } = {}) {
  let time = 0;
  const seen = {
    compiled: 0,
    disposed: 0,
    given: [] as RunValues[],
    options: undefined as CompileOptions | undefined,
  };
  let failing: Error | undefined;
  const executable = {
    run: async (values: RunValues) => {
      seen.given.push(values);
      if (failing) throw failing;
      time += costs.host((values.x as ArrayLike<number>).length);
      return { by: "host" };
    },
    dispose: () => {
      seen.disposed++;
    },
  };
  let compile = async (): Promise<Executable> => {
    seen.compiled++;
    return executable as unknown as Executable;
  };
  const runtime = {
    device: { name: "host" },
    compile: (_: unknown, options?: CompileOptions) => {
      seen.options = options;
      return compile();
    },
  } as unknown as Runtime;
  const small = new Small(runtime, () => (tick === 0 ? time : Math.floor(time / tick) * tick));
  const scattered = {
    ...manifest,
    bindings: [...bindings, { role: "output", elements: capacity }],
  } as unknown as Manifest;
  const pipeline = new SmallPipeline(small, document(), plan, scattered);
  /** Where a run of n items ran, and for how long. */
  const run = async (n: number, options?: unknown): Promise<[by: unknown, milliseconds: number]> => {
    const start = time;
    const { by } = await pipeline.run(
      { x: { length: n } as never },
      options as RunOptions | undefined,
      () => launch(n),
      async () => {
        time += costs.device(n);
        return { by: "device" } as unknown as RunOutputs;
      },
    );
    return [by, time - start];
  };
  return {
    seen,
    small,
    pipeline,
    run,
    fail: (error: Error | undefined) => {
      failing = error;
    },
    refuseToCompile: (how: () => Promise<Executable>) => {
      compile = how;
    },
  };
}

const times = async <T>(count: number, run: () => Promise<T>): Promise<T[]> => {
  const all: T[] = [];
  for (let i = 0; i < count; i++) all.push(await run());
  return all;
};

describe("small runs", () => {
  test("stay on the device until three of its runs are timed and the pipeline is compiled", async () => {
    const { run, seen, pipeline } = timed({ device: () => 5, host: (n) => n * 1e-5 });
    const by = (await times(6, () => run(1000))).map(([where]) => where);
    expect(by).toEqual(["device", "device", "device", "device", "host", "host"]);
    expect(seen.compiled).toBe(1);
    expect(pipeline.state).toMatchObject({ device: "host", runs: 2, roundTrip: 5 });
  });

  test("take whichever is quicker, once five of them are measured", () =>
    fc.assert(
      fc.asyncProperty(
        fc.record({
          trip: fc.double({ min: 0.1, max: 200, noNaN: true }),
          perItem: fc.double({ min: 1e-6, max: 1e-4, noNaN: true }),
          sizes: fc.array(fc.nat(2 ** 20), { minLength: 20, maxLength: 40 }),
        }),
        async ({ trip, perItem, sizes }) => {
          const { run, small, pipeline } = timed({
            device: (n) => trip + n * 1e-6,
            host: (n) => n * perItem,
          });
          const bound = (): number => Math.min(small.roundTrip as number, 8);
          await times(12, () => run(Math.ceil(trip)));
          expect(Math.abs(pipeline.state.items * perItem - bound())).toBeLessThan(perItem + bound() / 1000);
          for (const n of sizes) {
            const { items } = pipeline.state;
            const [by] = await run(n);
            // What is not measured is taken to need 1e-4 ms an item, which is more.
            if (by === "host") expect(n * perItem).toBeLessThanOrEqual(bound() * 1.001);
            else expect(n).toBeGreaterThan(items);
          }
        },
      ),
      { numRuns: process.env.GROUPWISE_FULL ? 60 : 30 },
    ));

  test("the first ones, which an engine still interprets, do not decide", async () => {
    let calls = 0;
    const { run } = timed({ device: () => 1, host: (n) => (calls++ < 4 ? 8e-3 : 1e-5) * n });
    const by = (await times(20, () => run(500))).map(([where]) => where);
    expect(by.slice(-10)).toEqual(Array.from({ length: 10 }, () => "host"));
  });

  test("a call's own time is not taken for that of items", async () => {
    const { run } = timed({ device: () => 1, host: (n) => 0.02 + n * 1e-5 });
    await times(20, () => run(1));
    expect((await times(20, () => run(900))).filter(([by]) => by === "host").length).toBe(20);
    await times(20, () => run(0));
    expect(await run(10_000)).toEqual(["host", expect.closeTo(0.12)]);
  });

  test("longer runs are judged by what is known, until they are measured", async () => {
    const { run, pipeline } = timed({ device: () => 2, host: (n) => n * 1e-5 });
    await times(20, () => run(1000));
    for (const n of [100_000, 150_000, 199_000]) expect((await run(n))[0]).toBe("host");
    expect((await run(201_000))[0]).toBe("device");
    expect(pipeline.state.items).toBeCloseTo(200_000, -1);
  });

  test("go back to the device where this process takes longer", async () => {
    const { run, pipeline } = timed({ device: () => 1, host: (n) => n * 0.01 });
    const by = (await times(20, () => run(500))).map(([where]) => where);
    expect(by.filter((where) => where === "host").length).toBe(5);
    expect(by.slice(-5)).toEqual(Array.from({ length: 5 }, () => "device"));
    expect(pipeline.state.items).toBe(100);
  });

  test("are measured again after a while, ever more rarely", async () => {
    let isSlow = true;
    const { run } = timed({ device: () => 1, host: (n) => n * (isSlow ? 0.01 : 1e-5) });
    const hosts = async (count: number): Promise<number> =>
      (await times(count, () => run(500))).filter(([by]) => by === "host").length;
    const counts: number[] = [];
    for (const count of [20, 100, 100, 150]) counts.push(await hosts(count));
    expect(counts).toEqual([5, 5, 5, 0]);
    isSlow = false;
    expect(await hosts(300)).toBeGreaterThan(150);
  });

  test("a pause does not count for all runs that overlap it", async () => {
    let left = Number.POSITIVE_INFINITY;
    const { run } = timed({ device: () => 1, host: (n) => n * 1e-5 + (left-- === 1 ? 3 : 0) });
    await times(9, () => run(1000));
    left = 10;
    await Promise.all(Array.from({ length: 10 }, () => run(1000)));
    expect((await run(1000))[0]).toBe("host");
  });

  test("a clock that ticks every millisecond sends no long runs to this process", async () => {
    const { run, pipeline } = timed({ device: () => 20, host: (n) => n * 1e-5 }, { tick: 1 });
    await times(20, () => run(1000));
    // Each took 0.01 ms: the clock shows none, and its tick counts.
    expect(pipeline.state.items).toBeLessThanOrEqual(8000);
    expect(await run(10_000_000)).toEqual(["device", 20]);
  });

  test("a clock that shows no time at all leaves every run to the device", async () => {
    const { run, pipeline } = timed({ device: () => 1, host: (n) => n * 1e-5 }, { tick: 1e9 });
    expect(new Set((await times(20, () => run(10))).map(([by]) => by))).toEqual(new Set(["device"]));
    expect([pipeline.state.roundTrip, pipeline.state.items]).toEqual([undefined, 0]);
  });

  test("one that takes far too long is the last for a while", async () => {
    const { run } = timed({ device: () => 1, host: (n) => n * 0.02 });
    expect((await times(60, () => run(500))).filter(([by]) => by === "host").length).toBe(1);
  });

  test("a long output counts, however few the items are", async () => {
    const { run } = timed({ device: () => 1, host: () => 10 }, { capacity: 20_000 });
    expect((await times(20, () => run(2))).filter(([by]) => by === "host")).toEqual([]);
  });

  test("are refused where results may depend on the device, or the device reports more", () => {
    const any = { kind: "reduce", op: "add", type: "f32", identity: 0, scope: "device", order: "any", of: 0 };
    const fast = { kind: "function", op: "sin", fast: true, of: [0] };
    const refused = (plan: Plan): boolean =>
      timed({ device: () => 1, host: () => 0 }, { plan }).pipeline.state.refused !== undefined;
    expect(refused(planOf(document()))).toBe(false);
    expect(refused(planOf(document([{ id: 1, ...any }], 1)))).toBe(true);
    expect(refused(planOf(document([{ id: 1, ...any, order: "fixed" }], 1)))).toBe(false);
    expect(refused(planOf(document([{ id: 1, ...fast }], 1)))).toBe(true);
    expect(refused(planOf(document(), { subnormals: "flush" }))).toBe(true);
    expect(refused(planOf(document(), { accesses: "checked" }))).toBe(true);
    expect(refused(planOf(document(), {}, { carries: "any" }))).toBe(true);
  });

  test("a pipeline that this process cannot compile stays on the device, with the reason", async () => {
    const { run, refuseToCompile, pipeline } = timed({ device: () => 5, host: () => 0 });
    refuseToCompile(() => Promise.reject(new Error("no evaluation")));
    const by = (await times(8, () => run(10))).map(([where]) => where);
    expect(new Set(by)).toEqual(new Set(["device"]));
    expect(pipeline.state).toMatchObject({ items: 0, runs: 0, refused: "no evaluation" });
  });

  test("their errors are those of the run, and take no part in what is measured", async () => {
    const { run, fail, pipeline } = timed({ device: () => 5, host: (n) => n * 1e-5 });
    await times(6, () => run(1000));
    fail(new Error("outside"));
    await expect(run(1000)).rejects.toThrow("outside");
    fail(undefined);
    expect(await run(1000)).toEqual(["host", expect.closeTo(0.01)]);
    expect(pipeline.state.runs).toBe(3);
  });

  test("values and options are read once, whoever checks them", async () => {
    const { run, pipeline, seen } = timed({ device: () => 5, host: () => 0 });
    await times(6, () => run(10));
    const read: string[] = [];
    const counted = <T extends object>(of: T): T =>
      Object.defineProperties(
        {},
        Object.fromEntries(
          Object.entries(of).map(([name, value]) => [
            name,
            { enumerable: true, get: () => (read.push(name) > 0 ? value : undefined) },
          ]),
        ),
      ) as T;
    const prepared: unknown[] = [];
    await pipeline.run(
      counted({ x: new Float32Array(4) }),
      counted({ n: 4, globalOffset: [1], spare: { y: new Float32Array(4) } }),
      (values, options) => {
        prepared.push(values, options);
        return launch(4);
      },
      async () => ({}),
    );
    expect(read.sort()).toEqual(["globalOffset", "n", "x"]);
    expect(prepared[0]).toBe(seen.given.at(-1));
    expect(prepared[1]).toEqual({ n: 4, globalOffset: [1] });
    expect(await run(1, { spare: 3 }), "which the device does not read").toEqual(["host", 0]);
    for (const options of [{ m: 1 }, { n: -1 }, 7])
      await expect(run(1, options)).rejects.toEqual(expect.objectContaining({ code: expect.any(String) }));
  });

  test("what is compiled is disposed of and not kept, also if it was being compiled", async () => {
    const { run, pipeline, seen } = timed({ device: () => 5, host: () => 0 });
    await times(3, () => run(10));
    const last = run(10);
    pipeline.dispose();
    await last;
    expect(seen).toMatchObject({ compiled: 1, disposed: 1, options: { keep: false } });
  });
});
