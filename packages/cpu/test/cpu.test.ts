/** Which engine runs pipelines, and that the choice is invisible in results. */
import { runInNewContext } from "node:vm";
import { f32, i64, pipeline, scalar } from "@groupwise/dsl";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type CpuRuntimeOptions, cpuEngine, cpuRuntime } from "../src/index.ts";

const sums = pipeline("sums", { x: f32, k: i64 }, ({ x, k }) => ({
  y: x.scanInclusive("add"),
  longest: scalar(k.mul(k).reduce("max")),
  last: k.scanExclusive("add"),
}));
// Threads compute runs of 2^17 items.
const n = 2 ** 17;
const values = {
  x: Float32Array.from({ length: n }, (_, i) => Math.sin(i) * 1e4),
  k: BigInt64Array.from({ length: n }, (_, i) => BigInt(i) ** 5n - 77n),
};

const results = async (options?: CpuRuntimeOptions) => {
  const runtime = cpuRuntime(options);
  const program = await runtime.compile(sums);
  const found = await program.run(values);
  const [x, k] = [runtime.array("f32", values.x), runtime.array("i64", values.k)];
  const outputs = {
    y: runtime.array("f32", n),
    longest: runtime.array("i64", 1),
    last: runtime.array("i64", n),
  };
  await runtime
    .record()
    .run(program, { x, k, ...outputs })
    .submit();
  expect(await outputs.y.read()).toEqual(found.y);
  expect(await outputs.last.read()).toEqual(found.last);
  runtime.dispose();
  return found;
};

describe("the engine", () => {
  afterEach(() => vi.unstubAllGlobals());

  test("is WebAssembly", () => {
    const { engine, why, device } = cpuRuntime();
    expect(engine).toBe("wasm");
    expect(why).toMatch(/runs WebAssembly/);
    expect(device.target).toBe("wasm");
  });

  const forbidden = runInNewContext(
    "WebAssembly",
    {},
    { contextCodeGeneration: { strings: true, wasm: false } },
  );
  test.each([
    ["the engine has none", undefined, /no object WebAssembly/],
    ["a policy forbids it", forbidden, /disallowed/],
    ["it has no vectors", { ...globals(), validate: () => false }, /no vectors/],
  ])("is JavaScript if %s, with the same bits", async (_, global, why) => {
    const want = await results();
    vi.stubGlobal("WebAssembly", global);
    expect(cpuEngine().why).toMatch(why);
    expect(cpuRuntime()).toMatchObject({ engine: "js", device: { target: "js" } });
    const got = await results();
    expect(got).toEqual(want);
    expect(new Uint32Array(got.y.buffer)).toEqual(new Uint32Array(want.y.buffer));
  });

  test("has as many threads as were asked for, with the same bits", async () => {
    expect(cpuEngine({ threads: 3 })).toMatchObject({ engine: "wasm", threads: 3 });
    const want = await results();
    expect(await results({ threads: 3 })).toEqual(want);
    vi.stubGlobal("WebAssembly", undefined);
    expect(cpuRuntime({ threads: 3 }).device).toMatchObject({
      target: "js",
      name: expect.stringMatching(/3 workers/),
    });
    expect(await results({ threads: 3 })).toEqual(want);
  });

  test.each([
    ["SharedArrayBuffer", undefined, /one thread: this page is not isolated/],
    ["navigator", { hardwareConcurrency: 1 }, /one thread: there is one core/],
  ])("has one thread and says why without what it needs of %s", async (name, value, why) => {
    vi.stubGlobal(name, value);
    const { threads, why: reason, device } = cpuRuntime({ threads: 3 });
    expect(threads).toBe(1);
    expect(reason).toMatch(why);
    expect(device.name).toBe("WebAssembly");
  });

  test("does not take options that it has not", () => {
    expect(() => cpuRuntime({ vectors: false } as never)).toThrow(
      expect.objectContaining({ code: "bad-usage" }),
    );
  });
});

/** The functions of WebAssembly, which are no enumerable properties. */
function globals(): object {
  return Object.fromEntries(
    Object.getOwnPropertyNames(WebAssembly).map((name) => [
      name,
      WebAssembly[name as keyof typeof WebAssembly],
    ]),
  );
}
