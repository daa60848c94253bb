/** Sizes of arrays in device memory, and how scratch arrays share one buffer. */
import {
  type Binding,
  elementsOf,
  type HostArray,
  type Manifest,
  SCRATCH_ALIGNMENT,
  type Sides,
} from "@groupwise/core";

/** WebGPU binds, copies and clears whole words. */
const WORD = 4;

/** Bytes of an array, in whole words; at least one element, since WebGPU binds no empty range. */
export function bytesOf(binding: Binding, sides: Sides): number {
  return Math.ceil((Math.max(1, elementsOf(binding, sides)) * binding.bytesPerElement) / WORD) * WORD;
}

/** An input as whole words: an odd number of halves gets one more. */
export function wholeWords(array: HostArray): HostArray {
  if (array.byteLength % WORD === 0) return array;
  const words = new Uint32Array(Math.ceil(array.byteLength / WORD));
  new Uint8Array(words.buffer).set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
  return words;
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
