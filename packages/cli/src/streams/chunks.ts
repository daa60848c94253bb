/** The chunks of a range, from all of its sources. */
import { countOfChunk } from "@groupwise/core/state";
import { errorOf } from "@groupwise/core/target";
import { closeAll, type Source, type SourceArrays } from "./sources/source.ts";

/**
 * The inputs of each chunk, from an item on. All chunks but the last have `size` items; there is at least one chunk, which may be empty.
 * @throws GroupwiseError `length-mismatch` if one source ends before another; as `Reading.next`
 */
export async function* chunksOf(
  sources: readonly Source[],
  from: number,
  size: number,
): AsyncGenerator<SourceArrays, void, undefined> {
  const readings = sources.map((source) => source.read(from));
  try {
    for (let at = from; ; ) {
      const arrays: SourceArrays = Object.assign(
        {},
        ...(await Promise.all(readings.map((reading) => reading.next(size)))),
      );
      const count = countOfChunk(arrays, { from: at, size });
      if (count > 0 || at === from) yield arrays;
      if (count < size) return;
      at += count;
    }
  } finally {
    await closeAll(readings);
  }
}

/**
 * The number of items of sources, or undefined if only their end shows it.
 * @throws GroupwiseError `length-mismatch`
 */
export function lengthOf(sources: readonly Source[], pipeline: string): number | undefined {
  const known = sources.flatMap(({ names, length }) =>
    length === undefined ? [] : [{ name: names[0], length }],
  );
  const listed = known.map(({ name, length }) => `${name} ${length}`).join(", ");
  if (known.some(({ length }) => length !== known[0]?.length))
    throw errorOf("length-mismatch", { lengths: listed }, pipeline);
  return known[0]?.length;
}
