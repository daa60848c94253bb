import type { DeviceArray, Executable, HostArray } from "@groupwise/core";
import { param, pipeline, u32 } from "@groupwise/dsl";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { dataFor, differences } from "@groupwise/testkit";
import { deviceTest } from "@groupwise/testkit/conformance";
import fc from "fast-check";
import { describe, expect } from "vitest";
import { capabilitiesOf } from "../src/index.ts";
import { type WebGpuRuntime, webgpuRuntime } from "../src/runtime.ts";
import { contentOf, dawn } from "./devices.ts";

const lavapipe = () => dawn();
const [STORAGE, COPY_DST, COPY_SRC] = [0x80, 8, 4];
/** Of integers, which llvmpipe compiles in a quarter of the time of floats. */
const sums = pipeline("sums", { x: u32, k: param(u32) }, ({ x, k }) => ({
  y: x.mul(k).scanInclusive("add"),
}));

/** One step for each count, in one recorder, compared with the reference. */
async function countsAgree(runtime: WebGpuRuntime, counts: readonly number[], max: number): Promise<void> {
  const executable = await runtime.compile(sums);
  const data = dataFor(sums.ir, max);
  const count = runtime.array("u32", Uint32Array.from(counts));
  const recorder = runtime.record();
  const x = runtime.array("u32", data.x as Uint32Array<ArrayBuffer>);
  const outs = counts.map((_, at): DeviceArray => {
    const y = runtime.array("u32", max);
    recorder.run(executable, { x, k: at, y }, { n: { count, at, max } });
    return y;
  });
  await recorder.submit();
  for (const [at, y] of outs.entries()) {
    const n = Math.min(counts[at] as number, max);
    const values = { x: (data.x as Uint32Array).subarray(0, n), k: at };
    const got = { y: (await y.read()).subarray(0, n) as HostArray };
    expect(differences(sums.ir, values, got, n)).toEqual([]);
  }
}

