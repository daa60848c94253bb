/** Calls of a compiled library. */
import type { HostArray, Manifest } from "@groupwise/core";
import type { Call } from "@groupwise/core/target";
import type { Library } from "./library.ts";
import { argumentsOf } from "./shim.ts";

export const DEVICE = "C";

/** The replacement of an array without elements: kernels read the first element of a table even if they ignore it. */
const NOTHING = new Uint8Array(8);

/** Calls the library's kernel with arrays of the manifest's types. */
export const callOf =
  (manifest: Manifest, library: Library): Call =>
  (launch, arrays) => {
    const { arrays: names, scalars } = argumentsOf(manifest, launch);
    const passed = names.map((name) => arrays.get(name) as HostArray);
    library.call(
      passed.map((array) => (array.length > 0 ? array : NOTHING)),
      scalars,
    );
  };
