/** The arrays of a run or a piece that threads compute. A view of shared memory stays valid when the memory grows. */
import { ArenaMemory } from "./arena-memory.ts";

export class ThreadMemory extends ArenaMemory {
  private places: number[] = [];

  free(): void {
    for (const at of this.places) this.arena.give(at);
    this.places = [];
  }

  abandon(): void {
    this.free();
  }

  protected place(bytes: number): number {
    const at = this.arena.take(bytes);
    this.places.push(at);
    return at;
  }
}
