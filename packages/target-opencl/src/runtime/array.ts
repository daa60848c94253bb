/** Arrays in device memory that a caller holds: whole buffers, and ranges of them. */
import { type DeviceArray, type OwnArray, errorOf, type HostArray, type HostArrays, type Layout, SCALARS, type Scalar } from "@groupwise/core";
import { CL } from "./constants.ts";
import type { Handle } from "./ffi.ts";
import type { Begun } from "./line.ts";
import { Owned } from "./owned.ts";
import type { Session } from "./program.ts";
import { type Range, type Reading, startReading, write, writeLater } from "./transfer.ts";

/** What arrays are made on. */
export interface Home {
  readonly session: Session;
  /** The runtime's, which its arrays keep in use. */
  readonly owned: Owned;
  /** Every buffer that is not disposed. */
  readonly buffers: Set<DeviceBuffer>;
}

/** A buffer, and the parts of it that were handed to kernels. */
export class DeviceBuffer {
  readonly home: Home;
  readonly owned: Owned;
  private readonly handle: Handle;
  private readonly parts = new Map<string, Handle>();

  constructor(home: Home, bytes: number) {
    const { cl, context } = home.session;
    this.home = home;
    const letGo = home.owned.use();
    try {
      this.handle = cl.make("clCreateBuffer", context, CL.MEM_READ_WRITE, bytes, null);
    } catch (error) {
      letGo();
      throw error;
    }
    this.owned = new Owned("the array", () => {
      // The driver keeps what queued commands use.
      for (const handle of [...this.parts.values(), this.handle]) cl.status("clReleaseMemObject", handle);
      letGo();
    });
    home.buffers.add(this);
  }

  /** A range of it, for commands of the queue. @throws GroupwiseError `disposed` */
  range(offset: number): Range {
    this.owned.check();
    return { buffer: this.handle, offset };
  }

  /**
   * What kernels are given for a range, which begins at a multiple of the device's alignment. Ranges are few and
   * come again: what is made for one is kept.
   * @throws GroupwiseError `disposed`
   */
  part(offset: number, bytes: number): Handle {
    this.owned.check();
    // A kernel may be given more than it uses; and there is no empty part.
    if (offset === 0 || bytes === 0) return this.handle;
    const key = `${offset} ${bytes}`;
    const { cl } = this.home.session;
    const region = new BigUint64Array([BigInt(offset), BigInt(bytes)]);
    const made =
      this.parts.get(key) ??
      cl.make("clCreateSubBuffer", this.handle, CL.MEM_READ_WRITE, CL.BUFFER_CREATE_TYPE_REGION, region);
    this.parts.set(key, made);
    return made;
  }

  dispose(): void {
    this.home.buffers.delete(this);
    this.owned.dispose();
  }
}

/** A {@link DeviceArray} in a buffer of OpenCL. */
export class OpenClArray<S extends Scalar = Scalar> implements DeviceArray<S>, OwnArray {
  readonly type: S;
  readonly length: number;
  readonly byteLength: number;
  readonly buffer: DeviceBuffer;
  readonly byteOffset: number;
  private readonly layout: Layout;
  private readonly isWhole: boolean;

  constructor(type: S, layout: Layout, buffer: DeviceBuffer, first: number, length: number, isWhole: boolean) {
    this.type = type;
    this.layout = layout;
    this.buffer = buffer;
    this.byteOffset = first * layout.bytesPerElement;
    this.length = length;
    this.byteLength = length * layout.bytesPerElement;
    this.isWhole = isWhole;
  }

  get root(): DeviceBuffer {
    return this.buffer;
  }

  check(): void {
    this.buffer.owned.check();
  }

  slice(from: number, to: number = this.length): DeviceArray<S> {
    this.check();
    const isPlace = (x: number): boolean => Number.isSafeInteger(x) && x >= 0;
    if (!isPlace(from) || !isPlace(to) || from > to || to > this.length)
      throw errorOf("bad-slice", { from, to, length: this.length });
    const first = this.byteOffset / this.layout.bytesPerElement + from;
    return new OpenClArray(this.type, this.layout, this.buffer, first, to - from, false);
  }

  write(values: HostArrays[S]): void {
    const range = this.buffer.range(this.byteOffset);
    checkValues(this.type, values);
    const { length } = values;
    if (length > this.length) {
      const reason = `it has ${this.length} elements, and ${length} are written to it`;
      throw errorOf("bad-buffer", { name: "array", reason });
    }
    const { session } = this.buffer.home;
    const { cl, queue, line } = session;
    if (line.isIdle) return write(cl, queue, range, this.layout, values);
    if (!line.isWaiting) return writeLater(cl, session, range, this.layout, values);
    const copy = values.slice() as HostArray;
    const letGo = this.buffer.owned.use();
    line.post(() => {
      try {
        writeLater(cl, session, range, this.layout, copy);
      } finally {
        letGo();
      }
    });
  }

  async read(): Promise<HostArrays[S]> {
    const range = this.buffer.range(this.byteOffset);
    const { cl, queue, line } = this.buffer.home.session;
    const letGo = this.buffer.owned.use();
    try {
      line.check();
      const begin = (): Begun<Reading> =>
        line.begin(cl, queue, () => startReading(cl, queue, range, this.layout, this.length));
      const begun = await line.do(begin);
      return (await begun.done).values() as HostArrays[S];
    } finally {
      letGo();
    }
  }

  dispose(): void {
    if (this.isWhole) this.buffer.dispose();
  }
}

/** @throws GroupwiseError `wrong-dtype` */
export function checkValues(type: Scalar, values: unknown): void {
  const want = SCALARS[type].array;
  if (values instanceof want) return;
  const got = (values as object | undefined)?.constructor.name ?? typeof values;
  throw errorOf("wrong-dtype", { name: "values", want: `${want.name} (${type})`, got });
}
