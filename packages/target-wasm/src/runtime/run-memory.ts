/** The arrays of a run, in one piece of an arena: no view is lost while the run uses it. */
import { roomFor } from "../print/places.ts";
import { ArenaMemory } from "./arena-memory.ts";

/** Bytes that are kept for the next run: taking and giving them back is a part of the time of short runs. */
const KEPT = 65536;

export class RunMemory extends ArenaMemory {
  private at = 0;
  private room = 0;
  private next = 0;

  /**
   * For a run, after the one before has returned or thrown an error.
   * @param bytes of all arrays, each with 16 more
   */
  begin(bytes: number): this {
    if (bytes > this.room) {
      this.release();
      this.at = this.arena.take(Math.max(bytes, KEPT));
      this.room = Math.max(bytes, KEPT);
    }
    this.next = this.at;
    return this;
  }

  free(): void {
    if (this.room > KEPT) this.release();
  }

  private release(): void {
    if (this.room > 0) this.arena.give(this.at);
    this.room = 0;
  }

  protected place(bytes: number): number {
    const at = this.next;
    this.next += roomFor(bytes);
    return at;
  }
}
