/** Names of an emitted library. They all begin with `gw_`, so that they collide with no name of C, its library or a system header. */
import type { Manifest } from "@groupwise/core";

/** The function of a pipeline: `gw_line_index`, from `line-index`. */
export const symbolOf = ({ pipeline }: Pick<Manifest, "pipeline">): string =>
  `gw_${pipeline.replaceAll("-", "_")}`;
/** The function with only the loops, without checks. */
export const kernelOf = (manifest: Pick<Manifest, "pipeline">): string => `${symbolOf(manifest)}_kernel`;
/** The name of its files, without the end: `gw_line-index`. */
export const fileOf = (pipeline: string): string => `gw_${pipeline}`;

/** The statuses that the function returns; headers have the texts as comments. */
export const STATUSES: readonly (readonly [name: string, about: string])[] = [
  ["GW_OK", "every output is written"],
  ["GW_TOO_MANY_ITEMS", "the range has more items than indexes of 32 bits allow"],
  ["GW_TABLE_TOO_LONG", "a table has more elements than indexes of 32 bits allow"],
  ["GW_NO_ITEM", "a broadcast needs an item, but the range is empty"],
  ["GW_BAD_OFFSET", "a global id would pass 2^32"],
  ["GW_BAD_CAPACITY", "a capacity, or a term of it, is negative or too large"],
  ["GW_NO_MEMORY", "there is not enough memory for scratch arrays"],
  ["GW_OUTSIDE", "a scatter used an index outside its output, and wrote nothing there"],
  ["GW_BAD_STATE", "the ranges of the states do not follow one another"],
];

/** The status of pipelines that have a parameter that divides the number of items, after all others. */
export const DIVISOR_STATUS: readonly [name: string, about: string] = [
  "GW_BAD_DIVISOR",
  "a parameter that divides the number of items is 0 or does not divide it",
];

/** Additional statuses of functions that use a device. */
export const DEVICE_STATUSES: readonly (readonly [name: string, about: string])[] = [
  ["GW_NO_DEVICE", "no device is open, or it lacks something that the pipeline needs"],
  ["GW_DEVICE_FAILED", "a call of the device failed"],
];
