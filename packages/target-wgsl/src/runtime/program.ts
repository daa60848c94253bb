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
  toDevice,
} from "@groupwise/core";
import { type BufferRange, bindBuffers } from "./buffers.ts";
import type { Gpu } from "./device.ts";
import { checkDevice, checkItems, gridOf } from "./limits.ts";
import { bytesOf, scratchPlan } from "./memory.ts";
import { paramsBuffer } from "./params.ts";
import { makePasses, type ReadyPass, slotOf } from "./pipelines.ts";
import { lacking, MAP_READ, USAGE } from "./usage.ts";

/** What one recording works on. */
export interface RecordOptions {
  /** Number of items. */
  readonly n: number;
  /**
   * By name: every input and output. Each needs the usage STORAGE, and scatter outputs COPY_DST. The
   * `status` array may be given to read it afterwards: a bit per scatter that wrote outside.
   */
  readonly buffers: Readonly<Record<string, BufferRange>>;
  /** By name: the pipeline's parameters. */
  readonly params?: Readonly<Record<string, ScalarValue>>;
  /** At least `scratchBytes(n)` bytes, with the usages STORAGE and COPY_DST; made where it is not given. */
  readonly scratch?: GPUBuffer;
}

/** What a recording made for itself. */
export interface Recording {
  /** Frees it. Call it once the encoder's commands are submitted; nothing waits for it. */
  dispose(): void;
}

/** Emitted WGSL that is ready on one device. */
export interface WgslProgram {
  readonly manifest: Manifest;
  /** Bytes that a caller's `scratch` needs for n items. */
  scratchBytes(n: number): number;
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

export class Program implements WgslProgram {
  readonly manifest: Manifest;
  private readonly gpu: Gpu;
  private readonly passes: readonly ReadyPass[];
  private disposed = false;

  private constructor(gpu: Gpu, manifest: Manifest, passes: readonly ReadyPass[]) {
    this.gpu = gpu;
    this.manifest = manifest;
    this.passes = passes;
  }

  static async load(gpu: Gpu, artifact: Artifact): Promise<Program> {
    gpu.assertThere();
    checkDevice(artifact.manifest, gpu.device.limits);
    return new Program(gpu, artifact.manifest, await makePasses(gpu, artifact));
  }

  scratchBytes(n: number): number {
    return scratchPlan(this.manifest, n).bytes;
  }

  record(encoder: GPUCommandEncoder, options: RecordOptions): Recording {
    this.assertUsable();
    const { n, buffers, params = {} } = options;
    const arrays = this.manifest.bindings.filter(({ role }) => role !== "input");
    const prepared = prepareRun({ ...this.manifest, bindings: arrays }, params, { n });
    return this.encode(encoder, prepared, buffers, options.scratch);
  }

