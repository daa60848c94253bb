/** Small arrays of an executable, which later calls use again: tables and outputs of states, and outputs with one value for the range. */
import type { ArrayType } from "@groupwise/ir/tables/narrow.js";
import type { HostArray } from "@groupwise/ir/tables/scalar.js";
import type { DeviceArray } from "@groupwise/runtime/api/device-array.js";
import type { Runtime } from "@groupwise/runtime/api/runtime.js";

/** The arrays of one call at a time, by name. */
export class ReusedArrays {
  private readonly runtime: Runtime;
  private readonly arrays = new Map<string, DeviceArray>();
  /** The values that tables have. */
  private readonly written = new Map<string, HostArray>();

  constructor(runtime: Runtime) {
    this.runtime = runtime;
  }

  /**
   * An array with the values, which no kernel changes: it is not written again if it has them.
   * @param values nothing changes them later
   * @throws GroupwiseError as `Runtime.array`
   */
  table(name: string, type: ArrayType, values: HostArray): DeviceArray {
    const known = this.arrays.get(name);
    const last = this.written.get(name);
    if (known && last && areEqual(last, values)) return known;
    const array = known?.length === values.length ? known : this.put(name, type, values);
    if (array === known) array.write(values as never);
    this.written.set(name, values);
    return array;
  }

  /** An array that the kernels write. @throws GroupwiseError as `Runtime.array` */
  output(name: string, type: ArrayType, length: number): DeviceArray {
    const known = this.arrays.get(name);
    return known?.length === length ? known : this.put(name, type, length);
  }

  dispose(): void {
    for (const array of this.arrays.values()) array.dispose();
    this.arrays.clear();
    this.written.clear();
  }

  private put(name: string, type: ArrayType, lengthOrValues: number | HostArray): DeviceArray {
    const made = this.runtime.array(type, lengthOrValues as number);
    this.arrays.get(name)?.dispose();
    this.arrays.set(name, made);
    return made;
  }
}

const bytesOf = ({ buffer, byteOffset, byteLength }: HostArray): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** Whether arrays of one type have the same bits. */
function areEqual(a: HostArray, b: HostArray): boolean {
  if (a === b) return true;
  const [before, now] = [bytesOf(a), bytesOf(b)];
  return before.length === now.length && before.every((byte, i) => byte === now[i]);
}

/** Keeps arrays between the calls of an executable. */
export class ArrayPool {
  private readonly runtime: Runtime;
  private kept: ReusedArrays | undefined;
  private isDisposed = false;

  constructor(runtime: Runtime) {
    this.runtime = runtime;
  }

  /** Calls `use` with arrays that no other call has. After an error they are freed, because it is unknown what they hold. */
  async lend<T>(use: (arrays: ReusedArrays) => Promise<T>): Promise<T> {
    const arrays = this.kept ?? new ReusedArrays(this.runtime);
    this.kept = undefined;
    try {
      const result = await use(arrays);
      if (!this.isDisposed) this.kept ??= arrays;
      return result;
    } finally {
      if (this.kept !== arrays) arrays.dispose();
    }
  }

  /** Frees the arrays; those in use when their call is done. */
  dispose(): void {
    this.isDisposed = true;
    this.kept?.dispose();
    this.kept = undefined;
  }
}
