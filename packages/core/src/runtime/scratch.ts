/** How the arrays of one run that nobody gave share one piece of memory. */
import { evaluate, type Sides } from "../formula.ts";
import { type Binding, type Manifest, SCRATCH_ALIGNMENT } from "../manifest.ts";

/** Arrays that a caller need not give: what lives during one run only, the status, hidden outputs. */
export const isOptional = (binding: Binding): boolean =>
  binding.role === "scratch" || binding.role === "status" || binding.hidden === true;

/** Places of arrays in one piece of memory. */
export interface ScratchPlan {
  readonly bytes: number;
  /** By array name, in bytes. */
  readonly offsets: ReadonlyMap<string, number>;
}

/** How scratch is laid out. */
export interface ScratchOptions {
  /** Bytes: arrays begin at multiples of it. */
  readonly alignment?: number;
  /** Arrays that stand elsewhere. */
  readonly given?: (binding: Binding) => boolean;
}

/**
 * Places of the arrays that share scratch memory, one after the other.
 * @param sides the range; for fewer items the same places do
 */
export function scratchPlan(manifest: Manifest, sides: Sides, options: ScratchOptions = {}): ScratchPlan {
  const { alignment = SCRATCH_ALIGNMENT, given = () => false } = options;
  const offsets = new Map<string, number>();
  let bytes = 0;
  for (const binding of manifest.bindings) {
    if (!isOptional(binding) || given(binding)) continue;
    offsets.set(binding.name, bytes);
    const size = Math.max(1, evaluate(binding.elements, sides)) * binding.bytesPerElement;
    bytes += Math.ceil(size / alignment) * alignment;
  }
  return { bytes, offsets };
}
