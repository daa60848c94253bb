/** Reads typed arrays of callers without properties that a caller can replace. */
import { errorOf } from "@groupwise/ir/base/errors.js";
import { getterOf, kindOf, TYPED_ARRAY, typedArrayName } from "@groupwise/ir/base/kind.js";
import { type ArrayType, arraySpec } from "@groupwise/ir/tables/narrow.js";
import type { HostArray } from "@groupwise/ir/tables/scalar.js";

export { kindOf, shown, typedArrayName } from "@groupwise/ir/base/kind.js";

const bufferOf = /*@__PURE__*/ getterOf(TYPED_ARRAY, "buffer") as (value: unknown) => ArrayBufferLike;
const byteOffsetOf = /*@__PURE__*/ getterOf(TYPED_ARRAY, "byteOffset") as (value: unknown) => number;
const lengthOf = /*@__PURE__*/ getterOf(TYPED_ARRAY, "length") as (value: unknown) => number;
const bytesOf = /*@__PURE__*/ getterOf(ArrayBuffer.prototype, "byteLength") as (value: unknown) => number;
const resizable = /*@__PURE__*/ getterOf(ArrayBuffer.prototype, "resizable");

/** Whether the memory of an array exists: its buffer was neither transferred nor made too small for it. */
function isPresent(array: unknown): boolean {
  try {
    Reflect.apply(Uint8Array.prototype.keys, array, []);
    return true;
  } catch {
    return false;
  }
}

/** Whether the memory is neither shared nor resizable, as drivers and browsers require. */
function isPlain(buffer: ArrayBufferLike): boolean {
  try {
    bytesOf(buffer);
    return resizable?.(buffer) !== true;
  } catch {
    return false; // shared
  }
}

/** Whether threads share the memory. */
export const isShared = (buffer: ArrayBufferLike): boolean =>
  typeof SharedArrayBuffer === "function" && buffer instanceof SharedArrayBuffer;

/** The remedy for the bytes of a canvas. */
const pixels = (value: unknown): { readonly remedy?: string } =>
  typedArrayName(value) === "Uint8ClampedArray"
    ? { remedy: "pass the same bytes without a copy: new Uint8Array(a.buffer, a.byteOffset, a.length)" }
    : {};

/** Whether an array has the elements of a type; newer engines have a class for halves. */
const holds = (type: ArrayType, name: string | undefined): boolean =>
  name === arraySpec(type).array.name || (type === "f16" && name === "Float16Array");

/**
 * The elements of a caller's array as they are now: a plain view of them, or a copy if the memory is shared
 * with other threads or resizable; the bits of a `Float16Array`. Runs no code of the caller.
 * @param name of the array, for errors
 * @param where the pipeline, for errors
 * @param keepsShared true for a view of shared memory too
 * @throws GroupwiseError `wrong-dtype`, `detached`, `bad-buffer` if there is no memory for a copy
 */
export function hostView(
  type: ArrayType,
  value: unknown,
  name: string,
  where: string = "",
  keepsShared: boolean = false,
): HostArray {
  const { array } = arraySpec(type);
  if (!holds(type, typedArrayName(value)))
    throw errorOf(
      "wrong-dtype",
      { name, want: `${array.name} (${type})`, got: kindOf(value), ...pixels(value) },
      where,
    );
  if (!isPresent(value)) throw errorOf("detached", { name }, where);
  const viewed = array as unknown as new (
    buffer: ArrayBufferLike,
    byteOffset: number,
    length: number,
  ) => HostArray;
  const buffer = bufferOf(value);
  const view = new viewed(buffer, byteOffsetOf(value), lengthOf(value));
  if (isPlain(buffer) || (keepsShared && isShared(buffer))) return view;
  try {
    return view.slice() as HostArray;
  } catch (cause) {
    const reason = `there is not enough memory for a copy of its ${view.byteLength} bytes`;
    throw errorOf("bad-buffer", { name, reason }, where, cause);
  }
}
