/**
 * Numbers of items of a recorder's steps: one dispatch passes a number in a buffer to all steps until the next that may write it. A dispatch
 * costs a step over no items as much as a pass of its own.
 */
import type { Manifest } from "@groupwise/core";
import type { Gpu } from "../device/device.ts";
import type { ByteRange } from "../device/parts.ts";
import { COMPUTE, USAGE } from "../device/usage.ts";
import type { Bindings } from "./bindings.ts";
import { type BufferCount, tellsItems } from "./counts.ts";

const WORD = 4;
/** Steps that a dispatch passes a number to at most: each binds an array, and so does the number. */
const MOST = 7;
/** Words of parameters that a mask has a bit for: as many work-items write them. */
const LANES = 32;

/** The words of a pipeline's parameters that are the number of items; undefined if they are not among the first. */
export function wordsOfItems({ params }: Manifest): number | undefined {
  const at = params.flatMap((param, i) => (tellsItems(param) ? [i] : []));
  return at.every((i) => i < LANES) ? at.reduce((mask, i) => (mask | (1 << i)) >>> 0, 0) : undefined;
}

/** The kernel for that many steps. */
function textFor(steps: number): string {
  const all = Array.from({ length: steps }, (_, i) => i);
  return `// The number of items of ${steps} steps.
struct Place { at: u32, most: u32, ${all.map((i) => `words_${i}: u32`).join(", ")} }
@group(0) @binding(0) var<uniform> place: Place;
@group(0) @binding(1) var<storage, read> counts: array<u32>;
${all.map((i) => `@group(0) @binding(${i + 2}) var<storage, read_write> params_${i}: array<u32>;`).join("\n")}

@compute @workgroup_size(${LANES})
fn count(@builtin(local_invocation_index) lane: u32) {
  let n = min(counts[place.at], place.most);
${all.map((i) => `  if (((place.words_${i} >> lane) & 1u) != 0u) { params_${i}[lane] = n; }`).join("\n")}
}
`;
}

interface CountKernel {
  readonly layout: GPUBindGroupLayout;
  readonly pipeline: GPUComputePipeline;
}
const label = "count";
const made = new WeakMap<GPUDevice, Map<number, CountKernel>>();

function kernelFor(device: GPUDevice, steps: number): CountKernel {
  const kernels = made.get(device) ?? new Map<number, CountKernel>();
  made.set(device, kernels);
  const known = kernels.get(steps);
  if (known) return known;
  const types: GPUBufferBindingType[] = ["uniform", "read-only-storage", ...Array(steps).fill("storage")];
  const layout = device.createBindGroupLayout({
    label,
    entries: types.map((type, binding) => ({ binding, visibility: COMPUTE, buffer: { type } })),
  });
  const pipeline = device.createComputePipeline({
    label,
    layout: device.createPipelineLayout({ bindGroupLayouts: [layout] }),
    compute: { module: device.createShaderModule({ label, code: textFor(steps) }), entryPoint: "count" },
  });
  kernels.set(steps, { layout, pipeline });
  return { layout, pipeline };
}

/** The parameters of a step. */
interface Told {
  readonly bindings: Bindings;
  /** A bit for each of their words that is the number of items. */
  readonly words: number;
}

/** Steps by the places of their numbers. */
export class CountedSteps {
  private readonly gpu: Gpu;
  /** Where the numbers are passed, before all of the steps. */
  readonly encoder: GPUCommandEncoder;
  private readonly places: { readonly count: BufferCount; readonly told: Map<GPUBuffer, Told> }[] = [];
  private readonly written = new Set<GPUBuffer>();

  constructor(gpu: Gpu) {
    this.gpu = gpu;
    this.encoder = gpu.device.createCommandEncoder({ label });
  }

  /** Whether a number is the one that it was before all of the steps. */
  has({ buffer }: Pick<BufferCount, "buffer">): boolean {
    return !this.written.has(buffer);
  }

  /** Notes what a step may write. */
  wrote(ranges: readonly ByteRange[]): void {
    for (const { buffer } of ranges) this.written.add(buffer);
  }

  add(count: BufferCount, told: Told): void {
    const isIt = ({ count: other }: (typeof this.places)[number]): boolean =>
      other.buffer === count.buffer && other.offset === count.offset && other.max === count.max;
    const place = this.places.find(isIt) ?? { count, told: new Map<GPUBuffer, Told>() };
    if (place.told.size === 0) this.places.push(place);
    place.told.set(told.bindings.params, told);
  }

  /** Records the dispatches. */
  end(): GPUCommandBuffer {
    if (this.places.length > 0) {
      const pass = this.encoder.beginComputePass({ label });
      for (const { count, told } of this.places) {
        const all = [...told.values()];
        const most = Math.min(MOST, this.gpu.limits.maxStorageBuffersPerShaderStage - 1);
        for (let from = 0; from < all.length; from += most)
          this.tell(pass, count, all.slice(from, from + most));
      }
      pass.end();
    }
    return this.encoder.finish();
  }

  private tell(
    pass: GPUComputePassEncoder,
    { buffer, offset = 0, max }: BufferCount,
    told: readonly Told[],
  ): void {
    const { device, limits } = this.gpu;
    const { layout, pipeline } = kernelFor(device, told.length);
    const alignment = limits.minStorageBufferOffsetAlignment;
    const start = Math.floor(offset / alignment) * alignment;
    // Recordings of the same steps share what the first of them keeps.
    const { bindings } = told[0] as Told;
    const key = `count ${told.map((one) => one.bindings.id).join()}`;
    const place = bindings.buffer(key, () => {
      const words = Uint32Array.of((offset - start) / WORD, max, ...told.map((one) => one.words));
      const size = 16 * Math.ceil(words.byteLength / 16);
      const made = device.createBuffer({ label, size, usage: USAGE.UNIFORM | USAGE.COPY_DST });
      device.queue.writeBuffer(made, 0, words);
      return made;
    });
    const group = bindings.group(key, () => {
      const window: ByteRange = { buffer, offset: start, size: offset - start + WORD };
      const resources = [{ buffer: place }, window, ...told.map((one) => ({ buffer: one.bindings.params }))];
      return device.createBindGroup({
        label,
        layout,
        entries: resources.map((resource, binding) => ({ binding, resource })),
      });
    });
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, group);
    pass.dispatchWorkgroups(1);
  }
}
