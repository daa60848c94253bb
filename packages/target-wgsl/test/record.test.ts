import { emit, explain, type HostArray } from "@groupwise/core";
import { bool, param, pipeline, u32 } from "@groupwise/dsl";
import { dataFor, differences } from "@groupwise/testkit";
import { deviceTest } from "@groupwise/testkit/conformance";
import { describe, expect } from "vitest";
import { wgsl } from "../src/index.ts";
import { load, type WgslProgram, webgpuRuntime } from "../src/runtime.ts";
import { contentOf, dawn } from "./devices.ts";
import { spied } from "./spied.ts";

const lavapipe = () => dawn();
const STORAGE = 0x80;
const [COPY_SRC, COPY_DST] = [4, 8];

/** Keeps what is below a limit, in order. Of integers, which llvmpipe compiles in a quarter of the time of floats. */
const below = pipeline("below", { x: u32, limit: param(u32), keep: bool }, ({ x, limit, keep }) => {
  const where = x.lt(limit).and(keep);
  const to = where.toU32().scanExclusive("add");
  return { kept: x.scatter({ to, where }), count: where.toU32().reduce("add"), plus: x.add(limit) };
});

function upload(device: GPUDevice, data: HostArray, extra = 0): GPUBuffer {
  const words = data instanceof Uint8Array ? Uint32Array.from(data) : data;
  const size = Math.max(4, words.byteLength);
  const buffer = device.createBuffer({ size, usage: STORAGE | COPY_DST | extra });
  device.queue.writeBuffer(buffer, 0, words as Uint32Array<ArrayBuffer>);
  return buffer;
}

function empty(device: GPUDevice, bytes: number): GPUBuffer {
  const buffer = upload(device, new Uint8Array(Math.ceil(bytes / 4)).fill(255), COPY_SRC);
  return buffer;
}

/** One recording's buffers, with what they must hold afterwards. */
function job(device: GPUDevice, n: number, limit: number) {
  const data = dataFor(below.ir, n, n);
  const buffers = {
    x: upload(device, data.x as HostArray),
    keep: upload(device, data.keep as HostArray),
    kept: empty(device, 4 * n),
    count: empty(device, 4),
    plus: empty(device, 4 * n),
  };
  const check = async (): Promise<string[]> => {
    const outputs = {
      kept: new Uint32Array(await contentOf(device, buffers.kept), 0, n),
      count: new Uint32Array(await contentOf(device, buffers.count)),
      plus: new Uint32Array(await contentOf(device, buffers.plus), 0, n),
    };
    return differences(below.ir, { ...data, limit }, outputs, n);
  };
  return { options: { n, buffers, params: { limit } }, check };
}

