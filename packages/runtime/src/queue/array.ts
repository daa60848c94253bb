/** Device arrays: whole buffers, and ranges of them. */
import type { ArrayType } from "@groupwise/ir/tables/narrow.js";
import type { HostArray } from "@groupwise/ir/tables/scalar.js";
import type { Capabilities } from "@groupwise/kernel/capabilities/capabilities.js";
import type { DeviceArray } from "../api/device-array.ts";
import type { HostArrays, ResultArrays } from "../api/typed.ts";
import { newArray, sliceOf, writable } from "../checks/checks.ts";
import { toDevice } from "../checks/results.ts";
import { type Layout, layoutOf } from "../run/layout.ts";
import { readOf, written } from "../run/outcomes.ts";
import type { OwnArray } from "../run/own-array.ts";
import { Owned } from "../run/owned.ts";
import type { Driver, Handle, Range } from "./driver.ts";
import type { Begun } from "./line.ts";
import { Pool } from "./pool.ts";
import type { Session } from "./program.ts";
import { checkAllocation } from "./run.ts";
import { type ArrayReading, isShort, readAside, startReading } from "./transfer.ts";

/** The device of arrays. */
export interface Home {
  readonly session: Session;
  /** The runtime's, which its arrays keep in use. */
  readonly owned: Owned;
  /** Every buffer that is not disposed. */
  readonly buffers: Set<DeviceBuffer>;
  /** Buffers for status words that no submission uses. */
  readonly statuses: DeviceBuffer[];
}

/** A buffer, and the parts of it that were handed to kernels. */
export class DeviceBuffer {
  readonly home: Home;
  readonly owned: Owned;
  private readonly handle: Handle;
  private readonly parts = new Map<string, Handle>();
  /** Bytes that are to be zeros before anything uses them. */
  private unset: number;

  /**
   * For a user of the runtime, which may have been disposed since the use began.
   * @param data its first bytes, which are copied at once; null: all are zeros
   */
  constructor(home: Home, bytes: number, data: HostArray | null) {
    const { driver } = home.session;
    this.home = home;
    this.unset = data ? 0 : bytes;
    const letGo = home.owned.retain();
    try {
      this.handle = driver.allocate(bytes, data);
    } catch (error) {
      letGo();
      throw error;
    }
    this.owned = new Owned("the array", () => {
      for (const handle of [...this.parts.values(), this.handle]) driver.release(handle);
      letGo();
    });
    home.buffers.add(this);
  }

  /** A range of it, for commands of the queue. Its user keeps the buffer in use until it is queued. */
  range(offset: number): Range {
    this.clear();
    return { buffer: this.handle, offset };
  }

  /** Says that the next command writes these bytes: a buffer of which it writes all needs no zeros before. */
  willWrite(offset: number, bytes: number): void {
    if (offset === 0 && bytes >= this.unset) this.unset = 0;
  }

  /** The first bytes are to be zeros again before anything uses them. */
  forget(bytes: number): void {
    this.unset = bytes;
  }

  private clear(): void {
    if (this.unset === 0) return;
    this.home.session.driver.clear({ buffer: this.handle, offset: 0 }, this.unset);
    this.unset = 0;
  }

  /**
   * The kernel argument for a range, which begins at a multiple of the device's alignment. Ranges are few and
   * come again: what is made for one is cached.
   */
  part(offset: number, bytes: number): Handle {
    this.clear();
    // A kernel may be given more than it uses; and there is no empty part.
    if (offset === 0 || bytes === 0) return this.handle;
    const key = `${offset} ${bytes}`;
    const made = this.parts.get(key) ?? this.home.session.driver.part(this.handle, offset, bytes);
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

/** A {@link DeviceArray} in device memory. */
export class QueueArray<S extends ArrayType = ArrayType> implements DeviceArray<S>, OwnArray {
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
  static is(value: object): value is QueueArray {
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
    return new QueueArray({ type, layout, buffer, first, length: end - begin, isWhole: false });
  }

  write(values: HostArrays[S]): void {
    this.check();
    const range = this.buffer.range(this.byteOffset);
    const checked = writable(this.type, this.length, values);
    const { session } = this.buffer.home;
    const { driver, line } = session;
    let done: Promise<void> | undefined;
    if (line.isWaiting) done = this.writeInTurn(range, checked.slice() as HostArray);
    else if (checked.length > 0) {
      const data = toDevice(this.layout, checked);
      // A write that waits needs no copy, and there is nothing to wait for.
      if (line.isIdle) driver.write(range, data);
      else writeLater(driver, range, data);
    }
    written(this, checked.length, done);
  }

  private async writeInTurn(range: Range, values: HostArray): Promise<void> {
    const { session } = this.buffer.home;
    const letGo = this.buffer.owned.use();
    await session.line.do(() => {
      try {
        if (values.length > 0) writeLater(session.driver, range, toDevice(this.layout, values));
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
    const { driver, line } = this.buffer.home.session;
    const letGo = this.buffer.owned.use();
    const pool = new Pool();
    try {
      const begin = (): Begun<ArrayReading> => line.begin(driver, () => this.startReading(pool));
      const begun = await line.do(begin);
      return (await begun.done).values() as ResultArrays[S];
    } finally {
      pool.release();
      letGo();
    }
  }

  private startReading(pool: Pool): ArrayReading {
    const { layout, length } = this;
    const { driver, line } = this.buffer.home.session;
    const span = { from: this.buffer.range(this.byteOffset), elements: layout, count: length };
    const isBusy = !line.isIdle && isShort(this.byteLength);
    return isBusy ? readAside(driver, pool, span) : startReading(driver, span);
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
  const { driver } = home.session;
  const { length, values } = newArray(type, lengthOrValues);
  const layout = layoutOf(type, capabilities);
  // There are no empty buffers.
  const bytes = Math.max(1, length) * layout.bytesPerElement;
  checkAllocation(driver.device, bytes, `an array of ${length} elements of ${type}`);
  const data = values && length > 0 ? toDevice(layout, values) : null;
  const buffer = new DeviceBuffer(home, bytes, data);
  return new QueueArray({ type, layout, buffer, first: 0, length, isWhole: true });
}

/** Queues a write of a copy, so that the host may change the data when this returns. */
function writeLater(driver: Driver, to: Range, data: HostArray): void {
  const copy = driver.allocate(data.byteLength, data);
  try {
    driver.copy({ buffer: copy, offset: 0 }, to, data.byteLength);
  } finally {
    driver.release(copy);
  }
}
