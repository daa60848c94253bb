/** The arrays of one run, in one piece of an arena: no view is lost while the run uses it. */
import type { HostArray } from "@groupwise/core";
import { type ArrayMemory, arraySpec } from "@groupwise/core/target";
import { roomFor } from "../print/places.ts";
import { clear, type ModuleMemory } from "./module-memory.ts";

type ArrayClass = new (buffer: ArrayBufferLike, at: number, length: number) => HostArray;

export class RunMemory implements ArrayMemory {
  private readonly arena: ModuleMemory;
  private readonly at: number;
  private next: number;
  private isFree = false;

  /** @param bytes of all arrays, each with 16 more */
  constructor(arena: ModuleMemory, bytes: number) {
    this.arena = arena;
    this.at = arena.take(bytes);
    this.next = this.at;
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
    return array.slice() as HostArray;
  }

  free(): void {
    if (!this.isFree) this.arena.give(this.at);
    this.isFree = true;
  }

  private placed(Made: ArrayClass, length: number): HostArray {
    const made = new Made(this.arena.memory.buffer, this.next, length);
    this.next += roomFor(made.byteLength);
    return made;
  }
}
