/** Chunks from the last to the first, for scans that begin at the last item. */
import type { Rounds } from "@groupwise/core/state";
import { badUsage } from "../base/problem.ts";
import { closeAll, type Source, type SourceArrays } from "./sources/source.ts";

/**
 * The number of items from whose end chunks are read; undefined if they are read from the first item.
 * @throws GroupwiseError `bad-usage` if a source cannot be read so
 */
export function endOf({ order }: Rounds, sources: readonly Source[]): number | undefined {
  if (order === "forwards") return undefined;
  const blind = sources.find(({ length }) => length === undefined);
  if (!blind) return sources[0]?.length;
  throw badUsage(
    `the scans begin at the last item, and only the end of ${blind.names.join(", ")} shows where that is`,
    "pass .npy files or files of raw elements",
  );
}

/**
 * The inputs of each chunk; there is at least one chunk, which may be empty.
 * @param done the number of items at the end that are not read
 */
export async function* chunksFromEnd(
  sources: readonly Source[],
  end: number,
  done: number,
  size: number,
): AsyncGenerator<SourceArrays, void, undefined> {
  let at = end - done;
  do {
    const from = Math.max(0, at - size);
    const last = at;
    const readings = sources.map((source) => source.read(from, last));
    try {
      const arrays = await Promise.all(readings.map((reading) => reading.next(at - from)));
      yield Object.assign({}, ...arrays);
    } finally {
      await closeAll(readings);
    }
    at = from;
  } while (at > 0);
}
