import { type Artifact, emit, plan } from "@groupwise/core";
import { f32, pipeline, u32 } from "@groupwise/dsl";
import {
  expectSlotsChecked,
  isFullRun,
  onlyInFullRuns,
  requireDevice,
  sharedRuntime,
} from "@groupwise/testkit/conformance";
import { describe, expect, type TestContext, test } from "vitest";
import { expectAccessesChecked } from "../../testkit/src/faults/accesses.ts";
import { opencl, openclCapabilities } from "../src/index.ts";
import { capabilitiesOf, listOpenClDevices, type OpenClRuntime, openclRuntime } from "../src/runtime.ts";
import { errorFrom, pocl } from "./support.ts";

const shared = sharedRuntime(pocl);
const open = (context: TestContext): Promise<OpenClRuntime> => requireDevice(context, shared);

const scan = pipeline("scan", { x: u32 }, ({ x }) => ({
  sums: x.scanInclusive("add"),
  total: x.reduce("add"),
}));
const count = (n: number): Uint32Array => Uint32Array.from({ length: n }, (_, i) => i);

test("the option debug finds what is wrong at run time", async (context) => {
  onlyInFullRuns(context, "JavaScript has the checks, the interpreter of kernels those in work-groups");
  await open(context);
  for (const chunks of [true, false]) {
    const runtime = await openclRuntime({ device: "portable", debug: true, chunks });
    await expectSlotsChecked(runtime);
    await expectAccessesChecked(runtime);
    runtime.dispose();
  }
});

describe("devices", () => {
  test("are listed with what they can do, and chosen by index or a part of a name", async (context) => {
    const runtime = await open(context);
    const devices = await listOpenClDevices();
    expect(devices.map(({ index }) => index)).toEqual(devices.map((_, i) => i));
    expect(devices).toContainEqual(runtime.info);
    expect(runtime.info).toMatchObject({ platform: expect.stringMatching(/portable/i), type: "cpu" });
    expect(runtime.info.maxWorkGroupSize).toBeGreaterThanOrEqual(256);
    expect(runtime.info.localMemory).toBeGreaterThanOrEqual(32768);
    expect(runtime.info.extensions).toContain("cl_khr_global_int32_base_atomics");
    expect(runtime.device).toMatchObject({ target: "opencl", name: runtime.info.name });
    for (const device of [0, "PORTABLE"]) {
      const again = await openclRuntime({ device });
      expect(again.info).toEqual(runtime.info);
      again.dispose();
    }
  });

  test("that do not exist are an error that lists the others", async (context) => {
    const { info } = await open(context);
    for (const device of [99, -1, "no such device"]) {
      const error = await errorFrom(() => openclRuntime({ device }));
      expect(error.code).toBe("device-missing");
      expect(error.message).toContain(info.name);
    }
  });

  test("determine the lowering of pipelines", async (context) => {
    const { info } = await open(context);
    const floats = { ...info.floats, correctlyRoundedDivide: false, subnormals: false };
    expect(capabilitiesOf({ ...info, floats }).expand).toEqual(expect.arrayContaining(["float-divide"]));
    expect(
      capabilitiesOf({ ...info, floats: { ...floats, correctlyRoundedDivide: true } }).expand,
    ).not.toContain("float-divide");
    for (const [maxWorkGroupSize, want] of [
      [64, 64],
      [100, 64],
      [4096, 256],
      [1, 1],
    ] as const)
      expect(capabilitiesOf({ ...info, maxWorkGroupSize }).tile.workGroupSize).toBe(want);
  });

  test("that do not report that they keep subnormal numbers compute them by functions", async (context) => {
    const { info } = await open(context);
    const capabilities = capabilitiesOf({ ...info, floats: { ...info.floats, subnormals: false } });
    expect(capabilities.subnormals).toBe("exact");
    expect(capabilitiesOf(info).subnormals).toBeUndefined();
    const operations = pipeline("operations", { x: f32, w: f32 }, ({ x, w }) => ({
      sum: x.add(w),
      product: x.mul(w),
      half: x.mul(0.5),
    }));
    expect(plan(operations, opencl, { capabilities }).module.functions.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["add_f32", "mul_f32"]),
    );
    // `lower/test/subnormals.test.ts` has what the functions give.
    if (!isFullRun()) return;
    const runtime = await openclRuntime({ device: "portable", capabilities });
    const executable = await runtime.compile(operations);
    const bits = (by: number) =>
      new Float32Array(Uint32Array.from({ length: 512 }, (_, i) => Math.imul(i + 1, by) & 0x9fffffff).buffer);
    const [x, w] = [bits(0x9e3779b1), bits(0x85ebca6b).map((value, i) => (i % 2 ? value : 2 ** (i % 127)))];
    const { sum, product, half } = await executable.run({ x, w });
    expect(sum).toEqual(x.map((value, i) => value + (w[i] as number)));
    expect(product).toEqual(x.map((value, i) => value * (w[i] as number)));
    expect(half).toEqual(x.map((value) => value / 2));
    runtime.dispose();
  });

  test("use shuffles and look-back if their subgroups allow it", async (context) => {
    const { info } = await open(context);
    const gpu = { ...info, type: "gpu", maxWorkGroupSize: 1024 } as const;
    const of = (...extensions: string[]) => capabilitiesOf({ ...gpu, extensions });
    const warps = of("cl_nv_device_attribute_query");
    expect(warps.subgroups).toEqual({ minSize: 32, maxSize: 32, ballots: true, reduces: true });
    expect(warps.lookBack).toMatchObject({ workGroupSize: 256, rows: 8 });
    const any = of("cl_khr_subgroups", "cl_khr_subgroup_shuffle");
    expect(any.subgroups).toEqual({ minSize: 1, maxSize: 1024 });
    expect(any.lookBack).toHaveProperty("unsupported");
    expect(of().subgroups).toHaveProperty("unsupported");
  });
});

