import { afterEach, describe, expect, type TestContext, test, vi } from "vitest";
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

describe("Dawn in Node", () => {
  deviceTest(
    "both are open in one process",
    () => devices.findDawn({ adapter: "swiftshader" }),
    async (other, context) => {
      const before = process.env.VK_DRIVER_FILES;
      const lavapipe = await requireDevice(context, () => devices.findDawn({ adapter: "lavapipe" }));
      expect(lavapipe.device.features.has("shader-f16")).toBe(true);
      expect(other.device.features.has("shader-f16")).toBe(false);
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

  deviceTest(
    "what goes wrong inside comes out",
    () => devices.findDeno(),
    async () => {
      await expect(devices.runInDeno("throw new Error('inside')", 1)).rejects.toThrow("inside");
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
