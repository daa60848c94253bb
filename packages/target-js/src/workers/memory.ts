/** Arrays in shared memory. */

import type { ArrayType, HostArray } from "@groupwise/core";
import { type ArrayMemory, arraySpec, copyOf, errorOf } from "@groupwise/core/target";
import { DEVICE } from "../runtime/program.ts";

/** Most bytes that are kept for later runs of a pipeline: chunks of streams fit, and one run over a long range does not hold its memory. */
const MOST = 2 ** 26;

/** Shorter memory is not kept: making it takes no longer than finding it. */
const LEAST = 2 ** 12;

interface Class {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: SharedArrayBuffer, at?: number, length?: number): HostArray;
}

function memoryOf(bytes: number, length: number): SharedArrayBuffer {
  try {
    return new SharedArrayBuffer(bytes);
  } catch (cause) {
    const reason = `${length} elements do not fit in shared memory`;
    throw errorOf("device-error", { device: DEVICE, reason }, "", cause);
  }
}

const classOf = (type: ArrayType): Class => arraySpec(type).array as never;

/** Zeros in shared memory. @throws GroupwiseError `device-error` */
export function sharedZeros(type: ArrayType, length: number): HostArray {
  const Made = classOf(type);
  return new Made(memoryOf(length * Made.BYTES_PER_ELEMENT, length));
}

/**
 * Shared memory of one pipeline. Memory of runs that are over is used again, because new memory costs a page fault for every 4 KiB on each thread. Inputs are copied into
 * it, and outputs out of it, unless the caller's arrays are in shared memory too.
 */
export class SharedMemory implements ArrayMemory {
  private readonly isDirect: boolean;
  /** In the order in which it was freed. */
  private kept: SharedArrayBuffer[] = [];
  private bytes = 0;
  private isOpen = true;

  /** @param isDirect whether callers pass and get arrays in shared memory */
  constructor(isDirect: boolean) {
    this.isDirect = isDirect;
  }

  make({ type, cleared }: Parameters<ArrayMemory["make"]>[0], length: number): HostArray {
    const made = this.any(classOf(type), length);
    if (cleared) new Uint8Array(made.buffer, 0, made.byteLength).fill(0);
    return made;
  }

  has({ buffer }: HostArray): boolean {
    return this.isDirect && buffer instanceof SharedArrayBuffer;
  }

  copy(array: HostArray): HostArray {
    const made = this.any(array.constructor as never, array.length);
    made.set(array as never);
    return made;
  }

  give(array: HostArray): HostArray {
    return this.isDirect ? array : copyOf(array);
  }

  free(arrays: readonly HostArray[]): void {
    for (const { buffer } of arrays) {
      if (!this.isOpen || buffer.byteLength < LEAST || buffer.byteLength > MOST) continue;
      this.kept.push(buffer as SharedArrayBuffer);
      this.bytes += buffer.byteLength;
    }
    while (this.bytes > MOST) this.bytes -= (this.kept.shift() as SharedArrayBuffer).byteLength;
  }

  /** Keeps nothing any more. */
  end(): void {
    this.isOpen = false;
    this.rest();
  }

  /** Frees what is kept. */
  rest(): void {
    this.kept = [];
    this.bytes = 0;
  }

  /** The shortest memory that has room, or new memory. */
  private any(Made: Class, length: number): HostArray {
    const bytes = length * Made.BYTES_PER_ELEMENT;
    const room = this.kept.filter(({ byteLength }) => byteLength >= bytes && bytes >= LEAST);
    const [first] = room.sort((a, b) => a.byteLength - b.byteLength);
    if (first) {
      this.kept.splice(this.kept.indexOf(first), 1);
      this.bytes -= first.byteLength;
    }
    return new Made(first ?? memoryOf(bytes, length), 0, length);
  }
}
