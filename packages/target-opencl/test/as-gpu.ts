/** The capabilities that a GPU with the limits of a device would have. */
import type { Capabilities } from "@groupwise/core";
import { capabilitiesOf, type OpenClDevice } from "../src/runtime.ts";

/** Without shuffles, which the compiler of a CPU makes of work-group memory. */
export const gpuCapabilities = (info: OpenClDevice): Capabilities =>
  capabilitiesOf({
    ...info,
    type: "gpu",
    extensions: info.extensions.filter((name) => name !== "cl_khr_subgroup_shuffle"),
  });
