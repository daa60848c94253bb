/** What the loop of a stream waits for: the largest share bounds its rate. */
import { performance } from "node:perf_hooks";

/** The compiler, the reads of chunks, their steps, the writes of earlier chunks, and the disk at the end. */
export type Wait = "starting" | "reading" | "computing" | "writing" | "finishing";

/** Milliseconds by what was waited for. */
export type SpentTimes = Readonly<Record<Wait, number>>;

export class Spent {
  private readonly sums: Record<Wait, number> = {
    starting: 0,
    reading: 0,
    computing: 0,
    writing: 0,
    finishing: 0,
  };
  private since = performance.now();

  /** Counts the time since the last call. */
  on(wait: Wait): void {
    const now = performance.now();
    this.sums[wait] += now - this.since;
    this.since = now;
  }

  get times(): SpentTimes {
    return { ...this.sums };
  }
}
