/** Typed arrays of callers, looked at through no property that a caller can replace. */
import { errorOf } from "../errors.ts";
import { type HostArray, SCALARS, type Scalar } from "../scalar.ts";

// What only emits carries none of this: bundlers leave out calls without effects.
const TYPED_ARRAY: object = /*@__PURE__*/ Object.getPrototypeOf(Uint8Array.prototype);

/** The getter of a property as the language defines it; undefined where this engine lacks it. */
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

/** The class of a typed array; undefined for all else, proxies and imitations of typed arrays among it. */
export const typedArrayName = (value: unknown): string | undefined => tag(value);

/** What a value is, in a word or two, whatever it does when it is looked at. */
export function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (typeof value !== "object") return typeof value;
  const typed = typedArrayName(value);
  if (typed !== undefined) return typed;
  try {
    const { name } = value.constructor;
    if (typeof name !== "string" || !/^\w{1,40}$/.test(name)) return "object";
    return Object.values(SCALARS).some(({ array }) => array.name === name)
      ? `an object that only looks like ${name}`
      : name;
  } catch {
    return "object";
  }
}

/** A value for a message: a number as it is, and of others what they are. */
export function shown(value: unknown): string {
  if (typeof value === "string") return `the string ${value.slice(0, 40)}`;
  if (typeof value === "bigint") return `${value}n`;
  return typeof value === "number" || typeof value === "boolean" || value === undefined
    ? String(value)
    : kindOf(value);
}

/** Whether its elements are there: the buffer was neither transferred nor made too small for it. */
function isThere(array: unknown): boolean {
  try {
    Reflect.apply(Uint8Array.prototype.keys, array, []);
    return true;
  } catch {
    return false;
  }
}

/** Memory that nobody else writes and that keeps its size, which is all that drivers and browsers take. */
function isPlain(buffer: ArrayBufferLike): boolean {
  try {
    bytesOf(buffer);
    return resizable?.(buffer) !== true;
  } catch {
    return false; // shared
  }
}

/**
 * The elements of a caller's array as they are now: a plain view of them, or a copy where the memory is shared with
 * other threads or resizable. Runs none of the caller's code.
 * @param name of the array, for errors
 * @param where the pipeline, for errors
 * @throws GroupwiseError `wrong-dtype`, `detached`, `bad-buffer` where there is no memory for a copy
 */
export function hostView(type: Scalar, value: unknown, name: string, where: string = ""): HostArray {
  const { array } = SCALARS[type];
  if (typedArrayName(value) !== array.name)
    throw errorOf("wrong-dtype", { name, want: `${array.name} (${type})`, got: kindOf(value) }, where);
  if (!isThere(value)) throw errorOf("detached", { name }, where);
  const viewed = array as unknown as new (
    buffer: ArrayBufferLike,
    byteOffset: number,
    length: number,
  ) => HostArray;
  const buffer = bufferOf(value);
  const view = new viewed(buffer, byteOffsetOf(value), lengthOf(value));
  if (isPlain(buffer)) return view;
  try {
    return view.slice() as HostArray;
  } catch (cause) {
    const reason = `there is no memory for a copy of its ${view.byteLength} bytes`;
    throw errorOf("bad-buffer", { name, reason }, where, cause);
  }
}
