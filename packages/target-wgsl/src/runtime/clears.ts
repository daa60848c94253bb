/**
 * Zeros of the arrays that a recording clears. A clear between passes waits for what ran before and keeps the next pass
 * waiting, which costs a short scan more than its own work; a dispatch in the pass costs half of that.
 */
import type { Manifest } from "@groupwise/core";
import type { Gpu } from "../device/device.ts";
import type { ByteRange } from "../device/parts.ts";
import { COMPUTE, USAGE } from "../device/usage.ts";
import type { Bindings } from "./bindings.ts";
import type { Bound } from "./buffers.ts";

const WORD = 4;
/** Work-items of a work-group, each of which clears a word. */
const SIZE = 256;
/** Longer ranges are cleared between passes, at the bandwidth of a fill. */
const LONG = 2 ** 20;

/** The kernel that clears short ranges. */
export const CLEAR_TEXT: string = `// Sets an array to zeros.
@group(0) @binding(0) var<storage, read_write> words: array<u32>;

@compute @workgroup_size(${SIZE})
fn clear(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x < arrayLength(&words)) {
    words[id.x] = 0u;
  }
}
`;

interface ClearPipeline {
  readonly layout: GPUBindGroupLayout;
  readonly pipeline: GPUComputePipeline;
}

/** Made with the first pipeline that has arrays to clear, or when a recording first needs it. */
const made = new WeakMap<GPUDevice, ClearPipeline>();

const label = "clear";

function layoutOn(device: GPUDevice): GPUBindGroupLayout {
  const entry: GPUBindGroupLayoutEntry = { binding: 0, visibility: COMPUTE, buffer: { type: "storage" } };
  return device.createBindGroupLayout({ label, entries: [entry] });
}

const descriptorOn = (device: GPUDevice, layout: GPUBindGroupLayout): GPUComputePipelineDescriptor => ({
  label,
  layout: device.createPipelineLayout({ bindGroupLayouts: [layout] }),
  compute: { module: device.createShaderModule({ label, code: CLEAR_TEXT }), entryPoint: "clear" },
});

function pipelineFor(device: GPUDevice): ClearPipeline {
  const known = made.get(device);
  if (known) return known;
  const layout = layoutOn(device);
  const pipeline = device.createComputePipeline(descriptorOn(device, layout));
  made.set(device, { layout, pipeline });
  return { layout, pipeline };
}

/** Compiles the kernel while the passes of a pipeline that needs it are compiled: a recording would wait for the compiler. */
export async function prepareClears(gpu: Gpu, { bindings }: Manifest): Promise<void> {
  const { device } = gpu;
  if (made.has(device) || !bindings.some(({ cleared }) => cleared)) return;
  await gpu.guarded(async () => {
    const layout = layoutOn(device);
    const pipeline = await device.createComputePipelineAsync(descriptorOn(device, layout));
    made.set(device, { layout, pipeline });
  });
}

/** The ranges of the arrays that start as zeros: those that a dispatch clears, and those cleared before the pass. */
export interface Clears {
  readonly short: readonly ByteRange[];
  readonly long: readonly ByteRange[];
}

/** The ranges of arrays. Spare ranges, which no item reaches, have no usage that allows a clear. */
export function clearsOf({ limits }: Gpu, bound: readonly Bound[]): Clears {
  const ranges = bound.flatMap((one) => one.ranges).filter(({ buffer }) => buffer.usage & USAGE.COPY_DST);
  const most = Math.min(LONG, limits.maxComputeWorkgroupsPerDimension * SIZE * WORD);
  const isShort = ({ size }: ByteRange): boolean => size <= most;
  return { short: ranges.filter(isShort), long: ranges.filter((range) => !isShort(range)) };
}

/** Records the clears of short ranges into the pass that uses them. */
export function recordClears(
  { device }: Gpu,
  pass: GPUComputePassEncoder,
  short: readonly ByteRange[],
  bindings: Bindings,
): void {
  if (short.length === 0) return;
  const { layout, pipeline } = pipelineFor(device);
  pass.setPipeline(pipeline);
  short.forEach((resource, i) => {
    const make = (): GPUBindGroup =>
      device.createBindGroup({ label: "clear", layout, entries: [{ binding: 0, resource }] });
    pass.setBindGroup(0, bindings.group(`clear ${i}`, make));
    pass.dispatchWorkgroups(Math.ceil(resource.size / WORD / SIZE));
  });
}
