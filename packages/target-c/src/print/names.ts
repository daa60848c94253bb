/** Names of an emitted library, which all begin with `gw_`: no word of C, of its library or of a system header does. */
import type { Manifest } from "@groupwise/core";

/** The function of a pipeline: `gw_line_index`, from `line-index`. */
export const symbolOf = ({ pipeline }: Pick<Manifest, "pipeline">): string =>
  `gw_${pipeline.replaceAll("-", "_")}`;
/** Its loops alone, without checks. */
export const kernelOf = (manifest: Pick<Manifest, "pipeline">): string => `${symbolOf(manifest)}_kernel`;
/** The name of its files, without the end: `gw_line-index`. */
export const fileOf = (pipeline: string): string => `gw_${pipeline}`;

/** What the function returns; the text of a row is a comment of headers. */
export const STATUSES: readonly (readonly [name: string, about: string])[] = [
  ["GW_OK", "every output is written"],
  ["GW_TOO_MANY_ITEMS", "the range has more items than indexes of 32 bits allow"],
  ["GW_TABLE_TOO_LONG", "a table has more elements than that"],
  ["GW_NO_ITEM", "a broadcast needs an item, but the range is empty"],
  ["GW_BAD_OFFSET", "a global id would pass 2^32"],
  ["GW_BAD_CAPACITY", "a capacity, or a term of it, is negative or too large"],
  ["GW_NO_MEMORY", "there is no memory for arrays of the run"],
  ["GW_OUTSIDE", "a scatter used an index outside its output, which it did not write"],
  ["GW_BAD_STATE", "states are not of ranges that follow one another"],
];

/** What functions that use a device return besides. */
export const DEVICE_STATUSES: readonly (readonly [name: string, about: string])[] = [
  ["GW_NO_DEVICE", "no device is open, or it lacks something that the pipeline needs"],
  ["GW_DEVICE_FAILED", "a call of the device failed"],
];
