/** How elements stand in device memory, where that is another form than their type's own. */
import { SCALARS, type Scalar } from "../scalar.ts";
import type { Buffer } from "./stmt.ts";

/**
 * An element of device memory: a type's own form, or the 16 bits of a half in one of two. `half`: languages
 * that read it as an f32 and round an f32 to it; `u16`: languages that have its bits only.
 */
export type Memory = Scalar | "half" | "u16";

/** The type that a load gives and a store takes. */
export function valueIn(memory: Memory): Scalar {
  return memory === "half" ? "f32" : memory === "u16" ? "u32" : memory;
}

/** An array, as far as its memory goes; `memory` is absent where it is the type's own form. */
export type Stored = Pick<Buffer, "type" | "memory">;

/** The form of an element in memory. */
export const memoryOf = ({ type, memory = type }: Stored): Memory => memory;

/** Elements of memory that hold one element of the array: two words for 64 bits. */
export function unitsOf(stored: Stored): 1 | 2 {
  return SCALARS[stored.type].bits === 64 && memoryOf(stored) === "u32" ? 2 : 1;
}

/** Bytes of device memory for one element of the array. */
export function elementBytes(stored: Stored): number {
  const memory = memoryOf(stored);
  return unitsOf(stored) * (memory === "half" || memory === "u16" ? 2 : SCALARS[memory].deviceBytes);
}
