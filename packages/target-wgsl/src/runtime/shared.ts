/** One user's executable of a program that users of the same content share. */
import type { Executable, Manifest, PipelineSource, Plan, RunOptions, RunValues } from "@groupwise/core";
import type { RunResults, Sides } from "@groupwise/core/target";
import {
  checkedSides,
  errorOf,
  type InspectRun,
  inspectorOf,
  type Lease,
  type ShapeResults,
} from "@groupwise/core/target";
import type { Recording } from "./encode.ts";
import type { Program, WgslProgram } from "./program.ts";
import type { RecordOptions } from "./record-options.ts";
import type { Held } from "./recorder.ts";

/** A pipeline lowered and compiled for one device; `P` and `Shared` as in `Executable`. */
export interface WgslExecutable<P extends PipelineSource = PipelineSource, Shared extends string = never>
  extends Omit<WgslProgram, "run">,
    Executable<P, Shared> {}

/** The shared part. */
export interface Compiled {
  readonly plan: Plan;
  readonly program: Program;
}

export class Shared implements WgslExecutable, Held {
  readonly plan: Plan;
  readonly manifest: Manifest;
  readonly program: Program;
  readonly partBytes: number;
  private readonly release: () => void;
  private readonly shape: ShapeResults;
  private readonly inspect: InspectRun;
  private isOpen = true;

  constructor({ value, release }: Lease<Compiled>, shape: ShapeResults, debug?: boolean) {
    this.plan = value.plan;
    this.program = value.program;
    this.manifest = value.program.manifest;
    this.partBytes = value.program.partBytes;
    this.release = release;
    this.shape = shape;
    this.inspect = inspectorOf(debug, this.plan, this.manifest);
  }

  /** @throws GroupwiseError `disposed`, `device-lost` */
  check(): void {
    if (!this.isOpen) throw errorOf("disposed", { what: `the pipeline ${this.manifest.pipeline}` });
    this.program.assertUsable();
  }

  scratchBytes(sides: Sides): number {
    return this.program.scratchBytes(checkedSides(this.manifest, sides));
  }

  whenCompiled(): Promise<void> {
    return this.program.whenCompiled();
  }

  record(encoder: GPUCommandEncoder, options: RecordOptions): Recording {
    this.check();
    return this.program.record(encoder, options);
  }

  async run(values: RunValues, options?: RunOptions): Promise<RunResults> {
    this.check();
    this.inspect(values, options);
    return this.shape(await this.program.run(values, options), this.manifest);
  }

  dispose(): void {
    this.isOpen = false;
    this.release();
  }
}
