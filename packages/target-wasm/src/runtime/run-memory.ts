/** The arrays of a run, in one piece of an arena: no view is lost while the run uses it. */
import type { HostArray } from "@groupwise/core";
import { type ArrayMemory, arraySpec, copyOf } from "@groupwise/core/target";
import { roomFor } from "../print/places.ts";
import { clear, type ModuleMemory } from "./module-memory.ts";

type ArrayClass = new (buffer: ArrayBufferLike, at: number, length: number) => HostArray;

/** Bytes that are kept for the next run: taking and giving them back is a part of the time of short runs. */
const KEPT = 65536;

export class RunMemory implements ArrayMemory {
  private readonly arena: ModuleMemory;
  private at = 0;
  private room = 0;
  private next = 0;

  constructor(arena: ModuleMemory) {
    this.arena = arena;
  }

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

  make({ type, cleared }: Parameters<ArrayMemory["make"]>[0], length: number): HostArray {
    const made = this.placed(arraySpec(type).array as never, length);
    if (cleared) clear(made);
    return made;
  }

  /** Arrays of callers are not in the memory. */
  has(): boolean {
    return false;
  }

  copy(array: HostArray): HostArray {
    const made = this.placed(array.constructor as never, array.length);
    made.set(array as never);
    return made;
  }

  give(array: HostArray): HostArray {
    return copyOf(array);
  }

  free(): void {
    if (this.room > KEPT) this.release();
  }

  private release(): void {
    if (this.room > 0) this.arena.give(this.at);
    this.room = 0;
  }

  private placed(Made: ArrayClass, length: number): HostArray {
    const made = new Made(this.arena.memory.buffer, this.next, length);
    this.next += roomFor(made.byteLength);
    return made;
  }
}
