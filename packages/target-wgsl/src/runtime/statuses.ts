/** Status words of the steps of an encoder: they lie side by side, and are cleared and read together. */
import type { Gpu } from "../device/device.ts";
import type { ByteRange } from "../device/parts.ts";
import type { Staged } from "../device/staging.ts";
import { giveBack } from "./bindings.ts";

const WORD = 4;
/** Bytes of a buffer, unless a step has more status words. */
const BYTES = 2 ** 14;

interface Board {
  readonly buffer: GPUBuffer;
  readonly size: number;
  /** The number of words in boards before it. */
  readonly first: number;
  used: number;
}

/** Where the words of a step are. */
export interface StatusRange {
  readonly range: ByteRange;
  /** Among all that are read. */
  readonly from: number;
  readonly to: number;
}

export class EncoderStatuses {
  private readonly gpu: Gpu;
  private readonly boards: Board[] = [];

  constructor(gpu: Gpu) {
    this.gpu = gpu;
  }

  /** Zeros for the next step. No pass is open. */
  place(encoder: GPUCommandEncoder, size: number): StatusRange {
    const alignment = this.gpu.limits.minStorageBufferOffsetAlignment;
    const taken = Math.ceil(size / alignment) * alignment;
    const last = this.boards.at(-1);
    const board = last && last.used + taken <= last.size ? last : this.open(encoder, Math.max(BYTES, taken));
    const offset = board.used;
    board.used += taken;
    const from = board.first + offset / WORD;
    return { range: { buffer: board.buffer, offset, size }, from, to: from + size / WORD };
  }

  private open(encoder: GPUCommandEncoder, size: number): Board {
    const buffer = this.gpu.scratch.take(size);
    encoder.clearBuffer(buffer, 0, size);
    const board = { buffer, size, first: this.words, used: 0 };
    this.boards.push(board);
    return board;
  }

  private get words(): number {
    const last = this.boards.at(-1);
    return last ? last.first + last.used / WORD : 0;
  }

  /** Records a copy of all words to where they are read. @returns undefined if there are none */
  copy(encoder: GPUCommandEncoder, take: (size: number) => Staged): Staged | undefined {
    if (this.boards.length === 0) return undefined;
    const read = take(WORD * this.words);
    for (const { buffer, first, used } of this.boards)
      encoder.copyBufferToBuffer(buffer, 0, read.buffer, read.offset + WORD * first, used);
    return read;
  }

  /** @param isDone whether the device did all work; otherwise nothing else uses the buffers */
  release(isDone: boolean): void {
    const buffers = this.boards.splice(0).map(({ buffer }) => buffer);
    giveBack(this.gpu, this.gpu.scratch, buffers, isDone);
  }
}
