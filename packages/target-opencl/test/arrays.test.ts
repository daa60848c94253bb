import { param, pipeline, u32 } from "@groupwise/dsl";
import { requireDevice, sharedRuntime } from "@groupwise/testkit/conformance";
import { beforeEach, describe, expect, type TestContext, test } from "vitest";
import { type OpenClRuntime, openclRuntime } from "../src/runtime.ts";
import { type Faults, injectFaults } from "./faults.ts";
import { errorFrom, pocl } from "./support.ts";

const shared = sharedRuntime(pocl);
const open = (context: TestContext): Promise<OpenClRuntime> => requireDevice(context, shared);

const scan = pipeline("scan", { x: u32 }, ({ x }) => ({
  sums: x.scanInclusive("add"),
  total: x.reduce("add"),
}));
const map = pipeline("map", { x: u32, by: param(u32) }, ({ x, by }) => ({ y: x.mul(by).add(1) }));
const spread = pipeline("spread", { x: u32, size: param(u32) }, ({ x, size }, { index }) => ({
  y: x.scatter({ to: index().add(1), capacity: size }),
}));
const values = (n: number, seed = 1): Uint32Array =>
  Uint32Array.from({ length: n }, (_, i) => (Math.imul(i + seed, 2654435761) >>> 7) % 1000);
const sumsOf = (x: Uint32Array): Uint32Array => {
  let sum = 0;
  return x.map((v) => (sum = (sum + v) >>> 0));
};
describe("an array", () => {
  test("longer than the device allows is refused", async (context) => {
    const runtime = await open(context);
    const { maxAllocation } = runtime.info;
    const error = await errorFrom(() => runtime.array("u32", maxAllocation / 4 + 1));
    expect(error.code).toBe("device-limit");
    expect(error.message).toContain(`an array of ${maxAllocation / 4 + 1} elements of u32`);
    expect(error.message).toContain(String(maxAllocation + 4));
  });

  test("that was disposed is refused, also through its slices, and submitted work completes", async (context) => {
    const runtime = await open(context);
    const n = 100_000;
    const x = runtime.array("u32", values(n));
    const [sums, total] = [runtime.array("u32", n), runtime.array("u32", 1)];
    const slice = x.slice(0, 4);
    const program = await runtime.compile(scan);
    const recorder = runtime.record().run(program, { x, sums, total });
    const done = recorder.submit();
    slice.dispose();
    expect(await slice.read()).toEqual(values(4));
    recorder.run(program, { x, sums, total });
    x.dispose();
    x.dispose();
    await done;
    expect(await sums.read()).toEqual(sumsOf(values(n)));
    for (const act of [
      () => x.read(),
      () => slice.read(),
      () => x.write(values(1)),
      () => x.slice(0),
      () => recorder.submit(),
      () => runtime.record().run(program, { x, sums, total }),
    ])
      expect((await errorFrom(act)).code).toBe("disposed");
  });
});

describe("a number of items in device memory", () => {
  test("of 0 breaks no broadcast", async (context) => {
    const runtime = await open(context);
    const moved = pipeline("moved", { x: u32 }, ({ x }) => ({ y: x.add(x.broadcast(0)), p: x.broadcast(5) }));
    const program = await runtime.compile(moved);
    const [x, y] = [runtime.array("u32", 8), runtime.array("u32", 8)];
    const [p, count] = [runtime.array("u32", 1), runtime.array("u32", 1)];
    await runtime
      .record()
      .run(program, { x, y, p }, { n: { count, max: 8 } })
      .submit();
    expect(await y.read()).toEqual(new Uint32Array(8));
  });
});