describe("a run", () => {
  test("accepts arrays at any offset in their memory, and changes none", async (context) => {
    const program = await (await open(context)).compile(scan);
    const memory = new Uint32Array(64).fill(1_000_000);
    const x = memory.subarray(3, 13);
    x.set(count(10));
    const before = memory.slice();
    expect(await program.run({ x })).toEqual({
      sums: Uint32Array.of(0, 1, 3, 6, 10, 15, 21, 28, 36, 45),
      total: Uint32Array.of(45),
    });
    expect(memory).toEqual(before);
    expect(await program.run({ x: new Uint32Array(new SharedArrayBuffer(8)) })).toMatchObject({
      total: Uint32Array.of(0),
    });
    expect(await program.run({ x: memory.subarray(5, 5) })).toEqual({
      sums: new Uint32Array(),
      total: Uint32Array.of(0),
    });
    program.dispose();
  });

  test("of one program may overlap others", async (context) => {
    const program = await (await open(context)).compile(scan);
    const lengths = [5000, 1, 0, 40_000, 2048];
    const results = await Promise.all(lengths.map((n) => program.run({ x: count(n) })));
    expect(results.map(({ total }) => total?.[0])).toEqual(lengths.map((n) => ((n * (n - 1)) / 2) >>> 0));
    program.dispose();
  });

  test("leaves the event loop free while the device works", async (context) => {
    const program = await (await open(context)).compile(scan);
    // A run that holds the thread leaves a turn of the event loop for each of its few waits, whatever the machine does meanwhile.
    const turnsOf = async (): Promise<number> => {
      let [turns, isOver] = [0, false];
      const turn = (): void => {
        turns++;
        if (!isOver) setImmediate(turn);
      };
      setImmediate(turn);
      await program.run({ x: new Uint32Array(2 ** 21) });
      isOver = true;
      return turns;
    };
    let most = 0;
    for (let i = 0; i < 20 && most < 100; i++) most = Math.max(most, await turnsOf());
    expect(most).toBeGreaterThanOrEqual(100);
    program.dispose();
  });

  test("that needs more memory than the device has is an error that states the limit", async (context) => {
    const { info, compile } = await open(context);
    const large = await compile(pipeline("large", {}, (_, { index }) => ({ i: index(), j: index() })));
    const n = Math.min(0xf0000000, Math.floor(info.maxAllocation / 4) + 1);
    const error = await errorFrom(() => large.run({}, { n }));
    expect(error.code).toBe("device-limit");
    expect((await errorFrom(() => large.run({}, { n: 0xf0000001 }))).code).toBe("too-many-items");
    large.dispose();
  });
});

describe("programs", () => {
  test("that were emitted earlier run like compiled ones, also read back from their files", async (context) => {
    const runtime = await open(context);
    const { files } = emit(scan, opencl);
    const artifact: Artifact = { manifest: JSON.parse(files[1]?.text as string), files };
    const loaded = await runtime.load(artifact);
    expect(await loaded.run({ x: count(5000) })).toMatchObject({ total: Uint32Array.of(12_497_500) });
    loaded.dispose();
  });

  test("that do not build are an error with the compiler's message", async (context) => {
    const runtime = await open(context);
    const { manifest, files } = emit(scan, opencl);
    const broken = files.map(({ path, text }) => ({
      path,
      text: text.replace("barrier(", "no_such_function("),
    }));
    const error = await errorFrom(() => runtime.load({ manifest, files: broken }));
    expect(error.code).toBe("device-error");
    expect(error.message).toContain("no_such_function");
  });

  test("of another target, or without their source file, are refused", async (context) => {
    const runtime = await open(context);
    const { manifest, files } = emit(scan, opencl);
    for (const artifact of [
      { manifest, files: [] },
      { manifest: { ...manifest, target: "wgsl" }, files },
    ])
      expect((await errorFrom(() => runtime.load(artifact))).code).toBe("bad-usage");
  });

  test("that are too large for the device are refused when they are built", async (context) => {
    const runtime = await open(context);
    const { maxWorkGroupSize } = runtime.info;
    const wide = pipeline("wide", { x: u32 }, ({ x }) => ({ r: x.reduce("add", { scope: "work-group" }) }), {
      workGroupSize: maxWorkGroupSize * 2,
    });
    expect((await errorFrom(() => runtime.compile(wide))).code).toBe("work-group-too-large");
    const capabilities = openclCapabilities({ maxWorkGroupSize: 65536, workGroupMemory: 2 ** 30 });
    expect((await errorFrom(() => runtime.load(emit(wide, opencl, { capabilities })))).code).toBe(
      "device-limit",
    );
  });

  test("are freed when they are disposed, but not during a run", async (context) => {
    await open(context);
    const runtime = await openclRuntime();
    const [first, second] = [await runtime.compile(scan), await runtime.compile(scan)];
    const running = [first.run({ x: count(100_000) }), second.run({ x: count(3) })];
    first.dispose();
    first.dispose();
    runtime.dispose();
    expect((await errorFrom(() => first.run({ x: count(3) }))).code).toBe("disposed");
    expect((await errorFrom(() => runtime.compile(scan))).code).toBe("disposed");
    expect((await Promise.all(running)).map(({ total }) => total?.[0])).toEqual([4_999_950_000 >>> 0, 3]);
    expect((await errorFrom(() => second.run({ x: count(3) }))).code).toBe("disposed");
  });
});
