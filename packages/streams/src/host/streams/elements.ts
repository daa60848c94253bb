/** Chunks from one stream for each input: bytes that are split anywhere, or typed arrays of any length. */
import { errorOf } from "@groupwise/ir/base/errors.js";
import { type ArrayType, arraySpec } from "@groupwise/ir/tables/narrow.js";
import type { HostArray } from "@groupwise/ir/tables/scalar.js";
import { kindOf, typedArrayName } from "@groupwise/runtime/api/host-view.js";
import { countOfChunk } from "./chunk-count.ts";

/** Items of a chunk, if the caller passes no number. */
const CHUNK = 2 ** 20;

/** Items of a source: bytes, or typed arrays. `T` is the typed array of the input. */
export type ElementPiece<T> = T | Uint8Array | ArrayBuffer;

/**
 * The elements of one input: a Node stream such as `createReadStream` returns, a web stream, or any iterable, of bytes or of typed arrays. Bytes are those of little-endian elements, and an
 * element may be split between two pieces.
 */
export type ElementSource<T> = AsyncIterable<ElementPiece<T>> | Iterable<ElementPiece<T>> | ReadableSource<T>;

/** A web stream of an engine in which it is no asynchronous iterable. */
export interface ReadableSource<T> {
  /** See `ReadableStream.getReader`. */
  getReader(): ElementReader<T>;
}

/** What is used of the reader of a web stream. */
export interface ElementReader<T> {
  /** The next piece; `done` at the end. */
  read(): Promise<{ readonly done: boolean; readonly value?: ElementPiece<T> | undefined }>;
  /** Ends the stream before its end. */
  cancel(): Promise<unknown>;
}

/** An input of a pipeline. */
interface Input {
  readonly name: string;
  readonly type: ArrayType;
}

export interface ElementChunks {
  readonly pipeline: string;
  readonly inputs: readonly Input[];
  /** Items of a chunk. */
  readonly size?: number | undefined;
}

/**
 * Chunks of the items of all sources; all but the last have `size` items, and there is at least one.
 * @param sources by the name of the input
 * @throws GroupwiseError `unknown-input`, `bad-argument` for pieces of another type or a part of an element at the end, `length-mismatch`; errors of the sources
 */
export async function* chunksOfElements(
  { pipeline, inputs, size = CHUNK }: ElementChunks,
  sources: Readonly<Record<string, unknown>>,
): AsyncGenerator<Record<string, HostArray>, void, undefined> {
  const readers = Object.entries(sources).map(([name, source]) => {
    const input = inputs.find((one) => one.name === name);
    if (input) return new Elements(input, source, pipeline);
    throw errorOf("unknown-input", { name, known: inputs.map((one) => one.name) }, pipeline);
  });
  try {
    for (let from = 0; ; from += size) {
      const arrays = await Promise.all(readers.map((reader) => reader.next(size)));
      const chunk = Object.fromEntries(readers.map(({ name }, i) => [name, arrays[i] as HostArray]));
      const count = countOfChunk(chunk, { from, size, pipeline });
      if (count > 0 || from === 0) yield chunk;
      if (count < size) return;
    }
  } finally {
    await Promise.allSettled(readers.map((reader) => reader.close()));
  }
}

/** A view of the elements of an array's own bytes. */
function elementsIn(type: ArrayType, { buffer, byteLength }: Uint8Array): HostArray {
  const { array, hostBytes } = arraySpec(type);
  const View = array as unknown as new (of: ArrayBufferLike, at: number, length: number) => HostArray;
  return new View(buffer, 0, byteLength / hostBytes);
}

type Pieces = AsyncIterator<unknown> | Iterator<unknown>;

/** Reads elements in order. */
class Elements {
  readonly name: string;
  private readonly input: Input;
  private readonly pipeline: string;
  private readonly pieces: Pieces;
  /** Bytes that are read and not taken. */
  private rest: Uint8Array = new Uint8Array(0);
  private isOver = false;

  constructor(input: Input, source: unknown, pipeline: string) {
    this.name = input.name;
    this.input = input;
    this.pipeline = pipeline;
    this.pieces = this.piecesOf(source);
  }

  /** The next elements: `count`, or fewer at the end. */
  async next(count: number): Promise<HostArray> {
    const { type } = this.input;
    const { hostBytes } = arraySpec(type);
    const bytes = new Uint8Array(count * hostBytes);
    let filled = 0;
    while (filled < bytes.length && (await this.fill())) {
      const taken = this.rest.subarray(0, bytes.length - filled);
      bytes.set(taken, filled);
      filled += taken.length;
      this.rest = this.rest.subarray(taken.length);
    }
    if (filled % hostBytes === 0) return elementsIn(type, bytes.subarray(0, filled));
    throw this.bad(
      `whole elements of ${type}, ${hostBytes} bytes each`,
      `${filled % hostBytes} bytes at its end`,
    );
  }

  async close(): Promise<void> {
    if (!this.isOver) await this.pieces.return?.();
  }

  /** Reads pieces until there are bytes; false at the end. */
  private async fill(): Promise<boolean> {
    while (this.rest.length === 0 && !this.isOver) {
      const { done, value } = await this.pieces.next();
      if (done) this.isOver = true;
      else this.rest = this.bytesOf(value);
    }
    return this.rest.length > 0;
  }

  private bytesOf(piece: unknown): Uint8Array {
    const { name } = arraySpec(this.input.type).array;
    const kind = typedArrayName(piece);
    if (kind === name || kind === "Uint8Array") {
      const { buffer, byteOffset, byteLength } = piece as Uint8Array;
      return new Uint8Array(buffer, byteOffset, byteLength);
    }
    if (piece instanceof ArrayBuffer) return new Uint8Array(piece);
    throw this.bad(
      name === "Uint8Array" ? "Uint8Arrays" : `${name}s, or bytes as Uint8Arrays`,
      `one of ${kindOf(piece)}`,
    );
  }

  private piecesOf(source: unknown): Pieces {
    const given = (typeof source === "object" && source !== null ? source : {}) as Partial<
      AsyncIterable<unknown> & Iterable<unknown> & ReadableSource<unknown>
    >;
    // A typed array is an iterable of numbers: it is one piece.
    if (typedArrayName(source) !== undefined) return [source][Symbol.iterator]();
    const begun = given[Symbol.asyncIterator]?.() ?? given[Symbol.iterator]?.();
    if (begun) return begun;
    if (!given.getReader) throw this.bad("a stream or an iterable of bytes or typed arrays", kindOf(source));
    const reader = given.getReader();
    const end = async (): Promise<IteratorResult<unknown>> => {
      await reader.cancel();
      return { done: true, value: undefined };
    };
    return { next: () => reader.read() as Promise<IteratorResult<unknown>>, return: end };
  }

  private bad(want: string, got: string): Error {
    const what = `the source of the input ${JSON.stringify(this.name)}`;
    return errorOf("bad-argument", { what, want, got }, this.pipeline);
  }
}
