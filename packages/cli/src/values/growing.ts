import type { ArrayType, HostArray } from "@groupwise/core";
import { arraySpec } from "@groupwise/core/target";

/** An array of an element type that grows as elements are added, and from whose start elements are taken. */
export class Growing {
  private values: HostArray;
  private length = 0;
  private taken = 0;

  constructor(type: ArrayType) {
    this.values = new (arraySpec(type).array)(1024);
  }

  push(value: number | bigint): void {
    if (this.length === this.values.length) {
      const longer = new (this.values.constructor as new (length: number) => HostArray)(2 * this.length);
      longer.set(this.values as never);
      this.values = longer;
    }
    this.values[this.length++] = value as never;
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
