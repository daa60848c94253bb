/** Host arrays, the values they stand for, and where two of them differ. */
import type { ArrayType, HostArray, ScalarValue } from "@groupwise/core";
import { arraySpec, SCALARS, valueTypeOf } from "@groupwise/core/target";

/** The host array of a list of values. */
export function toArray(type: ArrayType, values: readonly ScalarValue[]): HostArray {
  const { array, toHost } = arraySpec(type);
  const host = new array(values.length);
  for (let i = 0; i < values.length; i++) host[i] = toHost(values[i] as ScalarValue) as never;
  return host;
}

/** The values that a host array stands for. */
export function toValues(type: ArrayType, array: HostArray): ScalarValue[] {
  const { fromHost } = arraySpec(type);
  const values: ScalarValue[] = [];
  // Array.from would take several times as long.
  for (let i = 0; i < array.length; i++) values.push(fromHost(array[i] as number | bigint));
  return values;
}

/** Values of the type that an array holds, narrowed to its elements. */
export const narrowed = (type: ArrayType, values: HostArray): HostArray =>
  toArray(type, toValues(valueTypeOf(type), values));

/** The elements of arrays, one after the other. */
export function joined(arrays: readonly HostArray[]): HostArray {
  const [first] = arrays as readonly [Uint8Array];
  const Type = first.constructor as Uint8ArrayConstructor;
  const all = new Type(arrays.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const array of arrays as readonly Uint8Array[]) {
    all.set(array, at);
    at += array.length;
  }
  return all;
}

/** The bits of a float, which distinguish values that print alike. */
function bitsOf(type: ArrayType, value: ScalarValue): string {
  const bytes = new Uint8Array(toArray(type, [value]).buffer).reverse();
  return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

function show(type: ArrayType, value: ScalarValue | undefined): string {
  if (value === undefined) return "nothing";
  const text = Object.is(value, -0) ? "-0" : String(value);
  const { kind, bits } = SCALARS[valueTypeOf(type)];
  return kind === "float" || bits === 64 ? `${text} (${bitsOf(type, value)})` : text;
}

/** The first index at which two arrays differ bit for bit (any NaN equals any NaN), and the number of differences. */
interface Difference {
  readonly index: number;
  readonly count: number;
  readonly text: string;
}

/** @returns undefined if the arrays are equal */
export function difference(
  type: ArrayType,
  got: HostArray | undefined,
  want: HostArray,
): Difference | undefined {
  const fail = (index: number, count: number, text: string): Difference => ({ index, count, text });
  if (got === undefined) return fail(0, want.length, "the pipeline has no such output");
  if (got.constructor !== want.constructor)
    return fail(0, want.length, `it is a ${got.constructor.name}, not a ${want.constructor.name}`);
  if (got.length !== want.length) return fail(0, 1, `${got.length} elements, not ${want.length}`);
  const { fromHost } = arraySpec(type);
  let first = -1;
  let count = 0;
  for (let i = 0; i < want.length; i++) {
    // Object.is on the host's numbers: -0 is not 0, NaN is NaN.
    if (Object.is(got[i], want[i])) continue;
    const [a, b] = [fromHost(got[i] as number), fromHost(want[i] as number)];
    if (Object.is(a, b)) continue;
    if (first < 0) first = i;
    count += 1;
  }
  if (first < 0) return undefined;
  const [a, b] = [fromHost(got[first] as number), fromHost(want[first] as number)];
  const more = count > 1 ? ` and ${count - 1} more` : "";
  return fail(first, count, `[${first}] is ${show(type, a)}, not ${show(type, b)}${more} of ${want.length}`);
}
