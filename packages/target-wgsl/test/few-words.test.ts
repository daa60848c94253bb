/** Work-group memory where a translator, as naga's to OpenGL ES, zeroes each word and leaves u32 / 0 to the device. */
import type { CompileOptions, Pipeline } from "@groupwise/core";
import { i64, pipeline, u32 } from "@groupwise/dsl";
import { runAll } from "@groupwise/testkit";
import { deviceTest } from "@groupwise/testkit/conformance";
import { expect } from "vitest";
import { FEW, SOON } from "../src/runtime/few-words.ts";
import { webgpuRuntime } from "../src/runtime.ts";
import { dawn } from "./devices.ts";
import { spied } from "./spied.ts";

/** A device on which a quotient by 0 is 0. */
const dividing = (device: GPUDevice): GPUDevice =>
  spied(device, {
    createShaderModule: ({ code, ...others }: GPUShaderModuleDescriptor) =>
      device.createShaderModule({
        ...others,
        code: code.replaceAll("a_u32 / b_u32", "select(a_u32 / b_u32, 0u, b_u32 == 0u)"),
      }),
  });

const places = { places: false } as const;
const scan = pipeline("scan", { x: u32 }, ({ x }) => ({ y: x.scanInclusive("add") }), places);
/** Its own work-groups need more than those few. */
const wide = pipeline(
  "wide",
  { x: u32, y: i64 },
  ({ x, y }) => {
    const scope = { scope: "work-group" } as const;
    return { u: x.scanInclusive("add", scope), v: y.scanInclusive("add", scope) };
  },
  { ...places, workGroupSize: 256 },
);

/** The bytes of the largest work-group, of kernels that compute what the pipeline means. */
async function bytesOf(
  device: GPUDevice,
  { ir }: { readonly ir: Pipeline },
  options?: CompileOptions,
): Promise<number> {
  const runtime = webgpuRuntime(device);
  const program = await runtime.compile(ir, options);
  expect(await runAll(program, ir, [0, 1, 1000])).toEqual([]);
  const found = program.manifest.passes.map(({ workGroupBytes }) => workGroupBytes);
  runtime.dispose();
  return Math.max(...found);
}

deviceTest("a device that leaves u32 / 0 open has few words", dawn, async (device) => {
  const usual = await bytesOf(device, scan);
  expect(usual).toBeGreaterThan(SOON);
  const other = dividing(device);
  expect(await bytesOf(other, scan)).toBeLessThan(usual / 2);
  // What does not fit into few words, and what a caller chose, is as on any device.
  expect(await bytesOf(other, wide)).toBeGreaterThan(FEW);
  expect(await bytesOf(other, scan, { tiles: { tile: { workGroupSize: 256, itemsPerWorkItem: 4 } } })).toBe(
    usual,
  );
});
