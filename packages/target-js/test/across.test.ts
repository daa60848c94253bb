import { check, type HostArray, type Runtime } from "@groupwise/core";
import { acrossRuntimes, Parted, type RunPartPiece } from "@groupwise/core/state";
import { f32, pipeline, scalar, select, u32 } from "@groupwise/dsl";
import { aroundRuns } from "@groupwise/testkit";
import { describe, expect, expectTypeOf, it, test } from "vitest";
import { gpuJsRuntime } from "../src/gpu-js/runtime.ts";
import { jsRuntime } from "../src/runtime.ts";
import { hashesOf, PARTED, valuesFor } from "./fixtures/parted.ts";

const some = (count: number): Runtime[] => Array.from({ length: count }, () => jsRuntime());
const KINDS = ["map", "reduce", "scan"] as const;
const SHARES = [[1], [1, 1], [3, 1], [1, 7], [1, 2, 3], [0, 1, 0], [5, 1, 1, 1, 1]];

describe.each(KINDS)("a %s over several runtimes", (kind) => {
  it.each(SHARES.map((shares) => ({ shares })))("has the bits of one, shares $shares", async ({ shares }) => {
    const across = acrossRuntimes(some(shares.length), { shares });
    const executable = await across.compile(PARTED[kind]);
    const one = await jsRuntime().compile(PARTED[kind]);
    expect(executable.division).toBe(kind);
    for (const n of [0, 1, 2, 3, 7, 64, 997, 5003]) {
      const values = valuesFor(kind, n);
      expect(hashesOf(await executable.run(values))).toEqual(hashesOf(await one.run(values)));
    }
    executable.dispose();
  });

  it("accepts more runtimes than items", async () => {
    const executable = await acrossRuntimes(some(9)).compile(PARTED[kind]);
    const one = await jsRuntime().compile(PARTED[kind]);
    for (const n of [0, 1, 5]) {
      const values = valuesFor(kind, n);
      expect(hashesOf(await executable.run(values))).toEqual(hashesOf(await one.run(values)));
    }
  });
});

test("differences to earlier items have the bits of one", async () => {
  const steps = pipeline("steps", { x: f32 }, ({ x }, { index }) => ({
    y: select(index().eq(0), x, x.sub(x.at(index().sub(1)))),
    window: x.moving("add", 5).sub(x.previous(0.5, 7)),
    sums: x.scanInclusive("add"),
  }));
  const one = await jsRuntime().compile(steps);
  for (const shares of SHARES) {
    const executable = await acrossRuntimes(some(shares.length), { shares }).compile(steps);
    expect(executable.division).toBe("scan");
    for (const n of [0, 1, 2, 64, 997]) {
      const x = Float32Array.from({ length: n }, (_, i) => Math.sin(i) * 10);
      expect(hashesOf(await executable.run({ x }))).toEqual(hashesOf(await one.run({ x })));
    }
    executable.dispose();
  }
});

test("every runtime has its share of the items", async () => {
  const counts = [0, 0, 0];
  const counting = counts.map((_, i) =>
    aroundRuns(jsRuntime(), (run, { x }) => {
      counts[i] = (counts[i] as number) + (x as Float32Array).length;
      return run();
    }),
  );
  const doubled = pipeline("doubled", { x: f32 }, ({ x }) => ({ y: x.mul(2) }));
  const executable = await acrossRuntimes(counting, { shares: [1, 2, 5] }).compile(doubled);
  await executable.run({ x: new Float32Array(8000) });
  expect(counts.reduce((a, b) => a + b)).toBe(8000);
  for (const [i, share] of [1000, 2000, 5000].entries())
    expect(Math.abs((counts[i] as number) - share)).toBeLessThan(130);
});

test("names, types and the values of the call are kept", async () => {
  const sums = pipeline("sums", { x: f32 }, ({ x }) => ({
    sums: x.scanInclusive("add"),
    total: scalar(x.reduce("add")),
  }));
  const executable = await acrossRuntimes(some(3)).compile(sums);
  const x = Float32Array.from({ length: 100 }, (_, i) => Math.sin(i));
  const want = await (await jsRuntime().compile(sums)).run({ x });
  const running = executable.run({ x });
  x.fill(0);
  const got = await running;
  expectTypeOf(got.sums).toEqualTypeOf<Float32Array<ArrayBuffer>>();
  expectTypeOf(got.total).toEqualTypeOf<number>();
  expect(got).toEqual(want);
  executable.dispose();
  await expect(executable.run({ x })).rejects.toMatchObject({ code: "disposed" });
});

