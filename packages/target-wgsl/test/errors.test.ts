import { type ErrorCode, emit, type RunOutputs } from "@groupwise/core";
import { pipeline, u32 } from "@groupwise/dsl";
import { deviceTest, expectSlotsChecked, inFullRuns } from "@groupwise/testkit/conformance";
import { describe, expect, test } from "vitest";
import { expectAccessesChecked } from "../../testkit/src/faults/accesses.ts";
import { gridOf } from "../src/device/limits.ts";
import { capabilitiesOf, wgsl } from "../src/index.ts";
import { type WgslProgram, webgpuRuntime } from "../src/runtime.ts";
import { dawn } from "./devices.ts";
import { spied } from "./spied.ts";

const lavapipe = () => dawn();
const sums = pipeline("sums", { x: u32 }, ({ x }) => ({ sums: x.scanInclusive("add") }));
const x = Uint32Array.from({ length: 3000 }, (_, i) => i);
const coded = (code: ErrorCode, text = ""): unknown =>
  expect.objectContaining({ code, message: expect.stringContaining(text) });

/** The device, but with other limits: what a smaller one would answer. */
const limited = (device: GPUDevice, limits: Partial<Record<keyof GPUSupportedLimits, number>>): GPUDevice =>
  spied(device, { limits: spied(device.limits, limits) });

const emittedIn = (device: GPUDevice, partBytes: number): Promise<WgslProgram> =>
  webgpuRuntime(device).load(emit(sums, wgsl, { split: { partBytes, parts: { x: 2, sums: 2 } } }));

describe("limits of the device", () => {
  deviceTest("too many items: the number that fits, and what to do", lavapipe, async (device) => {
    const small = { limits: { maxStorageBufferBindingSize: 8192, maxStorageBuffersPerShaderStage: 3 } };
    // Two parts of x, two of the sums and the totals are five.
    const program = await webgpuRuntime(device, small).compile(sums);
    await expect(program.run({ x })).rejects.toEqual(coded("too-many-items", "allows 2048"));
    expect(await program.run({ x: x.subarray(0, 2048) })).toHaveProperty("sums");
    // What was emitted earlier cannot be emitted again in parts.
    const emitted = await webgpuRuntime(device, { limits: { maxStorageBufferBindingSize: 8192 } }).load(
      emit(sums, wgsl),
    );
    await expect(emitted.run({ x })).rejects.toEqual(coded("too-many-items", "allows 2048"));
    const grid = pipeline("grid", { x: u32 }, ({ x: v }) => ({ y: v.add(1) }), { workGroupSize: [8, 4] });
    const rows = await webgpuRuntime(device, small).compile(grid);
    const many = rows.run({ x }, { globalSize: [30, 100] });
    // 68 rows of 30 are the most that 2048 elements hold.
    await expect(many).rejects.toEqual(coded("too-many-items", "allows 2040"));
    const inParts = await emittedIn(device, 4096);
    expect((await inParts.run({ x: x.subarray(0, 1000) })).sums?.at(-1)).toBe((999 * 1000) / 2);
    expect((await inParts.run({ x: x.subarray(0, 2048) })).sums?.at(-1)).toBe((2047 * 2048) / 2);
    await expect(inParts.run({ x })).rejects.toEqual(coded("too-many-items", "allows 2048"));
    const flat = await webgpuRuntime(device, { limits: { maxComputeWorkgroupsPerDimension: 1 } }).compile(
      sums,
    );
    await expect(flat.run({ x })).rejects.toEqual(coded("too-many-items", "allows 1024"));
  });

  deviceTest("too many arrays, work-items, or bytes of work-group memory", lavapipe, async (device) => {
    const tell = (limits: object, p: Parameters<typeof emit>[0] = sums): Promise<unknown> =>
      webgpuRuntime(limited(device, limits)).load(emit(p, wgsl));
    await expect(tell({ maxStorageBuffersPerShaderStage: 2 })).rejects.toEqual(
      coded("device-limit", "maxStorageBuffersPerShaderStage"),
    );
    await expect(tell({ maxComputeInvocationsPerWorkgroup: 128 })).rejects.toEqual(coded("device-limit"));
    await expect(tell({ maxComputeWorkgroupStorageSize: 1024 })).rejects.toEqual(coded("device-limit"));
  });

  deviceTest("a smaller device gets smaller tiles", lavapipe, async (device) => {
    const small = limited(device, { maxComputeInvocationsPerWorkgroup: 100 });
    expect(capabilitiesOf(small).tile).toEqual({
      workGroupSize: 64,
      itemsPerWorkItem: 4,
      reducedPerWorkItem: 8,
    });
    const { sums: got } = await (await webgpuRuntime(small).compile(sums)).run({ x });
    expect(got?.at(-1)).toBe((2999 * 3000) / 2);
  });

  test("a grid covers its work-groups with few surplus ones", () => {
    for (const groups of [1, 2, 65535, 65536, 65537, 131071, 10_000_000, 4026531840]) {
      const [columns, rows] = gridOf(groups, 65535);
      expect(columns).toBeLessThanOrEqual(65535);
      expect(rows).toBeLessThanOrEqual(65535);
      expect(columns * rows).toBeGreaterThanOrEqual(groups);
      expect(columns * rows - groups).toBeLessThan(rows);
      expect(columns * rows).toBeLessThan(2 ** 32);
    }
  });
});

