/** The arrays of a run or a piece that threads compute. A view of shared memory stays valid when the memory grows. */
import type { HostArray } from "@groupwise/core";
import { type ArrayMemory, arraySpec, copyOf } from "@groupwise/core/target";
import { clear, type ModuleMemory } from "./module-memory.ts";

export class ThreadMemory implements ArrayMemory {
  private readonly arena: ModuleMemory;
  private places: number[] = [];

  constructor(arena: ModuleMemory) {
    this.arena = arena;
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
    for (const at of this.places) this.arena.give(at);
    this.places = [];
  }

  abandon(): void {
    this.free();
  }

  private placed(Made: ArrayClass, length: number): HostArray {
    const at = this.arena.take(length * Made.BYTES_PER_ELEMENT);
    this.places.push(at);
    return new Made(this.arena.memory.buffer, at, length);
  }
}

interface ArrayClass {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBufferLike, at: number, length: number): HostArray;
}
