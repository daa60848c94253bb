/** Arrays longer than bindings and buffers, on a device that obeys small limits. */
import { emit, GroupwiseError, type Pipeline, type Scalar, type Scope } from "@groupwise/core";
import { f16, f32, i64, pipeline, starts, u16, u32 } from "@groupwise/dsl";
import {
  collectivesOf,
  dataFor,
  differences,
  expressionsOf,
  runAll,
  TYPES,
  withOutputs,
} from "@groupwise/testkit";
import { deviceTest, inFullRuns, isFullRun } from "@groupwise/testkit/conformance";
import fc from "fast-check";
import { describe, expect, vi } from "vitest";
import { capabilitiesOf, wgsl } from "../src/index.ts";
import { type BufferRanges, type Limits, type WebGpuRuntime, webgpuRuntime } from "../src/runtime.ts";
import { contentOf, dawn } from "./devices.ts";

const lavapipe = () => dawn();
/** 320 words to a part, which is no power of two, as on a device that binds 2^31 - 4 bytes; two parts to a buffer. */
const PART = 1280;
const SMALL: Partial<Limits> = {
  maxStorageBufferBindingSize: PART + 252,
  maxBufferSize: 2 * PART + 512,
  maxComputeWorkgroupsPerDimension: 80,
};

/** Tiles so small that scratch is split into parts too. */
function small(
  device: GPUDevice,
  limits: Partial<Limits> = {},
  tile: readonly [number, number] = [4, 2],
): WebGpuRuntime {
  const [workGroupSize, itemsPerWorkItem] = tile;
  return webgpuRuntime(device, {
    limits: { ...SMALL, ...limits },
    capabilities: { ...capabilitiesOf(device), tile: { workGroupSize, itemsPerWorkItem } },
  });
}

/** The pipeline with one of its outputs: all of them would have more bindings than a pass may. */
const only = (ir: Pipeline, ends: string): Pipeline => {
  const sink = ir.nodes.find((node) => node.kind === "output" && node.name.endsWith(ends));
  return withOutputs(ir, new Set(sink?.kind === "output" ? [sink.name] : []));
};
/** Sizes with the same numbers of parts, the last but one a full part: each number is another program. */
const sizesFor = (type: string): number[] => {
  const perPart = PART / (type.endsWith("64") ? 8 : 4);
  return [perPart + 1, ...(isFullRun() ? [2 * perPart - 3] : []), 2 * perPart];
};

const compact = pipeline("compact", { x: u32 }, ({ x }) => {
  const where = x.and(3).ne(0);
  const to = where.toU32().scanExclusive("add");
  return { kept: x.scatter({ to, where, length: where.toU32().reduce("add") }) };
});
const turned = pipeline("turned", { x: i64 }, ({ x }, { index }) => ({
  back: x.scatter({ to: index().xor(u32(1)) }),
}));

/** In parts these are what others of their width are. */
const SAME: ReadonlySet<Scalar> = new Set(["f64", "u64", "i32", "bool", "f32"]);

describe("arrays in parts", () => {
  for (const [turn, type] of TYPES.filter((type) => isFullRun() || !SAME.has(type)).entries()) {
    deviceTest(`collectives and expressions of ${type}`, lavapipe, async (device) => {
      const runtime = small(device);
      const ops = [type === "bool" ? "logical-and" : "add"] as const;
      const collectives = (scope: Scope): Pipeline => collectivesOf({ type, scope, workGroupSize: 8, ops });
      const all = [
        only(collectives("device"), "scan_exclusive"),
        only(collectives("work-group"), "scan_inclusive"),
        only(expressionsOf(type), ""),
      ];
      // What else is in a kernel does not change how arrays are read: one of them for each type, by turns.
      for (const ir of all.filter((_, i) => isFullRun() || i === turn % all.length))
        expect(await runAll(await runtime.compile(ir), ir, sizesFor(type))).toEqual([]);
    });
  }

  // Rows of four are two words, which have names beside those of the elements.
  const shorts = pipeline("shorts", { x: u16 }, ({ x }) => ({ y: x.mul(3) }));
  deviceTest("rows of 16 bits", lavapipe, async (device) => {
    const program = await small(device, {}, [4, 4]).compile(shorts);
    expect(await runAll(program, shorts.ir, [639, 641, 1279, 1281, 1286])).toEqual([]);
  });

  // A later pass reads the scan, so that it is stored in scratch memory.
  const stored = pipeline("stored", { x: f32 }, ({ x }) => {
    const sums = x.scanInclusive("max");
    return { last: sums.sub(sums.reduce("add")).scanExclusive("min") };
  });
  const halves = pipeline("halves", { x: f16 }, ({ x }) => ({ sums: x.scanExclusive("max").neg() }));
  // Outside of full runs a scatter: the types above have arrays of each width, and scratch of several levels.
  for (const { ir } of isFullRun() ? [compact, turned, stored, halves] : [compact]) {
    deviceTest(`${ir.name}, sizes up and down with one program`, lavapipe, async (device) => {
      const program = await small(device).compile(ir);
      // Each number of parts is another program to compile.
      const sizes = isFullRun() ? [0, 2, 320, 500, 2, 640, 700] : [0, 500, 2, 640];
      expect(await runAll(program, ir, sizes)).toEqual([]);
    });
  }
});

