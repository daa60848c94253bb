/** Steps over arrays that stay on the device, in one encoder. */
import type { Executable, Manifest, Recorder, StepOptions } from "@groupwise/core";
import type { RunArrays } from "@groupwise/core/target";
import {
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
import type { Recording } from "./encode.ts";
import type { GpuProgram } from "./program.ts";
import { EncoderStatuses, type StatusRange } from "./statuses.ts";

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
}

export class WgslRecorder implements Recorder {
  private readonly host: RecorderHost;
  private encoder: GPUCommandEncoder | undefined;
  private steps: Recorded[] = [];
  private statuses: EncoderStatuses;

  constructor(host: RecorderHost) {
    this.host = host;
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
    this.encoder ??= gpu.device.createCommandEncoder({ label: "recorder" });
    const use = useOf(manifest, step);
    this.steps.push({ held, manifest, use, ...this.record(program, step, this.encoder) });
    return this;
  }

  submit(): Promise<void> {
    const { gpu } = this.host;
    const { steps, statuses, encoder = gpu.device.createCommandEncoder() } = this;
    this.steps = [];
    this.statuses = new EncoderStatuses(gpu);
    this.encoder = undefined;
    return submitted(
      steps.map(({ use }) => use),
      () => this.runAll(steps, encoder, statuses),
    );
  }

  /** @returns the error of each step that failed */
  private async runAll(
    steps: readonly Recorded[],
    encoder: GPUCommandEncoder,
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
          read = statuses.copy(encoder, take);
          gpu.submit([encoder.finish()]);
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
      return steps.map(
        ({ manifest, status }) => status && statusError(manifest, words.subarray(status.from, status.to)),
      );
    } finally {
      statuses.release(isDone);
      for (const { recording, own } of steps) {
        recording.dispose();
        for (const buffer of own) buffer.destroy();
      }
    }
  }

  private record(
    program: GpuProgram,
    step: Step<WgslArray>,
    encoder: GPUCommandEncoder,
  ): Omit<Recorded, "held" | "manifest" | "use"> {
    const { gpu } = this.host;
    const { launch, count, scratch } = step;
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
    try {
      const [at] = count ? count.array.slice(count.at, count.at + 1).ranges : [];
      const recording = program.recordStep(encoder, launch, buffers, {
        scratch: scratch?.ranges,
        count: at && count && { ...at, max: count.max },
        isShared: own.length === 0,
        isZero: ({ role }) => role === "status",
      });
      const arrays = [
        ...step.arrays.values(),
        ...(count ? [count.array] : []),
        ...(scratch ? [scratch] : []),
      ];
      return { arrays, recording, own, ...(status && { status }) };
    } catch (error) {
      for (const buffer of own) buffer.destroy();
      throw error;
    }
  }
}
