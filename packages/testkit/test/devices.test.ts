import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, type TestContext, test, vi } from "vitest";
import * as devices from "../src/devices/index.ts";
import { deviceTest, requireDevice } from "../src/devices/require-device.ts";

const SQUARES = `@group(0) @binding(0) var<storage, read_write> data: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) { data[id.x] = data[id.x] * data[id.x] + id.x; }`;
const BROKEN = "@compute @workgroup_size(64) fn main() { let x = ; }";
// Tint accepts it; naga, and therefore Firefox, does not.
const WORK_GROUP_POINTER = `var<workgroup> scratch: array<u32, 4>;
@group(0) @binding(0) var<storage, read_write> data: array<u32>;
fn first(p: ptr<workgroup, array<u32, 4>>) -> u32 { return (*p)[0]; }
@compute @workgroup_size(4) fn main() { data[0] = first(&scratch); }`;
const DIVERGENT = `@group(0) @binding(0) var<storage, read_write> data: array<u32>;
@compute @workgroup_size(4)
fn main(@builtin(local_invocation_index) i: u32) { if (data[i] > 0u) { workgroupBarrier(); } }`;

// The text is right, and no device makes a pipeline of it.
const TOO_LARGE = "@compute @workgroup_size(65536) fn main() {}";

const INPUT = Uint32Array.from({ length: 256 }, (_, i) => (i * 2_654_435_761) >>> 0);
const WANT = INPUT.map((x, i) => Math.imul(x, x) + i);

/** Runs SQUARES over `input` on `device`; plain text too, because it also runs in a browser and in Deno. */
const RUN = `
const usage = { storage: 0x80, from: 0x4, to: 0x8, read: 0x1 };
const buffer = device.createBuffer({ size: input.byteLength, usage: usage.storage | usage.from | usage.to });
const result = device.createBuffer({ size: input.byteLength, usage: usage.read | usage.to });
device.queue.writeBuffer(buffer, 0, input);
const module = device.createShaderModule({ code });
const pipeline = device.createComputePipeline({ layout: "auto", compute: { module, entryPoint: "main" } });
const entries = [{ binding: 0, resource: { buffer } }];
const encoder = device.createCommandEncoder();
const pass = encoder.beginComputePass();
pass.setPipeline(pipeline);
pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }));
pass.dispatchWorkgroups(input.length / 64);
pass.end();
encoder.copyBufferToBuffer(buffer, 0, result, 0, input.byteLength);
device.queue.submit([encoder.finish()]);
await result.mapAsync(1);
const output = new Uint32Array(result.getMappedRange().slice(0));
device.destroy();
return output;
`;
async function squares(device: GPUDevice): Promise<Uint32Array> {
  const AsyncFunction = (async () => {}).constructor as new (
    ...args: string[]
  ) => (...args: unknown[]) => Promise<Uint32Array>;
  return new AsyncFunction("device", "code", "input", RUN)(device, SQUARES, INPUT);
}

describe("a device that is missing", () => {
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });
  const context = {
    skip: (note: string) => {
      throw new Error(`skipped: ${note}`);
    },
  } as unknown as TestContext;
  const probe = () => devices.missing("no such thing", "get it");

  test("skips the test with its reason", async () => {
    vi.stubEnv("CI", "");
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    await expect(requireDevice(context, probe)).rejects.toThrow("skipped: no such thing; get it");
    expect(warn).toHaveBeenCalledOnce();
  });

  test("fails the test under CI", async () => {
    vi.stubEnv("CI", "true");
    await expect(requireDevice(context, probe)).rejects.toMatchObject({
      code: "device-missing",
      remedy: "get it",
    });
  });
});

const SOFTWARE = ["lavapipe", "swiftshader"] as const;