/** The first item of each run: every kernel also reads the item before each. */
const firsts = pipeline("firsts", { x: u32 }, ({ x }) => {
  const where = starts(x);
  const to = where.toU32().scanExclusive("add");
  return { kept: x.scatter({ to, where, length: where.toU32().reduce("add") }) };
});
const runs = (n: number): Uint32Array => Uint32Array.from({ length: n }, (_, i) => (i * i) >> 7);

// Tiles of 128 items: some are in two parts.
for (const [most, isTwice] of [
  [10, true],
  [9, false],
] as const)
  deviceTest(`vec4s and neighbours with ${most} bindings to a pass`, lavapipe, async (device) => {
    const made = vi.spyOn(device, "createShaderModule");
    const limits = { maxStorageBuffersPerShaderStage: most };
    const program = await small(device, limits, [16, 8]).compile(firsts);
    // The last part ends with a tile, with a vec4, and within its first one.
    for (const n of [768, 644, 641, 643]) {
      const x = runs(n);
      const { kept } = await program.run({ x });
      expect(kept, `${n} items`).toEqual(x.filter((one, i) => i === 0 || one !== x[i - 1]));
    }
    const texts = made.mock.calls.map(([{ code }]) => code).filter((code) => code.includes("x_0:"));
    expect(texts.length).toBeGreaterThan(0);
    expect(texts.every((code) => code.includes("x_2_rows") === isTwice)).toBe(true);
  });

deviceTest(
  "any limits and any length",
  inFullRuns("three minutes of compiling for random limits", lavapipe),
  async (device) => {
    const limits = fc.record({
      maxStorageBufferBindingSize: fc.integer({ min: 256, max: 2044 }),
      maxBufferSize: fc.integer({ min: 64, max: 2048 }).map((words) => 4 * words),
      maxComputeWorkgroupsPerDimension: fc.integer({ min: 9, max: 200 }),
    });
    const lengths = fc.array(fc.integer({ min: 1, max: 640 }), { minLength: 1, maxLength: 3 });
    const property = fc.asyncProperty(
      limits,
      lengths,
      fc.constantFrom(compact, turned),
      async (some, sizes, p) => {
        const program = await small(device, some, [8, 4]).compile(p.ir);
        for (const n of sizes) {
          const values = dataFor(p.ir, n - (n % 2));
          try {
            expect(differences(p.ir, values, await program.run(values), n - (n % 2))).toEqual([]);
          } catch (error) {
            // With parts as small as these some lengths need more bindings than there are.
            if (!(error instanceof GroupwiseError) || error.code !== "too-many-items") throw error;
          }
        }
      },
    );
    await fc.assert(property, { numRuns: isFullRun() ? 8 : 3 });
  },
);

/** So many elements of u32, in buffers of so many bytes each. */
function inBuffers(device: GPUDevice, elements: number, bytesEach: number): GPUBuffer[] {
  const bytes = elements * 4;
  return Array.from({ length: Math.ceil(bytes / bytesEach) }, (_, i) =>
    device.createBuffer({ size: Math.min(bytesEach, bytes - i * bytesEach), usage: ALL }),
  );
}