describe("programs of one content", () => {
  let faults: Faults | undefined;
  beforeEach(() => () => faults?.remove());

  test("are built once, are kept when the last is disposed, and are freed with the runtime", async (context) => {
    await open(context);
    const runtime = await openclRuntime();
    faults = await injectFaults();
    const builds = (): number => faults?.calls("clBuildProgram") ?? 0;
    const source = () => pipeline("same", { x: u32 }, ({ x }) => ({ total: x.reduce("max") }));
    const [first, second] = await Promise.all([runtime.compile(source()), runtime.compile(source().ir)]);
    expect(builds()).toBe(1);
    expect(await runtime.compile(scan)).not.toBe(first);
    expect(builds()).toBe(2);
    first.dispose();
    expect(await second.run({ x: values(9) })).toEqual({ total: Uint32Array.of(Math.max(...values(9))) });
    expect((await errorFrom(() => first.run({ x: values(9) }))).code).toBe("disposed");
    const third = await runtime.compile(source());
    expect(builds()).toBe(2);
    second.dispose();
    third.dispose();
    await new Promise(setImmediate);
    expect(faults.calls("clReleaseProgram")).toBe(0);
    expect(runtime.stats()).toEqual({ compiled: 2, reused: 2, inUse: 1, kept: 1 });
    (await runtime.compile(source())).dispose();
    expect(builds()).toBe(2);
    runtime.dispose();
    await new Promise(setImmediate);
    expect(faults.calls("clReleaseProgram")).toBe(2);
  });

  test("leave nothing on the device when the runtime is disposed", async (context) => {
    await open(context);
    faults = await injectFaults();
    const runtime = await openclRuntime();
    const program = await runtime.compile(scan);
    const step = runtime.sliceAlignment / 4;
    const x = runtime.array("u32", values(3 * step));
    const [sums, total] = [runtime.array("u32", step), runtime.array("u32", 1)];
    await runtime
      .record()
      .run(program, { x: x.slice(step), sums, total }, { n: step })
      .run(program, { x, sums, total }, { n: 7 })
      .submit();
    await program.run({ x: values(50) });
    const scatter = await runtime.compile(spread);
    const [much, all] = [runtime.array("u32", 2 ** 19), runtime.array("u32", 2 ** 19)];
    const last = [
      // The first waits for its number of items, and the second for the first.
      runtime
        .record()
        .run(program, { x: much, sums: all, total })
        .run(scatter, { x, size: 9, y: sums }, { n: { count: total, max: 8 } }),
      runtime.record().run(scatter, { x, size: 9, y: sums }, { n: 8 }),
      runtime.record().run(program, { x: x.slice(step), sums, total }, { n: step }),
    ].map((recorder) => recorder.submit());
    runtime.dispose();
    await Promise.all(last);
    for (const act of [
      () => sums.read(),
      () => program.run({ x: values(1) }),
      () => runtime.record(),
      () => runtime.array("u32", 1),
      () => runtime.compile(scan),
    ])
      expect((await errorFrom(act)).code).toBe("disposed");
    const made = faults.calls("clCreateBuffer") + faults.calls("clCreateSubBuffer");
    expect(faults.calls("clReleaseMemObject")).toBe(made);
    expect(faults.calls("clReleaseEvent")).toBe(faults.calls("clEnqueueMarkerWithWaitList"));
    expect(faults.calls("clReleaseKernel")).toBe(faults.calls("clCreateKernel"));
    expect(faults.calls("clReleaseContext")).toBe(1);
  });
});

describe("what the device reports", () => {
  let faults: Faults | undefined;
  beforeEach(() => () => faults?.remove());

  test.for([
    // Behind the map's two kernels, of its rows and of its tail.
    ["when a kernel is queued", "clEnqueueNDRangeKernel", 3],
    ["when the kernels are queued", "clEnqueueMarkerWithWaitList", 1],
    ["when the kernels have ended", "clGetEventInfo", 1],
    ["when the queue ends", "clFinish", 1],
  ] as const)(
    "%s is reported with the pipeline's name, and the next submit works",
    async ([_, call, at], context) => {
      const runtime = await requireDevice(context, pocl);
      const [scans, maps] = [await runtime.compile(scan), await runtime.compile(map)];
      const [x, y] = [runtime.array("u32", values(9)), runtime.array("u32", 9)];
      const [sums, total] = [runtime.array("u32", 9), runtime.array("u32", 1)];
      await x.read();
      faults = await injectFaults();
      faults.fail(call, at);
      const recorder = runtime.record().run(maps, { x, y, by: 2 }).run(scans, { x: y, sums, total });
      const error = await errorFrom(() => recorder.submit());
      expect(error.code).toBe("device-error");
      expect(error.where).toBe(call === "clEnqueueNDRangeKernel" ? "scan" : "map, scan");
      expect(error.message).toContain("CL_OUT_OF_RESOURCES");
      await recorder.run(maps, { x, y, by: 3 }).submit();
      expect(await y.read()).toEqual(values(9).map((v) => 3 * v + 1));
      faults.fail(call, 1);
      const failed = await errorFrom(() => scans.run({ x: values(9) }));
      expect([failed.code, call === "clFinish" || failed.where === "scan"]).toEqual(["device-error", true]);
      expect((await scans.run({ x: values(9) })).sums).toEqual(sumsOf(values(9)));
      runtime.dispose();
    },
  );
});
