/** Sizes of arrays in device memory, and how scratch arrays share one buffer. */
import { type Binding, elementsOf, type Manifest, SCRATCH_ALIGNMENT, type Sides } from "@groupwise/core";

/** Bytes of an array; at least one element, since WebGPU binds no empty range. */
export function bytesOf(binding: Binding, sides: Sides): number {
  return Math.max(1, elementsOf(binding, sides)) * binding.bytesPerElement;
}

const aligned = (bytes: number): number => Math.ceil(bytes / SCRATCH_ALIGNMENT) * SCRATCH_ALIGNMENT;

/** Arrays that a caller need not give: what lives during one run only, the status, hidden outputs. */
export const isOptional = (binding: Binding): boolean =>
  binding.role === "scratch" || binding.role === "status" || binding.hidden === true;

export interface ScratchPlan {
  readonly bytes: number;
  readonly offsets: ReadonlyMap<string, number>;
}

/** Places of the arrays that share the scratch buffer, those `given` by the caller left out. */
export function scratchPlan(
  manifest: Manifest,
  sides: Sides,
  given: (name: string) => boolean = () => false,
): ScratchPlan {
  const offsets = new Map<string, number>();
  let bytes = 0;
  for (const binding of manifest.bindings) {
    if (!isOptional(binding) || given(binding.name)) continue;
    offsets.set(binding.name, bytes);
    bytes += aligned(bytesOf(binding, sides));
  }
  return { bytes, offsets };
}