describe("record", () => {
  deviceTest(
    "several recordings in one encoder keep their own n and parameters",
    lavapipe,
    async (device) => {
      const program = await webgpuRuntime(device).compile(below);
      const jobs = [job(device, 700, 2 ** 31), job(device, 0, 1), job(device, 5000, 99), job(device, 1, 9)];
      device.pushErrorScope("validation");
      const encoder = device.createCommandEncoder();
      const recordings = jobs.map(({ options }) => program.record(encoder, options));
      device.queue.submit([encoder.finish()]);
      for (const recording of recordings) recording.dispose();
      expect(await device.popErrorScope()).toBeNull();
      for (const one of jobs) expect(await one.check()).toEqual([]);
    },
  );

  deviceTest("recordings of one encoder can share scratch, ranges and buffers", lavapipe, async (device) => {
    const program = await webgpuRuntime(device).compile(below);
    const first = job(device, 3000, 2 ** 31);
    const again = job(device, 3000, 99);
    const scratch = device.createBuffer({ size: program.scratchBytes(3000), usage: STORAGE | COPY_DST });
    const outputs = device.createBuffer({ size: 4 * 12288, usage: STORAGE | COPY_DST | COPY_SRC });
    const ranges = {
      kept: { buffer: outputs, offset: 0, size: 12288 },
      plus: { buffer: outputs, offset: 12288 },
      count: { buffer: outputs, offset: 2 * 12288, size: 4 },
    };
    const encoder = device.createCommandEncoder();
    program.record(encoder, { ...first.options, scratch });
    program.record(encoder, { ...again.options, buffers: { ...again.options.buffers, ...ranges }, scratch });
    // The same places once more: what the last one left must not shine through.
    program.record(encoder, { ...first.options, buffers: { ...first.options.buffers, ...ranges }, scratch });
    device.pushErrorScope("validation");
    device.queue.submit([encoder.finish()]);
    expect(await device.popErrorScope()).toBeNull();
    expect(await first.check()).toEqual([]);
    const all = await contentOf(device, outputs);
    const got = {
      kept: new Uint32Array(all, 0, 3000),
      plus: new Uint32Array(all, 12288, 3000),
      count: new Uint32Array(all, 2 * 12288, 1),
    };
    expect(differences(below.ir, { ...dataFor(below.ir, 3000, 3000), limit: 2 ** 31 }, got, 3000)).toEqual(
      [],
    );
  });

  deviceTest("a caller may keep the status", lavapipe, async (device) => {
    const { ir } = pipeline("shift", { x: u32 }, ({ x }, { index }) => ({
      y: x.scatter({ to: index().add(1) }),
    }));
    const program = await webgpuRuntime(device).compile(ir);
    const buffers = {
      x: upload(device, new Uint32Array([7, 8, 9])),
      y: empty(device, 12),
      status: empty(device, 4),
    };
    const encoder = device.createCommandEncoder();
    program.record(encoder, { n: 3, buffers });
    device.queue.submit([encoder.finish()]);
    expect([...new Uint32Array(await contentOf(device, buffers.status))]).toEqual([1]);
    expect([...new Uint32Array(await contentOf(device, buffers.y))]).toEqual([0, 7, 8]);
  });

  deviceTest("a range of two dimensions, with an offset", lavapipe, async (device) => {
    const { ir } = pipeline(
      "rows",
      { x: u32 },
      ({ x }, { globalId }) => ({
        sums: x.scanInclusive("add", { scope: "work-group" }),
        rows: globalId(1).add(globalId(0)),
        totals: x.reduce("add", { scope: "work-group" }),
      }),
      { workGroupSize: [2, 2] },
    );
    const program = await webgpuRuntime(device).compile(ir);
    const buffers = {
      x: upload(device, new Uint32Array([1, 2, 3, 4, 5, 6])),
      sums: empty(device, 24),
      rows: empty(device, 24),
      totals: empty(device, 8),
    };
    const encoder = device.createCommandEncoder();
    program.record(encoder, { globalSize: [3, 2], globalOffset: [0, 7], buffers });
    device.queue.submit([encoder.finish()]);
    expect([...new Uint32Array(await contentOf(device, buffers.sums))]).toEqual([1, 3, 3, 7, 12, 9]);
    expect([...new Uint32Array(await contentOf(device, buffers.rows))]).toEqual([7, 8, 9, 8, 9, 10]);
    expect([...new Uint32Array(await contentOf(device, buffers.totals))]).toEqual([12, 9]);
    expect(program.scratchBytes([3, 2])).toBe(0);
    const record = (range: object): unknown =>
      program.record(device.createCommandEncoder(), { buffers, ...range });
    expect(() => record({ n: 6 })).toThrowError(expect.objectContaining({ code: "bad-range" }));
    expect(() => record({ globalSize: [3, 3] })).toThrowError(
      expect.objectContaining({ code: "bad-buffer" }),
    );
  });

  const refusals: [string, string, (buffers: Record<string, GPUBuffer>, device: GPUDevice) => object][] = [
    ["a missing buffer", "bad-buffer", ({ plus: _, ...rest }) => rest],
    ["a small buffer", "bad-buffer", (all, device) => ({ ...all, plus: empty(device, 4 * 99) })],
    [
      "a buffer without STORAGE",
      "bad-buffer",
      (all, device) => ({ ...all, plus: device.createBuffer({ size: 400, usage: COPY_DST }) }),
    ],
    [
      "a scatter that cannot be cleared",
      "bad-buffer",
      (all, device) => ({ ...all, kept: device.createBuffer({ size: 400, usage: STORAGE }) }),
    ],
    ["an odd offset", "bad-buffer", (all) => ({ ...all, x: { buffer: all.x, offset: 4 } })],
    ["one buffer under two names", "bad-buffer", (all) => ({ ...all, plus: all.kept })],
    ["an input that is written", "bad-buffer", (all) => ({ ...all, plus: all.x })],
    ["a name that is not there", "unknown-input", (all) => ({ ...all, sum: all.x })],
  ];
  deviceTest("refuses buffers that cannot do, before anything is recorded", lavapipe, async (device) => {
    const program = await webgpuRuntime(device).compile(below);
    const { buffers } = job(device, 100, 1).options;
    for (const [what, code, change] of refusals) {
      const encoder = device.createCommandEncoder();
      const record = (): unknown =>
        program.record(encoder, { n: 100, buffers: change(buffers, device) as never, params: { limit: 1 } });
      expect(record, what).toThrowError(expect.objectContaining({ code }));
    }
    const record = (more: object): unknown =>
      program.record(device.createCommandEncoder(), { n: 100, buffers, params: { limit: 1 }, ...more });
    const scratch = device.createBuffer({ size: 4, usage: STORAGE | COPY_DST });
    expect(() => record({ scratch })).toThrowError(expect.objectContaining({ code: "bad-buffer" }));
    expect(() => record({ params: {} })).toThrowError(expect.objectContaining({ code: "missing-input" }));
    expect(() => record({ params: { limit: "1" } })).toThrowError(
      expect.objectContaining({ code: "bad-parameter" }),
    );
    expect(() => record({ n: -1 })).toThrowError(expect.objectContaining({ code: "bad-length" }));
  });
});

