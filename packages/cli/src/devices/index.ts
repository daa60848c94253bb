/** All devices of this machine, by target. */
import { errorOf } from "@groupwise/core/target";
import { badUsage } from "../base/problem.ts";
import { oneOf } from "../base/suggest.ts";
import type { TargetName } from "../base/targets.ts";
import { findC } from "./c.ts";
import type { Device, Survey } from "./device.ts";
import { findGpuJs } from "./gpu-js.ts";
import { findJs } from "./javascript.ts";
import { findOpenCl } from "./opencl.ts";
import { findWebGpu } from "./webgpu.ts";

export type { Device, Missing, Survey } from "./device.ts";

const FINDERS: Readonly<Record<TargetName, () => Promise<Survey>>> = {
  js: findJs,
  wgsl: findWebGpu,
  opencl: findOpenCl,
  gpujs: findGpuJs,
  c: findC,
};

/** What there is for some targets. JavaScript comes first: it is always there, so others are compared with it. */
export async function survey(targets: readonly TargetName[]): Promise<Survey> {
  const surveys: Survey[] = [];
  for (const target of Object.keys(FINDERS) as TargetName[]) {
    if (targets.includes(target)) surveys.push(await FINDERS[target]());
  }
  return {
    devices: surveys.flatMap(({ devices }) => devices),
    missing: surveys.flatMap(({ missing }) => missing),
  };
}

/**
 * The devices that a run is for: those whose names hold the text, or the one at the index in the list of its
 * targets, or all; the first of each target where nothing is wished for.
 * @throws GroupwiseError `device-missing`, `bad-usage`
 */
export function choose(found: Survey, targets: readonly TargetName[], wish: string | undefined): Device[] {
  const { devices } = found;
  const lacking = targets.find((target) => !devices.some((device) => device.target === target));
  if (lacking !== undefined && wish !== "all") {
    const why = found.missing.find(({ target }) => target === lacking);
    const reason = why ? `${why.reason}; install: ${why.remedy}` : "none was found";
    throw errorOf("device-missing", { what: `a device for ${lacking}`, reason });
  }
  if (wish === "all") return [...devices];
  if (wish === undefined) {
    return targets.map((target) => devices.find((device) => device.target === target) as Device);
  }
  const chosen = /^\d+$/.test(wish)
    ? devices.slice(Number(wish), Number(wish) + 1)
    : devices.filter(({ name, driver }) => `${name} ${driver}`.toLowerCase().includes(wish.toLowerCase()));
  if (chosen.length > 0) return chosen;
  throw badUsage(
    `there is no device ${JSON.stringify(wish)}`,
    oneOf(
      wish,
      devices.map(({ name }) => name),
    ),
  );
}
