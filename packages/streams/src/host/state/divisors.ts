/** Parameters that divide the number of items of a range, of which a chunk is any part. */
import { errorOf } from "@groupwise/ir/base/errors.js";
import type { Checked } from "@groupwise/ir/document/check.js";

/** Their names. */
export const divisorsOf = ({ params }: Pick<Checked, "params">): readonly string[] =>
  params.filter(({ divides }) => divides).map(({ name }) => name);

/**
 * Requires that they are not 0, and that they divide the number of items once it is known.
 * @throws GroupwiseError `bad-divisor`
 */
export function requireDivisors(
  { pipeline, divisors }: { readonly pipeline: string; readonly divisors: readonly string[] },
  values: Readonly<Record<string, unknown>>,
  n?: bigint,
): void {
  for (const name of divisors) {
    const value = values[name];
    if (typeof value !== "number") continue; // a step says what is wrong with it
    if (value === 0 || (n !== undefined && n % BigInt(value) !== 0n))
      throw errorOf("bad-divisor", { name, value, ...(n !== undefined && { n: Number(n) }) }, pipeline);
  }
}
