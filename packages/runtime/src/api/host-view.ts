/** Reads typed arrays of callers without properties that a caller can replace. */
import { errorOf } from "@groupwise/ir/base/errors.js";
import { ARRAY_TYPES, type ArrayType, arraySpec } from "@groupwise/ir/tables/narrow.js";
import type { HostArray } from "@groupwise/ir/tables/scalar.js";

// Programs that only emit do not bundle this: bundlers drop calls without effects.
const TYPED_ARRAY: object = /*@__PURE__*/ Object.getPrototypeOf(Uint8Array.prototype);

/** The language's own getter of a property; undefined if this engine lacks it. */
function getterOf(of: object, name: PropertyKey): ((value: unknown) => unknown) | undefined {
  const get = Object.getOwnPropertyDescriptor(of, name)?.get;
  return get && ((value) => Reflect.apply(get, value, []));
}

const tag = /*@__PURE__*/ getterOf(TYPED_ARRAY, Symbol.toStringTag) as (value: unknown) => string | undefined;
const bufferOf = /*@__PURE__*/ getterOf(TYPED_ARRAY, "buffer") as (value: unknown) => ArrayBufferLike;
const byteOffsetOf = /*@__PURE__*/ getterOf(TYPED_ARRAY, "byteOffset") as (value: unknown) => number;
const lengthOf = /*@__PURE__*/ getterOf(TYPED_ARRAY, "length") as (value: unknown) => number;
const bytesOf = /*@__PURE__*/ getterOf(ArrayBuffer.prototype, "byteLength") as (value: unknown) => number;
const resizable = /*@__PURE__*/ getterOf(ArrayBuffer.prototype, "resizable");

/**
 * The class of a typed array; undefined for anything else, including proxies and imitations of typed arrays.
 */
export const typedArrayName = (value: unknown): string | undefined => tag(value);

/** A short description of a value; safe for hostile values. */
export function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (typeof value !== "object") return typeof value;
  const typed = typedArrayName(value);
  if (typed !== undefined) return typed;
  try {
    if (typeof (value as { then?: unknown }).then === "function") return "a promise, which needs `await`";
    const { name } = value.constructor;
    if (typeof name !== "string" || !/^\w{1,40}$/.test(name)) return "object";
    return ARRAY_TYPES.some((type) => arraySpec(type).array.name === name)
      ? `an object that imitates ${name}`
      : name;
  } catch {
    return "object";
  }
}

/** A value for a message: a number unchanged, otherwise a description. */
export function shown(value: unknown): string {
  if (typeof value === "string") return `the string ${value.slice(0, 40)}`;
  if (typeof value === "bigint") return `${value}n`;
  return typeof value === "number" || typeof value === "boolean" || value === undefined
    ? String(value)
    : kindOf(value);
}

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

/**
 * The elements of a caller's array as they are now: a plain view of them, or a copy if the memory is shared
 * with other threads or resizable. Runs no code of the caller.
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
  if (typedArrayName(value) !== array.name)
    throw errorOf("wrong-dtype", { name, want: `${array.name} (${type})`, got: kindOf(value) }, where);
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