describe("failures of the device", () => {
  deviceTest("a device lost before, while and after", lavapipe, async (device) => {
    const program = await webgpuRuntime(device).compile(sums);
    const flying: Promise<RunOutputs>[] = [program.run({ x }), program.run({ x })];
    device.destroy();
    for (const run of flying) await expect(run).rejects.toEqual(coded("device-lost"));
    await device.lost;
    await expect(program.run({ x })).rejects.toEqual(coded("device-lost"));
    await expect(webgpuRuntime(device).compile(sums)).rejects.toEqual(coded("device-lost"));
  });

  deviceTest("what the compiler says, with the line", lavapipe, async (device) => {
    const { manifest, files } = emit(sums, wgsl);
    const broken = files.map((file) => ({ ...file, text: file.text.replace("fn scan(", "fn scan(;") }));
    await expect(webgpuRuntime(device).load({ manifest, files: broken })).rejects.toEqual(
      coded("device-error", "sums.wgsl:"),
    );
    await expect(webgpuRuntime(device).load({ manifest, files: [] })).rejects.toEqual(coded("missing-file"));
  });

  deviceTest("what the error scope says, where a module has no messages", lavapipe, async (device) => {
    const { manifest, files } = emit(sums, wgsl);
    const silent = spied(device, {
      createShaderModule: (descriptor: GPUShaderModuleDescriptor) => {
        const module = device.createShaderModule(descriptor);
        const getCompilationInfo = (): never => {
          throw new Error("getCompilationInfo not implemented");
        };
        // Dawn itself takes no other objects than its own: those of probes.
        return module.label === "sums.wgsl" ? spied(module, { getCompilationInfo }) : module;
      },
    });
    const broken = files.map((file) => ({ ...file, text: file.text.replace("fn scan(", "fn scan(;") }));
    const refused = webgpuRuntime(silent).load({ manifest, files: broken });
    await expect(refused).rejects.toEqual(coded("device-error", "error: expected"));
    await expect(refused).rejects.toMatchObject({ where: "sums" });
  });

  deviceTest("the kernel that the device refuses to make", lavapipe, async (device) => {
    const refusing = spied(device, {
      createComputePipelineAsync: (descriptor: GPUComputePipelineDescriptor) =>
        descriptor.compute.module.label === "sums.wgsl"
          ? Promise.reject(new Error("not today"))
          : device.createComputePipelineAsync(descriptor),
    });
    const [pass] = emit(sums, wgsl).manifest.passes;
    const refused = webgpuRuntime(refusing).load(emit(sums, wgsl));
    await expect(refused).rejects.toEqual(coded("device-error", "not today"));
    await expect(refused).rejects.toMatchObject({ where: `sums, ${pass?.entryPoint}` });
  });

  deviceTest(
    "buffers are freed after a run, also after one that fails; those that are kept with the runtime",
    lavapipe,
    async (device) => {
      const made = new Set<GPUBuffer>();
      const watching = spied(device, {
        createBuffer: (descriptor: GPUBufferDescriptor) => {
          const buffer = device.createBuffer(descriptor);
          const destroy = buffer.destroy.bind(buffer);
          made.add(buffer);
          buffer.destroy = () => {
            made.delete(buffer);
            return destroy();
          };
          return buffer;
        },
      });
      const p = pipeline("p", { x: u32 }, ({ x: v }) => ({
        y: v.scatter({ to: v }),
        all: v.scanInclusive("add"),
      }));
      const runtime = webgpuRuntime(watching);
      const program = await runtime.compile(p);
      await program.run({ x: new Uint32Array([2, 0, 1]) });
      // The next run has the same arrays and scratch, and reads two outputs and the status by way of the same buffer.
      const kept = [...made];
      expect(new Set(kept.map(({ label }) => label))).toEqual(
        new Set(["array of a run", "params", "read", "scratch"]),
      );
      await expect(program.run({ x: new Uint32Array([2, 0, 9]) })).rejects.toEqual(
        coded("scatter-outside", "y"),
      );
      expect([...made]).toEqual(kept);
      runtime.dispose();
      expect(made.size).toBe(0);
    },
  );
});

