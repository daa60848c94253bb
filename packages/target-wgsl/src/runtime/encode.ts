/** The commands of one run. */
import { type Binding, evaluate, type Manifest } from "@groupwise/core";
import { errorOf, type Launch } from "@groupwise/core/target";
import type { Gpu } from "../device/device.ts";
import { checkItems, gridOf, type Limits } from "../device/limits.ts";
import { scratchPlan } from "../device/memory.ts";
import { type ByteRange, buffersFor } from "../device/parts.ts";
import { PARAMS_SLOT, type ReadyPass, slotsOf } from "../device/pipelines.ts";
import { lacking, USAGE } from "../device/usage.ts";
import { type Bindings, giveBack, keptOn, ownBindings } from "./bindings.ts";
import { type Bound, type BufferRanges, bindBuffers, rangesOf } from "./buffers.ts";
import { clearsOf, recordClears } from "./clears.ts";
import { type CountedSteps, wordsOfItems } from "./counted-steps.ts";
import { type BufferCount, checkCount, DISPATCH_BYTES, recordCount } from "./counts.ts";
import { mostGroups } from "./most-groups.ts";

/** The prepared arguments of a recording. */
export interface ReadyRecording {
  readonly gpu: Gpu;
  readonly manifest: Manifest;
  readonly passes: readonly ReadyPass[];
}

/** The resources that a recording created. */
export interface Recording {
  /**
   * Resolves if the kernels, bind groups and buffers of this recording are valid. Errors of the encoder's
   * commands come from WebGPU itself, when the encoder is finished or submitted.
   * @throws GroupwiseError `device-error`, `device-lost`, with the pipeline's name
   */
  check(): Promise<void>;
  /**
   * Frees the recording's objects, or keeps them for later recordings. Call it after the encoder's commands are submitted; it
   * does not wait.
   */
  dispose(): void;
}

/** The options of a recording beside its arrays. */
export interface EncodeOptions {
  readonly scratch?: BufferRanges | undefined;
  /** Then the launch is for the most items. */
  readonly count?: BufferCount | undefined;
  /**
   * True: parameters and bind groups are shared with other recordings of the same arrays. The caller submits the commands before it
   * disposes of the recording; only parameters of its own, which are freed, turn another order into an error of the device.
   */
  readonly isShared?: boolean;
  /** What passes the number of items to steps; default: a kernel of the recording. */
  readonly counted?: CountedSteps | undefined;
  /** Whether an array that starts as zeros has them already; default: none has. */
  readonly isZero?: (binding: Binding) => boolean;
}

/** Bytes of a spare range, for a binding that its array does not reach. */
const SPARE = 256;

/** The objects of one recording. */
class Objects {
  private readonly gpu: Gpu;
  private readonly own: GPUBuffer[] = [];
  private readonly lent: GPUBuffer[] = [];
  private bindings: Bindings | undefined;

  constructor(gpu: Gpu) {
    this.gpu = gpu;
  }

  /** Whether it has buffers of its own. */
  get hasOwn(): boolean {
    return this.own.length > 0;
  }

  make(label: string, size: number, usage: number): GPUBuffer {
    const buffer = this.gpu.device.createBuffer({ label, size, usage });
    this.own.push(buffer);
    return buffer;
  }

  spare(): ByteRange {
    return { buffer: this.make("spare", SPARE, USAGE.STORAGE), offset: 0, size: SPARE };
  }

  /** Scratch memory, for use until the recorded commands are submitted. */
  borrow(bytes: number): ByteRange[] {
    return buffersFor(bytes, this.gpu.limits).map((size): ByteRange => {
      const buffer = this.gpu.scratch.take(size);
      this.lent.push(buffer);
      return { buffer, offset: 0, size };
    });
  }

  hold(bindings: Bindings): Bindings {
    this.bindings = bindings;
    return bindings;
  }

  /** Others may use what it borrowed if the device could make it. */
  dispose(settled: Promise<void>): void {
    this.release();
    const end = (isDone: boolean): void => giveBack(this.gpu, this.gpu.scratch, this.lent.splice(0), isDone);
    settled.then(
      () => end(true),
      () => end(false),
    );
  }

  /** After a recording that failed. */
  destroy(): void {
    this.release();
    destroy(this.lent);
  }

  private release(): void {
    destroy(this.own);
    this.bindings?.release();
    this.bindings = undefined;
  }
}
const destroy = (buffers: GPUBuffer[]): void => {
  for (const buffer of buffers.splice(0)) buffer.destroy();
};

/** Checks everything, then records: zeros where they are needed, and the passes. */
export function encode(
  ready: ReadyRecording,
  encoder: GPUCommandEncoder,
  launch: Launch,
  given: Readonly<Record<string, BufferRanges>>,
  { scratch, count, counted, isShared = false, isZero = () => false }: EncodeOptions = {},
): Recording {
  const { manifest, gpu } = ready;
  const { limits } = gpu;
  checkItems(manifest, limits, launch, false);
  const plan = scratchPlan(manifest, launch, limits, (name) => Object.hasOwn(given, name));
  const objects = new Objects(gpu);
  try {
    if (count) checkCount(manifest, count);
    const spares = scratch === undefined ? undefined : rangesOf(scratch);
    if (spares) checkScratch(manifest, limits, spares, plan.bytes);
    const { settled } = gpu.watched(manifest.pipeline, () => {
      const buffers = spares ?? (plan.bytes === 0 ? [] : objects.borrow(plan.bytes));
      const bound = bindBuffers(limits, { manifest, sides: launch, given, scratch: { buffers, plan } }, () =>
        objects.spare(),
      );
      const instead = spareParts(manifest, bound, () => objects.spare());
      const ranges = [...bound.values()].flatMap((one) => one.ranges);
      // A spare range is not bound again.
      const isKept = isShared && !objects.hasOwn;
      const key = { program: ready, params: launch.params, ranges, count };
      const bindings = objects.hold(isKept ? keptOn(gpu).take(key) : ownBindings(gpu, key));
      recordPasses(ready, encoder, { launch, count, counted, bound, instead, bindings, isZero });
    });
    // What the device could not make is of no use to others.
    settled.catch(() => keptOn(gpu).clear());
    return { check: () => settled, dispose: () => objects.dispose(settled) };
  } catch (error) {
    objects.destroy();
    throw error;
  }
}

