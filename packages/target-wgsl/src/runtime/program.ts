/** An artifact on a device: recorded into a caller's encoder, or run from host arrays to host arrays. */
import {
  type Artifact,
  type Binding,
  evaluate,
  type HostArray,
  type InferValues,
  type Manifest,
  type RunOptions,
  type RunOutputs,
  type RunValues,
} from "@groupwise/core";
import type { Earned, InferOutputArrays, Sides, Split } from "@groupwise/core/target";
import {
  checkDivisors,
  checkNames,
  errorOf,
  finishRun,
  fromDevice,
  type Launch,
  type Prepared,
  prepareLaunch,
  prepareRun,
  userParams,
} from "@groupwise/core/target";
import type { Gpu } from "../device/device.ts";
import { checkDevice, checkItems, splitFor } from "../device/limits.ts";
import { bytesOf, scratchPlan } from "../device/memory.ts";
import { type ByteRange, buffersFor, partBytesOf } from "../device/parts.ts";
import { makePasses, makePassesNow, type ReadyPass } from "../device/pipelines.ts";
import { copyTo, type Staged } from "../device/staging.ts";
import { chunkBytes, hostArray, read, type Write, write, writesOf } from "../device/transfer.ts";
import { USAGE } from "../device/usage.ts";
import { giveBack, keptOn } from "./bindings.ts";
import { type BufferRanges, isGiven, tableLengths } from "./buffers.ts";
import { beginPasses, requireTested } from "./compiling.ts";
import { type EncodeOptions, encode, type ReadyRecording, type Recording } from "./encode.ts";
import { type RecordOptions, recordOptions } from "./record-options.ts";

/** Emitted WGSL that is compiled for one device; `P` is the type of the pipeline, which an artifact does not have. */
export interface WgslProgram<P = unknown> {
  readonly manifest: Manifest;
  /** Arrays longer than this are split into parts of this many bytes. */
  readonly partBytes: number;
  /** Bytes of a caller's `scratch` for n items, or for a range of these sides. */
  scratchBytes(sides: Sides): number;
  /**
   * Records the passes into the caller's encoder. It does not submit and has no state: an encoder can have
   * any number of recordings.
   * @throws GroupwiseError `bad-argument`, `bad-buffer`, `too-many-items`, `bad-parameter`, … before anything is recorded
   */
  record(encoder: GPUCommandEncoder, options: RecordOptions): Recording;
  /**
   * As `Executable.run`.
   * @throws GroupwiseError for wrong values before anything runs, for later errors of the device
   */
  run(values: InferValues<P>, options?: RunOptions): Promise<InferOutputArrays<P>>;
  /** Frees its device objects; later runs and recordings throw `disposed`. */
  dispose(): void;
}

/** Chunks that are written before the device is waited for. */
const AT_A_TIME = 4;

/** The arrays that a long run makes, which WebGPU makes of zeros. */
const isZero = ({ role }: Binding): boolean => role !== "scratch";

/** Emits a pipeline once more, with arrays in parts. */
export type Splitter = (split: Split) => Artifact;

export class GpuProgram implements WgslProgram, ReadyRecording {
  readonly manifest: Manifest;
  readonly gpu: Gpu;
  readonly partBytes: number;
  private readonly artifact: Artifact;
  private made: readonly ReadyPass[] | undefined;
  private readonly splitter: Splitter | undefined;
  /** What was compiled for arrays in parts, by the numbers of parts. */
  private readonly variants = new Map<string, Promise<ReadyRecording>>();
  private readonly artifacts = new Map<string, Artifact>();
  private readonly readyVariants = new Map<string, ReadyRecording>();
  private readonly earned: Earned | undefined;
  private disposed = false;

  /** Before {@link compile}, only `scratchBytes` may be called. */
  constructor(gpu: Gpu, artifact: Artifact, earned?: Earned, splitter?: Splitter) {
    this.gpu = gpu;
    this.earned = earned;
    this.artifact = artifact;
    this.manifest = artifact.manifest;
    this.splitter = splitter;
    this.partBytes = partBytesOf(gpu.limits, artifact.manifest.flags["part-bytes"]);
  }

  /**
   * Checks the device and compiles the kernels.
   * @param begun the kernels, if they are being compiled
   */
  async compile(begun?: Promise<readonly ReadyPass[]>): Promise<this> {
    const { gpu, manifest, artifact } = this;
    gpu.assertThere();
    checkDevice(manifest, gpu.limits, gpu.device.features);
    const passes = begun ?? beginPasses(gpu, artifact);
    await requireTested(gpu, manifest, this.earned);
    this.made = await passes;
    return this;
  }

  get passes(): readonly ReadyPass[] {
    return this.made as readonly ReadyPass[];
  }

