/** The form of elements in device memory, if it differs from their type's own form. */
import { errorOf } from "@groupwise/ir/base/errors.js";
import { type ArrayType, isNarrow, NARROW } from "@groupwise/ir/tables/narrow.js";
import { SCALARS, type Scalar, type ScalarSpec } from "@groupwise/ir/tables/scalar.js";
import type { Buffer } from "./module.ts";

/** An element of device memory: a type's own form, or a narrow one. The bits of a half are a `u16`. */
export type Memory = ArrayType;

/** The type that a load returns and a store takes, and the bytes of an element. */
function formIn(memory: Memory): { readonly value: Scalar; readonly bytes: number } {
  if (isNarrow(memory)) return { value: NARROW[memory].value, bytes: NARROW[memory].hostBytes };
  return { value: memory, bytes: SCALARS[memory].deviceBytes };
}

/** The type that a load returns and a store takes. */
export const valueIn = (memory: Memory): Scalar => formIn(memory).value;

/** A type that hosts have too: that of what lies in memory. */
export type MemoryType = Exclude<Memory, "bool" | "bf16">;

/** An element as a host finds it. */
export interface HostForm {
  readonly type: ArrayType;
  readonly memory: MemoryType;
}

/** The form of an element on the host's side: kernels name a bool and a bf16, which are numbers in memory. */
export function hostForm({ type, memory = type }: Stored, boolMemory: MemoryType): HostForm {
  return { type, memory: memory === "bool" ? boolMemory : memory === "bf16" ? "u16" : memory };
}

/** The form in which kernels compute with a type that an implementation lacks. */
export type EmulatedForm = Exclude<ScalarSpec["emulated"], "never">;

/**
 * The form of a type that is emulated.
 * @throws GroupwiseError `bad-kernel` if the type cannot be emulated
 */
export function emulatedForm(type: Scalar): EmulatedForm {
  const { emulated } = SCALARS[type];
  if (emulated === "never") throw errorOf("bad-kernel", { reason: `nothing emulates ${type}` });
  return emulated;
}

const EMULATED: Readonly<Record<EmulatedForm, (halfMemory: Memory) => Memory>> = {
  words: () => "u32",
  rounded: (halfMemory) => halfMemory,
};
/** How elements of an emulated type are stored in device memory. */
export const emulatedMemory = (type: Scalar, halfMemory: Memory): Memory =>
  EMULATED[emulatedForm(type)](halfMemory);

/** The properties of an array that determine its memory; `memory` is absent if it is the type's own form. */
export type Stored = Pick<Buffer, "type" | "memory">;

/** The form of an element in memory. */
export const memoryOf = ({ type, memory = type }: Stored): Memory => memory;

/** Words that hold an element of a type, by its form if it is emulated. */
const UNITS = { words: 2, rounded: 0.5, never: 1 } as const;

/** Elements of memory that hold one element of the array: two words for 64 bits, a part of a word for narrow ones and halves. */
export function unitsOf({ type, memory }: Stored): 0.25 | 0.5 | 1 | 2 {
  if (memory !== "u32") return 1;
  if (isNarrow(type)) return NARROW[type].bits === 8 ? 0.25 : 0.5;
  return UNITS[SCALARS[type].emulated];
}

/** Bytes of device memory for one element of the array. */
export function elementBytes(stored: Stored): number {
  return unitsOf(stored) * formIn(memoryOf(stored)).bytes;
}