describe("Dawn in Node", () => {
  for (const adapter of SOFTWARE) {
    deviceTest(
      `${adapter} computes`,
      () => devices.findDawn({ adapter }),
      async ({ device, info }) => {
        expect(info.description.toLowerCase()).toContain(adapter === "lavapipe" ? "llvmpipe" : adapter);
        expect(await squares(device)).toEqual(WANT);
      },
    );
  }

  deviceTest(
    "both are open in one process",
    () => devices.findDawn({ adapter: "swiftshader" }),
    async (other, context) => {
      const before = process.env.VK_DRIVER_FILES;
      const lavapipe = await requireDevice(context, () => devices.findDawn({ adapter: "lavapipe" }));
      expect(lavapipe.device.features.has("shader-f16")).toBe(true);
      expect(other.device.features.has("shader-f16")).toBe(false);
      const [a, b] = await Promise.all([squares(lavapipe.device), squares(other.device)]);
      expect(a).toEqual(b);
      expect(process.env.VK_DRIVER_FILES).toBe(before);
      const names = (await devices.listDawnAdapters()).join();
      if (!before) expect(names).toContain("llvmpipe");
      expect(names).toContain("SwiftShader");
    },
  );

  deviceTest(
    "limits are the adapter's, or WebGPU's own",
    () => devices.findDawn({ adapter: "lavapipe" }),
    async (most) => {
      const least = await devices.openDawn({ adapter: "lavapipe", limits: "default", features: [] });
      expect(least.limits.maxComputeInvocationsPerWorkgroup).toBe(256);
      expect(most.device.limits.maxComputeInvocationsPerWorkgroup).toBeGreaterThan(256);
      expect(least.features.has("subgroups")).toBe(false);
      for (const device of [least, most.device]) device.destroy();
    },
  );

  test("a missing adapter is named", async () => {
    const none = await devices.findDawn({ adapter: "no such adapter" });
    expect(none).toMatchObject({ found: false, reason: expect.stringMatching(/no such adapter|webgpu/) });
    await expect(devices.openDawn({ adapter: "no such adapter" })).rejects.toMatchObject({
      code: "device-missing",
    });
  });
});

describe("Tint", () => {
  deviceTest(
    "accepts, rejects and tells where",
    () => devices.findDawn({ adapter: "lavapipe" }),
    async ({ device }) => {
      const files = Object.entries({ SQUARES, WORK_GROUP_POINTER, BROKEN, DIVERGENT, TOO_LARGE }).map(
        ([name, code]) => ({
          name,
          code,
        }),
      );
      const reports = await devices.checkWithTint(device, files, { pipelines: true });
      expect(reports.map(({ ok }) => ok)).toEqual([true, true, false, false, false]);
      expect(reports[2]?.diagnostics[0]).toMatchObject({ severity: "error", line: 1, column: 50 });
      expect(devices.formatReports(reports)).toMatch(/DIVERGENT:3:\d+: error: .*uniform/);
      expect((await devices.checkWithTint(device, files.slice(4)))[0]?.ok).toBe(true);
      device.destroy();
    },
  );
});

describe("Deno (naga)", () => {
  deviceTest(
    "accepts, rejects and tells where",
    () => devices.findDeno("lavapipe"),
    async () => {
      const files = Object.entries({ SQUARES, WORK_GROUP_POINTER, BROKEN, TOO_LARGE }).map(
        ([name, code]) => ({
          name,
          code,
        }),
      );
      const reports = await devices.checkWithNaga(files, { adapter: "lavapipe", pipelines: true });
      expect(reports.map(({ ok }) => ok)).toEqual([true, false, false, false]);
      expect(devices.formatReports(reports)).toMatch(/WORK_GROUP_POINTER:3:1: error: [\s\S]*WorkGroup/);
      expect(reports[2]?.diagnostics[0]).toMatchObject({ line: 1, column: 50 });
    },
  );

  for (const adapter of SOFTWARE) {
    deviceTest(
      `computes on ${adapter}`,
      () => devices.findDeno(adapter),
      async () => {
        const body =
          `const { code } = arguments_; const device = await (await navigator.gpu.requestAdapter()).requestDevice();
        const run = async (input) => {${RUN}};
        return [...await run(Uint32Array.from(arguments_.input))];`.replaceAll("arguments_", "input");
        const input = { code: SQUARES, input: [...INPUT] };
        expect(await devices.runInDeno(body, input, { adapter })).toEqual([...WANT]);
      },
    );
  }

  deviceTest(
    "what goes wrong inside comes out",
    () => devices.findDeno(),
    async () => {
      await expect(devices.runInDeno("throw new Error('inside')", 1)).rejects.toThrow("inside");
    },
  );
});

