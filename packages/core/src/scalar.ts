/**
 * Element types. One row per type holds everything that is true of it on every target; how a target
 * spells it stands in that target's own table.
 */

/** The element types, in the project's spelling. OpenCL C calls them int uint long ulong half float double bool. */
export type Scalar = "i32" | "u32" | "i64" | "u64" | "f16" | "f32" | "f64" | "bool";

/** A value of some element type on the host: bigint for i64 and u64, boolean for bool, number otherwise. */
export type ScalarValue = number | bigint | boolean;

/** The host's array for a type. f16 travels as its 16 bits; bool as bytes that are 0 or 1. */
export type HostArray =
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array
  | Uint16Array
  | Float32Array
  | Float64Array
  | Uint8Array;

/** What operators look at in a type. */
export type ScalarKind = "int" | "uint" | "float" | "bool";

/** A row of {@link SCALARS}. */
export interface ScalarSpec {
  readonly kind: ScalarKind;
  readonly bits: 1 | 16 | 32 | 64;
  /** Bytes of one element in a host array. */
  readonly hostBytes: number;
  /** Bytes of one element in device memory; a bool is a 32-bit 0 or 1 there. */
  readonly deviceBytes: number;
  readonly array: new (lengthOrBuffer: number) => HostArray;
  /** Least and greatest value that an identity can name: infinities for floats. */
  readonly lowest: ScalarValue;
  readonly highest: ScalarValue;
  /** Rounds (floats) or wraps (integers) an exact result of one operation into the type. */
  wrap(exact: ScalarValue): ScalarValue;
  /** What a host array holds for a value. */
  toHost(value: ScalarValue): number | bigint;
  /** The value that a host array's element stands for. */
  fromHost(stored: number | bigint): ScalarValue;
}

const asIs = (x: ScalarValue): number | bigint => x as number | bigint;
const same = (x: number | bigint): ScalarValue => x;

/** Every element type: what is true of it on every target. */
export const SCALARS: Readonly<Record<Scalar, ScalarSpec>> = {
  i32: {
    kind: "int",
    bits: 32,
    hostBytes: 4,
    deviceBytes: 4,
    array: Int32Array,
    lowest: -0x80000000,
    highest: 0x7fffffff,
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
    lowest: 0,
    highest: 0xffffffff,
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
    lowest: -(2n ** 63n),
    highest: 2n ** 63n - 1n,
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
    lowest: 0n,
    highest: 2n ** 64n - 1n,
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
    lowest: Number.NEGATIVE_INFINITY,
    highest: Number.POSITIVE_INFINITY,
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
    lowest: Number.NEGATIVE_INFINITY,
    highest: Number.POSITIVE_INFINITY,
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
    lowest: Number.NEGATIVE_INFINITY,
    highest: Number.POSITIVE_INFINITY,
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
    lowest: false,
    highest: true,
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

/** The 16 bits of the half nearest to `x`, ties to even; any NaN gives 0x7e00. Exact for every double. */
export function numberToHalf(x: number): number {
  if (Number.isNaN(x)) return 0x7e00;
  const sign = x < 0 || Object.is(x, -0) ? 0x8000 : 0;
  const magnitude = Math.abs(x);
  if (magnitude >= 65520) return sign | 0x7c00;
  // Below 2^-14 a half's step is 2^-24; above, 2^-10 of its leading bit.
  const exponent = Math.max(-14, Math.floor(Math.log2(magnitude || 1e-300)));
  const fix =
    magnitude < 2 ** exponent ? exponent - 1 : magnitude >= 2 ** (exponent + 1) ? exponent + 1 : exponent;
  const e = Math.max(-14, fix);
  const steps = roundHalfEven(magnitude * 2 ** (10 - e));
  return sign | (steps + (e + 14) * 1024);
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
export const isFloat = (type: Scalar): boolean => SCALARS[type].kind === "float";
