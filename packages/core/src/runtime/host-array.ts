/** Arrays of runtimes whose device is the host: typed arrays, and slices of them. */
import { errorOf } from "../errors.ts";
import type { DeviceArray, HostArrays } from "../runtime.ts";
import { type HostArray, SCALARS, type Scalar } from "../scalar.ts";
import { sliceOf, writable } from "./checks.ts";
import type { OwnArray } from "./step.ts";

/** What the arrays of one runtime have in common. */
export interface Host {
  /** Nothing that came before is still under way. */
  readonly isIdle: boolean;
  /** Does work in the order of the calls: at once where nothing that came before is still under way. */
  inTurn<T>(work: () => T | Promise<T>): Promise<T>;
  /** @throws GroupwiseError `disposed` */
  check(): void;
}

/** What the slices of an array have in common. */
interface Root {
  isGone: boolean;
}

export class HostDeviceArray<S extends Scalar = Scalar> implements DeviceArray<S>, OwnArray {
  readonly #isOne = true;
  readonly type: S;
  readonly values: HostArray;
  readonly root: Root;
  readonly host: Host;
  private readonly isSlice: boolean;

  constructor(type: S, values: HostArray, host: Host, of?: Root) {
    this.type = type;
    this.values = values;
    this.host = host;
    this.isSlice = of !== undefined;
    this.root = of ?? { isGone: false };
    Object.freeze(this);
  }

  /** Whether it was made here; proxies and imitations were not. */
  static is(value: object): value is HostDeviceArray {
    return #isOne in value && value.#isOne;
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
    const part = this.values.subarray(...sliceOf(this.length, from, to)) as HostArray;
    return new HostDeviceArray(this.type, part, this.host, this.root);
  }

  write(values: HostArrays[S]): void {
    this.check();
    const given = writable(this.type, this.length, values);
    // Later, the values may be others.
    const { isIdle } = this.host;
    const taken = (this.type === "bool" ? truths(given) : isIdle ? given : given.slice()) as HostArray;
    void this.host.inTurn(() => this.values.set(taken as never));
  }

  async read(): Promise<HostArrays[S]> {
    this.check();
    return this.host.inTurn(() => this.values.slice() as HostArray as HostArrays[S]);
  }

  dispose(): void {
    if (!this.isSlice) this.root.isGone = true;
  }
}

const truths = (bytes: HostArray): HostArray => (bytes as Uint8Array).map((x) => (x ? 1 : 0));

/**
 * Zeros.
 * @throws GroupwiseError `device-error`
 */
export function hostZeros(type: Scalar, length: number, device: string): HostArray {
  try {
    return new SCALARS[type].array(length);
  } catch (cause) {
    const reason = `${length} elements do not fit in memory`;
    throw errorOf("device-error", { device, reason }, "", cause);
  }
}
