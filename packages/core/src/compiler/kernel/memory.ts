/** How elements stand in device memory, where that is another form than their type's own. */
import { errorOf } from "../../ir/base/errors.ts";
import { isScalar, SCALARS, type Scalar, type ScalarSpec } from "../../ir/tables/scalar.ts";
import type { Buffer } from "./module.ts";

/**
 * An element of device memory: a type's own form, or the 16 bits of a half in one of two. `half`: languages
 * that read it as an f32 and round an f32 to it; `u16`: languages that have its bits only.
 */
export type Memory = Scalar | "half" | "u16";

/** What only memory holds: the type that a load gives and a store takes, and the bytes of an element. */
const FORMS: Readonly<Record<Exclude<Memory, Scalar>, { readonly value: Scalar; readonly bytes: number }>> = {
  half: { value: "f32", bytes: 2 },
  u16: { value: "u32", bytes: 2 },
};
const formIn = (memory: Memory): { readonly value: Scalar; readonly bytes: number } =>
  isScalar(memory) ? { value: memory, bytes: SCALARS[memory].deviceBytes } : FORMS[memory];

/** The type that a load gives and a store takes. */
export const valueIn = (memory: Memory): Scalar => formIn(memory).value;

/** In which form kernels compute with a type that an implementation lacks. */
export type EmulatedForm = Exclude<ScalarSpec["emulated"], "never">;

/**
 * The form of a type that is emulated.
 * @throws GroupwiseError `bad-kernel` where nothing emulates it
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
/** How elements of an emulated type stand in device memory. */
export const emulatedMemory = (type: Scalar, halfMemory: Memory): Memory =>
  EMULATED[emulatedForm(type)](halfMemory);

/** An array, as far as its memory goes; `memory` is absent where it is the type's own form. */
export type Stored = Pick<Buffer, "type" | "memory">;

/** The form of an element in memory. */
export const memoryOf = ({ type, memory = type }: Stored): Memory => memory;

/** Elements of memory that hold one element of the array: two words for 64 bits. */
export function unitsOf(stored: Stored): 1 | 2 {
  return SCALARS[stored.type].emulated === "words" && memoryOf(stored) === "u32" ? 2 : 1;
}

/** Bytes of device memory for one element of the array. */
export function elementBytes(stored: Stored): number {
  return unitsOf(stored) * formIn(memoryOf(stored)).bytes;
}
