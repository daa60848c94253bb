/** Files of elements: .npy of one dimension, and raw. They are read at any position. */
import type { FileHandle } from "node:fs/promises";
import { arraySpec } from "@groupwise/core/target";
import { badFile } from "../../base/problem.ts";
import { readBinary } from "../../values/binary.ts";
import { fill } from "../../values/fill.ts";
import { fieldsIn, LONGEST_HEAD, type NpyLayout, npyHead } from "../../values/npy.ts";
import { Buffers } from "./buffers.ts";
import type { FileElements, Source, SourceReading } from "./source.ts";

/**
 * Chunks that are read before they are requested. The thread that computes a chunk requests the next one late, and a disk then has nothing to do. Measured in
 * docs/decisions/streams.md.
 */
const AHEAD = 2;

/** A read under way. */
interface Pending {
  /** The number of its first item. */
  readonly first: number;
  /** Items that were expected to be requested. */
  readonly count: number;
  readonly read: Promise<Uint8Array>;
}

/** The elements of a file that is open. */
export class FileSource implements Source {
  readonly isReadOnce = false;
  readonly names: readonly string[];
  readonly length: number;
  private readonly elements: FileElements;
  private readonly file: FileHandle;
  /** Bytes of the header. */
  private readonly start: number;
  private readonly layout: NpyLayout;

  private constructor(
    elements: FileElements,
    file: FileHandle,
    { start, layout, length }: { start: number; layout: NpyLayout; length: number },
  ) {
    this.names = [elements.name];
    this.elements = elements;
    this.file = file;
    this.start = start;
    this.layout = layout;
    this.length = length;
  }

  /** @param size of the file in bytes @throws GroupwiseError `bad-file`; the file is closed then */
  static async open(elements: FileElements, file: FileHandle, size: number): Promise<FileSource> {
    const { type, path, isNpy } = elements;
    try {
      const first = new Uint8Array(isNpy ? Math.min(size, LONGEST_HEAD) : 0);
      await fill(file, first, 0, path);
      const width = arraySpec(type).hostBytes;
      const { start, ...layout } = isNpy
        ? npyHead(first, elements, size)
        : { start: 0, stride: width, offset: 0 };
      const length = (size - start) / layout.stride;
      if (Number.isInteger(length)) return new FileSource(elements, file, { start, layout, length });
      const reason = `its ${size} bytes are not a whole number of ${type} elements (${width} bytes each)`;
      throw badFile(path, reason);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  read(from: number, to: number = this.length): SourceReading {
    const { name, type, path, isShared } = this.elements;
    const { layout } = this;
    const { stride } = layout;
    // One for the chunk that is computed, and one for that which is requested meanwhile.
    const buffers = new Buffers(AHEAD + 2, isShared);
    let pending: Pending[] = [];
    let at = from;
    const begin = (count: number): void => {
      const first = at;
      at = Math.min(at + count, to);
      const bytes = buffers.take((at - first) * stride);
      const read = fill(this.file, bytes, this.start + first * stride, path).then(() => bytes);
      read.catch(() => {}); // thrown when the chunk is requested
      pending.push({ first, count, read });
    };
    const settled = (): Promise<unknown> => Promise.allSettled(pending.map(({ read }) => read));
    /** Another number of items than was expected: what is read ahead is read again. */
    const restart = async (): Promise<void> => {
      await settled();
      at = pending[0]?.first ?? at;
      pending = [];
    };
    return {
      next: async (count) => {
        if (pending.some((one) => one.count !== count)) await restart();
        while (pending.length <= AHEAD) begin(count);
        const { read } = pending[0] as Pending;
        // Until it is done, so that `close` waits for it.
        const bytes = await read.finally(() => pending.shift());
        return { [name]: readBinary(fieldsIn(bytes, type, layout), type, path) };
      },
      close: async () => void (await settled()),
    };
  }

  close(): Promise<void> {
    return this.file.close();
  }
}
