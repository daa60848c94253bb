import type { ArrayType, HostArray } from "@groupwise/core";
import { arraySpec } from "@groupwise/core/target";

/** An array of an element type that grows as elements are added. */
export class Growing {
  private values: HostArray;
  private length = 0;

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

  /** The values, in a buffer of their own length. */
  array(): HostArray {
    return this.values.slice(0, this.length);
  }
}
