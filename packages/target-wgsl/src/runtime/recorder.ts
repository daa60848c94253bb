/** Steps over arrays that stay on the device, in one encoder. */
import type { Executable, Manifest, Recorder, StepOptions } from "@groupwise/core";
import type { RunArrays } from "@groupwise/core/target";
import {
  divisorError,
  elementsOf,
  foreignExecutable,
  prepareStep,
  type Step,
  type StepUse,
  statusError,
  submitted,
  useOf,
} from "@groupwise/core/target";
import type { Gpu } from "../device/device.ts";
import { bytesOf } from "../device/memory.ts";
import type { ByteRange } from "../device/parts.ts";
import type { Staged } from "../device/staging.ts";
import { USAGE } from "../device/usage.ts";
import { WgslArray } from "./array.ts";
import { CountedSteps } from "./counted-steps.ts";
import type { BufferCount } from "./counts.ts";
import type { Recording } from "./encode.ts";
import type { GpuProgram } from "./program.ts";
import { EncoderStatuses, type StatusRange } from "./statuses.ts";

const WORD = 4;
const MADE = USAGE.STORAGE | USAGE.COPY_SRC | USAGE.COPY_DST;

/** An executable of the runtime. */
export interface HeldExecutable {
  /** What a step runs now. */
  use(): GpuProgram;
  /** @throws GroupwiseError `disposed` */
  check(): void;
}

/** The interface of a runtime for recorders. */
export interface RecorderHost {
  readonly gpu: Gpu;
  find(executable: Executable): HeldExecutable | undefined;
  /** @throws GroupwiseError `disposed`, `device-lost` */
  check(): void;
}

interface Recorded {
  readonly held: HeldExecutable;
  readonly manifest: Manifest;
  readonly use: StepUse;
  readonly arrays: readonly WgslArray[];
  readonly recording: Recording;
  readonly own: readonly GPUBuffer[];
  readonly status?: StatusRange;
  readonly divided?: DividedCount;
}

/** A count that parameters divide: a word beside the status words tells it to the host. */
interface DividedCount extends StatusRange {
  readonly errorFor: (count: number) => unknown;
}

/** The error of a step that ran. @param words of all steps */
function errorOfStep({ manifest, status, divided }: Recorded, words: Uint32Array): unknown {
  const refused = divided?.errorFor(words[divided.from] as number);
  return refused ?? (status && statusError(manifest, words.subarray(status.from, status.to)));
}

/** The place of a number of items. */
function countIn({ array, at, max }: NonNullable<Step<WgslArray>["count"]>): BufferCount {
  const [place] = array.slice(at, at + 1).ranges;
  return { ...(place as ByteRange), max };
}

/** The commands of a recorder: those of steps, between those that pass numbers of items to them. */
class Commands {
  private open: GPUCommandEncoder | undefined;
  private readonly gpu: Gpu;
  private readonly before: (GPUCommandEncoder | CountedSteps)[] = [];
  private counted: CountedSteps | undefined;

  constructor(gpu: Gpu) {
    this.gpu = gpu;
  }

  /** For the next step. */
  get encoder(): GPUCommandEncoder {
    this.open ??= this.gpu.device.createCommandEncoder({ label: "recorder" });
    return this.open;
  }

  /** What passes a number to the next step. */
  counting(count: BufferCount): CountedSteps {
    if (this.counted?.has(count)) return this.counted;
    const counted = new CountedSteps(this.gpu);
    this.before.push(...(this.open ? [this.open] : []), counted);
    this.open = undefined;
    this.counted = counted;
    return counted;
  }

  /** Notes what a step may write. */
  wrote(arrays: readonly WgslArray[]): void {
    this.counted?.wrote(arrays.flatMap(({ ranges }) => ranges));
  }

  end(): GPUCommandBuffer[] {
    const all = this.before.map((one) => (one instanceof CountedSteps ? one.end() : one.finish()));
    return [...all, this.encoder.finish()];
  }
}

export class WgslRecorder implements Recorder {
  private readonly host: RecorderHost;
  private commands: Commands;
  private steps: Recorded[] = [];
  private statuses: EncoderStatuses;

  constructor(host: RecorderHost) {
    this.host = host;
    this.commands = new Commands(host.gpu);
    this.statuses = new EncoderStatuses(host.gpu);
  }

  run(executable: Executable, arrays: RunArrays, options?: StepOptions): this {
    const { gpu } = this.host;
    this.host.check();
    const held = this.host.find(executable);
    if (!held) throw foreignExecutable(executable);
    held.check();
    const program = held.use();
    const { manifest } = program;
    const step = prepareStep<WgslArray>(manifest, arrays, options, {
      own: (array) => (WgslArray.is(array) && array.root.gpu === gpu ? array : undefined),
      sliceAlignment: gpu.limits.minStorageBufferOffsetAlignment,
      scratchBytes: (launch) => program.scratchBytes(launch),
    });
    const use = useOf(manifest, step);
    this.steps.push({ held, manifest, use, ...this.record(program, step) });
    return this;
  }

