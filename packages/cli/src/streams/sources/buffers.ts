/** Memory for the elements of chunks. */

/** Buffers that are used in turn: while one chunk is computed, the next ones are read. */
export class Buffers {
  private readonly held: Uint8Array<ArrayBuffer>[] = [];
  private readonly count: number;
  private turn = 0;

  /** @param count the number of buffers */
  constructor(count: number) {
    this.count = count;
  }

  /** A buffer of a number of bytes; a later call, after as many as there are buffers, may return the same memory. */
  take(bytes: number): Uint8Array<ArrayBuffer> {
    this.turn = (this.turn + 1) % this.count;
    let buffer = this.held[this.turn];
    if (!buffer || buffer.length < bytes) buffer = new Uint8Array(bytes);
    this.held[this.turn] = buffer;
    return buffer.subarray(0, bytes);
  }
}
