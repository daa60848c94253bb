/** How elements stand in the memory of a device, whatever pipeline reads them. */
import { type Capabilities, isSupported } from "../capabilities.ts";
import { errorOf } from "../errors.ts";
import { elementBytes, type Memory, type Stored } from "../kernel/memory.ts";
import { SCALARS, type Scalar } from "../scalar.ts";

/** Of one element of an array. */
export interface Layout {
  readonly type: Scalar;
  /** As in a manifest's bindings: absent where it is the type's own form. */
  readonly memory?: Memory;
  readonly bytesPerElement: number;
}

/**
 * The layout that the bindings of every pipeline have that is lowered for these capabilities.
 * @throws GroupwiseError `unsupported`
 */
export function layoutOf(type: Scalar, { scalars, halfMemory }: Capabilities): Layout {
  const support = scalars[type];
  if (!isSupported(support)) throw errorOf("unsupported", { what: type, reason: support.unsupported });
  const emulated: Memory = SCALARS[type].bits === 64 ? "u32" : halfMemory;
  const stored: Stored = support === "native" ? { type } : { type, memory: emulated };
  return { ...stored, bytesPerElement: elementBytes(stored) };
}
