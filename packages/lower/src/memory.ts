/** Work-group memory that kernels need. */

import { errorOf, type GroupwiseError } from "@groupwise/ir/base/errors.js";
import type { Capabilities } from "@groupwise/kernel/capabilities/capabilities.js";
import { elementBytes } from "@groupwise/kernel/language/memory.js";
import type { Kernel } from "@groupwise/kernel/language/module.js";
import { carrierOf, formsOf } from "@groupwise/kernel/passes/types/forms.js";

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
