/** Small arrays of an executable, which later calls use again: tables and outputs of states, and outputs with one value for the range. */
import type { ArrayType } from "../../ir/tables/narrow.ts";
import type { HostArray } from "../../ir/tables/scalar.ts";
import type { DeviceArray } from "../api/device-array.ts";
import type { Runtime } from "../api/runtime.ts";

/** The arrays of one call at a time, by name. */
export class KeptArrays {
  private readonly runtime: Runtime;
  private readonly arrays = new Map<string, DeviceArray>();
  /** The bytes that tables have. */
  private readonly written = new Map<string, Uint8Array>();

  constructor(runtime: Runtime) {
    this.runtime = runtime;
  }

  /** An array with the values, which no kernel changes: it is not written again if it has them. @throws GroupwiseError as `Runtime.array` */
  table(name: string, type: ArrayType, values: HostArray): DeviceArray {
    const bytes = bytesOf(values);
    const known = this.arrays.get(name);
    if (known?.length !== values.length) {
      this.put(name, type, values.slice() as HostArray);
    } else if (!areEqual(this.written.get(name), bytes)) {
      // A failed write leaves unknown elements.
      this.written.delete(name);
      known.write(values as never);
    }
    this.written.set(name, bytes.slice());
    return this.arrays.get(name) as DeviceArray;
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

const areEqual = (a: Uint8Array | undefined, b: Uint8Array): boolean =>
  a?.length === b.length && a.every((byte, i) => byte === b[i]);

/** As many {@link KeptArrays} as calls run at once. */
export class Keeper {
  private readonly runtime: Runtime;
  private readonly free: KeptArrays[] = [];
  private isDisposed = false;

  constructor(runtime: Runtime) {
    this.runtime = runtime;
  }

  /** Calls `use` with arrays that no other call has. After an error they are freed, because it is unknown what they hold. */
  async lend<T>(use: (arrays: KeptArrays) => Promise<T>): Promise<T> {
    const arrays = this.free.pop() ?? new KeptArrays(this.runtime);
    try {
      const result = await use(arrays);
      if (!this.isDisposed) this.free.push(arrays);
      return result;
    } finally {
      if (!this.free.includes(arrays)) arrays.dispose();
    }
  }

  /** Frees the arrays; those in use when their call is done. */
  dispose(): void {
    this.isDisposed = true;
    for (const arrays of this.free.splice(0)) arrays.dispose();
  }
}
