/** Arrays of earlier outputs that a run writes again. */
import { arraySpec } from "@groupwise/ir/tables/narrow.js";
import type { HostArray } from "@groupwise/ir/tables/scalar.js";
import { hostView, typedArrayName } from "../api/host-view.ts";
import type { RunOptions } from "../api/runtime.ts";
import { optionsOf, recordOf } from "../checks/arguments.ts";
import type { Binding, Manifest } from "../plan/manifest.ts";

/** The array that an output of a length can be written to; undefined if there is none. */
export type Spare = (binding: Binding, length: number) => HostArray | undefined;

const none: Spare = () => undefined;

/**
 * Reads the option `spare`. Outputs with one value for the range get new arrays, because callers keep them.
 * @param keepsShared whether arrays in shared memory can be used
 * @throws GroupwiseError `bad-argument`, `detached`
 */
export function spareOf(
  { pipeline }: Manifest,
  options: RunOptions | undefined,
  keepsShared: boolean | undefined,
): Spare {
  const { spare } = optionsOf(options, ["spare"], "the options", pipeline, [
    "n",
    "globalSize",
    "globalOffset",
  ]);
  if (spare === undefined) return none;
  const arrays = recordOf(spare, "the option spare", pipeline);
  return ({ name, type, role, uniformity }, length) => {
    const array = arrays[name];
    const isOfItems = role === "output" && uniformity === "item";
    if (!isOfItems || typedArrayName(array) !== arraySpec(type).array.name) return undefined;
    const view = hostView(type, array, name, pipeline, keepsShared);
    return view.length === length ? view : undefined;
  };
}
