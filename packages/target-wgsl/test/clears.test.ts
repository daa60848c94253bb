/** Arrays that start as zeros: short ones by a kernel in the pass, long ones before it. */
import { param, pipeline, u32 } from "@groupwise/dsl";
import { deviceTest } from "@groupwise/testkit/conformance";
import { describe, expect } from "vitest";
import { type Limits, webgpuRuntime } from "../src/runtime.ts";
import { contentOf, dawn } from "./devices.ts";

const [COPY_SRC, COPY_DST, STORAGE] = [4, 8, 0x80];
const DIRT = 0xabad1dea;
const N = 100;

/** Item i writes to slot 3 i: two of three slots are written by nobody. */
const spread = pipeline("spread", { x: u32, slots: param(u32) }, ({ x, slots }) => ({
  y: x.scatter({ to: x.mul(3), capacity: slots }),
}));

const dirty = (device: GPUDevice, words: number): GPUBuffer => {
  const buffer = device.createBuffer({ size: 4 * words, usage: STORAGE | COPY_SRC | COPY_DST });
  device.queue.writeBuffer(buffer, 0, new Uint32Array(words).fill(DIRT));
  return buffer;
};

const MIB = 2 ** 18;
const CASES: readonly (readonly [string, number, Partial<Limits>?])[] = [
  ["an array of no elements keeps what is behind it", 0],
  ["a kernel clears a short array", 3 * N],
  ["a kernel clears the longest array that counts as short", MIB],
  ["a longer array is cleared before the pass", MIB + 1],
  [
    "so is one that takes more work-groups than a dispatch has",
    3 * N,
    { maxComputeWorkgroupsPerDimension: 1 },
  ],
];

describe("arrays that start as zeros", () => {
  for (const [title, slots, limits] of CASES)
    deviceTest(
      title,
      () => dawn(),
      async (device) => {
        const program = await webgpuRuntime(device, limits ? { limits } : {}).compile(spread);
        const x = dirty(device, N);
        device.queue.writeBuffer(
          x,
          0,
          Uint32Array.from({ length: N }, (_, i) => i),
        );
        const y = dirty(device, slots + 64);
        const encoder = device.createCommandEncoder();
        const recording = program.record(encoder, { n: N, buffers: { x, y }, params: { slots } });
        device.queue.submit([encoder.finish()]);
        await recording.check();
        const found = new Uint32Array(await contentOf(device, y));
        const expected = new Uint32Array(slots + 64).fill(DIRT, slots);
        for (let i = 0; 3 * i < slots && i < N; i++) expected[3 * i] = i;
        expect([...found.keys()].filter((i) => found[i] !== expected[i])).toEqual([]);
        recording.dispose();
      },
    );

  deviceTest(
    "by a kernel that is compiled with the pipeline: a recording waits for no compiler",
    () => dawn(),
    async (device) => {
      const program = await webgpuRuntime(device).compile(spread);
      device.createComputePipeline = () => {
        throw new Error("a pipeline is compiled while the host waits");
      };
      const buffers = { x: dirty(device, N), y: dirty(device, 3 * N) };
      const encoder = device.createCommandEncoder();
      program.record(encoder, { n: N, buffers, params: { slots: 3 * N } }).dispose();
      program.dispose();
    },
  );
});
