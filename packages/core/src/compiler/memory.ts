/** Work-group memory that kernels need. */

import { errorOf, type GroupwiseError } from "../ir/base/errors.ts";
import type { Capabilities } from "./capabilities/capabilities.ts";
import { elementBytes } from "./kernel/memory.ts";
import type { Kernel } from "./kernel/module.ts";
import { carrierOf, formsOf } from "./passes/types/forms.ts";

/** The reason why there is too little work-group memory for a kernel; undefined if there is enough. */
export function memoryProblem(kernel: Kernel, capabilities: Capabilities): GroupwiseError | undefined {
  const limit = capabilities.workGroupMemory;
  const forms = formsOf(capabilities);
  const bytesOf = ({ type, length }: Kernel["shared"][number]): number =>
    length * elementBytes({ type: carrierOf(type, forms(type)) });
  const need = kernel.shared.reduce((sum, array) => sum + bytesOf(array), 0);
  if (need <= limit) return undefined;
  return errorOf(
    "device-limit",
    { what: "bytes of work-group memory", need, limit },
    `kernel ${kernel.name}`,
  );
}
