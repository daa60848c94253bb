/** Device arrays: whole buffers, and ranges of them. */
import type {
  ArrayType,
  Capabilities,
  DeviceArray,
  HostArray,
  HostArrays,
  ResultArrays,
} from "@groupwise/core";
import {
  type Layout,
  layoutOf,
  newArray,
  type OwnArray,
  readOf,
  sliceOf,
  toDevice,
  writable,
  written,
} from "@groupwise/core/target";
import type { Handle } from "../device/ffi.ts";
import type { Begun } from "../device/line.ts";
import { Owned, Pool } from "../device/owned.ts";
import {
  clear,
  isShort,
  makeBuffer,
  partOf,
  type Range,
  type Reading,
  readAside,
  startReading,
  write,
  writeLater,
} from "../device/transfer.ts";
import type { Session } from "./program.ts";
import { checkAllocation } from "./run.ts";

/** The device of arrays. */
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

  /** @param data its first bytes, which are copied at once */
  constructor(home: Home, bytes: number, data: HostArray | null) {
    const { session } = home;
    const { cl } = session;
    this.home = home;
    const letGo = home.owned.use();
    try {
      this.handle = makeBuffer(cl, session, bytes, data);
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

  /** A range of it, for commands of the queue. Its user keeps the buffer in use until it is queued. */
  range(offset: number): Range {
    return { buffer: this.handle, offset };
  }

  /**
   * The kernel argument for a range, which begins at a multiple of the device's alignment. Ranges are few and
   * come again: what is made for one is cached.
   */
  part(offset: number, bytes: number): Handle {
    // A kernel may be given more than it uses; and there is no empty part.
    if (offset === 0 || bytes === 0) return this.handle;
    const key = `${offset} ${bytes}`;
    const { cl } = this.home.session;
    const made = this.parts.get(key) ?? partOf(cl, this.handle, offset, bytes);
    this.parts.set(key, made);
    return made;
  }

  dispose(): void {
    this.home.buffers.delete(this);
    this.owned.dispose();
  }
}

/** Consecutive elements of a buffer. */
interface Elements<S extends ArrayType> {
  readonly type: S;
  readonly layout: Layout;
  readonly buffer: DeviceBuffer;
  /** The number of the first. */
  readonly first: number;
  readonly length: number;
  /** False for slices. */
  readonly isWhole: boolean;
}

/** A {@link DeviceArray} in a buffer of OpenCL. */
export class OpenClArray<S extends ArrayType = ArrayType> implements DeviceArray<S>, OwnArray {
  readonly #isOne = true;
  readonly type: S;
  readonly length: number;
  readonly byteLength: number;
  readonly buffer: DeviceBuffer;
  readonly byteOffset: number;
  private readonly layout: Layout;
  private readonly isWhole: boolean;

  constructor({ type, layout, buffer, first, length, isWhole }: Elements<S>) {
    this.type = type;
    this.layout = layout;
    this.buffer = buffer;
    this.byteOffset = first * layout.bytesPerElement;
    this.length = length;
    this.byteLength = length * layout.bytesPerElement;
    this.isWhole = isWhole;
    Object.freeze(this);
  }

  /** Whether this class made it; false for proxies and imitations. */
  static is(value: object): value is OpenClArray {
    return #isOne in value && value.#isOne;
  }

  get root(): DeviceBuffer {
    return this.buffer;
  }

  check(): void {
    this.buffer.owned.check();
  }

  slice(from: number, to?: number): DeviceArray<S> {
    this.check();
    const [begin, end] = sliceOf(this.length, from, to);
    const first = this.byteOffset / this.layout.bytesPerElement + begin;
    const { type, layout, buffer } = this;
    return new OpenClArray({ type, layout, buffer, first, length: end - begin, isWhole: false });
  }

  write(values: HostArrays[S]): void {
    this.check();
    const range = this.buffer.range(this.byteOffset);
    const checked = writable(this.type, this.length, values);
    const { session } = this.buffer.home;
    const { cl, queue, line } = session;
    let done: Promise<void> | undefined;
    if (line.isIdle) write(cl, queue, range, this.layout, checked);
    else if (!line.isWaiting) writeLater(cl, session, range, this.layout, checked);
    else done = this.writeInTurn(range, checked.slice() as HostArray);
    written(this, checked.length, done);
  }

  private async writeInTurn(range: Range, values: HostArray): Promise<void> {
    const { session } = this.buffer.home;
    const letGo = this.buffer.owned.use();
    await session.line.do(() => {
      try {
        writeLater(session.cl, session, range, this.layout, values);
      } finally {
        letGo();
      }
    });
  }

  async read(): Promise<ResultArrays[S]> {
    this.check();
    return readOf(this, this.readInTurn());
  }

  private async readInTurn(): Promise<ResultArrays[S]> {
    const { cl, queue, line } = this.buffer.home.session;
    const letGo = this.buffer.owned.use();
    const pool = new Pool(cl);
    try {
      const begin = (): Begun<Reading> => line.begin(cl, queue, () => this.startReading(pool));
      const begun = await line.do(begin);
      return (await begun.done).values() as ResultArrays[S];
    } finally {
      pool.release();
      letGo();
    }
  }

  private startReading(pool: Pool): Reading {
    const { layout, length } = this;
    const { session } = this.buffer.home;
    const { cl, queue, line } = session;
    const span = { from: this.buffer.range(this.byteOffset), elements: layout, count: length };
    const isBusy = !line.isIdle && isShort(this.byteLength);
    return isBusy ? readAside(cl, session, pool, span) : startReading(cl, queue, span);
  }

  dispose(): void {
    if (this.isWhole) this.buffer.dispose();
  }
}

/** @throws GroupwiseError `bad-length`, `wrong-dtype`, `unsupported`, `device-limit`, `disposed` */
export function makeArray<S extends ArrayType>(
  home: Home,
  capabilities: Capabilities,
  type: S,
  lengthOrValues: number | HostArrays[S],
): DeviceArray<S> {
  home.owned.check();
  const { info, cl, queue } = home.session;
  const { length, values } = newArray(type, lengthOrValues);
  const layout = layoutOf(type, capabilities);
  // OpenCL has no empty buffers.
  const bytes = Math.max(1, length) * layout.bytesPerElement;
  checkAllocation(info, bytes, `an array of ${length} elements of ${type}`);
  const data = values && length > 0 ? toDevice(layout, values) : null;
  const buffer = new DeviceBuffer(home, bytes, data);
  try {
    // No queued or waiting work uses the buffer.
    if (!data) clear(cl, queue, buffer.range(0), bytes);
  } catch (error) {
    buffer.dispose();
    throw error;
  }
  return new OpenClArray({ type, layout, buffer, first: 0, length, isWhole: true });
}
