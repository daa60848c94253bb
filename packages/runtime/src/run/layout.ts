/** The form of elements in device memory, for all pipelines. */

import { errorOf } from "@groupwise/ir/base/errors.js";
import { type ArrayType, isNarrow } from "@groupwise/ir/tables/narrow.js";
import { type Capabilities, isSupported } from "@groupwise/kernel/capabilities/capabilities.js";
import {
  elementBytes,
  emulatedMemory,
  hostForm,
  type MemoryType,
  type Stored,
} from "@groupwise/kernel/language/memory.js";

/** The form of one element. */
export interface Layout {
  readonly type: ArrayType;
  /** As in a manifest's bindings. */
  readonly memory: MemoryType;
  readonly bytesPerElement: number;
}

/**
 * The layout of the bindings of all pipelines that are lowered for these capabilities.
 * @throws GroupwiseError `unsupported`
 */
export function layoutOf(type: ArrayType, { scalars, halfMemory, boolMemory, narrow }: Capabilities): Layout {
  const laidOut = (stored: Stored): Layout => {
    const form = hostForm(stored, boolMemory);
    return { ...form, bytesPerElement: elementBytes(form) };
  };
  if (isNarrow(type)) {
    if (typeof narrow === "object") throw errorOf("unsupported", { what: type, reason: narrow.unsupported });
    return laidOut({ type });
  }
  const support = scalars[type];
  if (!isSupported(support)) throw errorOf("unsupported", { what: type, reason: support.unsupported });
  return laidOut(support === "native" ? { type } : { type, memory: emulatedMemory(type, halfMemory) });
}