  scratchBytes(sides: Sides): number {
    const parts = this.partsFor(sides);
    // It says how many items fit, and not only what the device lacks.
    if (parts) this.checkItems(sides);
    const { manifest } = parts ? this.emitted(parts) : this;
    return scratchPlan(manifest, sides, this.gpu.limits).bytes;
  }

  record(encoder: GPUCommandEncoder, options: RecordOptions): Recording {
    this.assertUsable();
    const { manifest } = this;
    const { range, count, scratch, buffers, params, lengths } = recordOptions(options, manifest);
    checkNames(manifest, params, userParams(manifest));
    const launch = prepareLaunch(manifest, params, [], range, tableLengths(manifest, buffers, lengths));
    checkDivisors(manifest, params, count ? undefined : launch.n);
    return this.recordStep(encoder, launch, buffers, { scratch, count });
  }

  /** Records arguments that have passed all checks on the host. */
  recordStep(
    encoder: GPUCommandEncoder,
    launch: Launch,
    buffers: Readonly<Record<string, BufferRanges>>,
    options: EncodeOptions,
  ): Recording {
    this.checkItems(launch);
    return encode(this.variantNow(launch), encoder, launch, buffers, options);
  }

  async run(values: RunValues, options?: RunOptions): Promise<RunOutputs> {
    return this.runPrepared(this.prepare(values, options));
  }

  /** Checks the values of a run. */
  prepare(values: RunValues, options?: RunOptions): Prepared {
    this.assertUsable();
    const prepared = prepareRun(this.manifest, values, options);
    this.checkItems(prepared);
    return prepared;
  }

  /** Runs checked values, which it reads before it returns. */
  async runPrepared(prepared: Prepared): Promise<RunOutputs> {
    const { manifest, gpu } = this;
    const isLong = manifest.bindings.some((b) => bytesOf(b, prepared) > chunkBytes(gpu));
    const recordings: Recording[] = [];
    const buffers: GPUBuffer[] = [];
    const arrays: Record<string, ByteRange[]> = {};
    const make = (label: string, size: number, usage: number): GPUBuffer => {
      const buffer = isLong ? gpu.device.createBuffer({ label, size, usage }) : gpu.arrays.take(size);
      buffers.push(buffer);
      return buffer;
    };
    const allocate = (): void => {
      for (const binding of manifest.bindings.filter(({ role }) => role !== "scratch")) {
        const { name } = binding;
        const usage = USAGE.STORAGE | USAGE.COPY_DST | (isGiven(binding) ? 0 : USAGE.COPY_SRC);
        const sizes = buffersFor(bytesOf(binding, prepared), gpu.limits, this.partBytes);
        arrays[name] = sizes.map((size) => ({ buffer: make(name, size, usage), offset: 0, size }));
      }
    };
    const inputs = function* (): Generator<Write> {
      for (const binding of manifest.bindings) {
        const data = prepared.inputs.get(binding.name);
        if (data) yield* writesOf(gpu, binding, arrays[binding.name] as ByteRange[], data);
      }
    };
    const record = (ready: ReadyRecording, encoder: GPUCommandEncoder): void => {
      recordings.push(encode(ready, encoder, prepared, arrays, isLong ? { isZero } : { isShared: true }));
    };
    let isDone = false;
    try {
      if (isLong) return await this.runLong(prepared, arrays, allocate, inputs(), record);
      const found = new Map<string, HostArray>();
      await gpu.staging.during(async (take) => {
        const reads = new Map<Binding, Staged>();
        await gpu.guarded(() => {
          allocate();
          for (const one of inputs()) write(gpu, one);
          const encoder = gpu.device.createCommandEncoder({ label: manifest.pipeline });
          // No array is so long that it is split into parts.
          record(this, encoder);
          for (const binding of this.results()) {
            const [from] = arrays[binding.name] as [ByteRange];
            reads.set(binding, copyTo(take(bytesOf(binding, prepared)), encoder, from));
          }
          gpu.submit([encoder.finish()]);
        }, manifest.pipeline);
        const readAll = [...reads].map(([binding, staged]) =>
          gpu.staging.read(staged, (bytes) =>
            found.set(binding.name, fromDevice(binding, bytes, evaluate(binding.elements, prepared))),
          ),
        );
        await gpu.orLost(Promise.all(readAll), manifest.pipeline);
      });
      isDone = true;
      return this.finish(found);
    } finally {
      for (const recording of recordings) recording.dispose();
      // The next run takes them in the same order, and binds them as before.
      giveBack(gpu, gpu.arrays, buffers.reverse(), isDone);
    }
  }

  dispose(): void {
    this.disposed = true;
    keptOn(this.gpu).clear();
    this.gpu.clear();
  }