  submit(): Promise<void> {
    const { gpu } = this.host;
    const { steps, statuses, commands } = this;
    this.steps = [];
    this.statuses = new EncoderStatuses(gpu);
    this.commands = new Commands(gpu);
    return submitted(
      steps.map(({ use }) => use),
      () => this.runAll(steps, commands, statuses),
    );
  }

  /** @returns the error of each step that failed */
  private async runAll(
    steps: readonly Recorded[],
    commands: Commands,
    statuses: EncoderStatuses,
  ): Promise<readonly unknown[]> {
    const { gpu } = this.host;
    const names = [...new Set(steps.map(({ manifest }) => manifest.pipeline))].join(", ");
    let isDone = false;
    try {
      this.host.check();
      for (const { held, arrays } of steps) {
        held.check();
        for (const array of arrays) array.check();
      }
      gpu.blame(names);
      const words = await gpu.staging.during(async (take) => {
        let read: Staged | undefined;
        const queued = gpu.guarded(() => {
          read = statuses.copy(commands.encoder, take);
          gpu.submit(commands.end());
        }, names);
        // The errors of recording say more than the encoder's complaint.
        const made = steps.flatMap(({ recording, arrays }) => [
          recording.check(),
          ...arrays.map(({ root }) => root.trouble),
        ]);
        queued.catch(() => {});
        await Promise.all(made);
        await queued;
        if (!read) await gpu.workDone(names);
        return read
          ? gpu.orLost(
              gpu.staging.read(read, (bytes) => new Uint32Array(bytes.slice(0))),
              names,
            )
          : new Uint32Array();
      });
      isDone = true;
      return steps.map((step) => errorOfStep(step, words));
    } finally {
      statuses.release(isDone);
      for (const { recording, own } of steps) {
        recording.dispose();
        for (const buffer of own) buffer.destroy();
      }
    }
  }

  private record(program: GpuProgram, step: Step<WgslArray>): Omit<Recorded, "held" | "manifest" | "use"> {
    const { gpu } = this.host;
    const { launch, scratch } = step;
    const count = step.count && countIn(step.count);
    const counted = count && this.commands.counting(count);
    const { encoder } = this.commands;
    const own: GPUBuffer[] = [];
    const make = (label: string, size: number): GPUBuffer => {
      const buffer = gpu.device.createBuffer({ label, size, usage: MADE });
      own.push(buffer);
      return buffer;
    };
    const { bindings } = program.manifest;
    const buffers: Record<string, readonly ByteRange[]> = {};
    for (const binding of bindings) {
      const array = step.arrays.get(binding.name);
      // WebGPU binds no empty range.
      const isEmpty = elementsOf(binding, launch) === 0;
      const spare = (): ByteRange => ({ buffer: make("empty", 16), offset: 0, size: 16 });
      if (array) buffers[binding.name] = isEmpty ? [spare()] : array.ranges;
    }
    const binding = bindings.find(({ role }) => role === "status");
    const status = binding && this.statuses.place(encoder, bytesOf(binding, launch));
    if (status) buffers[binding.name] = [status.range];
    const divided = count && this.dividedCount(program, step, count);
    try {
      const recording = program.recordStep(encoder, launch, buffers, {
        scratch: scratch?.ranges,
        ...{ count, counted },
        isShared: own.length === 0,
        isZero: ({ role }) => role === "status",
      });
      const arrays = [
        ...step.arrays.values(),
        ...(step.count ? [step.count.array] : []),
        ...(scratch ? [scratch] : []),
      ];
      const outputs = bindings.flatMap(({ name, role }) =>
        role === "output" ? (step.arrays.get(name) ?? []) : [],
      );
      this.commands.wrote([...outputs, ...(scratch ? [scratch] : [])]);
      return { arrays, recording, own, ...(status && { status }), ...(divided && { divided }) };
    } catch (error) {
      for (const buffer of own) buffer.destroy();
      throw error;
    }
  }

  /** Records a copy of a count, if a parameter divides it. */
  private dividedCount(
    { manifest }: GpuProgram,
    { values }: Step<WgslArray>,
    { buffer, offset, max }: BufferCount,
  ): DividedCount | undefined {
    if (!manifest.params.some(({ divides }) => divides)) return undefined;
    const { encoder } = this.commands;
    const place = this.statuses.place(encoder, WORD);
    encoder.copyBufferToBuffer(buffer, offset ?? 0, place.range.buffer, place.range.offset, WORD);
    return { ...place, errorFor: (count) => divisorError(manifest, values, Math.min(count, max)) };
  }
}
