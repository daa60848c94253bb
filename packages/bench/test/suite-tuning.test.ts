import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { printTuning } from "@groupwise/core/tuning";
import { webgpuRuntime } from "@groupwise/target-wgsl/runtime";
import { tuningOf } from "@groupwise/testkit";
import { deviceTest, inFullRuns } from "@groupwise/testkit/conformance";
import { findDawn, scratchDirectory } from "@groupwise/testkit/devices";
import { expect } from "vitest";
import { printSuite } from "../src/report.ts";
import { isPassed, suite } from "../src/suite.ts";

const folder = scratchDirectory();

const TILES = { tile: { workGroupSize: 64, itemsPerWorkItem: 2 } };
const FEW = { from: 0, below: 2 ** 16 };
const lavapipe = () => findDawn({ adapter: "lavapipe" });
const choice = { only: ["lavapipe", "javascript"], checks: ["prefix-sum"] };

/** A tuning of lavapipe, or of other hardware, in a file. */
function written(device: GPUDevice, hardware?: string): string {
  const runtime = webgpuRuntime(device);
  const tuning = tuningOf({ ...runtime.device, ...(hardware && { hardware }) }, TILES, FEW);
  runtime.dispose();
  const path = join(folder, `${hardware ?? "own"}.json`);
  // The schema takes no device without memory.
  writeFileSync(path, printTuning({ ...tuning, device: { ...tuning.device, workGroupMemory: 32768 } }));
  return path;
}

deviceTest(
  "has the tiles of a tuning on devices of its hardware",
  inFullRuns("compiling two checks; `target-wgsl/test/tuning.test.ts` has the tiles of a device", lavapipe),
  async ({ device }) => {
    const path = written(device);
    const result = await suite({ ...choice, tuning: { path, items: 1000 } });
    expect(result.devices.map(({ target, tiles }) => [target, tiles])).toEqual([
      ["wgsl", { tuned: 1, compiled: 1 }],
    ]);
    expect(result.devices[0]?.checks.map(({ name, status }) => [name.split(":")[0], status])).toEqual([
      ["prefix-sum", "passed"],
    ]);
    expect(isPassed(result)).toBe(true);
    expect(result.absent.map(({ name }) => name)).toContain("JavaScript");
    expect(printSuite(result, true)).toContain("tiles of a tuning in 1 of 1 pipelines");
    // No row is for so many.
    const many = await suite({ ...choice, tuning: { path } });
    expect(many.devices.map(({ tiles }) => tiles)).toEqual([{ tuned: 0, compiled: 1 }]);
  },
);

deviceTest("runs nowhere with the tuning of other hardware", lavapipe, async ({ device }) => {
  const result = await suite({ ...choice, tuning: { path: written(device, "another card") } });
  expect(result.devices).toEqual([]);
  expect(result.absent.find(({ name }) => name === "Dawn lavapipe")?.reason).toContain("another card");
  await expect(suite({ ...choice, tuning: { path: join(folder, "none.json") } })).rejects.toMatchObject({
    code: "missing-file",
  });
});
