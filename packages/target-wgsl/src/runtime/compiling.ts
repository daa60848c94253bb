/** Compiles the kernels of emitted files, and tests what the files need of the device. */
import type { Artifact, Manifest } from "@groupwise/core";
import { type Earned, errorOf, requireEarned } from "@groupwise/core/target";
import type { Gpu } from "../device/device.ts";
import { halfObstacle } from "../device/half-conversions.ts";
import { checkDevice } from "../device/limits.ts";
import { makePasses, type ReadyPass } from "../device/pipelines.ts";
import { subgroupObstacle } from "../device/subgroups.ts";
import { prepareClears } from "./clears.ts";

/** By what a file may need: the tests of a device. */
const OBSTACLES: Readonly<Record<string, typeof subgroupObstacle>> = {
  subgroups: subgroupObstacle,
  "exact conversions of halves": halfObstacle,
};

/** Compiles the passes; a rejection that nobody awaits is no error. */
export function beginPasses(gpu: Gpu, artifact: Artifact): Promise<readonly ReadyPass[]> {
  const made = (async () => {
    checkDevice(artifact.manifest, gpu.limits, gpu.device.features);
    const [passes] = await Promise.all([makePasses(gpu, artifact), prepareClears(gpu, artifact.manifest)]);
    return passes;
  })();
  made.catch(() => {});
  return made;
}

/**
 * @param earned absent for a probe
 * @throws GroupwiseError `unsupported` if a test of the device fails
 */
export async function requireTested(gpu: Gpu, manifest: Manifest, earned?: Earned): Promise<void> {
  const tests = Object.entries(OBSTACLES).map(async ([what, obstacleOf]) => {
    const reason = await obstacleOf(gpu, manifest);
    if (reason !== undefined) throw errorOf("unsupported", { what, reason }, manifest.pipeline);
  });
  await Promise.all([...tests, earned && requireEarned(earned, manifest)]);
}