describe("a count in a buffer", () => {
  const few = [0, 1, 3, 7, 8, 9, 63, 64, 65, 511, 513, 600, 1000];
  deviceTest("with dispatches in two dimensions", lavapipe, async (device) => {
    const limits = { maxComputeWorkgroupsPerDimension: 10 };
    const tile = { workGroupSize: 4, itemsPerWorkItem: 2 };
    const capabilities = { ...capabilitiesOf(device), tile };
    await countsAgree(webgpuRuntime(device, { limits, capabilities }), few, 640);
  });

  deviceTest("that is no multiple of a row, where the maximum is one", lavapipe, async (device) => {
    const runtime = webgpuRuntime(device);
    const next = await runtime.compile(pipeline("next", { x: u32 }, ({ x }) => ({ y: x.add(1) })));
    const x = runtime.array(
      "u32",
      Uint32Array.from({ length: 8 }, (_, i) => i),
    );
    const counts = [0, 1, 3, 5, 7, 8];
    const count = runtime.array("u32", Uint32Array.from(counts));
    const recorder = runtime.record();
    const outs = counts.map((_, at) => {
      const y = runtime.array("u32", 8);
      recorder.run(next, { x, y }, { n: { count, at, max: 8 } });
      return y;
    });
    await recorder.submit();
    for (const [at, y] of outs.entries())
      expect([...(await y.read())]).toEqual(
        Array.from({ length: 8 }, (_, i) => (i < (counts[at] ?? 0) ? i + 1 : 0)),
      );
  });

  // Numbers of several steps are passed at once, before all of them: those that a step between writes are not.
  deviceTest("as the steps before it leave it, for any order of steps", lavapipe, async (device) => {
    const next = pipeline("next-of", { x: u32, k: param(u32) }, ({ x, k }) => ({ y: x.add(k) }));
    const runtimes = [jsRuntime(), webgpuRuntime(device)];
    const compiled = await Promise.all(runtimes.map((runtime) => runtime.compile(next)));
    const max = 70;
    const word = fc.nat(2);
    const step = fc.record({
      count: fc.option(word, { nil: undefined }),
      at: fc.nat(1),
      k: fc.nat(20),
      from: word,
      to: word,
    });
    // More than one dispatch passes the number to.
    const several = Array.from({ length: 17 }, (_, k) => ({ count: 0, at: 0, k, from: 1, to: 2 }));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const results = runtimes.map(async (runtime, i) => {
          // Steps read and write arrays of numbers of items.
          const arrays = [0, 1, 2].map((a) =>
            runtime.array(
              "u32",
              Uint32Array.from({ length: max }, (_, at) => (7 * at + 30 * a) % 80),
            ),
          );
          const recorder = runtime.record();
          for (const { count, at, k, from, to } of steps) {
            const n = count === undefined ? max : { count: arrays[count] as DeviceArray<"u32">, at, max };
            const own = to === from ? (to + 1) % 3 : to;
            recorder.run(compiled[i] as Executable, { x: arrays[from], y: arrays[own], k } as never, { n });
          }
          await recorder.submit();
          const read = await Promise.all(arrays.map((array) => array.read()));
          for (const array of arrays) array.dispose();
          return read;
        });
        const [want, got] = await Promise.all(results);
        expect(got).toEqual(want);
      }),
      { numRuns: 20, examples: [[several]] },
    );
    runtimes[0]?.dispose();
  });

  deviceTest("in a caller's encoder, next to a recording of the same pipeline", lavapipe, async (device) => {
    const program = await webgpuRuntime(device).compile(sums);
    const data = dataFor(sums.ir, 3000).x as Uint32Array;
    const make = (bytes: number, values?: HostArray): GPUBuffer => {
      const buffer = device.createBuffer({ size: bytes, usage: STORAGE | COPY_DST | COPY_SRC });
      if (values) device.queue.writeBuffer(buffer, 0, values as Uint32Array<ArrayBuffer>);
      return buffer;
    };
    const x = make(12000, data);
    const count = make(
      1028,
      Uint32Array.from({ length: 257 }, (_, i) => i * 9),
    );
    const jobs = [256, 0, 100].map((at) => ({ at, buffers: { x, y: make(12000) } }));
    const encoder = device.createCommandEncoder();
    const scratch = make(
      program.scratchBytes(3000),
      new Uint32Array(program.scratchBytes(3000) / 4).fill(77),
    );
    const recordings = jobs.map(({ at, buffers }) =>
      program.record(encoder, {
        n: { buffer: count, offset: 4 * at, max: 2200 },
        buffers,
        params: { k: 2 },
        scratch,
      }),
    );
    const plain = { x, y: make(12000) };
    recordings.push(program.record(encoder, { n: 3000, buffers: plain, params: { k: 3 }, scratch }));
    device.queue.submit([encoder.finish()]);
    for (const recording of recordings) {
      await recording.check();
      recording.dispose();
    }
    const read = async (buffer: GPUBuffer, length: number): Promise<Uint32Array> =>
      new Uint32Array(await contentOf(device, buffer), 0, length);
    const all = [
      ...jobs.map(({ at, buffers }) => ({ n: Math.min(9 * at, 2200), k: 2, buffers })),
      { n: 3000, k: 3, buffers: plain },
    ];
    for (const { n, k, buffers } of all) {
      const got = { y: await read(buffers.y, n) };
      expect(differences(sums.ir, { x: data.subarray(0, n), k }, got, n)).toEqual([]);
    }
  });

  deviceTest("that a parameter does not divide is none, in a caller's encoder", lavapipe, async (device) => {
    const divided = param(u32, { divides: true });
    const columns = pipeline("columns", { x: u32, width: divided }, ({ x, width }, { index }) => ({
      y: x.add(index().rem(width)),
    }));
    const program = await webgpuRuntime(device).compile(columns);
    const make = (values: Uint32Array<ArrayBuffer>): GPUBuffer => {
      const usage = STORAGE | COPY_DST | COPY_SRC;
      const buffer = device.createBuffer({ size: values.byteLength, usage });
      device.queue.writeBuffer(buffer, 0, values);
      return buffer;
    };
    const x = make(Uint32Array.of(1, 2, 3, 4, 5, 6));
    const count = make(Uint32Array.of(5, 4));
    const all = [0, 4].map((offset) => {
      const y = make(new Uint32Array(6).fill(9));
      const encoder = device.createCommandEncoder();
      const n = { buffer: count, offset, max: 6 };
      const recording = program.record(encoder, { n, buffers: { x, y }, params: { width: 2 } });
      device.queue.submit([encoder.finish()]);
      recording.dispose();
      return y;
    });
    const read = await Promise.all(all.map(async (y) => [...new Uint32Array(await contentOf(device, y))]));
    expect(read).toEqual([
      [9, 9, 9, 9, 9, 9],
      [1, 3, 3, 5, 9, 9],
    ]);
  });

  deviceTest("is refused where it cannot be read", lavapipe, async (device) => {
    const program = await webgpuRuntime(device).compile(sums);
    const buffer = device.createBuffer({ size: 8, usage: STORAGE });
    const buffers = { x: buffer, y: buffer };
    const record = (n: object): unknown =>
      program.record(device.createCommandEncoder(), { n: n as never, buffers, params: { k: 1 } });
    const bad = expect.objectContaining({ code: "bad-buffer", message: expect.stringContaining("count") });
    expect(() => record({ buffer, offset: 2, max: 1 })).toThrowError(bad);
    expect(() => record({ buffer, offset: 8, max: 1 })).toThrowError(bad);
    const plain = device.createBuffer({ size: 8, usage: COPY_DST });
    expect(() => record({ buffer: plain, max: 1 })).toThrowError(bad);
    expect(() => record({ buffer })).toThrowError(expect.objectContaining({ code: "bad-length" }));
    const grid = pipeline("grid", { x: u32 }, ({ x }) => ({ y: x }), { workGroupSize: [2, 2] });
    const rows = await webgpuRuntime(device).compile(grid);
    expect(() =>
      rows.record(device.createCommandEncoder(), { n: { buffer, max: 4 }, globalSize: [2, 2], buffers: {} }),
    ).toThrowError(expect.objectContaining({ code: "bad-range" }));
  });
});