describe("Chromium", () => {
  const dir = mkdtempSync(join(tmpdir(), "groupwise-test-"));
  afterAll(() => rmSync(dir, { recursive: true, force: true }));
  beforeAll(() => {
    writeFileSync(join(dir, "kernel.js"), `export const code = ${JSON.stringify(SQUARES)};`);
    writeFileSync(
      join(dir, "run.js"),
      `import { code } from "kernel";
      export async function run(input) {
        const device = await (await navigator.gpu.requestAdapter()).requestDevice();
        ${RUN}
      }`,
    );
  });
  const imports = { kernel: "/kernel.js" };

  deviceTest(
    "computes, with modules of a directory",
    () => devices.findBrowserGpu({ dir, imports }),
    async (gpu) => {
      try {
        const output = await gpu.run<Uint32Array>('return (await import("/run.js")).run(input);', INPUT);
        expect(Uint32Array.from(output)).toEqual(WANT);
        const odd = [Number.NaN, Number.NEGATIVE_INFINITY, -0, 2n ** 63n];
        expect(await gpu.run("return input", odd)).toEqual(odd);
        await expect(gpu.run("throw new TypeError('inside')")).rejects.toThrow("inside");
        const status = await gpu.run<number>("return (await fetch('/..%2f..%2fetc/passwd')).status");
        expect(status).toBe(404);
      } finally {
        await gpu.close();
      }
    },
  );
});

describe("clang", () => {
  const good = "kernel void k(global uint *a) { size_t i = get_global_id(0); a[i] = a[i] + 1u; }\n";
  const unused = "kernel void k(global uint *a) {\n  uint b = 1u;\n  a[0] = 1u;\n}\n";
  const broken = "kernel void k(global uint *a) { a[0] = missing(1u) }\n";
  const collective = "kernel void k(global uint *a) { a[0] = work_group_reduce_add(a[0]); }\n";
  const named = (codes: Record<string, string>) =>
    Object.entries(codes).map(([name, code]) => ({ name, code }));

  deviceTest("accepts, rejects and tells where", devices.findClang, async () => {
    const reports = await devices.checkWithClang(named({ good, unused, broken }));
    expect(reports.map(({ name, ok }) => [name, ok])).toEqual([
      ["good", true],
      ["unused", false],
      ["broken", false],
    ]);
    expect(reports[1]?.diagnostics).toHaveLength(2); // once per standard
    expect(reports[1]?.diagnostics[0]).toMatchObject({ severity: "error", line: 2, column: 8 });
  });

  deviceTest("knows collectives only where their feature is on", devices.findClang, async () => {
    const feature = "__opencl_c_work_group_collective_functions";
    const check = async (options: devices.ClangOptions) =>
      (await devices.checkWithClang(named({ collective }), options))[0]?.ok;
    expect(await check({ standards: ["CL3.0"], features: [feature] })).toBe(true);
    expect(await check({ standards: ["CL3.0"] })).toBe(false);
    expect(await check({ standards: ["CL1.2"], features: [feature] })).toBe(false);
  });

  deviceTest("many files, a broken one among them", devices.findClang, async () => {
    const files = Array.from({ length: 70 }, (_, i) => ({ name: `${i}`, code: i === 40 ? broken : good }));
    const reports = await devices.checkWithClang(files, { standards: ["CL1.2"] });
    expect(reports.filter(({ ok }) => !ok).map(({ name }) => name)).toEqual(["40"]);
  });

  deviceTest("a wrong argument is an error of every file", devices.findClang, async () => {
    const reports = await devices.checkWithClang(named({ good }), { args: ["-no-such-argument"] });
    expect(devices.formatReports(reports)).toContain("no-such-argument");
  });
});

