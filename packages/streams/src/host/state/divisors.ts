/** Parameters that divide the number of items of a range, of which a chunk is any part. */
import type { Checked } from "@groupwise/ir/document/check.js";
import { checkDivisors } from "@groupwise/runtime/checks/host.js";

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
  const params = divisors.map((name) => ({ name, divides: true as const }));
  checkDivisors({ pipeline, params }, values, n === undefined ? undefined : Number(n));
}