describe("a runtime", () => {
  const counting = (device: GPUDevice, calls: string[]): GPUDevice =>
    new Proxy(device, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key, target);
        if (typeof value !== "function") return value;
        return (...args: unknown[]) => {
          calls.push(String(key));
          return value.apply(target, args);
        };
      },
    });

  deviceTest("compiles what is equal once", lavapipe, async (device) => {
    const calls: string[] = [];
    const words = pipeline("words", { x: u32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
    const counted = counting(device, calls);
    // Every row of a probe of words.
    await webgpuRuntime(counted, { subgroups: false }).compile(words);
    calls.length = 0;
    const runtime = webgpuRuntime(counted, { subgroups: false });
    const modules = (): number => calls.filter((name) => name === "createShaderModule").length;
    const all = await Promise.all([
      runtime.compile(words),
      runtime.compile(words.ir),
      runtime.compile(words),
    ]);
    expect(modules()).toBe(1);
    await runtime.compile(words, { inPlace: { y: "x" } });
    expect(modules()).toBe(2);
    for (const one of all) one.dispose();
    await runtime.compile(words);
    expect(modules()).toBe(2);
    expect(runtime.stats()).toEqual({ compiled: 2, reused: 3, inUse: 2, kept: 0 });
  });

  deviceTest(
    "tells what the device has against a recording, by the pipeline's name",
    lavapipe,
    async (device) => {
      const runtime = webgpuRuntime(device);
      const executable = await runtime.compile(sums);
      const [x, y] = [runtime.array("u32", 4), runtime.array("u32", 4)];
      // Behind the runtime's back, as another's mistake would be.
      for (const { buffer } of (x as never as { ranges: { buffer: GPUBuffer }[] }).ranges) buffer.destroy();
      const submitted = runtime.record().run(executable, { x, y, k: 1 }).submit();
      await expect(submitted).rejects.toMatchObject({ code: "device-error", where: "sums" });
      // It is reported to its cause alone.
      const fresh = runtime.array("u32", Uint32Array.of(1, 2, 3, 4));
      await runtime.record().run(executable, { x: fresh, y, k: 1 }).submit();
      expect(await y.read()).toEqual(Uint32Array.of(1, 3, 6, 10));
      await expect(x.read()).rejects.toMatchObject({ code: "device-error" });
    },
  );

  deviceTest("tells of memory that is not there, and of a device that is lost", lavapipe, async (device) => {
    const runtime = webgpuRuntime(device);
    const executable = await runtime.compile(sums);
    const [x, y] = [runtime.array("u32", 4), runtime.array("u32", 4)];
    const flying = runtime.record().run(executable, { x, y, k: 1 });
    device.destroy();
    await expect(flying.submit()).rejects.toMatchObject({ code: "device-lost", where: "sums" });
    await expect(y.read()).rejects.toMatchObject({ code: "device-lost" });
    await device.lost;
    expect(() => runtime.array("u32", 1)).toThrowError(expect.objectContaining({ code: "device-lost" }));
    expect(() => runtime.record()).toThrowError(expect.objectContaining({ code: "device-lost" }));
  });

  deviceTest("frees its arrays", lavapipe, async (device) => {
    const runtime = webgpuRuntime(device);
    const array = runtime.array("u32", 4);
    const executable = await runtime.compile(sums.ir);
    const recorder = runtime.record();
    runtime.dispose();
    await expect(array.read()).rejects.toMatchObject({ code: "disposed" });
    expect(() => recorder.run(executable, {})).toThrowError(expect.objectContaining({ code: "disposed" }));
    expect(() => runtime.array("u32", 1)).toThrowError(expect.objectContaining({ code: "disposed" }));
  });
});
