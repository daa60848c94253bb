import { GroupwiseError } from "@groupwise/core";
import { f32, param, pipeline } from "@groupwise/dsl";
import { deviceTest, hostile } from "@groupwise/testkit/conformance";
import { expect } from "vitest";
import { type RecordOptions, webgpuRuntime } from "../src/runtime.ts";
import { dawn, runtimeOn } from "./devices.ts";

hostile("WGSL on lavapipe", () => runtimeOn("lavapipe"));

const scaled = pipeline("scaled", { x: f32, k: param(f32) }, ({ x, k }) => ({ y: x.mul(k) }));

// Eight chunks for each input: four are written at the call, the others when these are done.
deviceTest("long inputs are read before run returns", dawn, async (device) => {
  const limits = { maxStorageBufferBindingSize: 1024, maxBufferSize: 2048 };
  const executable = await webgpuRuntime(device, { limits }).compile(scaled);
  const x = Float32Array.from({ length: 2000 }, (_, i) => i);
  const runs = [1, 2, 3].map((k) => {
    const run = executable.run({ x, k: 2 });
    for (let i = 0; i < x.length; i++) x[i] = (k + 1) * i;
    return run;
  });
  structuredClone(x.buffer, { transfer: [x.buffer] });
  for (const [i, { y }] of (await Promise.all(runs)).entries())
    expect((y as Float32Array).every((value, at) => value === 2 * (i + 1) * at)).toBe(true);
});

deviceTest("record refuses what is no argument", dawn, async (device) => {
  const executable = await webgpuRuntime(device).compile(scaled);
  const buffer = device.createBuffer({ size: 256, usage: 0x80 });
  const [x, y] = [buffer, device.createBuffer({ size: 256, usage: 0x80 })];
  const all = { n: 4, buffers: { x, y }, params: { k: 1 } };
  const codeOf = (options: unknown): string => {
    try {
      executable.record(device.createCommandEncoder(), options as RecordOptions).dispose();
      return "no error";
    } catch (error) {
      return error instanceof GroupwiseError ? error.code : `bare ${error}`;
    }
  };
  const rows: readonly (readonly [options: unknown, code: string])[] = [
    [all, "no error"],
    [undefined, "bad-argument"],
    [null, "bad-argument"],
    [5, "bad-argument"],
    [{ ...all, buffers: null }, "bad-argument"],
    [{ ...all, params: null }, "bad-argument"],
    [{ ...all, lengths: null }, "bad-argument"],
    [{ ...all, n: null }, "bad-length"],
    [{ ...all, n: {} }, "bad-buffer"],
    [{ ...all, n: { buffer } }, "bad-length"],
    [{ ...all, n: { buffer: 5, max: 4 } }, "bad-buffer"],
    [{ ...all, n: Number.NaN }, "bad-length"],
    [{ ...all, globalSize: [{}] }, "bad-range"],
    [{ ...all, buffers: { x, y: 5 } }, "bad-buffer"],
    [{ ...all, buffers: { x, y: {} } }, "bad-buffer"],
    [{ ...all, buffers: { x, y: [null] } }, "bad-buffer"],
    [{ ...all, buffers: { x, y: { buffer: y, offset: -256 } } }, "bad-buffer"],
    [{ ...all, buffers: { x, y: { buffer: y, size: Number.NaN } } }, "bad-buffer"],
    [{ ...all, buffers: { x, y: Float32Array.of(1, 2, 3, 4) } }, "bad-buffer"],
    [{ ...all, scratch: 5 }, "bad-buffer"],
    [{ ...all, scratch: null }, "bad-buffer"],
  ];
  for (const [i, [options, code]] of rows.entries()) expect(codeOf(options), `row ${i}`).toBe(code);
});
