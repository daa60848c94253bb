/** Status words of the steps of a submission: they lie side by side, and are cleared and read together. */
import { DeviceBuffer, type Home } from "./array.ts";
import { scratchAlignment } from "./scratch.ts";
import { type ArrayReading, readLater } from "./transfer.ts";

const WORDS = { type: "u32", memory: "u32", bytesPerElement: 4 } as const;
/** Bytes of a buffer, unless a step has more status words. */
const BYTES = 2 ** 14;
/** Most buffers that a runtime keeps. */
const KEPT = 64;

interface Board {
  readonly buffer: DeviceBuffer;
  readonly bytes: number;
  used: number;
  readonly letGo: () => void;
  reading?: ArrayReading;
  words?: Uint32Array;
}

/** Where the words of a step are. */
export interface StatusPlace {
  readonly buffer: DeviceBuffer;
  readonly offset: number;
  readonly bytes: number;
  /** The words, when the submission is done. */
  words(): Uint32Array;
}

export class Statuses {
  private readonly home: Home;
  private readonly boards: Board[] = [];

  constructor(home: Home) {
    this.home = home;
  }

  /** Words for the next step, which are zeros. */
  place(bytes: number): StatusPlace {
    const alignment = scratchAlignment(this.home.session.driver.device);
    const taken = Math.ceil(bytes / alignment) * alignment;
    const last = this.boards.at(-1);
    const board = last && last.used + taken <= last.bytes ? last : this.open(Math.max(BYTES, taken));
    const offset = board.used;
    board.used += taken;
    const words = (): Uint32Array => {
      board.words ??= board.reading?.values() as Uint32Array;
      return board.words.subarray(offset / 4, (offset + bytes) / 4);
    };
    return { buffer: board.buffer, offset, bytes, words };
  }

  private open(bytes: number): Board {
    const { home } = this;
    const kept = bytes === BYTES ? home.statuses.pop() : undefined;
    const buffer = kept ?? new DeviceBuffer(home, bytes, null);
    buffer.forget();
    const board = { buffer, bytes, used: 0, letGo: buffer.owned.use() };
    this.boards.push(board);
    return board;
  }

  /** Requests all words, behind the steps. */
  read(): void {
    for (const board of this.boards) {
      const span = { from: board.buffer.range(0), elements: WORDS, count: board.used / 4 };
      board.reading = readLater(this.home.session.driver, span);
    }
  }

  /** The submission is done. */
  release(): void {
    const { statuses } = this.home;
    for (const { buffer, bytes, letGo } of this.boards.splice(0)) {
      letGo();
      if (bytes === BYTES && statuses.length < KEPT) statuses.push(buffer);
      else buffer.dispose();
    }
  }
}
