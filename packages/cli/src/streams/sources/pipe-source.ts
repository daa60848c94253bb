/** Stdin and other pipes: their elements come once, in order, and only their end shows how many there are. */
import type { Readable } from "node:stream";
import type { GroupwiseError } from "@groupwise/core";
import { arraySpec } from "@groupwise/core/target";
import { badFile, badUsage } from "../../base/problem.ts";
import { reasonOf } from "../../base/reasons.ts";
import { readBinary } from "../../values/binary.ts";
import { LONGEST_HEAD, lengthOf, npyHead, requireElements } from "../../values/npy.ts";
import { Buffers } from "./buffers.ts";
import { endsBefore } from "./ends-before.ts";
import type { FileElements, Source, SourceArrays, SourceReading } from "./source.ts";

/** Items that are skipped at once. */
const SKIPPED = 2 ** 20;

/** The elements of a pipe. */
export class PipeSource implements Source {
  readonly isReadOnce = true;
  readonly names: readonly string[];
  readonly length: number | undefined;
  private readonly elements: FileElements;
  private readonly bytes: PipeBytes;
  private isRead = false;

  private constructor(elements: FileElements, bytes: PipeBytes, length: number | undefined) {
    this.names = [elements.name];
    this.elements = elements;
    this.bytes = bytes;
    this.length = length;
  }

  /** Reads the header, if there is one. @throws GroupwiseError `bad-file` */
  static async open(elements: FileElements, stream: Readable): Promise<PipeSource> {
    const { type, path, isNpy } = elements;
    const bytes = new PipeBytes(stream, path);
    if (!isNpy) return new PipeSource(elements, bytes, undefined);
    try {
      const first = new Uint8Array(LONGEST_HEAD);
      const begun = first.subarray(0, await bytes.fill(first));
      const head = npyHead(begun, { type, path, field: elements.field }, undefined);
      if (head.item) throw inChunks(path);
      bytes.putBack(begun.subarray(head.start));
      return new PipeSource(elements, bytes, lengthOf(head));
    } catch (error) {
      bytes.close();
      throw error;
    }
  }

  read(from: number): SourceReading {
    const { path, type, isShared } = this.elements;
    if (this.isRead)
      throw badUsage(`${path} is read twice`, "pass a file, which can be read more than once", path);
    this.isRead = true;
    const buffers = new Buffers(2, isShared);
    let count = 0;
    const width = arraySpec(type).hostBytes;
    const take = async (most: number): Promise<Uint8Array> => {
      const buffer = buffers.take(most * width);
      const bytes = buffer.subarray(0, await this.bytes.fill(buffer));
      count += bytes.length;
      if (bytes.length < buffer.length && this.length !== undefined)
        requireElements(path, width, count, this.length);
      if (count % width !== 0)
        throw badFile(
          path,
          `its ${count} bytes are not a whole number of ${type} elements (${width} bytes each)`,
        );
      return bytes;
    };
    const skip = async (): Promise<void> => {
      const most = (): number => Math.min(from - count / width, SKIPPED);
      while (most() > 0) if ((await take(most())).length === 0) throw endsBefore(path, count / width, from);
    };
    const next = async (most: number): Promise<SourceArrays> => {
      await skip();
      return { [this.elements.name]: readBinary(await take(most), type, path) };
    };
    return { next, close: () => this.close() };
  }

  async close(): Promise<void> {
    this.bytes.close();
  }
}

const inChunks = (path: string): GroupwiseError =>
  badFile(
    path,
    "fields of a structured file are not read from a pipe",
    undefined,
    "pass an .npy file without compression",
  );

/** The bytes of a stream, in any amounts. */
class PipeBytes {
  private readonly stream: Readable;
  private readonly pieces: AsyncIterator<Uint8Array>;
  private readonly path: string;
  private rest: Uint8Array = new Uint8Array();

  constructor(stream: Readable, path: string) {
    this.stream = stream;
    this.pieces = stream[Symbol.asyncIterator]();
    this.path = path;
  }

  /** Fills a buffer as far as there are bytes. @returns their number @throws GroupwiseError `bad-file` */
  async fill(buffer: Uint8Array): Promise<number> {
    let done = 0;
    while (done < buffer.length) {
      if (this.rest.length === 0) {
        const piece = await this.next();
        if (!piece) break;
        this.rest = piece;
      }
      const some = this.rest.subarray(0, buffer.length - done);
      buffer.set(some, done);
      this.rest = this.rest.subarray(some.length);
      done += some.length;
    }
    return done;
  }

  /** Bytes that the next call of `fill` returns first. Copies them. */
  putBack(bytes: Uint8Array): void {
    this.rest = Buffer.concat([bytes, this.rest]);
  }

  close(): void {
    this.stream.destroy();
  }

  private async next(): Promise<Uint8Array | undefined> {
    try {
      const { done, value } = await this.pieces.next();
      return done ? undefined : value;
    } catch (error) {
      throw badFile(this.path, `it cannot be read: ${reasonOf(error)}`, error);
    }
  }
}