/** A little OpenCL program through koffi: prints the platform's name, and what KERNEL makes of 128 zeros. */
const KOFFI = pathToFileURL(createRequire(import.meta.url).resolve("koffi")).href;
const PROGRAM = `import koffi from ${JSON.stringify(KOFFI)};
const cl = koffi.load("libOpenCL.so.1");
const f = (text) => cl.func(text);
const code = [0], platform = new BigUint64Array(1), device = new BigUint64Array(1), name = Buffer.alloc(256);
if (f("int clGetPlatformIDs(uint32_t, _Out_ uint64_t*, void*)")(1, platform, null)) process.exit(3);
f("int clGetPlatformInfo(uint64_t, uint32_t, size_t, _Out_ uint8_t*, void*)")(platform[0], 0x902, 256, name, null);
f("int clGetDeviceIDs(uint64_t, uint64_t, uint32_t, _Out_ uint64_t*, void*)")(platform[0], 0xffffffffn, 1, device, null);
const context = f("uint64_t clCreateContext(void*, uint32_t, uint64_t*, void*, void*, _Out_ int*)")(null, 1, device, null, null, code);
const program = f("uint64_t clCreateProgramWithSource(uint64_t, uint32_t, const char**, void*, _Out_ int*)")(context, 1, [process.env.KERNEL], null, code);
if (f("int clBuildProgram(uint64_t, uint32_t, uint64_t*, const char*, void*, void*)")(program, 1, device, process.env.OPTIONS, null, null)) process.exit(4);
const kernel = f("uint64_t clCreateKernel(uint64_t, const char*, _Out_ int*)")(program, "k", code);
const queue = f("uint64_t clCreateCommandQueue(uint64_t, uint64_t, uint64_t, _Out_ int*)")(context, device[0], 0n, code);
const memory = f("uint64_t clCreateBuffer(uint64_t, uint64_t, size_t, void*, _Out_ int*)")(context, 1n, 512, null, code);
f("int clSetKernelArg(uint64_t, uint32_t, size_t, void*)")(kernel, 0, 8, new BigUint64Array([BigInt(memory)]));
f("int clEnqueueNDRangeKernel(uint64_t, uint64_t, uint32_t, void*, size_t*, size_t*, uint32_t, void*, void*)")(queue, kernel, 1, null, new BigUint64Array([128n]), new BigUint64Array([64n]), 0, null, null);
const out = new Uint32Array(128);
f("int clEnqueueReadBuffer(uint64_t, uint64_t, uint32_t, size_t, size_t, _Out_ uint8_t*, uint32_t, void*, void*)")(queue, memory, 1, 0, 512, new Uint8Array(out.buffer), 0, null, null);
console.log(JSON.stringify({ platform: name.toString("utf8").split("\\0")[0], out: [...out] }));
`;
const OPENCL_SQUARES = "kernel void k(global uint *a) { uint i = get_global_id(0); a[i] = i * i; }";
const RACE = `kernel void k(global uint *a) {
  local uint s[64];
  uint i = get_local_id(0);
  s[i] = i;
  a[get_global_id(0)] = s[(i + 1u) % 64u];
}`;

describe("OpenCL", () => {
  const args = ["--input-type=module", "--eval", PROGRAM];
  const env = (KERNEL: string, OPTIONS = "-cl-std=CL1.2") => ({ KERNEL, OPTIONS });
  const want = Array.from({ length: 128 }, (_, i) => i * i);
  const NAMES = { pocl: "Portable Computing Language", oclgrind: "Oclgrind" } as const;

  for (const [platform, name] of Object.entries(NAMES) as ["pocl" | "oclgrind", string][]) {
    deviceTest(
      `${platform} computes`,
      () => devices.findOpenCl(platform),
      async () => {
        const result = await devices.runNodeOn(platform, args, { env: env(OPENCL_SQUARES) });
        expect(result, result.stderr).toMatchObject({ code: 0 });
        expect(JSON.parse(result.stdout)).toEqual({ platform: name, out: want });
      },
    );
  }

  deviceTest(
    "Oclgrind finds a race, and none where there is a barrier",
    () => devices.findOpenCl("oclgrind"),
    async () => {
      const race = await devices.runNodeOnOclgrind(args, { env: env(RACE), maxFindings: 5 });
      expect(race).toMatchObject({ code: 0 });
      expect(race.findings[0]).toMatchObject({
        kernel: "k",
        line: 4,
        message: expect.stringContaining("data race"),
      });
      const fixed = RACE.replace("s[i] = i;", "s[i] = i; barrier(CLK_LOCAL_MEM_FENCE);");
      expect((await devices.runNodeOnOclgrind(args, { env: env(fixed) })).findings).toEqual([]);
    },
  );

  deviceTest(
    "Oclgrind finds a write out of bounds",
    () => devices.findOpenCl("oclgrind"),
    async () => {
      const kernel = "kernel void k(global uint *a) {\n  a[get_global_id(0) + 1u] = 1u;\n}";
      const { findings } = await devices.runNodeOnOclgrind(args, { env: env(kernel) });
      expect(findings).toHaveLength(1);
      expect(findings[0]).toMatchObject({ line: 2, message: expect.stringMatching(/Invalid write/) });
    },
  );

  deviceTest(
    "PoCL 6 has native collectives",
    () => devices.findOpenCl("pocl6"),
    async () => {
      const kernel =
        "kernel void k(global uint *a) { a[get_global_id(0)] = work_group_scan_inclusive_add(1u); }";
      const result = await devices.runNodeOn("pocl6", args, { env: env(kernel, "-cl-std=CL3.0") });
      expect(result, result.stderr).toMatchObject({ code: 0 });
      expect(JSON.parse(result.stdout).out).toEqual(Array.from({ length: 128 }, (_, i) => (i % 64) + 1));
    },
  );
});
