/** Callers hear of kernels that take long to compile. */
import { pipeline, u32 } from "@groupwise/dsl";
import { deviceTest } from "@groupwise/testkit/conformance";
import { afterEach, expect, vi } from "vitest";
import { type CompileProgress, webgpuRuntime } from "../src/runtime.ts";
import { dawn } from "./devices.ts";
import { spied } from "./spied.ts";

/** Whole rows, and the items after them: two kernels, which are compiled soon. */
const next = pipeline("next", { x: u32 }, ({ x }) => ({ y: x.add(1) }), { places: false });

afterEach(() => {
  vi.useRealTimers();
});

/** What is heard if each kernel takes some milliseconds before the device begins. */
async function heard(device: GPUDevice, milliseconds: number): Promise<CompileProgress[]> {
  const found: CompileProgress[] = [];
  const late = spied(device, {
    createComputePipelineAsync: (descriptor: GPUComputePipelineDescriptor) => {
      vi.advanceTimersByTime(milliseconds);
      return device.createComputePipelineAsync(descriptor);
    },
  });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const runtime = webgpuRuntime(late, { onCompile: (progress) => found.push(progress), waitFor: "fastest" });
  await runtime.compile(next);
  vi.advanceTimersByTime(10_000);
  runtime.dispose();
  return found;
}

deviceTest(
  "a compilation of more than two seconds is told, and each kernel that is ready; a shorter one is not",
  () => dawn({ adapter: "swiftshader" }),
  async (device) => {
    expect(await heard(device, 10)).toEqual([]);
    const [first, ...others] = await heard(device, 2500);
    expect(first).toMatchObject({ pipeline: "next", ready: 0 });
    expect(others.length).toBeGreaterThan(1);
    expect(others.map(({ ready }) => ready)).toEqual(others.map((_, i) => i + 1));
    expect(others).toHaveLength(first?.kernels ?? 0);
  },
);