  async run(values: RunValues, options: RunOptions = {}): Promise<RunOutputs> {
    this.assertUsable();
    const { manifest, gpu } = this;
    const { device } = gpu;
    const prepared = prepareRun(manifest, values, options);
    const { n } = prepared;
    checkItems(manifest, device.limits, n);
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
          const { name, role, type } = binding;
          const usage = role === "input" ? USAGE.COPY_DST : USAGE.COPY_SRC | USAGE.COPY_DST;
          const buffer = make(name, bytesOf(binding, n), USAGE.STORAGE | usage);
          buffers[name] = buffer;
          const data = prepared.inputs.get(name);
          if (data && data.length > 0)
            device.queue.writeBuffer(buffer, 0, toDevice(type, data) as Uint32Array<ArrayBuffer>);
        }
        const recording = this.encode(encoder, prepared, buffers, undefined);
        made.push({ destroy: () => recording.dispose() });
        for (const binding of manifest.bindings.filter(
          ({ role }) => role === "output" || role === "status",
        )) {
          const { name } = binding;
          const size = bytesOf(binding, n);
          const read = make(`${name} (read)`, size, USAGE.MAP_READ | USAGE.COPY_DST);
          encoder.copyBufferToBuffer(buffers[name] as GPUBuffer, 0, read, 0, size);
          reads.set(name, read);
        }
        device.queue.submit([encoder.finish()]);
      });
      await gpu.orLost(Promise.all([...reads.values()].map((read) => read.mapAsync(MAP_READ))));
      return this.collect(reads, n);
    } finally {
      for (const buffer of made) buffer.destroy();
    }
  }

  dispose(): void {
    this.disposed = true;
  }

  private collect(reads: ReadonlyMap<string, GPUBuffer>, n: number): RunOutputs {
    const raw: Record<string, HostArray> = {};
    let status: HostArray = new Uint32Array(0);
    for (const binding of this.manifest.bindings) {
      const read = reads.get(binding.name);
      if (!read) continue;
      const array = fromDevice(binding.type, read.getMappedRange(), evaluate(binding.elements, n));
      if (binding.role === "status") status = array;
      else raw[binding.name] = array;
    }
    return finishRun(this.manifest, raw, status as Uint32Array);
  }

  private assertUsable(): void {
    if (this.disposed) throw errorOf("disposed", { what: `the pipeline ${this.manifest.pipeline}` });
    this.gpu.assertThere();
  }

  private encode(
    encoder: GPUCommandEncoder,
    prepared: ReturnType<typeof prepareRun>,
    given: Readonly<Record<string, BufferRange>>,
    scratch: GPUBuffer | undefined,
  ): Recording {
    const { manifest, gpu } = this;
    const { device } = gpu;
    const { n } = prepared;
    checkItems(manifest, device.limits, n);
    const plan = scratchPlan(manifest, n, (name) => Object.hasOwn(given, name));
    if (scratch) this.checkScratch(scratch, plan.bytes);
    const own: GPUBuffer[] = [];
    if (!scratch && plan.bytes > 0) {
      if (plan.bytes > device.limits.maxBufferSize) {
        const details = {
          what: "bytes in one buffer (maxBufferSize)",
          need: plan.bytes,
          limit: device.limits.maxBufferSize,
        };
        throw errorOf("device-limit", details, `scratch of pipeline ${manifest.pipeline}`);
      }
    }
    const shared = (): GPUBuffer | undefined => {
      if (scratch || plan.bytes === 0) return scratch;
      const usage = USAGE.STORAGE | USAGE.COPY_DST;
      const buffer = device.createBuffer({ label: "scratch", size: plan.bytes, usage });
      own.push(buffer);
      return buffer;
    };
    const buffer = shared();
    try {
      const bound = bindBuffers(device, manifest, n, given, buffer && { buffer, plan });
      for (const { binding, buffer: target, offset, size } of bound.values())
        if (binding.cleared) encoder.clearBuffer(target, offset, size);
      const params = paramsBuffer(device, prepared.params);
      own.push(params);
      const pass = encoder.beginComputePass({ label: manifest.pipeline });
      for (const { pass: one, layout, pipeline } of this.passes) {
        const groups = evaluate(one.groups, n);
        if (groups === 0) continue;
        const entries: GPUBindGroupEntry[] = one.bindings.map(({ name }) => {
          const range = bound.get(name) as { buffer: GPUBuffer; offset: number; size: number };
          const { buffer: of, offset, size } = range;
          return { binding: slotOf(manifest, name), resource: { buffer: of, offset, size } };
        });
        pass.setPipeline(pipeline);
        pass.setBindGroup(
          0,
          device.createBindGroup({
            layout,
            entries: [{ binding: 0, resource: { buffer: params } }, ...entries],
          }),
        );
        pass.dispatchWorkgroups(...gridOf(groups, device.limits.maxComputeWorkgroupsPerDimension));
      }
      pass.end();
    } catch (error) {
      for (const made of own) made.destroy();
      throw error;
    }
    return {
      dispose: () => {
        for (const made of own) made.destroy();
      },
    };
  }

  private checkScratch(scratch: GPUBuffer, need: number): void {
    const missing = lacking(scratch.usage, USAGE.STORAGE, USAGE.COPY_DST);
    const reason =
      missing !== undefined
        ? `it was made without the usage ${missing}`
        : scratch.size < need
          ? `it has ${scratch.size} bytes and needs ${need}`
          : undefined;
    if (reason !== undefined)
      throw errorOf("bad-buffer", { name: "scratch", reason }, this.manifest.pipeline);
  }
}
