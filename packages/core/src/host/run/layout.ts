/** The form of elements in device memory, for all pipelines. */
import { type Capabilities, isSupported } from "../../compiler/capabilities/capabilities.ts";
import { elementBytes, emulatedMemory, type Memory, type Stored } from "../../compiler/kernel/memory.ts";
import { errorOf } from "../../ir/base/errors.ts";
import { type ArrayType, isNarrow } from "../../ir/tables/narrow.ts";

/** The form of one element. */
export interface Layout {
  readonly type: ArrayType;
  /** As in a manifest's bindings: absent if it is the type's own form. */
  readonly memory?: Memory;
  readonly bytesPerElement: number;
}

/**
 * The layout of the bindings of all pipelines that are lowered for these capabilities.
 * @throws GroupwiseError `unsupported`
 */
export function layoutOf(type: ArrayType, { scalars, halfMemory, narrow }: Capabilities): Layout {
  if (isNarrow(type)) {
    if (typeof narrow === "object") throw errorOf("unsupported", { what: type, reason: narrow.unsupported });
    return { type, bytesPerElement: elementBytes({ type }) };
  }
  const support = scalars[type];
  if (!isSupported(support)) throw errorOf("unsupported", { what: type, reason: support.unsupported });
  const stored: Stored = support === "native" ? { type } : { type, memory: emulatedMemory(type, halfMemory) };
  return { ...stored, bytesPerElement: elementBytes(stored) };
}
