/** Compares the results of two runs bit by bit. */
import type { ArrayType, HostArray, RunOutputs } from "@groupwise/core";
import { arraySpec, isFloat, valueTypeOf } from "@groupwise/core/target";
import type { Comparison } from "./compare-text.ts";

const bytesOf = (array: HostArray): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

const ONES: Readonly<Uint8Array> = Uint8Array.from({ length: 256 }, (_, byte) => {
  let ones = 0;
  for (let rest = byte; rest > 0; rest >>= 1) ones += rest & 1;
  return ones;
});

/** Whether an element is a NaN in both arrays: the bits of a NaN are no part of a result. */
function areNans(type: ArrayType, a: HostArray, b: HostArray, index: number): boolean {
  const isNan = (array: HostArray): boolean =>
    index < array.length && Number.isNaN(arraySpec(type).fromHost(array[index] as number | bigint));
  return isFloat(valueTypeOf(type)) && isNan(a) && isNan(b);
}

/**
 * Compares outputs by name. Bits beyond the shorter of two arrays, and those of a missing one, count as different;
 * those of two NaNs count as equal.
 */
export function compareBits(
  types: Readonly<Record<string, ArrayType>>,
  want: RunOutputs,
  got: RunOutputs,
): Comparison {
  let [bits, equal] = [0, 0];
  let first: string | undefined;
  for (const [name, type] of Object.entries(types)) {
    const none = new (arraySpec(type).array)(0);
    const [a, b] = [want[name] ?? none, got[name] ?? none];
    const [x, y] = [bytesOf(a), bytesOf(b)];
    const length = Math.max(x.length, y.length);
    bits += length * 8;
    for (let i = 0; i < length; i++) {
      const isInBoth = i < x.length && i < y.length;
      const differing = isInBoth ? (ONES[(x[i] as number) ^ (y[i] as number)] as number) : 8;
      const index = Math.floor(i / none.BYTES_PER_ELEMENT);
      const counted = differing > 0 && areNans(type, a, b, index) ? 0 : differing;
      equal += 8 - counted;
      if (counted > 0) first ??= `${name}[${index}]`;
    }
  }
  return { bits, equal, ...(first !== undefined && { first }) };
}
