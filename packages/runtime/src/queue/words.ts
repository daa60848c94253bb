/** Words of device memory on their way to the host. */
import type { Driver, HostWords, Range } from "./driver.ts";

const WORD = 4;

/** Words that the queue reads, or, where that would keep the host waiting, that are read from copies on the device. */
function wordsOf(driver: Driver, length: number): HostWords {
  const words = new Uint32Array(length);
  const part = (first: number, count: number): Uint32Array<ArrayBuffer> =>
    words.subarray(first, first + count);
  if (!driver.readsApart)
    return {
      length,
      read: (from, index) => driver.read(from, part(index, 1)),
      take: part,
      release: () => {},
    };
  const buffer = driver.allocate(WORD * length, null);
  const copy = (index: number): Range => ({ buffer, offset: WORD * index });
  return {
    length,
    read: (from, index) => driver.copy(from, copy(index), WORD),
    take: (first, count) => {
      driver.readApart(copy(first), part(first, count));
      return part(first, count);
    },
    release: () => driver.release(buffer),
  };
}

/** Words that a runtime makes at least: memory that a device writes by itself takes long to make. */
const LEAST = 1024;

/** The words of one submission after the other: they are used while its steps are queued. */
export class CountWords {
  private readonly driver: Driver;
  private words: HostWords | undefined;

  constructor(driver: Driver) {
    this.driver = driver;
  }

  /** At least that many. */
  take(length: number): HostWords {
    if (this.words && this.words.length >= length) return this.words;
    this.release();
    const most = Math.max(LEAST, length);
    this.words = this.driver.pinned?.(most) ?? wordsOf(this.driver, most);
    return this.words;
  }

  release(): void {
    this.words?.release();
    this.words = undefined;
  }
}
