/** One user's executable of a program that users of the same content share. */
import type {
  Executable,
  Manifest,
  PipelineSource,
  Plan,
  RunOptions,
  RunOutputs,
  RunValues,
  SmallRuns,
} from "@groupwise/core";
import type { RunResults, Sides } from "@groupwise/core/target";
import {
  checkedSides,
  errorOf,
  type InspectRun,
  inspectorOf,
  type Lease,
  type ShapeResults,
  type SmallPipeline,
} from "@groupwise/core/target";
import type { Recording } from "./encode.ts";
import type { GpuProgram, WgslProgram } from "./program.ts";
import type { RecordOptions } from "./record-options.ts";
import type { HeldExecutable } from "./recorder.ts";
import type { Tiers } from "./tiers.ts";

/** A pipeline lowered and compiled for one device; `P` and `Shared` as in `Executable`. */
export interface WgslExecutable<P extends PipelineSource = PipelineSource, Shared extends string = never>
  extends Omit<WgslProgram, "run">,
    Executable<P, Shared> {}

/** The shared part. */
export interface CompiledKernels {
  /** That of the fastest form. */
  readonly plan: Plan;
  readonly tiers: Tiers;
  /** Given with the option `small`. */
  readonly small?: SmallPipeline;
  /** Frees all of it. */
  dispose(): void;
}

export class SharedExecutable implements WgslExecutable, HeldExecutable {
  readonly plan: Plan;
  readonly manifest: Manifest;
  readonly partBytes: number;
  private readonly tiers: Tiers;
  private readonly smallRuns: SmallPipeline | undefined;
  private readonly release: () => void;
  private readonly shape: ShapeResults;
  private readonly inspect: InspectRun;
  private isOpen = true;

  constructor({ value, release }: Lease<CompiledKernels>, shape: ShapeResults, debug?: boolean) {
    const { plan, tiers, small } = value;
    this.smallRuns = small;
    this.plan = plan;
    this.manifest = tiers.fastest.manifest;
    this.tiers = tiers;
    this.partBytes = tiers.now.partBytes;
    this.release = release;
    this.shape = shape;
    this.inspect = inspectorOf(debug, this.plan, this.manifest);
  }

  get settled(): Promise<void> | undefined {
    return this.tiers.settled;
  }

  get small(): SmallRuns | undefined {
    return this.smallRuns?.state;
  }

  use(): GpuProgram {
    return this.tiers.use();
  }

  /** @throws GroupwiseError `disposed`, `device-lost` */
  check(): void {
    if (!this.isOpen) throw errorOf("disposed", { what: `the pipeline ${this.manifest.pipeline}` });
    this.tiers.now.assertUsable();
  }

  scratchBytes(sides: Sides): number {
    return this.tiers.scratchBytes(checkedSides(this.manifest, sides));
  }

  record(encoder: GPUCommandEncoder, options: RecordOptions): Recording {
    this.check();
    return this.use().record(encoder, options);
  }

  async run(values: RunValues, options?: RunOptions): Promise<RunResults> {
    this.check();
    this.inspect(values, options);
    return this.shape(await this.outputsOf(values, options), this.manifest);
  }

  private outputsOf(values: RunValues, options: RunOptions | undefined): Promise<RunOutputs> {
    if (!this.smallRuns) return this.use().run(values, options);
    const { now } = this.tiers;
    return this.smallRuns.run(
      values,
      options,
      (read, asked) => now.prepare(read, asked),
      (prepared) => this.use().runPrepared(prepared),
    );
  }

  dispose(): void {
    this.isOpen = false;
    this.release();
  }
}
