/** Threads: the suites of every runtime, with every run in parts where that is possible, and what is theirs alone. */
import type { Runtime } from "@groupwise/core";
import { type OpenPort, portsHere } from "@groupwise/core/target";
import { f32, i64, pipeline, scalar, u32 } from "@groupwise/dsl";
import { conformance, hostile, recording } from "@groupwise/testkit/conformance";
import { type Found, found } from "@groupwise/testkit/devices";
import { describe, expect, test, vi } from "vitest";
import { wasmRuntime } from "../src/runtime.ts";
import { WASM_WORKER, workersRuntime } from "../src/workers/make.ts";
import { wasmWorkersRuntime } from "../src/workers/runtime.ts";

const open = async (): Promise<Found<Runtime>> => found(wasmWorkersRuntime({ workers: 3, leastItems: 0 }));

conformance("WebAssembly workers", open, { slow: true, share: "few", fullShare: "sample" });
recording("WebAssembly workers", open);
hostile("WebAssembly workers", open);

const sums = pipeline("sums", { x: f32, k: i64 }, ({ x, k }) => ({
  y: x.scanInclusive("add"),
  total: scalar(x.reduce("add")),
  most: scalar(k.mul(k).reduce("max")),
  kept: x.scatter({
    to: x.gt(0).toU32().scanExclusive("add"),
    where: x.gt(0),
    length: x.gt(0).toU32().reduce("add"),
  }),
}));
const valuesOf = (n: number) => ({
  x: Float32Array.from({ length: n }, (_, i) => Math.sin(i) * 1e4),
  k: BigInt64Array.from({ length: n }, (_, i) => BigInt(i) ** 5n - 77n),
});

test("any number of threads gives the bits of one", async () => {
  const one = await wasmRuntime().compile(sums);
  const runs = [0, 1, 99, 100, 4_099, 100_003].map((n) => [n, valuesOf(n)] as const);
  const wanted = await Promise.all(runs.map(([, values]) => one.run(values)));
  for (const workers of [1, 2, 3, 5]) {
    const runtime = wasmWorkersRuntime({ workers, leastItems: 100 });
    const program = await runtime.compile(sums);
    for (const [i, [n, values]] of runs.entries())
      expect(await program.run(values), `${workers} threads, ${n} items`).toEqual(wanted[i]);
    runtime.dispose();
  }
});

describe("the memory that threads share", () => {
  test("is used again after runs at once, failed runs, steps and arrays", async () => {
    const grown = vi.spyOn(WebAssembly.Memory.prototype, "grow");
    const runtime = wasmWorkersRuntime({ workers: 2, leastItems: 0 });
    const moved = await runtime.compile(
      pipeline("moved", { to: u32 }, ({ to }) => ({ y: to.scatter({ to }), all: to.reduce("max") })),
    );
    const program = await runtime.compile(sums);
    const outside = new Uint32Array(50_000).fill(0xffffffff);
    const given = valuesOf(30_000);
    const want = await (await wasmRuntime().compile(sums)).run(given);
    let early = 0;
    for (let i = 0; i < 12; i++) {
      if (i === 2) early = grown.mock.calls.length;
      const runs = [program.run(given), program.run(given)];
      await expect(moved.run({ to: outside })).rejects.toMatchObject({ code: "scatter-outside" });
      for (const got of await Promise.all(runs)) expect(got).toEqual(want);
      const x = runtime.array("f32", given.x);
      const y = runtime.array("f32", given.x.length);
      const doubled = await runtime.compile(pipeline("doubled", { x: f32 }, ({ x }) => ({ y: x.add(x) })));
      await runtime.record().run(doubled, { x, y }).submit();
      expect((await y.read())[7]).toBe(Math.fround((given.x[7] ?? 0) * 2));
      for (const one of [x, y]) one.dispose();
    }
    expect(grown.mock.calls.length).toBe(early);
    grown.mockRestore();
    runtime.dispose();
  });
});

describe("threads that do not start", () => {
  test("leave runs to the calling thread", async () => {
    const refused: OpenPort = async () => {
      throw new Error("the policy forbids workers");
    };
    const runtime = workersRuntime({ workers: 2, leastItems: 0 }, refused);
    const given = valuesOf(5_000);
    const want = await (await wasmRuntime().compile(sums)).run(given);
    expect(await (await runtime.compile(sums)).run(given)).toEqual(want);
    runtime.dispose();
  });

  test("but one that is lost later is an error", async () => {
    let lose = (): void => {};
    const losing: OpenPort = async (name, listener) => {
      lose = () => listener.lost("it ran out of memory");
      return portsHere(WASM_WORKER, "wasmRuntime")(name, listener);
    };
    const runtime = workersRuntime({ workers: 2, leastItems: 0 }, losing);
    const program = await runtime.compile(sums);
    await program.run(valuesOf(9));
    const running = program.run(valuesOf(50_000));
    await Promise.resolve();
    lose();
    await expect(running).rejects.toMatchObject({ code: "device-lost" });
    runtime.dispose();
  });

  test("for want of shared memory are a typed error", () => {
    vi.stubGlobal("SharedArrayBuffer", undefined);
    expect(() => wasmWorkersRuntime()).toThrow(expect.objectContaining({ code: "device-missing" }));
    vi.unstubAllGlobals();
  });
});
