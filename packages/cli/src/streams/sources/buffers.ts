/** Memory for the elements of chunks. */

/** Two buffers that are used in turn: while one chunk is computed, the next one is read. */
export class Buffers {
  private readonly held: Uint8Array<ArrayBuffer>[] = [];
  private turn = 0;

  /** A buffer of a number of bytes, which the call after the next one may use again. */
  take(bytes: number): Uint8Array<ArrayBuffer> {
    this.turn = 1 - this.turn;
    let buffer = this.held[this.turn];
    if (!buffer || buffer.length < bytes) buffer = new Uint8Array(bytes);
    this.held[this.turn] = buffer;
    return buffer.subarray(0, bytes);
  }
}
