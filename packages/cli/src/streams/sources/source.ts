/** Sources of a stream: files and pipes whose items are read in chunks. */
import type { ArrayType, HostArray } from "@groupwise/core";

/** Arrays by the names of inputs. */
export type SourceArrays = Readonly<Record<string, HostArray>>;

/** Reads a source in order. */
export interface SourceReading {
  /**
   * The next elements of each input of the source: `count`, or fewer at the end. The call after the next one may reuse the arrays.
   * @throws GroupwiseError `bad-file`
   */
  next(count: number): Promise<SourceArrays>;
  /** Ends the reading, after a call of `next` that is under way. */
  close(): Promise<void>;
}

/** The elements of one or several inputs. */
export interface Source {
  /** The inputs. */
  readonly names: readonly string[];
  /** Number of elements; undefined if only the end shows it. */
  readonly length: number | undefined;
  /** True for pipes, which are read only once. */
  readonly isReadOnce: boolean;
  /**
   * Begins to read at an item. A file can be read any number of times.
   * @param to the item before which it ends, if that is known; nothing after it is read ahead
   * @throws GroupwiseError `bad-usage` if a pipe is read again
   */
  read(from: number, to?: number): SourceReading;
  close(): Promise<void>;
}

/** A source of one input. */
export interface FileElements {
  readonly name: string;
  readonly type: ArrayType;
  readonly path: string;
  readonly isNpy: boolean;
  /** Of a structured .npy file. */
  readonly field?: string | undefined;
  /** Whether elements are read into memory that threads share. */
  readonly isShared: boolean;
}

export const closeAll = async (sources: readonly { close(): Promise<void> }[]): Promise<void> => {
  await Promise.all(sources.map((source) => source.close()));
};
