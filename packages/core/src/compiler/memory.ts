/** Work-group memory that kernels need. */

import { errorOf, type GroupwiseError } from "../ir/base/errors.ts";
import type { Scalar } from "../ir/tables/scalar.ts";
import type { Capabilities } from "./capabilities/capabilities.ts";
import { elementBytes } from "./kernel/memory.ts";
import type { Kernel } from "./kernel/module.ts";
import { carrierOf, formsOf } from "./passes/types/forms.ts";

/** Bytes of an element of a work-group array, in the form that kernels compute with. */
export const sharedBytes = (capabilities: Capabilities, type: Scalar): number =>
  elementBytes({ type: carrierOf(type, formsOf(capabilities)(type)) });

/** Bytes of the work-group arrays of a kernel. */
export const sharedNeed = (capabilities: Capabilities, arrays: Kernel["shared"]): number =>
  arrays.reduce((sum, { type, length }) => sum + length * sharedBytes(capabilities, type), 0);

/** Why there is too little work-group memory for a kernel; undefined where there is enough. */
export function memoryProblem(kernel: Kernel, capabilities: Capabilities): GroupwiseError | undefined {
  const limit = capabilities.workGroupMemory;
  const need = sharedNeed(capabilities, kernel.shared);
  if (need <= limit) return undefined;
  return errorOf(
    "device-limit",
    { what: "bytes of work-group memory", need, limit },
    `kernel ${kernel.name}`,
  );
}
