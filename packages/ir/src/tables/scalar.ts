/**
 * Element types. The row of a type has its properties that are the same on every target; how a target
 * spells it is in that target's own table.
 */

/** The element types, in the project's spelling. OpenCL C calls them int uint long ulong half float double bool. */
export type Scalar = "i32" | "u32" | "i64" | "u64" | "f16" | "f32" | "f64" | "bool";

/** A value of some element type on the host: bigint for i64 and u64, boolean for bool, number otherwise. */
export type ScalarValue = number | bigint | boolean;

/** The host's array for a type. An f16 is its 16 bits; a bool is a byte that is 0 or 1. */
export type HostArray =
  | Int8Array
  | Int16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array
  | Uint16Array
  | Float32Array
  | Float64Array
  | Uint8Array;

/** The properties of a type that operators depend on. */
export type ScalarKind = "int" | "uint" | "float" | "bool";

/**
 * The representation of a value in 32-bit words: `bits`, one word read as the type; `low`, the low 16 bits of one word;
 * `pair`, two words, the low one first; `truth`, one word that is 0 or 1.
 */
export type WordForm = "bits" | "low" | "pair" | "truth";

/** A row of {@link SCALARS}. */
export interface ScalarSpec {
  readonly kind: ScalarKind;
  readonly bits: 1 | 16 | 32 | 64;
  /** Bytes of one element in a host array. */
  readonly hostBytes: number;
  /** Bytes of one element in device memory; a bool is a 32-bit 0 or 1 there. */
  readonly deviceBytes: number;
  readonly array: new (lengthOrBuffer: number) => HostArray;
  readonly words: WordForm;
  /** The form in which kernels compute with the type if an implementation lacks it; see {@link Traits}. */
  readonly emulated: "words" | "rounded" | "never";
  /** Least and greatest value, as identities: infinities for floats. */
  readonly lowest: ScalarValue;
  readonly highest: ScalarValue;
  /** The value of a whole number: wrapped, rounded, or whether it is not 0. */
  whole(x: number | bigint): ScalarValue;
  /** Rounds (floats) or wraps (integers) an exact result of one operation into the type. */
  wrap(exact: ScalarValue): ScalarValue;
  /** The element of a host array for a value. */
  toHost(value: ScalarValue): number | bigint;
  /** The value of a host array's element. */
  fromHost(stored: number | bigint): ScalarValue;
}

const asIs = (x: ScalarValue): number | bigint => x as number | bigint;
const same = (x: number | bigint): ScalarValue => x;

/**
 * The properties of types for computed types: a type's kind, its words, and the form in which kernels compute with it if an
 * implementation lacks it. `words`: two u32; `rounded`: a wider float, rounded after each operation; `never`: every
 * implementation has it.
 */
export interface Traits {
  readonly i32: { readonly kind: "int"; readonly words: "bits"; readonly emulated: "never" };
  readonly u32: { readonly kind: "uint"; readonly words: "bits"; readonly emulated: "never" };
  readonly i64: { readonly kind: "int"; readonly words: "pair"; readonly emulated: "words" };
  readonly u64: { readonly kind: "uint"; readonly words: "pair"; readonly emulated: "words" };
  readonly f16: { readonly kind: "float"; readonly words: "low"; readonly emulated: "rounded" };
  readonly f32: { readonly kind: "float"; readonly words: "bits"; readonly emulated: "never" };
  readonly f64: { readonly kind: "float"; readonly words: "pair"; readonly emulated: "words" };
  readonly bool: { readonly kind: "bool"; readonly words: "truth"; readonly emulated: "never" };
}
/** The types whose row of {@link SCALARS} has these properties, for tables that must have a row for each of them. */
export type ScalarsWith<Properties extends Partial<ScalarSpec>> = {
  [S in Scalar]: Traits[S] extends Properties ? S : never;
}[Scalar];
/** f16, f32 and f64. */
export type FloatScalar = ScalarsWith<{ readonly kind: "float" }>;
/** i32, u32, i64 and u64. */
export type IntegerScalar = ScalarsWith<{ readonly kind: "int" | "uint" }>;

