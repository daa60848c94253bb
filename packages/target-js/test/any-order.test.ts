import { f32, pipeline } from "@groupwise/dsl";
import { anyOrder } from "@groupwise/testkit/conformance";
import { found } from "@groupwise/testkit/devices";
import { expect, test } from "vitest";
import { jsRuntime } from "../src/runtime.ts";

anyOrder("plain JavaScript", () => found(jsRuntime()));

test("one thread combines from left to right, which differs from the fixed order", async () => {
  const { ir } = pipeline("both", { x: f32 }, ({ x }) => ({
    any: x.scanInclusive("add", { order: "any" }),
    fixed: x.scanInclusive("add"),
  }));
  const x = Float32Array.from({ length: 5000 }, (_, i) => 1 / (i + 1));
  const { any, fixed } = await (await jsRuntime().compile(ir)).run({ x });
  let sum = 0;
  expect(any).toEqual(x.map((v) => (sum = Math.fround(sum + v))));
  expect(any).not.toEqual(fixed);
});