/** What a recording binds, and where its own objects are. */
interface Recorded {
  readonly launch: Launch;
  readonly count: BufferCount | undefined;
  readonly counted: CountedSteps | undefined;
  readonly bound: ReadonlyMap<string, Bound>;
  readonly instead: ReadonlyMap<string, ByteRange>;
  readonly bindings: Bindings;
  readonly isZero: (binding: Binding) => boolean;
}

function recordPasses(ready: ReadyRecording, encoder: GPUCommandEncoder, recorded: Recorded): void {
  const { manifest, gpu } = ready;
  const { launch, count, counted, bound, bindings, isZero } = recorded;
  const cleared = [...bound.values()].filter(({ binding }) => binding.cleared && !isZero(binding));
  const clears = clearsOf(gpu, cleared, launch);
  const begin = (): GPUComputePassEncoder => encoder.beginComputePass({ label: manifest.pipeline });
  const groupsOf = ({ pass: { groups } }: ReadyPass): number =>
    count ? mostGroups(groups, launch) : evaluate(groups, launch);
  const isExact = (one: ReadyPass): boolean => count !== undefined && groupsOf(one) > FEW;
  const words = counted && !ready.passes.some(isExact) ? wordsOfItems(manifest) : undefined;
  // The count may be in an array that is cleared.
  const counting = count && words === undefined ? begin() : undefined;
  const dispatches = counting && count && recordCount(gpu, { manifest, encoder: counting, count, bindings });
  if (clears.long.length > 0) counting?.end();
  for (const { buffer, offset, size } of clears.long) encoder.clearBuffer(buffer, offset, size);
  const pass = counting && clears.long.length === 0 ? counting : begin();
  recordClears(gpu, pass, clears.short, bindings);
  ready.passes.forEach((one, i) => {
    const groups = groupsOf(one);
    if (groups === 0) return;
    pass.setPipeline(one.pipeline);
    pass.setBindGroup(
      0,
      bindings.group(`pass ${i}`, () => groupOf(ready, one, recorded)),
    );
    if (dispatches && isExact(one)) pass.dispatchWorkgroupsIndirect(dispatches, i * DISPATCH_BYTES);
    else pass.dispatchWorkgroups(...gridOf(groups, gpu.limits.maxComputeWorkgroupsPerDimension));
  });
  pass.end();
  if (count && words !== undefined) counted?.add(count, { bindings, words });
}

/**
 * Work-groups that numbers of items in buffers may have without an indirect dispatch. Those that the items do not need return at once, and
 * Dawn adds a dispatch of its own to each indirect one, which checks its arguments.
 */
const FEW = 8192;

/** By array: what is bound in place of a last part that has no vector, where passes use vectors. */
function spareParts(
  { passes }: Manifest,
  bound: ReadonlyMap<string, Bound>,
  spare: () => ByteRange,
): ReadonlyMap<string, ByteRange> {
  const found = new Map<string, ByteRange>();
  for (const { name, vectorBytes = 0 } of passes.flatMap(({ bindings }) => bindings)) {
    const { ranges } = bound.get(name) as Bound;
    if (!found.has(name) && ranges.some(({ size }) => size < vectorBytes)) found.set(name, spare());
  }
  return found;
}

function groupOf(
  { gpu: { device }, manifest }: ReadyRecording,
  { pass, layout }: ReadyPass,
  { bound, instead, bindings: { params } }: Recorded,
): GPUBindGroup {
  const arrays = pass.bindings.flatMap(({ name, vectorBytes = 0 }) => {
    const { ranges } = bound.get(name) as Bound;
    const slots = slotsOf(manifest, name);
    return slots.map((binding, i): GPUBindGroupEntry => {
      const range = ranges[i % ranges.length] as ByteRange;
      // Where the parts are bound twice, the second bindings are those of vectors.
      const isShort = range.size < vectorBytes && i >= slots.length - ranges.length;
      const { buffer, offset, size } = isShort ? (instead.get(name) as ByteRange) : range;
      return { binding, resource: { buffer, offset, size } };
    });
  });
  const entries = [{ binding: PARAMS_SLOT, resource: { buffer: params } }, ...arrays];
  return device.createBindGroup({ label: pass.entryPoint, layout, entries });
}

function checkScratch(
  { pipeline }: Manifest,
  { minStorageBufferOffsetAlignment: alignment }: Limits,
  scratch: readonly ByteRange[],
  need: number,
): void {
  const bad = (reason: string): Error => errorOf("bad-buffer", { name: "scratch", reason }, pipeline);
  for (const { buffer, offset } of scratch) {
    const missing = lacking(buffer.usage, USAGE.STORAGE, USAGE.COPY_DST);
    if (offset % alignment !== 0) throw bad(`its offset ${offset} is not a multiple of ${alignment}`);
    if (missing !== undefined) throw bad(`it was created without the usage ${missing}`);
  }
  const bytes = scratch.reduce((sum, { size }) => sum + size, 0);
  if (bytes < need) throw bad(`it has ${bytes} bytes but needs ${need}`);
}
