/**
 * WGSL does not define which work-items form a subgroup. Kernels that shuffle rely on the usual order, so a
 * device is tested first, in work-groups of the same size.
 */
import type { Manifest } from "@groupwise/core";
import { type SubgroupTrials, subgroupProblem, trySubgroups } from "@groupwise/core/target";
import { LEAST_GROUP } from "../print/quirks.ts";
import type { Gpu } from "./device.ts";
import { probe } from "./probe.ts";

/** More than one, because only the first work-group might be as expected. */
const GROUPS = 8;

/** A kernel whose every work-item writes the subgroup's size if all siblings return the expected values, otherwise 0. */
export const probeText = (size: number): string => `enable subgroups;

@group(0) @binding(0) var<storage, read_write> found: array<u32>;

@compute @workgroup_size(${size})
fn probe(
  @builtin(local_invocation_index) lane: u32,
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(subgroup_size) subgroup_size: u32,
) {
  let width = min(subgroup_size, ${size}u);
  let rounds = 31u - countLeadingZeros(width);
  var expected = true;
  for (var round = 0u; round < rounds; round += 1u) {
    let bit = 1u << round;
    let sibling = subgroupShuffle(lane, (lane & (subgroup_size - 1u)) ^ bit);
    expected = expected && (sibling == (lane ^ bit));
  }
  found[group.x * ${size}u + lane] = select(0u, subgroup_size, expected);
}
`;

const known = new WeakMap<GPUDevice, SubgroupTrials>();

/** The reason why the device cannot run the emitted files, if they need subgroups; undefined if it can. */
export async function subgroupObstacle(gpu: Gpu, manifest: Manifest): Promise<string | undefined> {
  if (!manifest.requires.includes("subgroups")) return undefined;
  if (!gpu.device.features.has("subgroups")) return "the device was created without the feature subgroups";
  const trials: SubgroupTrials = known.get(gpu.device) ?? new Map();
  known.set(gpu.device, trials);
  return trySubgroups(manifest, { leastGroup: LEAST_GROUP }, trials, (size, least) =>
    tryOut(gpu, size, least),
  );
}

async function tryOut(gpu: Gpu, size: number, least: number): Promise<string | undefined> {
  const kernel = { code: probeText(size), groups: GROUPS, words: GROUPS * size };
  const answer = await probe(gpu, "subgroups", kernel, (found) => subgroupProblem(found, size, least));
  return typeof answer === "object" ? answer.failed : answer;
}
