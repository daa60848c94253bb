/** Pipelines as a new user declares them, on a device with the default limits of WebGPU: right, and at most 8 arrays a pass. */
import { explain, plan } from "@groupwise/core";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { wgsl } from "@groupwise/target-wgsl";
import { webgpuRuntime } from "@groupwise/target-wgsl/runtime";
import { deviceTest, onlyInFullRuns } from "@groupwise/testkit/conformance";
import { findDawn } from "@groupwise/testkit/devices";
import { describe, expect, test } from "vitest";
import { CASES } from "./everyday/loops.ts";

describe.each(CASES.map((one) => ({ ...one, name: one.source.name })))("$name", ({ source, differs }) => {
  test("is right in JavaScript, and binds at most 8 arrays a pass", async (context) => {
    onlyInFullRuns(context, "examples and random pipelines have the same parts");
    for (const n of [1, 2, 255, 1025, 6000])
      expect([n, await differs(jsRuntime(), n)]).toEqual([n, undefined]);
    const { passes } = explain(plan(source, wgsl), { n: 6000 });
    expect(Math.max(...passes.map(({ arrays }) => arrays.length))).toBeLessThanOrEqual(8);
  });

  deviceTest(
    "is right with default limits",
    () => findDawn({ adapter: "swiftshader", features: [], limits: "default" }),
    async ({ device }, context) => {
      onlyInFullRuns(context, "compiles dozens of kernels");
      expect(await differs(webgpuRuntime(device), 1025)).toBeUndefined();
    },
  );
});
