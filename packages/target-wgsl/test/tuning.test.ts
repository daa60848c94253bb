/** Tunings on a device: whose they are, and the clock that measures them. The interpreter of kernels has tiles of any size. */
import type { Tiles } from "@groupwise/core/target";
import { pipeline, u32 } from "@groupwise/dsl";
import { runAll, tuningOf } from "@groupwise/testkit";
import { deviceTest } from "@groupwise/testkit/conformance";
import { describe, expect } from "vitest";
import { webgpuRuntime } from "../src/runtime.ts";
import { dawn } from "./devices.ts";
import { spied } from "./spied.ts";

const options = { places: false } as const;
const counts = pipeline("counts", { x: u32 }, ({ x }) => ({ upTo: x.scanInclusive("add") }), options);

describe("a tuning", () => {
  const tiles: Tiles = {
    tile: { workGroupSize: 64, itemsPerWorkItem: 2 },
    lookBack: { workGroupSize: 64, rows: 1, groups: 2 },
  };
  deviceTest("leaves a device without look-back without it", dawn, async (device) => {
    const { device: info } = webgpuRuntime(device);
    const runtime = webgpuRuntime(device, { tuning: tuningOf(info, tiles) });
    const { plan } = await runtime.compile(counts);
    expect([plan.strategy, plan.capabilities.tile]).toEqual(["reduce-then-scan", tiles.tile]);
    expect(await runAll(await runtime.compile(counts), counts.ir, [129, 5000])).toEqual([]);
  });
  deviceTest("is for hardware, whatever name a runtime has", dawn, async (device) => {
    const { device: info } = webgpuRuntime(device);
    const named = webgpuRuntime(device, { name: "mine", tuning: tuningOf(info, tiles) });
    expect([named.device.name, named.device.hardware]).toEqual(["mine", info.hardware]);
    expect(info.hardware).toMatch(/llvmpipe/);
    const other = tuningOf({ ...info, hardware: "another" }, tiles);
    expect(() => webgpuRuntime(device, { tuning: other })).toThrow(
      expect.objectContaining({ code: "foreign-tuning" }),
    );
  });
});

deviceTest(
  "a tuning of a GPU without a name is for those that compute the same bits",
  dawn,
  async (device) => {
    Object.defineProperty(device, "adapterInfo", { value: {} });
    const runtime = webgpuRuntime(device);
    expect(runtime.device.hardware).toBeUndefined();
    await runtime.compile(counts);
    expect(runtime.device.hardware).toMatch(/^unnamed, [0-9a-f]{8}$/);
    const tiles: Tiles = { tile: { workGroupSize: 64, itemsPerWorkItem: 2 } };
    const tuned = webgpuRuntime(device, { tuning: tuningOf(runtime.device, tiles) });
    expect((await tuned.compile(counts)).plan.capabilities.tile).toEqual(tiles.tile);
    const other = webgpuRuntime(device, {
      tuning: tuningOf({ ...runtime.device, hardware: "unnamed, 00000000" }, tiles),
    });
    await expect(other.compile(counts)).rejects.toMatchObject({ code: "foreign-tuning" });
  },
);

describe("the device's clock", () => {
  deviceTest(
    "measures what is submitted meanwhile, and reports its errors",
    () => dawn({ adapter: "lavapipe" }),
    async (device, context) => {
      const runtime = webgpuRuntime(device);
      expect(runtime.deviceTime !== undefined).toBe(device.features.has("timestamp-query"));
      if (!runtime.deviceTime) return context.skip("the adapter has no timestamp-query");
      const executable = await runtime.compile(counts);
      const [x, upTo] = [runtime.array("u32", 1000), runtime.array("u32", 1000)];
      const work = (): Promise<void> => runtime.record().run(executable, { x, upTo }, { n: 1000 }).submit();
      const { milliseconds, waited } = await runtime.deviceTime(work);
      expect([milliseconds >= 0, waited]).toEqual([true, false]);
      const failure = new Error("this one");
      await expect(runtime.deviceTime(() => Promise.reject(failure))).rejects.toBe(failure);
    },
  );
  deviceTest(
    "is read within the submissions that it times, and in no others",
    () => dawn({ adapter: "lavapipe" }),
    async (device, context) => {
      const submissions: number[] = [];
      const queue = spied(device.queue, {
        submit: (buffers: readonly GPUCommandBuffer[]) => {
          // Waiting for a slow device submits nothing now and then.
          if (buffers.length > 0) submissions.push(buffers.length);
          device.queue.submit(buffers);
        },
      });
      const runtime = webgpuRuntime(spied(device, { queue }));
      if (!runtime.deviceTime) return context.skip("the adapter has no timestamp-query");
      const executable = await runtime.compile(counts);
      const [x, upTo] = [runtime.array("u32", 1000), runtime.array("u32", 1000)];
      const submit = (): Promise<void> => runtime.record().run(executable, { x, upTo }, { n: 1000 }).submit();
      await submit();
      submissions.length = 0;
      const before = submit();
      const time = runtime.deviceTime(async () => {
        await Promise.all([submit(), submit()]);
      });
      await Promise.all([before, submit(), time]);
      expect(submissions).toEqual([1, 3, 3, 1]);
    },
  );
});
