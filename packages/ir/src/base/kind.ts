/** What a value of a caller is, in words; safe for hostile values. */
import { ARRAY_TYPES, arraySpec } from "../tables/narrow.ts";

// Programs that only emit do not bundle this: bundlers drop calls without effects.
export const TYPED_ARRAY: object = /*@__PURE__*/ Object.getPrototypeOf(Uint8Array.prototype);

/** The language's own getter of a property; undefined if this engine lacks it. */
export function getterOf(of: object, name: PropertyKey): ((value: unknown) => unknown) | undefined {
  const get = Object.getOwnPropertyDescriptor(of, name)?.get;
  return get && ((value) => Reflect.apply(get, value, []));
}

const tag = /*@__PURE__*/ getterOf(TYPED_ARRAY, Symbol.toStringTag) as (value: unknown) => string | undefined;
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
