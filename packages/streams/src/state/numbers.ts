/** The limit on items whose numbers a pipeline reads: `index()` is a u32. */
import { errorOf } from "@groupwise/ir/base/errors.js";
import type { Carried } from "./carry.ts";

/** The most items whose numbers are u32. */
export const MOST_NUMBERED: bigint = 2n ** 32n;

/**
 * Requires that the pipeline can read the numbers of all items before an item.
 * @throws GroupwiseError `too-many-items`
 */
export function requireNumbers({ first, edges }: Carried, end: bigint, pipeline: string): void {
  if (first === undefined || edges || end <= MOST_NUMBERED) return;
  const why = "the pipeline reads numbers of items, which are u32 and";
  const hint = "split the range into ranges of at most 2^32 items, or pass the numbers as an input of u64";
  throw errorOf("too-many-items", { n: Number(end), limit: Number(MOST_NUMBERED), why, hint }, pipeline);
}