test("loops that take a block at a time are passed no more than a block", async () => {
  const ir = PARTED.scan;
  const n = 5003;
  const parted = new Parted(check(ir));
  const runtime = jsRuntime();
  const values = valuesFor("scan", n) as Record<string, HostArray>;
  const want = await (await runtime.compile(ir)).run(values);
  const sums = new Float32Array(n);
  const lengths: number[] = [];
  const runPiece: RunPartPiece = async ({ by, loops, from, to, own }) => {
    const { carried, carrying } = loops;
    const executable = await runtime.compile(carried.pipeline, { carrying });
    const cut = Object.entries(values).map(([name, array]) => [name, array.subarray(from, to)]);
    const outputs = await executable.run({ ...Object.fromEntries(cut), ...own }, { n: to - from });
    if (loops !== parted.items) return outputs;
    sums.set(outputs.sums as Float32Array, from);
    if (by === 1) lengths.push(to - from);
    if (by === 1) expect(from % 2 ** Math.ceil(Math.log2(to - from))).toBe(0);
    return outputs;
  };
  const outputs = await parted.run(n, { shares: [1, 2], runPiece, takesBlocks: (by) => by === 1 });
  expect(hashesOf({ sums, total: outputs.total })).toEqual(
    hashesOf({ sums: want.sums, total: want.total as HostArray }),
  );
  expect(lengths.length).toBeGreaterThan(1);
});

describe("incorrect arguments are refused", () => {
  const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
  const x = Float32Array.of(1, 2, 3);

  it("a runtime that does not support states, with its name and the reason", async () => {
    const gpu = await gpuJsRuntime();
    await expect(acrossRuntimes([jsRuntime(), gpu]).compile(sums)).rejects.toMatchObject({
      code: "unsupported",
      what: expect.stringMatching(/on runtime 1 \(gpujs: gpu\.js webasm\).*: u32 is not supported/),
      where: "sums",
    });
    gpu.dispose();
  });

  it("values of single items, which are an error over no items", async () => {
    for (const isGather of [false, true]) {
      const first = pipeline("first", { x: f32 }, ({ x }) => ({
        first: isGather ? x.at(0) : x.broadcast(0),
      }));
      await expect(acrossRuntimes(some(2)).compile(first)).rejects.toMatchObject({ code: "not-carried" });
    }
  });

  it("a pipeline whose parts need one another", async () => {
    for (const ir of [
      pipeline("mirrored", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add", { reverse: true }) })),
      pipeline("chained", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add").scanInclusive("max") })),
      pipeline("placed", { x: u32 }, ({ x }) => ({ y: x.scatter({ to: x }) })),
    ])
      await expect(acrossRuntimes(some(2)).compile(ir as never)).rejects.toMatchObject({
        code: "not-carried",
      });
  });

  it("invalid runtimes and shares", async () => {
    for (const bad of [[], undefined, {}])
      expect(() => acrossRuntimes(bad as never)).toThrow(/the runtimes must be a list/);
    for (const bad of [1, undefined, Promise.resolve(jsRuntime())])
      expect(() => acrossRuntimes([jsRuntime(), bad] as never)).toThrow(/must be a runtime, but is/);
    for (const shares of [[1], [1, -1], [0, 0], [1, Number.NaN], [1, Number.POSITIVE_INFINITY], "ab"])
      expect(() => acrossRuntimes(some(2), { shares } as never)).toThrow(/shares must be 2 numbers/);
  });

  it("values, as a run does", async () => {
    const executable = await acrossRuntimes(some(2)).compile(sums);
    await expect(executable.run({ x, place: 3 } as never)).rejects.toMatchObject({ code: "unknown-input" });
    await expect(executable.run({} as never)).rejects.toMatchObject({ code: "missing-input" });
    await expect(executable.run({ x: [1] } as never)).rejects.toMatchObject({ code: "wrong-dtype" });
    await expect(executable.run({ x }, { n: 2 })).rejects.toMatchObject({ code: "length-mismatch" });
  });

  it("an error of one runtime is thrown when the others are done", async () => {
    let running = 0;
    const slow = (fails: boolean): Runtime =>
      aroundRuns(jsRuntime(), async (run) => {
        running++;
        await new Promise((resolve) => setTimeout(resolve, fails ? 0 : 20));
        running--;
        if (fails) throw new Error("no memory");
        return run();
      });
    const executable = await acrossRuntimes([slow(false), slow(true), slow(false)]).compile(sums);
    await expect(executable.run({ x: new Float32Array(999) })).rejects.toThrow("no memory");
    expect(running).toBe(0);
  });
});
