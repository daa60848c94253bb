import type { RunOutputs, Runtime } from "@groupwise/core";
import { parsePipeline } from "@groupwise/core/schema";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { aroundRuns } from "@groupwise/testkit";
import { expect, test } from "vitest";
import { differenceOf } from "../src/base/compare.ts";
import { runOn } from "../src/commands/run.ts";
import { deviceTable, textOf } from "../src/commands/run-report.ts";
import type { Device } from "../src/devices/index.ts";
import { flushesSubnormals } from "../src/devices/subnormals.ts";
import { QUICK } from "../src/values/meant.ts";
import { AXPY_JSON, LINES_JSON } from "./support.ts";

test("results differ in one bit, in the sign of zero and in length, and not in the bits of a NaN", () => {
  const nan = (bits: number): Float32Array => new Float32Array(Uint32Array.of(bits).buffer);
  const compare = (type: "f32" | "u32" | "f16", a: RunOutputs[string], b: RunOutputs[string]) =>
    differenceOf({ x: type }, { x: a }, { x: b });
  expect(compare("f32", nan(0x7fc00000), nan(0xffc00001))).toBeUndefined();
  expect(compare("f16", Uint16Array.of(0x7e00), Uint16Array.of(0xfe01))).toBeUndefined();
  expect(compare("f32", Float32Array.of(0), Float32Array.of(-0))).toMatchObject({ output: "x", index: 0 });
  expect(compare("u32", Uint32Array.of(1, 2), Uint32Array.of(1, 3))).toMatchObject({ index: 1 });
  expect(compare("u32", Uint32Array.of(1, 2), Uint32Array.of(1))).toMatchObject({
    what: "1 elements instead of 2",
  });
  expect(differenceOf({ x: "u32" }, { x: Uint32Array.of(1) }, {})).toMatchObject({ what: "it is missing" });
});

const progress = { show: () => {}, step: () => {}, clear: () => {} };

/** JavaScript, whose answers something changes. */
function deviceWith(change: (outputs: RunOutputs) => void): Device {
  const open = async (): Promise<Runtime> =>
    aroundRuns(jsRuntime(), async (run) => {
      const outputs = await run();
      change(outputs as RunOutputs);
      return outputs;
    });
  return { target: "js", name: "changed", driver: "test", subnormals: "kept", facts: async () => ({}), open };
}

/** An element of an output is another one. */
const wrong = (index: number): Device =>
  deviceWith(({ line }) => {
    (line as Uint32Array)[index] = 77;
  });
/** How runs are held, save their values. */
const HELD = { options: {}, repeat: 1, around: { progress } };

test("a device that differs is reported with the index, and one that fails with the reason", async () => {
  const failing = deviceWith(() => {
    throw new Error("out of order");
  });
  const devices = [deviceWith(() => {}), wrong(2), failing];
  const values = { text: Uint32Array.of(1, 10, 1) };
  const { results, isByReference } = await runOn(devices, {
    ...{ checked: parsePipeline(LINES_JSON), values, ...HELD },
  });
  expect(isByReference).toBe(true);
  expect(results.map(({ state, equal }) => [state, equal])).toEqual([
    ["ran", true],
    ["ran", false],
    ["failed", undefined],
  ]);
  expect(results[1]?.difference).toEqual({ output: "line", index: 2, what: "77 instead of 1" });
  expect(deviceTable(results)).toContain("differs: line[2]");
  expect(deviceTable(results)).toContain("out of order");
});

test("few items are compared with the reference, more with the first device, and the report says which", async () => {
  const checked = parsePipeline(LINES_JSON);
  const compared = async (items: number) => {
    const { results, isByReference } = await runOn([wrong(0), wrong(0)], {
      ...{ checked, values: { text: new Uint32Array(items) }, ...HELD },
    });
    const shown = { types: {}, outputs: {}, written: { files: [], names: [] }, count: 0, isByReference };
    return { equal: results.map(({ equal }) => equal), text: textOf(results, shown) };
  };
  const few = await compared(3);
  expect(few.equal).toEqual([false, false]);
  expect(few.text).toContain("2 of 2 devices differ from the reference interpreter");
  const many = await compared(QUICK);
  expect(many.equal).toEqual([undefined, true]);
  expect(many.text).toContain("compared with changed");
});

const axpy = {
  checked: parsePipeline(AXPY_JSON),
  values: { x: Float32Array.of(1e-40, 1), y: Float32Array.of(1e-41, 1), a: 1 },
  ...HELD,
};
/** Each sum and each product is 0. */
const flat = (): Device => ({
  ...deviceWith((outputs) => {
    for (const array of Object.values(outputs)) array.fill(0 as never);
  }),
  name: "flat",
  subnormals: "unspecified",
});
const keeps = (): Device => ({ ...deviceWith(() => {}), name: "keeps", subnormals: "unspecified" });

test("results of a device that flushes are not compared if they may be flushed, nor others with them", async () => {
  const devices = [flat(), deviceWith(() => {}), keeps(), flat()];
  const { results } = await runOn(devices, { ...axpy, subnormals: "flush" });
  expect(results.map(({ flushesSubnormals, equal }) => [flushesSubnormals, equal])).toEqual([
    [true, undefined],
    [undefined, true],
    [undefined, true],
    [true, undefined],
  ]);
  expect(deviceTable(results)).toMatch(/flat .*not compared: it flushes subnormal f32$/m);
});

test("where subnormal numbers are kept, a flushed one is a difference", async () => {
  const { results } = await runOn([keeps(), flat()], axpy);
  expect(results.map(({ equal }) => equal)).toEqual([true, false]);
  expect(deviceTable(results)).toMatch(/flat .*differs: z\[0\]: 0 instead of/m);
});

test("a pipeline without floats is compared on a device that flushes", async () => {
  const checked = parsePipeline(LINES_JSON);
  const run = { ...axpy, checked, values: { text: Uint32Array.of(10, 11) }, subnormals: "flush" } as const;
  const { results } = await runOn([keeps(), keeps()], run);
  expect(results.map(({ equal }) => equal)).toEqual([true, true]);
});

test("JavaScript keeps subnormals", async () => {
  expect(await flushesSubnormals(jsRuntime())).toBe(false);
});
