/** An artifact on a device: recorded into a caller's encoder, or run from host arrays to host arrays. */
import {
  type Artifact,
  errorOf,
  evaluate,
  finishRun,
  fromDevice,
  type HostArray,
  type Manifest,
  prepareRun,
  type RunOptions,
  type RunOutputs,
  type RunValues,
  type ScalarValue,
  type Sides,
  toDevice,
} from "@groupwise/core";
import type { BufferRange } from "./buffers.ts";
import type { Gpu } from "./device.ts";
import { encode, type Ready, type Recording } from "./encode.ts";
import { checkDevice, checkItems } from "./limits.ts";
import { bytesOf, scratchPlan, wholeWords } from "./memory.ts";
import { makePasses, type ReadyPass } from "./pipelines.ts";
import { subgroupObstacle } from "./subgroups.ts";
import { MAP_READ, USAGE } from "./usage.ts";

/** What one recording works on. */
export interface RecordOptions {
  /** Number of items; it may be left out where `globalSize` is given. */
  readonly n?: number;
  /** Items per dimension: needed where the pipeline has two or three. */
  readonly globalSize?: readonly number[];
  /** What global ids count from, per dimension; zeros where it is absent. */
  readonly globalOffset?: readonly number[];
  /**
   * By name: every input and output. Each needs the usage STORAGE, and scatter outputs COPY_DST. The
   * `status` array may be given to read it afterwards: a bit per scatter that wrote outside.
   */
  readonly buffers: Readonly<Record<string, BufferRange>>;
  /** By name: the pipeline's parameters. */
  readonly params?: Readonly<Record<string, ScalarValue>>;
  /** At least `scratchBytes(…)` bytes, with the usages STORAGE and COPY_DST; made where it is not given. */
  readonly scratch?: GPUBuffer;
}

/** Emitted WGSL that is ready on one device. */
export interface WgslProgram {
  readonly manifest: Manifest;
  /** Bytes that a caller's `scratch` needs for n items, or for a range of these sides. */
  scratchBytes(sides: Sides): number;
  /**
   * Records the passes into the caller's encoder. Nothing is submitted and nothing is kept: any number of
   * recordings can stand in one encoder, and in any number of encoders.
   * @throws GroupwiseError `bad-buffer`, `too-many-items`, `bad-parameter`, … before anything is recorded
   */
  record(encoder: GPUCommandEncoder, options: RecordOptions): Recording;
  /** @throws GroupwiseError for wrong values before anything runs, for what the device reports after */
  run(values: RunValues, options?: RunOptions): Promise<RunOutputs>;
  /** Frees what the device holds for it; runs and recordings throw `disposed` from then on. */
  dispose(): void;
}

export class Program implements WgslProgram, Ready {
  readonly manifest: Manifest;
  readonly gpu: Gpu;
  readonly passes: readonly ReadyPass[];
  private disposed = false;

  private constructor(gpu: Gpu, manifest: Manifest, passes: readonly ReadyPass[]) {
    this.gpu = gpu;
    this.manifest = manifest;
    this.passes = passes;
  }

  static async load(gpu: Gpu, artifact: Artifact): Promise<Program> {
    gpu.assertThere();
    const { manifest } = artifact;
    checkDevice(manifest, gpu.device.limits, gpu.device.features);
    const reason = await subgroupObstacle(gpu, manifest);
    if (reason !== undefined) throw errorOf("unsupported", { what: "subgroups", reason }, manifest.pipeline);
    return new Program(gpu, artifact.manifest, await makePasses(gpu, artifact));
  }

  scratchBytes(sides: Sides): number {
    return scratchPlan(this.manifest, sides).bytes;
  }

  record(encoder: GPUCommandEncoder, options: RecordOptions): Recording {
    this.assertUsable();
    const { buffers, params = {}, scratch: _, ...range } = options;
    const arrays = this.manifest.bindings.filter(({ role }) => role !== "input");
    const prepared = prepareRun({ ...this.manifest, bindings: arrays }, params, range);
    return encode(this, encoder, prepared, buffers, options.scratch);
  }

  async run(values: RunValues, options: RunOptions = {}): Promise<RunOutputs> {
    this.assertUsable();
    const { manifest, gpu } = this;
    const { device } = gpu;
    const prepared = prepareRun(manifest, values, options);
    const { globalSize } = prepared;
    checkItems(manifest, device.limits, globalSize);
    const made: { destroy(): void }[] = [];
    const make = (label: string, size: number, usage: number): GPUBuffer => {
      const buffer = device.createBuffer({ label, size, usage });
      made.push(buffer);
      return buffer;
    };
    try {
      const reads = new Map<string, GPUBuffer>();
      await gpu.guarded(() => {
        const buffers: Record<string, GPUBuffer> = {};
        const encoder = device.createCommandEncoder({ label: manifest.pipeline });
        for (const binding of manifest.bindings.filter(({ role }) => role !== "scratch")) {
          const { name, role } = binding;
          const usage = role === "input" ? USAGE.COPY_DST : USAGE.COPY_SRC | USAGE.COPY_DST;
          const buffer = make(name, bytesOf(binding, globalSize), USAGE.STORAGE | usage);
          buffers[name] = buffer;
          const data = prepared.inputs.get(name);
          if (data && data.length > 0) {
            const words = wholeWords(toDevice(binding, data));
            device.queue.writeBuffer(buffer, 0, words as Uint32Array<ArrayBuffer>);
          }
        }
        const recording = encode(this, encoder, prepared, buffers, undefined);
        made.push({ destroy: () => recording.dispose() });
        for (const binding of manifest.bindings.filter(
          ({ role }) => role === "output" || role === "status",
        )) {
          const { name } = binding;
          const size = bytesOf(binding, globalSize);
          const read = make(`${name} (read)`, size, USAGE.MAP_READ | USAGE.COPY_DST);
          encoder.copyBufferToBuffer(buffers[name] as GPUBuffer, 0, read, 0, size);
          reads.set(name, read);
        }
        device.queue.submit([encoder.finish()]);
      });
      await gpu.orLost(Promise.all([...reads.values()].map((read) => read.mapAsync(MAP_READ))));
      return this.collect(reads, globalSize);
    } finally {
      for (const buffer of made) buffer.destroy();
    }
  }

  dispose(): void {
    this.disposed = true;
  }

  private collect(reads: ReadonlyMap<string, GPUBuffer>, sides: Sides): RunOutputs {
    const raw: Record<string, HostArray> = {};
    let status: HostArray = new Uint32Array(0);
    for (const binding of this.manifest.bindings) {
      const read = reads.get(binding.name);
      if (!read) continue;
      const array = fromDevice(binding, read.getMappedRange(), evaluate(binding.elements, sides));
      if (binding.role === "status") status = array;
      else raw[binding.name] = array;
    }
    return finishRun(this.manifest, raw, status as Uint32Array);
  }

  private assertUsable(): void {
    if (this.disposed) throw errorOf("disposed", { what: `the pipeline ${this.manifest.pipeline}` });
    this.gpu.assertThere();
  }
}
