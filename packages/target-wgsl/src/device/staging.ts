/** Buffers that the host reads results from. To make one takes 0.6 ms on an NVIDIA H200, so they are kept. */
import { Pool } from "./pool.ts";
import { MAP_READ, USAGE } from "./usage.ts";

/** Bytes of a long array that are in transfer at a time. */
const MOST = 2 ** 26;

/** A buffer that commands copy to and the host then reads. */
export interface Staged {
  readonly buffer: GPUBuffer;
  /** Bytes that are read, a multiple of 4: the buffer can be longer. */
  readonly size: number;
}

export class Staging {
  readonly pool: Pool;

  constructor(device: GPUDevice) {
    this.pool = new Pool(device, { label: "read", usage: USAGE.MAP_READ | USAGE.COPY_DST, most: MOST });
  }

  /** Calls `work` with buffers, which are reused for the next read if it succeeds, and freed if it fails. */
  async during<T>(work: (take: (size: number) => Staged) => Promise<T>): Promise<T> {
    const taken: GPUBuffer[] = [];
    try {
      const result = await work((size) => {
        const buffer = this.pool.take(size);
        taken.push(buffer);
        return { buffer, size };
      });
      for (const buffer of taken.splice(0)) this.pool.give(buffer);
      return result;
    } finally {
      for (const buffer of taken) buffer.destroy();
    }
  }

  /** Calls `use` with the bytes that submitted commands write to a buffer, which are valid during the call. */
  async read<T>({ buffer, size }: Staged, use: (bytes: ArrayBuffer) => T): Promise<T> {
    await buffer.mapAsync(MAP_READ, 0, size);
    try {
      return use(buffer.getMappedRange(0, size));
    } finally {
      buffer.unmap();
    }
  }
}
