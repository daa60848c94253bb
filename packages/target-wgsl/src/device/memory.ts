/** Sizes of arrays in device memory, and how scratch arrays share one buffer. */
import { type Binding, evaluate, type HostArray, type Manifest } from "@groupwise/core";
import type { Sides } from "@groupwise/core/target";
import { isOptional, SCRATCH_ALIGNMENT } from "@groupwise/core/target";
import type { Limits } from "./limits.ts";
import { bufferBytesOf, cutsOf } from "./parts.ts";

/** WebGPU binds, copies and clears whole words. */
const WORD = 4;

/** Bytes of an array, in whole words. */
export const bytesOf = ({ bytes }: Binding, sides: Sides): number => evaluate(bytes, sides);

/** An input as whole words: an odd number of halves gets one more. */
export function wholeWords(array: HostArray): HostArray {
  if (array.byteLength % WORD === 0) return array;
  const words = new Uint32Array(Math.ceil(array.byteLength / WORD));
  new Uint8Array(words.buffer).set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
  return words;
}

const aligned = (bytes: number): number => Math.ceil(bytes / SCRATCH_ALIGNMENT) * SCRATCH_ALIGNMENT;

export interface GpuScratchPlan {
  /** Of all arrays together, gaps included. */
  readonly bytes: number;
  /** The offset of every binding of an array. */
  readonly offsets: ReadonlyMap<string, readonly number[]>;
}

/**
 * Offsets of the arrays that share the scratch memory, except those `given` by the caller. No binding reaches
 * over the end of a buffer.
 */
export function scratchPlan(
  manifest: Manifest,
  sides: Sides,
  limits: Limits,
  given: (name: string) => boolean = () => false,
): GpuScratchPlan {
  const offsets = new Map<string, number[]>();
  const bufferBytes = bufferBytesOf(limits);
  let bytes = 0;
  const place = (size: number): number => {
    const left = bufferBytes - (bytes % bufferBytes);
    const at = size > left ? bytes + left : bytes;
    bytes = at + aligned(size);
    return at;
  };
  const cuts = manifest.bindings
    .filter((binding) => isOptional(binding) && !given(binding.name))
    .flatMap((binding) => {
      const own: number[] = [];
      offsets.set(binding.name, own);
      return cutsOf(binding, bytesOf(binding, sides)).map(({ size }, i) => ({ own, i, size }));
    });
  // Whole parts first: they fill buffers, and a last part between them would leave the room of a part.
  for (const { own, i, size } of cuts.sort((a, b) => b.size - a.size)) own[i] = place(size);
  return { bytes, offsets };
}
