/** The probe on real devices: lavapipe computes as WGSL says, and SwiftShader flushes subnormal numbers. */
import { emit, type ProbeReport } from "@groupwise/core";
import { i32, pipeline } from "@groupwise/dsl";
import { deviceTest } from "@groupwise/testkit/conformance";
import { expect, vi } from "vitest";
import { wgsl } from "../src/index.ts";
import { webgpuRuntime } from "../src/runtime.ts";
import { dawn } from "./devices.ts";

const quotients = pipeline("quotients", { x: i32, y: i32 }, ({ x, y }) => ({ z: x.div(y), r: x.rem(2) }));

deviceTest("lavapipe passes, once, and its text is the shortest", dawn, async (device) => {
  const spy = vi.spyOn(device, "createShaderModule");
  const probes = (): number => spy.mock.calls.filter(([{ code }]) => code.includes("fn probe(")).length;
  for (let i = 0; i < 2; i++) {
    const runtime = webgpuRuntime(device);
    const { manifest } = await runtime.compile(quotients.ir);
    expect(manifest.assumes).toContain("i32 div");
    expect(runtime.capabilities.expand).not.toContain("int-divide");
    runtime.dispose();
    expect(probes()).toBe(1);
  }
  const runtime = webgpuRuntime(device);
  const { rows: report = [] } = (await runtime.probe?.()) ?? {};
  expect(report.length).toBeGreaterThan(100);
  expect(report.filter(({ reason }) => reason !== undefined)).toEqual([]);
  // What was emitted without a device runs on it too.
  const careful = emit(quotients.ir, wgsl);
  expect(careful.manifest.assumes).toContain("i32 div by int-divide");
  await runtime.load(careful);
});

deviceTest(
  "SwiftShader fails the rows of subnormal numbers alone",
  () => dawn({ adapter: "swiftshader" }),
  async (device) => {
    const { rows: report = [] } = (await webgpuRuntime(device).probe?.()) ?? {};
    const failed = report.filter(({ reason }) => reason !== undefined);
    expect(failed.map(({ id, instead, refused }) => [id, instead, refused])).toEqual(
      ["add", "sub", "mul"].map((op) => [`f32 ${op} of subnormals`, ["exact-subnormals"], undefined]),
    );
  },
);

deviceTest(
  "a report that is kept is not asked for again, unless it is of another driver",
  dawn,
  async (device) => {
    const first = webgpuRuntime(device);
    await first.compile(quotients.ir);
    const asked = (await first.probed?.()) as ProbeReport;
    const report = (await first.probe?.()) as ProbeReport;
    expect(asked.rows.length).toBeLessThan(report.rows.length);
    const asks = async (probed: ProbeReport): Promise<boolean> => {
      const other = await dawn();
      if (!other.found) throw new Error("there was one");
      const spy = vi.spyOn(other.value, "createShaderModule");
      const runtime = webgpuRuntime(other.value, { probed: JSON.parse(JSON.stringify(probed)) });
      await runtime.compile(quotients.ir);
      return spy.mock.calls.some(([{ code }]) => code.includes("fn probe("));
    };
    expect(await asks(report)).toBe(false);
    expect(await asks(asked)).toBe(false);
    expect(await asks({ ...report, driver: "another" })).toBe(true);
  },
);
