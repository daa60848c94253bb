/** A pipeline in two forms: kernels that compile quickly, until the fastest ones are compiled. */
import type { Sides } from "@groupwise/core/target";
import type { GpuProgram } from "./program.ts";

/** Runs and recordings after which the fastest form is compiled: a program that runs a pipeline once does not need it. */
const USES = 2;

/** The fastest form, which is not compiled. */
export interface Later {
  /** Its manifest and scratch. */
  readonly program: GpuProgram;
  /** Compiles it, or the same for what a test of the device finds. */
  compile(): Promise<GpuProgram>;
}

export class Tiers {
  readonly fastest: GpuProgram;
  private readonly first: GpuProgram;
  private readonly later: Later | undefined;
  private current: GpuProgram;
  private uses = 0;
  private isDisposed = false;
  private compiling: Promise<void> | undefined;

  /**
   * @param first compiled
   * @param later absent if `first` is the fastest
   */
  constructor(first: GpuProgram, later?: Later) {
    this.first = first;
    this.later = later;
    this.fastest = later?.program ?? first;
    this.current = first;
  }

  /** The form that new runs and recordings use. */
  get now(): GpuProgram {
    return this.current;
  }

  /** The form for a run or a recording. */
  use(): GpuProgram {
    this.uses++;
    if (this.uses >= USES) void this.settled;
    return this.current;
  }

  /** Resolves when `now` is the fastest form, which is compiled from the first access on; absent if it is from the start. */
  get settled(): Promise<void> | undefined {
    if (!this.later || this.compiling) return this.compiling;
    const compiling = this.later.compile().then((fastest) => {
      this.current = fastest;
      if (this.isDisposed) fastest.dispose();
    });
    compiling.catch(() => {}); // the first form stays
    this.compiling = compiling;
    return compiling;
  }

  /** Enough for the form of any time. */
  scratchBytes(sides: Sides): number {
    return Math.max(this.first.scratchBytes(sides), this.fastest.scratchBytes(sides));
  }

  dispose(): void {
    this.isDisposed = true;
    for (const form of [this.first, this.fastest, this.current]) form.dispose();
  }
}
