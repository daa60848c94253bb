/**
 * WGSL does not define which work-items form a subgroup. Kernels that shuffle rely on the usual order, so a
 * device is tested first, in work-groups of the same size.
 */
import type { Manifest } from "@groupwise/core";
import { type SubgroupTrials, subgroupProblem, trySubgroups } from "@groupwise/core/target";
import { LEAST_GROUP } from "../base/quirks.ts";
import type { Gpu } from "./device.ts";
import { COMPUTE, MAP_READ, USAGE } from "./usage.ts";

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
  const { device } = gpu;
  const bytes = GROUPS * size * Uint32Array.BYTES_PER_ELEMENT;
  const buffer = device.createBuffer({ size: bytes, usage: USAGE.STORAGE | USAGE.COPY_SRC });
  const read = device.createBuffer({ size: bytes, usage: USAGE.MAP_READ | USAGE.COPY_DST });
  try {
    const layout = device.createBindGroupLayout({
      entries: [{ binding: 0, visibility: COMPUTE, buffer: { type: "storage" } }],
    });
    const pipeline = await gpu.guarded(() =>
      device.createComputePipelineAsync({
        layout: device.createPipelineLayout({ bindGroupLayouts: [layout] }),
        compute: { module: device.createShaderModule({ code: probeText(size) }), entryPoint: "probe" },
      }),
    );
    await gpu.guarded(() => {
      const encoder = device.createCommandEncoder();
      const pass = encoder.beginComputePass();
      pass.setPipeline(pipeline);
      pass.setBindGroup(
        0,
        device.createBindGroup({ layout, entries: [{ binding: 0, resource: { buffer } }] }),
      );
      pass.dispatchWorkgroups(GROUPS);
      pass.end();
      encoder.copyBufferToBuffer(buffer, 0, read, 0, bytes);
      device.queue.submit([encoder.finish()]);
    });
    await gpu.orLost(read.mapAsync(MAP_READ));
    return subgroupProblem(new Uint32Array(read.getMappedRange()), size, least);
  } catch (error) {
    gpu.assertThere();
    return `the device failed in the test of its subgroups: ${gpu.error(error).message}`;
  } finally {
    buffer.destroy();
    read.destroy();
  }
}