  /**
   * A few chunks at a time, and of scatters no more than is valid. The inputs' first chunks are written at once, and
   * the others copied, so that the caller's arrays are not read later.
   */
  private async runLong(
    sides: Sides,
    arrays: Readonly<Record<string, readonly ByteRange[]>>,
    allocate: () => void,
    inputs: Iterable<Write>,
    record: (ready: ReadyRecording, encoder: GPUCommandEncoder) => void,
  ): Promise<RunOutputs> {
    const { gpu } = this;
    const { queue } = gpu.device;
    this.checkHost(sides);
    const variant = this.variant(sides);
    const later: Write[] = [];
    await gpu.guarded(() => {
      allocate();
      let count = 0;
      for (const one of inputs) {
        if (count++ < AT_A_TIME) write(gpu, one);
        else later.push({ ...one, data: one.data.slice() as HostArray });
      }
      queue.submit([]);
    }, this.manifest.pipeline);
    while (later.length > 0) {
      await gpu.workDone();
      await gpu.guarded(() => {
        for (const one of later.splice(0, AT_A_TIME)) write(gpu, one);
        queue.submit([]);
      });
    }
    const ready = await variant;
    await gpu.guarded(() => {
      const encoder = gpu.device.createCommandEncoder({ label: this.manifest.pipeline });
      record(ready, encoder);
      queue.submit([encoder.finish()]);
    }, this.manifest.pipeline);
    const found = new Map<string, HostArray>();
    // Lengths come first.
    const results = this.results().sort((a, b) => Number(!!a.lengthFrom) - Number(!!b.lengthFrom));
    for (const binding of results) {
      const valid = binding.lengthFrom === undefined ? Infinity : Number(found.get(binding.lengthFrom)?.[0]);
      const length = Math.min(valid, evaluate(binding.elements, sides));
      found.set(binding.name, await read(gpu, binding, arrays[binding.name] as ByteRange[], length));
    }
    return this.finish(found);
  }

  /** The arrays that a run reads back: outputs and the status. */
  private results(): Binding[] {
    return this.manifest.bindings.filter(({ role }) => role === "output" || role === "status");
  }

  private finish(found: ReadonlyMap<string, HostArray>): RunOutputs {
    const status = this.manifest.bindings.find(({ role }) => role === "status");
    const words = status ? found.get(status.name) : undefined;
    return finishRun(this.manifest, found, (words ?? []) as ArrayLike<number>);
  }

  /** Checks that the host can have arrays of such lengths, before any are requested from the device. */
  private checkHost(sides: Sides): void {
    for (const binding of this.results()) hostArray(binding, evaluate(binding.elements, sides));
  }

  private checkItems(sides: Sides): void {
    checkItems(this.manifest, this.gpu.limits, sides, this.splitter !== undefined);
  }

  /** Which arrays of a range must be split into parts; undefined where none must, or none can. */
  private partsFor(sides: Sides): Split | undefined {
    return this.splitter && splitFor(this.manifest, this.gpu.limits, sides);
  }

  /** The program for a range: this one, or the one whose long arrays are split into parts, compiled when first needed. */
  private variant(sides: Sides): ReadyRecording | Promise<ReadyRecording> {
    const split = this.partsFor(sides);
    if (!split) return this;
    const key = JSON.stringify(split);
    const known = this.readyVariants.get(key) ?? this.variants.get(key);
    if (known) return known;
    const artifact = this.emitted(split);
    const made = makePasses(this.gpu, artifact).then((passes) => this.keep(key, artifact, passes));
    this.variants.set(key, made);
    made.catch(() => this.variants.delete(key));
    return made;
  }

  /** The same synchronously: errors of the compiler are reported with those of the encoder. */
  private variantNow(sides: Sides): ReadyRecording {
    const split = this.partsFor(sides);
    if (!split) return this;
    const key = JSON.stringify(split);
    const known = this.readyVariants.get(key);
    if (known) return known;
    const artifact = this.emitted(split);
    return this.keep(key, artifact, makePassesNow(this.gpu, artifact));
  }

  private emitted(split: Split): Artifact {
    const key = JSON.stringify(split);
    const artifact = this.artifacts.get(key) ?? (this.splitter as Splitter)(split);
    this.artifacts.set(key, artifact);
    checkDevice(artifact.manifest, this.gpu.limits, this.gpu.device.features);
    return artifact;
  }

  private keep(key: string, { manifest }: Artifact, passes: readonly ReadyPass[]): ReadyRecording {
    const ready: ReadyRecording = { gpu: this.gpu, manifest, passes };
    this.readyVariants.set(key, ready);
    return ready;
  }

  /** @throws GroupwiseError `disposed`, `device-lost` */
  assertUsable(): void {
    if (this.disposed) throw errorOf("disposed", { what: `the pipeline ${this.manifest.pipeline}` });
    this.gpu.assertThere(this.manifest.pipeline);
  }
}
