import type { ArrayType, HostArray } from "@groupwise/core";
import { arraySpec } from "@groupwise/core/target";

/** The most unused room that is kept, as a share of the values. */
const SPARE = 0.5;

/** An array of an element type that grows as elements are added, and from whose start elements are taken. */
export class Growing {
  private values: HostArray;
  private length = 0;
  private taken = 0;

  constructor(type: ArrayType) {
    this.values = new (arraySpec(type).array)(1024);
  }

  push(value: number | bigint): void {
    if (this.length === this.values.length) this.grow(2 * this.length);
    this.values[this.length++] = value as never;
  }

  /** Makes room for a number of values in all, so that none is moved later. Room that is not used takes no memory of the machine. */
  reserve(count: number): void {
    try {
      if (count > this.values.length) this.grow(count);
    } catch {} // less room is enough if the number is too high
  }

  private grow(count: number): void {
    const longer = new (this.values.constructor as new (length: number) => HostArray)(count);
    longer.set(this.values as never);
    this.values = longer;
  }

  /** All values. They are not copied unless most of the room is unused. */
  all(): HostArray {
    const isFull = this.values.length <= this.length * (1 + SPARE);
    return isFull ? (this.values.subarray(0, this.length) as HostArray) : this.take(this.count);
  }

  /** Number of values that have not been taken. */
  get count(): number {
    return this.length - this.taken;
  }

  /** Takes the first values, at most as many as there are, in a buffer of their own length. */
  take(count: number): HostArray {
    const first = this.values.slice(this.taken, Math.min(this.taken + count, this.length));
    this.taken += first.length;
    return first;
  }

  /** Makes the room of values that have been taken free. */
  compact(): void {
    this.values.copyWithin(0, this.taken, this.length);
    this.length -= this.taken;
    this.taken = 0;
  }
}
