/** Memory for the elements of chunks. */

/**
 * Bytes before the elements. Long buffers of the usual allocator begin 16 bytes after the start of a page, and a processor copies a page to a place a few bytes
 * further in another page at half the rate, since its loads appear to read what it has just stored.
 */
const SKIPPED = 240;

/** Buffers that are used in turn: while one chunk is computed, the next ones are read. */
export class Buffers {
  private readonly held: Uint8Array[] = [];
  private readonly count: number;
  private readonly isShared: boolean;
  private turn = 0;

  /** @param count the number of buffers @param isShared for runtimes that read shared memory in place */
  constructor(count: number, isShared: boolean) {
    this.count = count;
    this.isShared = isShared;
  }

  /** A buffer of a number of bytes; a later call, after as many as there are buffers, may return the same memory. */
  take(bytes: number): Uint8Array {
    this.turn = (this.turn + 1) % this.count;
    let buffer = this.held[this.turn];
    if (!buffer || buffer.length < bytes) buffer = this.make(bytes);
    this.held[this.turn] = buffer;
    return buffer.subarray(0, bytes);
  }

  private make(bytes: number): Uint8Array {
    const length = SKIPPED + bytes;
    return new Uint8Array(this.isShared ? new SharedArrayBuffer(length) : new ArrayBuffer(length), SKIPPED);
  }
}
