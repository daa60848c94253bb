/** Keys that sorts go wrong on, and the platform's own stable sort of them. */
import type { ArrayType, HostArray, HostArrays } from "@groupwise/core";
import { arraySpec, valueTypeOf } from "@groupwise/core/target";
import {
  bf16,
  bool,
  f16,
  f32,
  f64,
  i8,
  i16,
  i32,
  i64,
  type ScalarType,
  u8,
  u16,
  u32,
  u64,
} from "@groupwise/dsl";
import { randomOf, specials, toArray, toValues } from "@groupwise/testkit";

export const TYPES = { i32, u32, i64, u64, f16, f32, f64, bool, i8, u8, i16, u16, bf16 } as const;
export const typeOf = (type: ArrayType): ScalarType<"u32"> => TYPES[type] as unknown as ScalarType<"u32">;

type Make = (type: ArrayType, n: number, seed: string) => HostArray;

/** Any bits: NaNs of all payloads and signs, subnormals, infinities among them. */
const anyBits: Make = (type, n, seed) => {
  const random = randomOf(seed);
  const array = new (arraySpec(type).array)(n) as HostArray;
  const bytes = new Uint8Array(array.buffer);
  for (let i = 0; i < bytes.length; i++) bytes[i] = (random.bits() >>> 24) & (type === "bool" ? 1 : 255);
  return array;
};
const among = (type: ArrayType, values: HostArray, n: number, seed: string): HostArray => {
  const random = randomOf(seed);
  const array = new (arraySpec(type).array)(n) as HostArray;
  for (let i = 0; i < n; i++) array[i] = values[random.bits() % values.length] as never;
  return array;
};

/** By name. */
export const KEYS: Readonly<Record<string, Make>> = {
  "any bits": anyBits,
  "special values": (type, n, seed) => among(type, toArray(type, specials(valueTypeOf(type))), n, seed),
  "few distinct": (type, n, seed) => among(type, anyBits(type, 3, `${seed} values`), n, seed),
  "all equal": (type, n, seed) => among(type, anyBits(type, 1, `${seed} value`), n, seed),
  sorted: (type, n, seed) => sorted(type, anyBits(type, n, seed)).keys,
  reversed: (type, n, seed) => sorted(type, anyBits(type, n, seed), true).keys,
};

/** Keys as their type orders them, by the platform's own stable sort, with where each came from. */
export function sorted<S extends ArrayType>(
  type: S,
  keys: HostArray,
  descending: boolean = false,
): { readonly keys: HostArrays[S]; readonly from: Uint32Array } {
  const values = toValues(type, keys);
  const isNone = values.map((value) => Number.isNaN(value));
  const isMinusZero = values.map((value) => Object.is(value, -0));
  const direction = descending ? -1 : 1;
  const order = values.map((_, i) => i);
  order.sort((a, b) => {
    if (isNone[a] || isNone[b]) return Number(isNone[a]) - Number(isNone[b]);
    const [x, y] = [values[a] as number, values[b] as number];
    if (x !== y) return x < y ? -direction : direction;
    return direction * (Number(isMinusZero[b]) - Number(isMinusZero[a]));
  });
  return { keys: pick(keys, order) as HostArrays[S], from: Uint32Array.from(order) };
}

/** The elements at some places. */
export function pick(array: HostArray, places: ArrayLike<number>): HostArray {
  const picked = new (array.constructor as Uint32ArrayConstructor)(places.length) as HostArray;
  for (let i = 0; i < places.length; i++) picked[i] = array[places[i] as number] as never;
  return picked;
}
