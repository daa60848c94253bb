/** Outputs whose elements are appended from chunk to chunk: compactions. A state counts their elements modulo 2^32. */
import type { State } from "@groupwise/core/state";

/** By output: the position of the scan that counts its elements in the scans of a state. */
export type Counting = ReadonlyMap<string, number>;

const WRAP = 2 ** 32;

/** The number of elements that are written of each output. */
export class Appended {
  private readonly counting: Counting;
  private readonly written = new Map<string, number>();

  constructor(counting: Counting) {
    this.counting = counting;
  }

  has(name: string): boolean {
    return this.counting.has(name);
  }

  /** The number of elements of an output that are written. */
  countOf(name: string): number {
    return this.written.get(name) ?? 0;
  }

  /** Counts elements. @returns the number of those before them */
  add(name: string, elements: number): number {
    const before = this.countOf(name);
    this.written.set(name, before + elements);
    return before;
  }

  /**
   * Sets the number of elements up to a state. Less than a second lies between the state and the last write, far fewer than 2^32 elements.
   * @param room the elements for which the file has room
   * @returns undefined if the file has fewer elements than the state counts
   */
  restore(name: string, state: State, room: number): number | undefined {
    const scan = state.scans[this.counting.get(name) ?? -1];
    const low = scan?.kind === "total" ? Number(scan.total[0]) : 0;
    const count = low + WRAP * Math.floor((room - low) / WRAP);
    if (count < 0) return undefined;
    this.written.set(name, count);
    return count;
  }
}
