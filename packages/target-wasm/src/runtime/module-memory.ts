/** Pieces of a memory that grows: a list of free ones, of which the first that is large enough is used. */
import type { ArrayType, HostArray } from "@groupwise/core";
import { arraySpec, errorOf, type ViewedMemory } from "@groupwise/core/target";
import { FIRST, roomFor } from "../print/places.ts";

const PAGE = 65536;
/** Pages of 4 GiB. */
const MOST_PAGES = 65536;
/** Memory grows by at least this part of its size, because every growth takes away all views of JavaScript. */
const GROWTH = 4;

interface Piece {
  at: number;
  bytes: number;
}

type Made = new (buffer: ArrayBufferLike, at: number, length: number) => HostArray;
const classOf = (type: ArrayType): Made => arraySpec(type).array as never;

export class ModuleMemory {
  readonly memory: WebAssembly.Memory;
  private readonly device: string;
  /** In the order of their places; neighbours are joined. */
  private readonly free: Piece[];
  private readonly taken = new Map<number, number>();

  /** @param isShared whether threads share it */
  constructor(device: string, isShared: boolean = false) {
    this.device = device;
    this.memory = isShared ? sharedMemory(device) : new WebAssembly.Memory({ initial: 1 });
    this.free = [{ at: FIRST, bytes: PAGE - FIRST }];
  }

  /** The place of new bytes. @throws GroupwiseError `device-error` */
  take(bytes: number): number {
    const wanted = roomFor(bytes);
    let i = this.free.findIndex((piece) => piece.bytes >= wanted);
    if (i < 0) {
      this.grow(wanted);
      i = this.free.length - 1;
    }
    const piece = this.free[i] as Piece;
    const { at } = piece;
    piece.at += wanted;
    piece.bytes -= wanted;
    if (piece.bytes === 0) this.free.splice(i, 1);
    this.taken.set(at, wanted);
    return at;
  }

  /** Gives bytes back. */
  give(at: number): void {
    const bytes = this.taken.get(at);
    if (bytes === undefined) return;
    this.taken.delete(at);
    this.add({ at, bytes });
  }

  /** Elements at a place, as long as the memory does not grow. */
  view(type: ArrayType, at: number, length: number): HostArray {
    return new (classOf(type))(this.memory.buffer, at, length);
  }

  /** An array of zeros. */
  block(type: ArrayType, length: number): ViewedMemory {
    const at = this.take(length * arraySpec(type).hostBytes);
    let view = this.view(type, at, length);
    clear(view);
    return {
      view: () => {
        if (view.buffer !== this.memory.buffer) view = this.view(type, at, length);
        return view;
      },
      free: () => this.give(at),
    };
  }

  private add(piece: Piece): void {
    const { free } = this;
    const next = free.findIndex(({ at }) => at > piece.at);
    const i = next < 0 ? free.length : next;
    free.splice(i, 0, piece);
    for (const left of [i, i - 1]) {
      const [a, b] = [free[left], free[left + 1]];
      if (!a || !b || a.at + a.bytes !== b.at) continue;
      a.bytes += b.bytes;
      free.splice(left + 1, 1);
    }
  }

  /** Grows the memory so that its end has a free piece of this size. */
  private grow(bytes: number): void {
    const size = this.memory.buffer.byteLength;
    const last = this.free.at(-1);
    const atEnd = last && last.at + last.bytes === size ? last.bytes : 0;
    const least = Math.ceil((bytes - atEnd) / PAGE);
    const most = Math.max(least, Math.ceil(size / PAGE / GROWTH));
    const pages = this.grows(most) ? most : this.grows(least) ? least : 0;
    if (pages === 0) {
      const reason = `${bytes} more bytes do not fit in its memory`;
      throw errorOf("device-error", { device: this.device, reason });
    }
    this.add({ at: size, bytes: pages * PAGE });
  }

  private grows(pages: number): boolean {
    try {
      this.memory.grow(pages);
      return true;
    } catch {
      return false;
    }
  }
}

/** Memory that threads share, with as much room as the engine reserves, which may be less than 4 GiB. */
function sharedMemory(device: string): WebAssembly.Memory {
  for (let maximum = MOST_PAGES; maximum > MOST_PAGES / 64; maximum /= 2) {
    try {
      return new WebAssembly.Memory({ initial: 1, maximum, shared: true });
    } catch {}
  }
  throw errorOf("device-error", { device, reason: "the engine reserves no memory that threads share" });
}

/** Makes all elements zero. */
export const clear = ({ buffer, byteOffset, byteLength }: HostArray): void => {
  new Uint8Array(buffer, byteOffset, byteLength).fill(0);
};
