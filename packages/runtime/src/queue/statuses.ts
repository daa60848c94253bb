/** Status words of the steps of a submission: on GPUs they lie side by side, and are cleared and read together. */
import { DeviceBuffer, type Home } from "./array.ts";
import { scratchAlignment } from "./scratch.ts";
import { type ArrayReading, readLater } from "./transfer.ts";

const WORDS = { type: "u32", memory: "u32", bytesPerElement: 4 } as const;
/** Bytes of a buffer for several steps, and of one for a single step, unless a step has more status words. */
const [SHARED, OWN] = [2 ** 14, 64];
/** Most buffers that a runtime keeps. */
const KEPT = 256;

interface Board {
  readonly buffer: DeviceBuffer;
  readonly bytes: number;
  /** Bytes that are cleared. */
  readonly room: number;
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
  /** Whether steps share a buffer: a CPU takes long for parts of buffers and for zeros, and reads a word without a wait. */
  private readonly isShared: boolean;
  private readonly boards: Board[] = [];
  /** Steps that may still have words. */
  private steps: number;

  /** @param steps the most that have words */
  constructor(home: Home, steps: number) {
    this.home = home;
    this.steps = steps;
    this.isShared = home.session.driver.readsApart;
  }

  /** Bytes of a buffer that is kept. */
  private get least(): number {
    return this.isShared ? SHARED : OWN;
  }

  /** Words for the next step, which are zeros. */
  place(bytes: number): StatusPlace {
    const alignment = scratchAlignment(this.home.session.driver.device);
    const taken = this.isShared ? Math.ceil(bytes / alignment) * alignment : bytes;
    const last = this.boards.at(-1);
    const board = last && last.used + taken <= last.room ? last : this.open(taken);
    this.steps--;
    const offset = board.used;
    board.used += taken;
    const words = (): Uint32Array => {
      board.words ??= board.reading?.values() as Uint32Array;
      return board.words.subarray(offset / 4, (offset + bytes) / 4);
    };
    return { buffer: board.buffer, offset, bytes, words };
  }

  /** A buffer with words for a step, and for as many others as fit if they share it. */
  private open(taken: number): Board {
    const { home } = this;
    const bytes = Math.max(this.least, taken);
    const kept = bytes === this.least ? home.statuses.pop() : undefined;
    const buffer = kept ?? new DeviceBuffer(home, bytes, null);
    // Most steps have as many words as this one.
    const room = this.isShared ? Math.min(bytes, this.steps * taken) : taken;
    buffer.forget(room);
    const board = { buffer, bytes, room, used: 0, letGo: buffer.owned.use() };
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
    const { statuses, owned } = this.home;
    for (const { buffer, bytes, letGo } of this.boards.splice(0)) {
      letGo();
      if (bytes === this.least && statuses.length < KEPT && !owned.isDisposed) statuses.push(buffer);
      else buffer.dispose();
    }
  }
}
