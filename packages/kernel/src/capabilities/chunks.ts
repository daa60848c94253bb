/** Devices of few wide cores, such as CPUs: a work-item runs a chunk of the range as one loop. */

import { errorOf } from "@groupwise/ir/base/errors.js";
import { textOf } from "@groupwise/ir/base/quote.js";

/** How a range is cut into chunks. No number changes a result. */
export interface CoreChunks {
  /** Maximum number of chunks: a power of two, at least 2; a small multiple of the number of cores. */
  readonly most: number;
  /** Minimum number of items of a chunk: a power of two, at least 8. */
  readonly least: number;
}

/** More chunks than cores, because a core may be busy with something else, and the last chunk may be short. */
const CHUNKS_OF_CORE = 8;
/** The loops of so many items take as long as the dispatch of a kernel. */
const LEAST_ITEMS = 2 ** 16;

/** Above, combining the totals of chunks would take long. */
const MOST_CORES = 4096;

/**
 * The chunks for a device.
 * @param cores their number, from 1 to 4096
 * @throws GroupwiseError `bad-argument`
 */
export function chunksFor(cores: number): CoreChunks {
  if (!Number.isInteger(cores) || cores < 1 || cores > MOST_CORES) {
    const want = `a whole number from 1 to ${MOST_CORES}`;
    throw errorOf("bad-argument", { what: "the number of cores", want, got: textOf(cores) });
  }
  return { most: CHUNKS_OF_CORE * 2 ** Math.ceil(Math.log2(cores)), least: LEAST_ITEMS };
}
