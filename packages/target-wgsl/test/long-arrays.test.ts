/** Arrays on the device that are longer than a binding and than a buffer, in steps that feed one another. */
import type { DeviceArray } from "@groupwise/core";
import { f16, i8, i16, pipeline, table, u8, u16, u32 } from "@groupwise/dsl";
import { deviceTest, inFullRuns, isFullRun } from "@groupwise/testkit/conformance";
import { describe, expect } from "vitest";
import { capabilitiesOf } from "../src/index.ts";
import { type WebGpuRuntime, webgpuRuntime } from "../src/runtime.ts";
import { dawn } from "./devices.ts";

const lavapipe = () => dawn();
const PART = 1024;
const PER_PART = PART / 4;

/** 1 KiB to a binding, 2 KiB to a buffer. */
const small = (device: GPUDevice): WebGpuRuntime =>
  webgpuRuntime(device, {
    limits: { maxStorageBufferBindingSize: PART, maxBufferSize: 2 * PART + 256 },
    capabilities: { ...capabilitiesOf(device), tile: { workGroupSize: 4, itemsPerWorkItem: 2 } },
  });

const sums = pipeline("sums", { x: u32 }, ({ x }) => ({ sums: x.scanInclusive("add") }));
const narrow = pipeline("narrow", { x: u8, t: table(i16) }, ({ x, t }, { index, size }) => ({
  up: u8(x.add(1)),
  turned: i8(x).scatter({ to: size().sub(1).sub(index()) }),
  sums: u16(x.scanInclusive("add")),
  half: i16(t.at(x)),
}));
const compact = pipeline("compact", { x: u32 }, ({ x }) => {
  const where = x.and(3).ne(0);
  const count = where.toU32().reduce("add");
  return { kept: x.scatter({ to: where.toU32().scanExclusive("add"), where, length: count }), count };
});

const values = (n: number): Uint32Array => Uint32Array.from({ length: n }, (_, i) => (i * 7) % 61);
const kept = (x: Uint32Array): Uint32Array => x.filter((one) => (one & 3) !== 0);
const prefixes = (x: Uint32Array): Uint32Array => {
  let sum = 0;
  return x.map((one) => {
    sum += one;
    return sum;
  });
};

const COMPILED =
  "each number of parts is a program to compile; the tests beside it and `lengths.test.ts` have parts";

describe("long device arrays", () => {
  deviceTest("hold what is written, whole and in slices over borders", lavapipe, async (device) => {
    const runtime = small(device);
    const data = values(1800);
    const array = runtime.array("u32", data);
    expect(await array.read()).toEqual(data);
    const slice = array.slice(500, 1100);
    expect(await slice.read()).toEqual(data.subarray(500, 1100));
    slice.write(new Uint32Array(600).fill(9));
    expect(await array.read()).toEqual(data.map((one, i) => (i >= 500 && i < 1100 ? 9 : one)));
    const halves = Uint16Array.from({ length: 3001 }, (_, i) => i);
    const odd = runtime.array(f16.type, halves).slice(1, 2900);
    expect(await odd.read()).toEqual(halves.subarray(1, 2900));
    runtime.dispose();
  });

  deviceTest("of narrow elements are read and written over borders", lavapipe, async (device) => {
    const runtime = small(device);
    const executable = await runtime.compile(narrow);
    // Each number of parts is another program to compile.
    for (const n of isFullRun() ? [1025, 1500, 1999] : [1500]) {
      const x = Uint8Array.from({ length: n }, (_, i) => (i * 7) % 251);
      const t = Int16Array.from(x, (one) => 3 * one - 300);
      const { up, turned, sums, half } = await executable.run({ x, t });
      expect(up).toEqual(x.map((one) => one + 1));
      expect(turned).toEqual(Int8Array.from(x).reverse());
      expect(sums).toEqual(Uint16Array.from(prefixes(Uint32Array.from(x))));
      expect(half).toEqual(Int16Array.from(x, (one) => t[one] as number));
    }
    executable.dispose();
    runtime.dispose();
  });

  deviceTest(
    "feed one step's elements to the next, as many as a count says",
    inFullRuns(COMPILED, lavapipe),
    async (device) => {
      const runtime = small(device);
      const [first, second] = [await runtime.compile(compact), await runtime.compile(sums)];
      for (const n of [700, 3]) {
        const data = values(n);
        const [x, packed, out] = [
          runtime.array("u32", data),
          runtime.array("u32", n),
          runtime.array("u32", n),
        ];
        const count = runtime.array("u32", 1);
        const recorder = runtime.record();
        recorder.run(first, { x, kept: packed, count });
        recorder.run(second, { x: packed, sums: out }, { n: { count, max: n } });
        await recorder.submit();
        const want = kept(data);
        expect(await count.read()).toEqual(Uint32Array.of(want.length));
        expect((await packed.read()).subarray(0, want.length)).toEqual(want);
        expect((await out.read()).subarray(0, want.length)).toEqual(prefixes(want));
      }
      runtime.dispose();
    },
  );

  deviceTest("take slices at the borders of parts, and within a part", lavapipe, async (device) => {
    const runtime = small(device);
    const program = await runtime.compile(sums);
    const data = values(1500);
    const [x, out] = [runtime.array("u32", data), runtime.array("u32", 1500)];
    const run = (from: number, to: number): Promise<void> =>
      runtime
        .record()
        .run(program, { x: x.slice(from, to), sums: out.slice(from, to) })
        .submit();
    for (const [from, to] of [
      [PER_PART, 3 * PER_PART + 44],
      [2 * PER_PART, 1500],
      [64, 200],
      // Two parts that end within the buffer, though they begin within a part.
      [64, 64 + PER_PART + 100],
    ] as const) {
      await run(from, to);
      const found = (await out.read()).subarray(from, to);
      expect(found, `${from} to ${to}`).toEqual(prefixes(data.subarray(from, to)));
    }
    // The second part would begin in one buffer and end in the next.
    expect(() => run(64, 64 + 3 * PER_PART)).toThrowError(expect.objectContaining({ code: "bad-buffer" }));
    runtime.dispose();
  });

  deviceTest(
    "scratch of the caller's own, longer than a buffer",
    inFullRuns(COMPILED, lavapipe),
    async (device) => {
      const runtime = small(device);
      const stored = pipeline("stored", { x: u32 }, ({ x }) => {
        const all = x.scanInclusive("add");
        return { last: all.sub(all.reduce("max")).scanExclusive("max") };
      });
      const program = await runtime.compile(stored);
      const data = values(900);
      const bytes = program.scratchBytes(900);
      expect(bytes).toBeGreaterThan(2 * PART + 256);
      const scratch: DeviceArray = runtime.array("u32", bytes / 4);
      const [x, last] = [runtime.array("u32", data), runtime.array("u32", 900)];
      await runtime.record().run(program, { x, last }, { scratch }).submit();
      const { last: want } = await program.run({ x: data });
      expect(await last.read()).toEqual(want);
      runtime.dispose();
    },
  );
});