describe("incorrect use", () => {
  deviceTest("two items that write one slot, with the option debug", lavapipe, (device) =>
    expectSlotsChecked(webgpuRuntime(device, { debug: true })),
  );

  deviceTest(
    "accesses of kernels outside, with the option debug",
    inFullRuns("JavaScript has the checks, the interpreter of kernels those in work-groups", lavapipe),
    async (device) => {
      await expectAccessesChecked(webgpuRuntime(device, { debug: true }));
    },
  );

  test("a device that is a promise, or none", () => {
    for (const device of [Promise.resolve({}), undefined, null, {}, { limits: {} }])
      expect(() => webgpuRuntime(device as never)).toThrowError(coded("bad-argument"));
  });

  deviceTest("a read of more elements than the host can have in one array", lavapipe, async (device) => {
    const runtime = webgpuRuntime(device);
    await expect(runtime.array("u8", 2 ** 34).read()).rejects.toEqual(coded("device-error"));
    runtime.dispose();
  });

  deviceTest("a broadcast of nothing", lavapipe, async (device) => {
    const p = pipeline("p", { x: u32 }, ({ x: v }) => ({ first: v.broadcast(0) }));
    const program = await webgpuRuntime(device).compile(p);
    await expect(program.run({ x: new Uint32Array(0) })).rejects.toEqual(coded("empty-broadcast"));
    expect(await program.run({ x: new Uint32Array([3, 4]) })).toEqual({ first: new Uint32Array([3]) });
  });

  deviceTest("use after disposal", lavapipe, async (device) => {
    const runtime = webgpuRuntime(device);
    const program = await runtime.compile(sums);
    const other = await runtime.compile(sums);
    program.dispose();
    await expect(program.run({ x })).rejects.toEqual(coded("disposed"));
    const record = (): unknown => program.record(device.createCommandEncoder(), { n: 1, buffers: {} });
    expect(record).toThrowError(expect.objectContaining({ code: "disposed" }));
    expect(await other.run({ x })).toHaveProperty("sums");
    runtime.dispose();
    await expect(other.run({ x })).rejects.toEqual(coded("disposed"));
    await expect(runtime.compile(sums)).rejects.toEqual(coded("disposed"));
  });
});
