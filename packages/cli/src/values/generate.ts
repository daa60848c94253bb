/** Values for inputs without data. */
import type { ArrayType, HostArray, ScalarValue } from "@groupwise/core";
import { type Random, randomOf } from "@groupwise/core/laws";
import { arraySpec, hostZeros, isNarrow, SCALARS, storedValue, valueTypeOf } from "@groupwise/core/target";

/** Integers are below it, so that sums of millions of them stay in the range of a u32. */
const END = 100;

const itemOf = (type: ArrayType, random: Random): ScalarValue => {
  const { kind, wrap } = SCALARS[valueTypeOf(type)];
  if (kind === "bool") return random.below(2) === 1;
  const value = wrap(kind === "float" ? random.bits() / 2 ** 32 : BigInt(random.below(END)));
  return isNarrow(type) ? storedValue(type, value) : value;
};

/**
 * Arrays of random values: floats from 0 to 1, integers from 0 to 99, bools. Equal arguments give equal values on every machine.
 * @param arrays filled one after the other
 * @param n elements of each
 * @throws GroupwiseError `device-error` where they do not fit in memory
 */
export function generate(
  arrays: readonly { readonly name: string; readonly type: ArrayType }[],
  n: number,
  seed: number,
): Record<string, HostArray> {
  const random = randomOf(seed);
  return Object.fromEntries(
    arrays.map(({ name, type }) => {
      const { toHost } = arraySpec(type);
      const values = hostZeros(type, n, "JavaScript");
      for (let i = 0; i < n; i++) values[i] = toHost(itemOf(type, random)) as never;
      return [name, values];
    }),
  );
}