/** Every element type, with its properties on every target. */
export const SCALARS: { readonly [S in Scalar]: ScalarSpec & Traits[S] } = {
  i32: {
    kind: "int",
    bits: 32,
    hostBytes: 4,
    deviceBytes: 4,
    array: Int32Array,
    words: "bits",
    emulated: "never",
    lowest: -0x80000000,
    highest: 0x7fffffff,
    whole: (x) => Number(BigInt.asIntN(32, BigInt(x))),
    wrap: (x) => Number(x) | 0,
    toHost: asIs,
    fromHost: same,
  },
  u32: {
    kind: "uint",
    bits: 32,
    hostBytes: 4,
    deviceBytes: 4,
    array: Uint32Array,
    words: "bits",
    emulated: "never",
    lowest: 0,
    highest: 0xffffffff,
    whole: (x) => Number(BigInt.asUintN(32, BigInt(x))),
    wrap: (x) => Number(x) >>> 0,
    toHost: asIs,
    fromHost: same,
  },
  i64: {
    kind: "int",
    bits: 64,
    hostBytes: 8,
    deviceBytes: 8,
    array: BigInt64Array as unknown as ScalarSpec["array"],
    words: "pair",
    emulated: "words",
    lowest: -(2n ** 63n),
    highest: 2n ** 63n - 1n,
    whole: (x) => BigInt.asIntN(64, BigInt(x)),
    wrap: (x) => BigInt.asIntN(64, BigInt(x)),
    toHost: asIs,
    fromHost: same,
  },
  u64: {
    kind: "uint",
    bits: 64,
    hostBytes: 8,
    deviceBytes: 8,
    array: BigUint64Array as unknown as ScalarSpec["array"],
    words: "pair",
    emulated: "words",
    lowest: 0n,
    highest: 2n ** 64n - 1n,
    whole: (x) => BigInt.asUintN(64, BigInt(x)),
    wrap: (x) => BigInt.asUintN(64, BigInt(x)),
    toHost: asIs,
    fromHost: same,
  },
  f16: {
    kind: "float",
    bits: 16,
    hostBytes: 2,
    deviceBytes: 2,
    array: Uint16Array,
    words: "low",
    emulated: "rounded",
    lowest: Number.NEGATIVE_INFINITY,
    highest: Number.POSITIVE_INFINITY,
    whole: (x) => halfToNumber(numberToHalf(Number(x))),
    wrap: (x) => halfToNumber(numberToHalf(Number(x))),
    toHost: (x) => numberToHalf(Number(x)),
    fromHost: (bits) => halfToNumber(Number(bits)),
  },
  f32: {
    kind: "float",
    bits: 32,
    hostBytes: 4,
    deviceBytes: 4,
    array: Float32Array,
    words: "bits",
    emulated: "never",
    lowest: Number.NEGATIVE_INFINITY,
    highest: Number.POSITIVE_INFINITY,
    whole: (x) => Math.fround(Number(x)),
    wrap: (x) => Math.fround(Number(x)),
    toHost: asIs,
    fromHost: same,
  },
  f64: {
    kind: "float",
    bits: 64,
    hostBytes: 8,
    deviceBytes: 8,
    array: Float64Array,
    words: "pair",
    emulated: "words",
    lowest: Number.NEGATIVE_INFINITY,
    highest: Number.POSITIVE_INFINITY,
    whole: (x) => Number(x),
    wrap: (x) => Number(x),
    toHost: asIs,
    fromHost: same,
  },
  bool: {
    kind: "bool",
    bits: 1,
    hostBytes: 1,
    deviceBytes: 4,
    array: Uint8Array,
    words: "truth",
    emulated: "never",
    lowest: false,
    highest: true,
    whole: (x) => Number(x) !== 0,
    wrap: (x) => Boolean(x),
    toHost: (x) => (x ? 1 : 0),
    fromHost: (x) => Boolean(x),
  },
};

/** Every element type, in table order. */
export const SCALAR_NAMES: readonly Scalar[] = Object.keys(SCALARS) as Scalar[];

/** True for a name of the table; safe on names of Object.prototype. */
export function isScalar(name: unknown): name is Scalar {
  return typeof name === "string" && Object.hasOwn(SCALARS, name);
}

const double = /*@__PURE__*/ new DataView(new ArrayBuffer(8));

/** The 16 bits of the half nearest to `x`, ties to even; any NaN becomes 0x7e00. Exact for every double. */
export function numberToHalf(x: number): number {
  if (Number.isNaN(x)) return 0x7e00;
  const sign = x < 0 || Object.is(x, -0) ? 0x8000 : 0;
  const magnitude = Math.abs(x);
  if (magnitude >= 65520) return sign | 0x7c00;
  double.setFloat64(0, magnitude);
  // Below 2^-14 a half's step is 2^-24; above, 2^-10 of its leading bit.
  const exponent = Math.max(-14, (double.getUint16(0) >> 4) - 1023);
  const steps = roundHalfEven(magnitude * 2 ** (10 - exponent));
  return sign | (steps + (exponent + 14) * 1024);
}

/** The value of 16 bits read as an IEEE 754 binary16. */
export function halfToNumber(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  return sign * (1024 + fraction) * 2 ** (exponent - 25);
}

function roundHalfEven(x: number): number {
  const floor = Math.floor(x);
  const rest = x - floor;
  if (rest !== 0.5) return Math.round(x);
  return floor % 2 === 0 ? floor : floor + 1;
}

/** True for f16, f32 and f64. */
export const isFloat = (type: Scalar): type is FloatScalar => SCALARS[type].kind === "float";
