/** A pipeline in two forms: kernels that compile quickly, until the fastest ones are compiled. */
import type { Sides } from "@groupwise/core/target";
import type { Program } from "./program.ts";

export class Tiers {
  /** Resolves when that is the fastest form; absent if it is from the start. */
  readonly settled?: Promise<void>;
  readonly fastest: Program;
  private readonly first: Program;
  private current: Program;

  /**
   * @param first compiled
   * @param fastest compiled from now on; absent if `first` is the fastest
   */
  constructor(first: Program, fastest: Program = first) {
    this.first = first;
    this.fastest = fastest;
    this.current = first;
    if (fastest === first) return;
    this.settled = fastest.compile().then(() => {
      this.current = fastest;
    });
    this.settled.catch(() => {}); // the first form stays
  }

  /** The form that new runs and recordings use. */
  get now(): Program {
    return this.current;
  }

  /** Enough for the form of any time. */
  scratchBytes(sides: Sides): number {
    return Math.max(this.first.scratchBytes(sides), this.fastest.scratchBytes(sides));
  }

  dispose(): void {
    this.first.dispose();
    this.fastest.dispose();
  }
}
