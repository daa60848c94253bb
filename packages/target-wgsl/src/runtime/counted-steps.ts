/**
 * Numbers of items of a recorder's steps: one dispatch passes a number in a buffer to all steps until the next that may write it. A dispatch
 * costs a step over no items as much as a pass of its own.
 */
import type { Manifest } from "@groupwise/core";
import type { Gpu } from "../device/device.ts";
import type { ByteRange } from "../device/parts.ts";
import type { Bindings } from "./bindings.ts";
import { type BufferCount, type CountKernel, countKernel, dispatchCount, tellsItems } from "./counts.ts";

/** Steps that a dispatch passes a number to at most: each binds an array, and so does the number. */
const MOST = 7;
/** Words of parameters that a mask has a bit for: as many work-items write them. */
const LANES = 32;

/** The words of a pipeline's parameters that are the number of items; undefined if they are not among the first. */
export function wordsOfItems({ params }: Manifest): number | undefined {
  const at = params.flatMap((param, i) => (tellsItems(param) ? [i] : []));
  return at.every((i) => i < LANES) ? at.reduce((mask, i) => (mask | (1 << i)) >>> 0, 0) : undefined;
}

const label = "count";

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

const made = new WeakMap<GPUDevice, Map<number, CountKernel>>();

function kernelFor(device: GPUDevice, steps: number): CountKernel {
  const kernels = made.get(device) ?? new Map<number, CountKernel>();
  made.set(device, kernels);
  const kernel = kernels.get(steps) ?? countKernel(device, label, textFor(steps), steps);
  kernels.set(steps, kernel);
  return kernel;
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

  /** Recordings of the same steps share what the first of them keeps. */
  private tell(pass: GPUComputePassEncoder, count: BufferCount, told: readonly Told[]): void {
    const { bindings } = told[0] as Told;
    dispatchCount(this.gpu, pass, kernelFor(this.gpu.device, told.length), {
      count,
      bindings,
      key: `count ${told.map((one) => one.bindings.id).join()}`,
      words: told.map((one) => one.words),
      written: told.map((one) => one.bindings.params),
    });
  }
}