/** The words of buffers, one after the other. */
async function wordsOf(device: GPUDevice, buffers: readonly GPUBuffer[]): Promise<number[]> {
  const parts = await Promise.all(buffers.map((buffer) => contentOf(device, buffer)));
  return parts.flatMap((part) => [...new Uint32Array(part)]);
}

const ALL = 0x80 | 8 | 4;
const sums = pipeline("sums", { x: u32 }, ({ x }) => ({ sums: x.scanInclusive("add").sub(1) }));
const prefixes = (n: number): number[] => {
  let sum = -1;
  return Array.from({ length: n }, (_, i) => {
    sum += i % 7;
    return sum >>> 0;
  });
};

describe("recordings of long arrays", () => {
  const n = 900;
  /** Writes the input to its buffers, records, and reads the sums. */
  async function record(
    device: GPUDevice,
    x: BufferRanges,
    out: BufferRanges,
    scratch?: readonly GPUBuffer[],
  ): Promise<void> {
    const program = await small(device).compile(sums);
    const encoder = device.createCommandEncoder();
    const options = { n, buffers: { x, sums: out } };
    program.record(encoder, scratch ? { ...options, scratch } : options);
    device.queue.submit([encoder.finish()]);
  }
  const values = Uint32Array.from({ length: n }, (_, i) => i % 7);

  deviceTest("one buffer each, bound in parts", lavapipe, async (device) => {
    const [x, out] = [inBuffers(device, n + 64, 4096), inBuffers(device, n + 64, 4096)];
    device.queue.writeBuffer(x[0] as GPUBuffer, 256, values);
    await record(
      device,
      { buffer: x[0] as GPUBuffer, offset: 256 },
      { buffer: out[0] as GPUBuffer, offset: 256 },
    );
    expect((await wordsOf(device, out)).slice(64)).toEqual(prefixes(n));
  });

  deviceTest("several buffers, of a part and of several", lavapipe, async (device) => {
    const [x, out] = [inBuffers(device, n, PART), inBuffers(device, n, 2 * PART)];
    x.forEach((buffer, i) => {
      device.queue.writeBuffer(buffer, 0, values, (i * PART) / 4, buffer.size / 4);
    });
    const program = await small(device).compile(sums);
    const scratch = [device.createBuffer({ size: program.scratchBytes(n), usage: ALL })];
    await record(device, x, out, scratch);
    expect(await wordsOf(device, out)).toEqual(prefixes(n));
  });

  deviceTest("a part in two buffers, and too few bytes, are refused", lavapipe, async (device) => {
    const [x, out] = [inBuffers(device, n, PART), inBuffers(device, n, 1792)];
    const bad = (text: string): unknown =>
      expect.objectContaining({ code: "bad-buffer", message: expect.stringContaining(text) });
    await expect(record(device, x, out)).rejects.toEqual(bad("two buffers"));
    await expect(record(device, x.slice(1), x)).rejects.toEqual(bad("needs 3600"));
    await expect(record(device, x, [...x].reverse())).rejects.toEqual(bad("two buffers"));
  });
});

deviceTest(
  "buffers hold whole parts of files that were emitted in smaller ones",
  lavapipe,
  async (device) => {
    const partBytes = 1024;
    const program = await small(device).load(
      emit(sums, wgsl, { split: { partBytes, parts: { x: 4, sums: 4 } } }),
    );
    expect(program.partBytes).toBe(partBytes);
    const x = Uint32Array.from({ length: 1000 }, (_, i) => i % 7);
    expect((await program.run({ x })).sums).toEqual(Uint32Array.from(prefixes(x.length)));
  },
);

describe("what cannot fit", () => {
  deviceTest("is told before anything is made", lavapipe, async (device) => {
    const program = await small(device, { maxStorageBuffersPerShaderStage: 6 }).compile(sums);
    const made = vi.spyOn(device, "createBuffer");
    const x = new Uint32Array(1000);
    const tooMany = expect.objectContaining({
      code: "too-many-items",
      message: expect.stringMatching(
        /maxStorageBuffersPerShaderStage of 6 bindings of 1280 bytes.* allows 640/,
      ),
    });
    await expect(program.run({ x })).rejects.toEqual(tooMany);
    expect(made).not.toHaveBeenCalled();
    expect(await program.run({ x: x.subarray(0, 640) })).toHaveProperty("sums");
  });
});
