import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { emit } from "@groupwise/core";
import { f32, pipeline } from "@groupwise/dsl";
import { hostile } from "@groupwise/testkit/conformance";
import { found } from "@groupwise/testkit/devices";
import { afterEach, describe, expect, test, vi } from "vitest";
import { gpuJsRuntime } from "../src/gpu-js/runtime.ts";
import { js } from "../src/index.ts";
import { moduleOf } from "../src/runtime/evaluate.ts";
import { type JsModule, jsRuntime } from "../src/runtime.ts";

hostile("plain JavaScript", () => found(jsRuntime()));
hostile("gpu.js", async () => found(await gpuJsRuntime()));

test("gpu.js reads inputs before run returns, also those of later passes", async () => {
  const runtime = await gpuJsRuntime();
  // The second pass reads x again.
  const raised = pipeline("raised", { x: f32 }, ({ x }) => ({ y: x.sub(x.reduce("min")) }));
  const executable = await runtime.compile(raised);
  const x = new Float32Array(5);
  const runs = [4, 8, 12].map((value) => {
    x.set([1, 2, 3, 4, value]);
    return executable.run({ x });
  });
  x.fill(99);
  const ys = (await Promise.all(runs)).map(({ y }) => Array.from(y as Float32Array));
  expect(ys).toEqual([4, 8, 12].map((value) => [0, 1, 2, 3, value - 1]));
  runtime.dispose();
});

describe("emitted text", () => {
  const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
  const run = async (): Promise<number[]> => {
    const executable = await jsRuntime().compile(sums);
    const { y } = await executable.run({ x: Float32Array.of(1, 2, 3) });
    return Array.from(y as Float32Array);
  };
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  test("is freed with its pipeline", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const kernel = new WeakRef((await moduleOf<JsModule>(emit(sums, js), ["kernel"])).kernel);
    for (let i = 0; i < 10 && kernel.deref(); i++) {
      await new Promise((resolve) => setTimeout(resolve));
      collect();
    }
    expect(kernel.deref()).toBeUndefined();
  });

  test("is imported if a policy forbids evaluating it", async () => {
    const forbidden = vi.fn(function refuse() {
      throw new EvalError("a policy");
    });
    vi.stubGlobal("Function", forbidden);
    expect(await run()).toEqual([1, 3, 6]);
    expect(forbidden).toHaveBeenCalled();
  });
});
