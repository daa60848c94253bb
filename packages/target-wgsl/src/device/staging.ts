/**
 * Buffers that the host reads results from. To make one takes 0.6 ms on an NVIDIA H200, so they are kept. Short reads of one turn of the event
 * loop share one, which is mapped once.
 */
import { answered } from "./answered.ts";
import type { ByteRange } from "./parts.ts";
import { BufferPool } from "./pool.ts";
import { MAP_READ, USAGE } from "./usage.ts";

/** Bytes of a long array that are in transfer at a time. */
const MOST = 2 ** 26;
/** Bytes of a buffer that reads share, and of the longest of these reads. */
const SHARED = 2 ** 18;
const SHORT = 2 ** 16;
/** Offsets of what is mapped are multiples of so many bytes. */
const ALIGNMENT = 8;

/** A buffer, and the reads that wait for it. */
interface Batch {
  readonly buffer: GPUBuffer;
  used: number;
  reads: number;
  /** Commands may not write to the buffer from here on. */
  mapped?: Promise<void>;
  isMapped: boolean;
}

/** The bytes of a buffer that commands copy to and the host then reads. */
export interface Staged {
  readonly buffer: GPUBuffer;
  readonly offset: number;
  /** A multiple of 4. */
  readonly size: number;
  readonly batch: Batch;
}

/** Copies the first bytes of a range, as many as are read. */
export function copyTo(
  staged: Staged,
  encoder: GPUCommandEncoder,
  from: Pick<ByteRange, "buffer" | "offset">,
): Staged {
  encoder.copyBufferToBuffer(from.buffer, from.offset, staged.buffer, staged.offset, staged.size);
  return staged;
}

export class Staging {
  readonly pool: BufferPool;
  private readonly device: GPUDevice;
  /** What other reads may still join. */
  private open: Batch | undefined;

  constructor(device: GPUDevice) {
    this.device = device;
    this.pool = new BufferPool(device, { label: "read", usage: USAGE.MAP_READ | USAGE.COPY_DST, most: MOST });
  }

  /**
   * Calls `work` with bytes of buffers. What writes to them is submitted before another read begins. A buffer is reused if it could be mapped,
   * and freed otherwise.
   */
  async during<T>(work: (take: (size: number) => Staged) => Promise<T>): Promise<T> {
    const taken: Batch[] = [];
    try {
      return await work((size) => {
        const staged = this.take(size);
        taken.push(staged.batch);
        return staged;
      });
    } finally {
      for (const batch of taken) this.leave(batch);
    }
  }

  /** Calls `use` with the bytes that submitted commands write, which are valid during the call. */
  async read<T>({ batch, offset, size }: Staged, use: (bytes: ArrayBuffer) => T): Promise<T> {
    batch.mapped ??= this.map(batch);
    await batch.mapped;
    return use(batch.buffer.getMappedRange(offset, size));
  }

  private take(size: number): Staged {
    const isShort = size <= SHORT;
    const joined = isShort && this.open && this.open.used + size <= SHARED ? this.open : undefined;
    const batch = joined ?? {
      buffer: this.pool.take(isShort ? SHARED : size),
      used: 0,
      reads: 0,
      isMapped: false,
    };
    if (isShort) this.open = batch;
    const offset = batch.used;
    batch.used = Math.ceil((offset + size) / ALIGNMENT) * ALIGNMENT;
    batch.reads++;
    return { buffer: batch.buffer, offset, size, batch };
  }

  private async map(batch: Batch): Promise<void> {
    this.close(batch);
    const { buffer, used } = batch;
    await answered(this.device, buffer.mapAsync(MAP_READ, 0, Math.min(used, buffer.size)));
    batch.isMapped = true;
  }

  private close(batch: Batch): void {
    if (this.open === batch) this.open = undefined;
  }

  /** Ends a read. */
  private leave(batch: Batch): void {
    // What a failed read asked for may be no buffer.
    this.close(batch);
    if (--batch.reads > 0) return;
    const { buffer, isMapped } = batch;
    if (isMapped) {
      buffer.unmap();
      this.pool.give(buffer);
    } else buffer.destroy();
  }
}
