/** Arrays of runtimes whose device is the host: typed arrays, and slices of them. */
import { errorOf } from "@groupwise/ir/base/errors.js";
import { type ArrayType, arraySpec } from "@groupwise/ir/tables/narrow.js";
import type { HostArray } from "@groupwise/ir/tables/scalar.js";
import type { DeviceArray } from "../api/device-array.ts";
import type { HostArrays, ResultArrays } from "../api/typed.ts";
import { sliceOf, writable } from "../checks/checks.ts";
import { readOf, written } from "./outcomes.ts";
import type { OwnArray } from "./own-array.ts";

/** State that the arrays of one runtime share. */
export interface Host {
  /** Whether all earlier work is done. */
  readonly isIdle: boolean;
  /** Does work in the order of the calls: immediately if all earlier work is done. */
  inTurn<T>(work: () => T | Promise<T>): Promise<T>;
  /** Takes back the memory of an array that was disposed. */
  keep(memory: HostArray): void;
  /** @throws GroupwiseError `disposed` */
  check(): void;
}

/** Memory whose views change, as that of a module does when it grows. */
export interface ViewedMemory {
  /** The elements, as long as nothing grows the memory. */
  view(): HostArray;
  /** Frees it, after the work that uses it. */
  free(): void;
}

/** Makes the memory of an array. @throws GroupwiseError `device-error` */
export type Zeros = (type: ArrayType, length: number, device: string) => HostArray | ViewedMemory;

/** State that the slices of an array share. */
interface Root {
  isGone: boolean;
}

export class HostDeviceArray<S extends ArrayType = ArrayType> implements DeviceArray<S>, OwnArray {
  readonly #isOne = true;
  readonly type: S;
  private readonly memory: HostArray | ViewedMemory;
  readonly root: Root;
  readonly host: Host;
  private readonly isSlice: boolean;

  constructor(type: S, memory: HostArray | ViewedMemory, host: Host, of?: Root) {
    this.type = type;
    this.memory = memory;
    this.host = host;
    this.isSlice = of !== undefined;
    this.root = of ?? { isGone: false };
    Object.freeze(this);
  }

  /** Whether this class made it; false for proxies and imitations. */
  static is(value: object): value is HostDeviceArray {
    return #isOne in value && value.#isOne;
  }

  get values(): HostArray {
    return "view" in this.memory ? this.memory.view() : this.memory;
  }
  get length(): number {
    return this.values.length;
  }
  get byteLength(): number {
    return this.values.byteLength;
  }
  get byteOffset(): number {
    return this.values.byteOffset;
  }

  check(): void {
    this.host.check();
    if (this.root.isGone) throw errorOf("disposed", { what: `the array of ${this.length} ${this.type}` });
  }

  slice(from: number, to?: number): HostDeviceArray<S> {
    this.check();
    const { memory } = this;
    const range = sliceOf(this.length, from, to);
    const partOf = (values: HostArray): HostArray => values.subarray(...range) as HostArray;
    const part = "view" in memory ? { view: () => partOf(memory.view()), free() {} } : partOf(memory);
    return new HostDeviceArray(this.type, part, this.host, this.root);
  }

  write(values: HostArrays[S]): void {
    this.check();
    const given = writable(this.type, this.length, values);
    // The caller may change the values later.
    const taken = this.host.isIdle ? given : copyOf(given);
    void this.host.inTurn(() => this.fill(taken));
    written(this, given.length);
  }

  /** Sets the first elements now. */
  fill(values: HostArray): void {
    this.values.set((this.type === "bool" ? truths(values) : values) as never);
  }

  async read(): Promise<ResultArrays[S]> {
    this.check();
    return readOf(
      this,
      this.host.inTurn(() => copyOf(this.values) as ResultArrays[S]),
    );
  }

  dispose(): void {
    if (this.isSlice || this.root.isGone) return;
    this.root.isGone = true;
    const { memory, host } = this;
    void host.inTurn(() => ("view" in memory ? memory.free() : host.keep(memory)));
  }
}

const truths = (bytes: HostArray): HostArray => (bytes as Uint8Array).map((x) => (x ? 1 : 0));

/** Zeros of the first elements. */
export function clear(array: HostArray, elements: number): void {
  if (array instanceof BigInt64Array || array instanceof BigUint64Array) array.fill(0n, 0, elements);
  else array.fill(0, 0, elements);
}

/** A copy in memory of its own. V8 fills an array of a length with zeros first, and takes up to eight times as long for `slice`. */
export const copyOf = (array: HostArray): HostArray =>
  new (array.constructor as new (of: HostArray) => HostArray)(array);

/**
 * Zeros.
 * @throws GroupwiseError `device-error`
 */
export function hostZeros(type: ArrayType, length: number, device: string): HostArray {
  try {
    return new (arraySpec(type).array)(length);
  } catch (cause) {
    const reason = `${length} elements do not fit in memory`;
    throw errorOf("device-error", { device, reason }, "", cause);
  }
}
