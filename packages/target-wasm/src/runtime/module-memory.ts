/** Pieces of a memory that grows: a list of free ones, of which the first that is large enough is used. */
import type { ArrayType, HostArray } from "@groupwise/core";
import { arraySpec, errorOf, type ViewedMemory, type Wanted, whole } from "@groupwise/core/target";
import type { MemoryKind } from "../encode/binary.ts";
import { FIRST, roomFor } from "../print/places.ts";

const PAGE = 65536;
/** Pages of 4 GiB. */
const MOST_PAGES = 65536;
/** Pages of the shortest memory that threads share. */
const LEAST_PAGES = 256;
/** Memory grows by at least this part of its size, because every growth takes away all views of JavaScript. */
const GROWTH = 4;

interface Piece {
  at: number;
  bytes: number;
}

/** The class of an array. */
export interface ArrayClass {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBufferLike, at: number, length: number): HostArray;
}
export const classOf = (type: ArrayType): ArrayClass => arraySpec(type).array as never;

interface MemoryOptions {
  /** Default: memory of one thread. */
  readonly kind?: MemoryKind;
  /** Default: 4 GiB. */
  readonly maxBytes?: number | undefined;
}

/** The option `maxBytes` of runtimes. */
export const MAX_BYTES: Wanted = /*@__PURE__*/ whole(2 ** 20, MOST_PAGES * PAGE);

export class ModuleMemory {
  readonly memory: WebAssembly.Memory;
  private readonly device: string;
  /** In the order of their places; neighbours are joined. */
  private readonly free: Piece[];
  private readonly taken = new Map<number, number>();

  constructor(device: string, { kind = "own", maxBytes = MOST_PAGES * PAGE }: MemoryOptions = {}) {
    this.device = device;
    const pages = Math.floor(maxBytes / PAGE);
    this.memory =
      kind === "own" ? new WebAssembly.Memory({ initial: 1, maximum: pages }) : sharedMemory(device, pages);
    this.free = [{ at: FIRST, bytes: PAGE - FIRST }];
  }

  /** Whether new bytes have room. The memory grows if they had none. */
  hasRoom(bytes: number): boolean {
    const wanted = roomFor(bytes);
    return this.free.some((piece) => piece.bytes >= wanted) || this.grow(wanted);
  }

  /** The most bytes, a power of two up to a number, that have room; 0 if few have. */
  room(most: number): number {
    let bytes = 2 ** Math.floor(Math.log2(most));
    while (bytes > PAGE / 16 && !this.hasRoom(bytes)) bytes /= 2;
    return this.hasRoom(bytes) ? bytes : 0;
  }

  /** The place of new bytes. @throws GroupwiseError `device-error` */
  take(bytes: number): number {
    if (!this.hasRoom(bytes)) {
      const reason = `${bytes} more bytes do not fit in its memory: free arrays that are not needed (\`dispose\`)`;
      throw errorOf("device-error", { device: this.device, reason });
    }
    const wanted = roomFor(bytes);
    const i = this.free.findIndex((piece) => piece.bytes >= wanted);
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

  /** Grows the memory so that its end has a free piece of this size. @returns whether it could */
  private grow(bytes: number): boolean {
    const size = this.memory.buffer.byteLength;
    const last = this.free.at(-1);
    const atEnd = last && last.at + last.bytes === size ? last.bytes : 0;
    const least = Math.ceil((bytes - atEnd) / PAGE);
    const most = Math.max(least, Math.ceil(size / PAGE / GROWTH));
    const pages = this.grows(most) ? most : this.grows(least) ? least : 0;
    if (pages > 0) this.add({ at: size, bytes: pages * PAGE });
    return pages > 0;
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
function sharedMemory(device: string, pages: number): WebAssembly.Memory {
  for (let maximum = pages; maximum >= Math.min(pages, LEAST_PAGES); maximum = Math.floor(maximum / 2)) {
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
