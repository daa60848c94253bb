/**
 * Zeros of the arrays that a recording clears. A clear between passes waits for what ran before and keeps the next pass
 * waiting, which costs a short scan more than its own work; a dispatch in the pass costs half of that.
 */
import type { Manifest } from "@groupwise/core";
import { elementsOf, type Sides } from "@groupwise/core/target";
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

/** The kernel that clears short ranges. Narrow elements may end within the last word, whose other bytes are kept. */
const CLEAR_TEXT: string = `// Sets an array to zeros.
override kept: u32 = 0u;
@group(0) @binding(0) var<storage, read_write> words: array<u32>;

@compute @workgroup_size(${SIZE})
fn clear(@builtin(global_invocation_id) id: vec3<u32>) {
  let last = arrayLength(&words) - 1u;
  if (id.x < last) {
    words[id.x] = 0u;
  } else if (id.x == last) {
    words[id.x] &= kept;
  }
}
`;

interface ClearKernel {
  readonly layout: GPUBindGroupLayout;
  readonly module: GPUShaderModule;
  /** By the bytes of the last word that are cleared, 0 for all. */
  readonly pipelines: Map<number, GPUComputePipeline>;
}

/** Made with the first pipeline that has arrays to clear, or when a recording first needs it. */
const made = new WeakMap<GPUDevice, ClearKernel>();

const label = "clear";

function kernelOn(device: GPUDevice): ClearKernel {
  const known = made.get(device);
  if (known) return known;
  const entry: GPUBindGroupLayoutEntry = { binding: 0, visibility: COMPUTE, buffer: { type: "storage" } };
  const layout = device.createBindGroupLayout({ label, entries: [entry] });
  const module = device.createShaderModule({ label, code: CLEAR_TEXT });
  const kernel = { layout, module, pipelines: new Map() };
  made.set(device, kernel);
  return kernel;
}

/** @param end bytes of the last word that are cleared, 0 for all */
const descriptorOf = (
  device: GPUDevice,
  { layout, module }: ClearKernel,
  end: number,
): GPUComputePipelineDescriptor => ({
  label,
  layout: device.createPipelineLayout({ bindGroupLayouts: [layout] }),
  compute: { module, entryPoint: "clear", constants: { kept: end === 0 ? 0 : 2 ** 32 - 2 ** (8 * end) } },
});

function pipelineFor(device: GPUDevice, kernel: ClearKernel, end: number): GPUComputePipeline {
  const known = kernel.pipelines.get(end);
  if (known) return known;
  const pipeline = device.createComputePipeline(descriptorOf(device, kernel, end));
  kernel.pipelines.set(end, pipeline);
  return pipeline;
}

/** Where elements of a size may end within a word. */
const endsOf = (bytesPerElement: number): number[] =>
  Array.from({ length: Math.ceil(WORD / bytesPerElement) }, (_, i) => i * bytesPerElement);

/** Compiles the kernel while the passes of a pipeline that needs it are compiled: a recording would wait for the compiler. */
export async function prepareClears(gpu: Gpu, { bindings }: Manifest): Promise<void> {
  const { device } = gpu;
  const cleared = bindings.filter((binding) => binding.cleared);
  const ends = new Set(cleared.flatMap(({ bytesPerElement }) => endsOf(bytesPerElement)));
  const missing = [...ends].filter((end) => !made.get(device)?.pipelines.has(end));
  if (missing.length === 0) return;
  await gpu.guarded(async () => {
    const kernel = kernelOn(device);
    for (const end of missing)
      kernel.pipelines.set(end, await device.createComputePipelineAsync(descriptorOf(device, kernel, end)));
  });
}

/** A range whose last elements may end within a word. */
interface ShortRange extends ByteRange {
  /** Bytes of the last word that are cleared, 0 for all. */
  readonly end: number;
}

/** The ranges of the arrays that start as zeros: those that a dispatch clears, and those cleared before the pass. */
export interface Clears {
  readonly short: readonly ShortRange[];
  readonly long: readonly ByteRange[];
}

/** @param sides for the numbers of elements */
export function clearsOf({ limits }: Gpu, bound: readonly Bound[], sides: Sides): Clears {
  const most = Math.min(LONG, limits.maxComputeWorkgroupsPerDimension * SIZE * WORD);
  const clears = { short: [] as ShortRange[], long: [] as ByteRange[] };
  for (const { binding, ranges: all } of bound) {
    const elements = elementsOf(binding, sides);
    // No binding is empty: that of an array of no elements is a word of something else.
    if (elements === 0) continue;
    // Spare ranges, which no item reaches, have no usage that allows a clear.
    const ranges = all.filter(({ buffer }) => buffer.usage & USAGE.COPY_DST);
    ranges.forEach(({ buffer, offset, size }, i) => {
      const isLast = i === ranges.length - 1;
      const end = isLast ? (elements * binding.bytesPerElement) % WORD : 0;
      // A fill clears whole words: a dispatch clears the last ones of a long range that ends within one.
      const alignment = limits.minStorageBufferOffsetAlignment;
      const whole = end === 0 ? size : Math.floor((size - WORD) / alignment) * alignment;
      const filled = size > most ? whole : 0;
      if (filled > 0) clears.long.push({ buffer, offset, size: filled });
      if (filled < size) clears.short.push({ buffer, offset: offset + filled, size: size - filled, end });
    });
  }
  return clears;
}

/** Records the clears of short ranges into the pass that uses them. */
export function recordClears(
  { device }: Gpu,
  pass: GPUComputePassEncoder,
  short: readonly ShortRange[],
  bindings: Bindings,
): void {
  if (short.length === 0) return;
  const kernel = kernelOn(device);
  short.forEach(({ end, ...resource }, i) => {
    const make = (): GPUBindGroup =>
      device.createBindGroup({ label, layout: kernel.layout, entries: [{ binding: 0, resource }] });
    pass.setPipeline(pipelineFor(device, kernel, end));
    pass.setBindGroup(0, bindings.group(`clear ${i}`, make));
    pass.dispatchWorkgroups(Math.ceil(resource.size / WORD / SIZE));
  });
}
