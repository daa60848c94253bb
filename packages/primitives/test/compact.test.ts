import { f32 } from "@groupwise/dsl";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { expect, test } from "vitest";
import { compact } from "../src/index.ts";

test("compact keeps the marked items, in order", async () => {
  const runtime = jsRuntime();
  const keep = await runtime.compile(compact(f32));
  const got = await keep.run({ x: Float32Array.of(1, 2, 3), keep: Uint8Array.of(1, 0, 1) });
  expect(got).toEqual({ kept: Float32Array.of(1, 3), count: Uint32Array.of(2) });
});
