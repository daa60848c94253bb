/** Checks element types that callers pass. */

import { requireArgument, type Wanted } from "@groupwise/ir/base/arguments.js";
import { errorOf } from "@groupwise/ir/base/errors.js";
import { isNarrow } from "@groupwise/ir/tables/narrow.js";
import { SCALAR_NAMES, type Scalar } from "@groupwise/ir/tables/scalar.js";

const TYPE: Wanted = {
  want: "an element type of @groupwise/dsl, for example f32",
  is: (value) => typeof value === "function" && typeof (value as { type?: unknown }).type === "string",
};

/**
 * Refuses what is no element type, and a type that a function does not support.
 * @param what the function
 * @throws GroupwiseError `bad-argument`, `unknown-type`, `bad-usage`
 */
export function requireType(
  what: string,
  given: unknown,
  takes: (type: Scalar) => boolean = () => true,
  at?: string,
): void {
  requireArgument(given, TYPE, `the element type of ${what}`, at);
  const { type } = given as { readonly type: Scalar };
  if (!SCALAR_NAMES.includes(type) && !isNarrow(type))
    throw errorOf("unknown-type", { type, known: SCALAR_NAMES }, at);
  if (SCALAR_NAMES.includes(type) && takes(type)) return;
  const hint = `use one of: ${SCALAR_NAMES.filter(takes).join(", ")}`;
  throw errorOf("bad-usage", { reason: `${what} does not exist for ${type}`, hint }, at);
}
