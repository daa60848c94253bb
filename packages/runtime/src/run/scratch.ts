/** Layout of a run's internal arrays in one piece of memory. */
import { evaluate, type Sides } from "@groupwise/ir/base/formula.js";
import { type Binding, type Manifest, SCRATCH_ALIGNMENT } from "../plan/manifest.ts";

/** Arrays that a caller need not pass: scratch, status, hidden outputs. */
export const isOptional = (binding: Pick<Binding, "role" | "hidden">): boolean =>
  binding.role === "scratch" || binding.role === "status" || binding.hidden === true;

/** Offsets of arrays in one piece of memory. */
export interface ScratchPlan {
  readonly bytes: number;
  /** By array name, in bytes. */
  readonly offsets: ReadonlyMap<string, number>;
}

/** Options of the layout. */
export interface ScratchOptions {
  /** Bytes: arrays begin at multiples of it. */
  readonly alignment?: number;
  /** Arrays that are elsewhere. */
  readonly given?: (binding: Binding) => boolean;
}

/**
 * Consecutive offsets of the arrays that share scratch memory.
 * @param sides the range; the same offsets work for fewer items
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
