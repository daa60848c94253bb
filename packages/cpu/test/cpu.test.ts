/** Which engine runs pipelines, and that the choice is invisible in results. */
import { runInNewContext } from "node:vm";
import { f32, i64, pipeline, scalar } from "@groupwise/dsl";
import { afterEach, describe, expect, test, vi } from "vitest";
import { cpuEngine, cpuRuntime } from "../src/index.ts";

const sums = pipeline("sums", { x: f32, k: i64 }, ({ x, k }) => ({
  y: x.scanInclusive("add"),
  longest: scalar(k.mul(k).reduce("max")),
  last: k.scanExclusive("add"),
}));
const n = 1_000;
const values = {
  x: Float32Array.from({ length: n }, (_, i) => Math.sin(i) * 1e4),
  k: BigInt64Array.from({ length: n }, (_, i) => BigInt(i) ** 5n - 77n),
};

const results = async () => {
  const runtime = cpuRuntime();
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
