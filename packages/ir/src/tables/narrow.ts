/**
 * Types that only elements in memory have. A load widens an element to a value of an element type, a store narrows a
 * value to it; kernels compute with the element type, so that no operator has a row for a narrow type.
 */
import { SCALAR_NAMES, SCALARS, type Scalar, type ScalarSpec, type ScalarValue } from "./scalar.ts";

/** Types of array elements that are narrower than the values that they hold. bf16 is the upper half of an f32. */
export type Narrow = "i8" | "u8" | "i16" | "u16" | "bf16";

/** The type of the elements of an array: an element type, or a narrow one. */
export type ArrayType = Scalar | Narrow;

/** The typed arrays of {@link Narrow}. */
export type NarrowHostArray = Int8Array | Uint8Array | Int16Array | Uint16Array;

/** A row of {@link NARROW}. */
export interface NarrowSpec {
  /** The type of the values: what a load returns and a store takes. */
  readonly value: "i32" | "u32" | "f32";
  readonly bits: 8 | 16;
  readonly hostBytes: 1 | 2;
  readonly array: new (length: number) => NarrowHostArray;
  /** The least and the greatest integer of the type; undefined for floats, which never saturate. */
  readonly range: readonly [number, number] | undefined;
  /** The element for a value: integers wrap, floats round to nearest, ties to even. */
  toHost(value: ScalarValue): number;
  /** The value of an element. */
  fromHost(stored: number | bigint): number;
}

const word = /*@__PURE__*/ new DataView(new ArrayBuffer(4));

/** The 16 bits of the bfloat16 nearest to an f32, ties to even; any NaN becomes 0x7fc0. */
export function numberToBfloat(x: number): number {
  if (Number.isNaN(x)) return 0x7fc0;
  word.setFloat32(0, x);
  const bits = word.getUint32(0);
  return ((bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16) & 0xffff;
}

/** The value of 16 bits read as a bfloat16. */
export function bfloatToNumber(bits: number): number {
  word.setUint32(0, bits * 2 ** 16);
  return word.getFloat32(0);
}

const itself = (stored: number | bigint): number => Number(stored);

/** Every narrow type. */
export const NARROW: { readonly [N in Narrow]: NarrowSpec } = {
  i8: {
    value: "i32",
    bits: 8,
    hostBytes: 1,
    array: Int8Array,
    range: [-0x80, 0x7f],
    toHost: (x) => (Number(x) << 24) >> 24,
    fromHost: itself,
  },
  u8: {
    value: "u32",
    bits: 8,
    hostBytes: 1,
    array: Uint8Array,
    range: [0, 0xff],
    toHost: (x) => Number(x) & 0xff,
    fromHost: itself,
  },
  i16: {
    value: "i32",
    bits: 16,
    hostBytes: 2,
    array: Int16Array,
    range: [-0x8000, 0x7fff],
    toHost: (x) => (Number(x) << 16) >> 16,
    fromHost: itself,
  },
  u16: {
    value: "u32",
    bits: 16,
    hostBytes: 2,
    array: Uint16Array,
    range: [0, 0xffff],
    toHost: (x) => Number(x) & 0xffff,
    fromHost: itself,
  },
  bf16: {
    value: "f32",
    bits: 16,
    hostBytes: 2,
    array: Uint16Array,
    range: undefined,
    toHost: (x) => numberToBfloat(Number(x)),
    fromHost: (bits) => bfloatToNumber(Number(bits)),
  },
};

/** Every narrow type, in table order. */
export const NARROW_NAMES: readonly Narrow[] = Object.keys(NARROW) as Narrow[];
/** Every type of array elements, in table order. */
export const ARRAY_TYPES: readonly ArrayType[] = [...SCALAR_NAMES, ...NARROW_NAMES];

/** True for a name of the table; safe on names of Object.prototype. */
export const isNarrow = (name: unknown): name is Narrow =>
  typeof name === "string" && Object.hasOwn(NARROW, name);

/** The properties of the elements of a host array. */
export type ArraySpec = Pick<ScalarSpec, "array" | "hostBytes" | "toHost" | "fromHost">;

/** The host array of a type, and the conversions between elements and values. */
export const arraySpec = (type: ArrayType): ArraySpec => (isNarrow(type) ? NARROW[type] : SCALARS[type]);

/** The type of the values that an array holds. */
export const valueTypeOf = (type: ArrayType): Scalar => (isNarrow(type) ? NARROW[type].value : type);

/** The value of an element after a value of {@link valueTypeOf} was stored in it. */
export const storedValue = (type: ArrayType, value: ScalarValue): ScalarValue =>
  isNarrow(type) ? NARROW[type].fromHost(NARROW[type].toHost(value)) : value;
