/** Arrays in an arena, in which no array of a caller lies: inputs and outputs are copied. */
import type { HostArray } from "@groupwise/core";
import { type ArrayMemory, copyOf } from "@groupwise/core/target";
import { type ArrayClass, classOf, clear, type ModuleMemory } from "./module-memory.ts";

export abstract class ArenaMemory implements ArrayMemory {
  protected readonly arena: ModuleMemory;

  constructor(arena: ModuleMemory) {
    this.arena = arena;
  }

  make({ type, cleared }: Parameters<ArrayMemory["make"]>[0], length: number): HostArray {
    const made = this.placed(classOf(type), length);
    if (cleared) clear(made);
    return made;
  }

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

  abstract free(): void;

  /** The byte offset of a new array. The memory may grow. */
  protected abstract place(bytes: number): number;

  private placed(Made: ArrayClass, length: number): HostArray {
    const at = this.place(length * Made.BYTES_PER_ELEMENT);
    return new Made(this.arena.memory.buffer, at, length);
  }
}