deviceTest("files that were emitted earlier run without a lowering", lavapipe, async (device) => {
  const earlier = pipeline("earlier", { x: u32, limit: param(u32) }, ({ x, limit }) => ({
    count: x.lt(limit).toU32().reduce("add"),
  }));
  const { files, manifest } = emit(earlier, wgsl);
  const artifact = { manifest: JSON.parse(files[1]?.text as string) as typeof manifest, files };
  const program: WgslProgram = await load(device, artifact);
  expect(Object.hasOwn(program, "plan")).toBe(false);
  const values = { ...dataFor(earlier.ir, 900), limit: 2 ** 31 };
  expect(differences(earlier.ir, values, await program.run(values), 900)).toEqual([]);
});

deviceTest(
  "a run makes buffers of the next powers of two of what explain says, and the next run none",
  lavapipe,
  async (device) => {
    const made: number[] = [];
    const createBuffer = (descriptor: GPUBufferDescriptor): GPUBuffer => {
      if (descriptor.usage & STORAGE) made.push(descriptor.size);
      return device.createBuffer(descriptor);
    };
    const runtime = webgpuRuntime(spied(device, { createBuffer }));
    const program = await runtime.compile(below, { waitFor: "fastest" });
    for (const n of [1, 70_001]) {
      const { inputs, outputs, scratch } = explain(program.plan, { n }).memory;
      expect(scratch.value).toBe(program.scratchBytes(n));
      const run = () => program.run({ ...dataFor(below.ir, n, n), limit: 2 ** 31 } as never);
      made.length = 0;
      await run();
      const total = made.reduce((sum, size) => sum + size, 0);
      const status = 4;
      const needed = [inputs, outputs, scratch].reduce((sum, { value }) => sum + (value as number), status);
      expect(total).toBeGreaterThanOrEqual(needed);
      expect(total).toBeLessThanOrEqual(2 * needed + 256 * made.length);
      const { length } = made;
      await run();
      expect(made).toHaveLength(length);
    }
  },
);
