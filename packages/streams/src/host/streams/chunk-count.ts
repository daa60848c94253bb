/** The number of items of a chunk whose inputs come from sources of their own. */
import { NUMBER, OBJECT, requireArguments, shaped } from "@groupwise/ir/base/arguments.js";
import { errorOf } from "@groupwise/ir/base/errors.js";
import type { HostArray } from "@groupwise/ir/tables/scalar.js";

/** A chunk of a stream. */
export interface ChunkRead {
  /** The items before it. */
  readonly from: number;
  /** The items that were requested of each source; one that has fewer is at its end. */
  readonly size: number;
  /** The name of the pipeline, for the error. */
  readonly pipeline?: string | undefined;
}

const CHUNK = /*@__PURE__*/ shaped("a chunk of a stream", { from: NUMBER, size: NUMBER });

/**
 * The number of items of a chunk, by the arrays of its inputs.
 * @throws GroupwiseError `length-mismatch` if one source ends before another
 * @category Authors
 */
export function countOfChunk(arrays: Readonly<Record<string, HostArray>>, chunk: ChunkRead): number {
  requireArguments(arguments, "countOfChunk", { arrays: OBJECT, chunk: CHUNK });
  const { from, size, pipeline } = chunk;
  const counts = Object.entries(arrays).map(([name, { length }]) => ({ name, length }));
  const count = counts[0]?.length ?? 0;
  if (counts.every(({ length }) => length === count)) return count;
  const shown = (length: number): string => `${length < size ? "" : "at least "}${from + length}`;
  const lengths = counts.map(({ name, length }) => `${name} ${shown(length)}`).join(", ");
  throw errorOf("length-mismatch", { lengths }, pipeline);
}
