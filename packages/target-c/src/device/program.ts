/** Calls of a compiled library. */
import type { HostArray, Manifest } from "@groupwise/core";
import { type Call, errorOf } from "@groupwise/core/target";
import { STATUSES } from "../print/names.ts";
import type { LoadedLibrary } from "./library.ts";
import { argumentsOf } from "./shim.ts";

export const DEVICE = "C";

/** The replacement of an array without elements: kernels read the first element of a table even if they ignore it. */
const NOTHING = new Uint8Array(8);

/**
 * Calls the library's function with arrays of the manifest's types.
 * @param threads if it uses several
 * @throws GroupwiseError `device-error` with the status
 */
export const callOf =
  (manifest: Manifest, library: LoadedLibrary, threads: number): Call =>
  (launch, arrays) => {
    const { arrays: names, scalars } = argumentsOf(manifest, launch, threads);
    const passed = names.map((name) => arrays.get(name) as HostArray);
    const status = library.call(
      passed.map((array) => (array.length > 0 ? array : NOTHING)),
      scalars,
    );
    if (status === 0) return;
    const reason = STATUSES[status]?.join(": ") ?? `status ${status}`;
    throw errorOf("device-error", { device: DEVICE, reason }, manifest.pipeline);
  };
