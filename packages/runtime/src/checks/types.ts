/** Checks element types that callers pass. */

import { requireArgument, type Wanted } from "@groupwise/ir/base/arguments.js";
import { errorOf } from "@groupwise/ir/base/errors.js";
import { ARRAY_TYPES, type ArrayType } from "@groupwise/ir/tables/narrow.js";
import { SCALAR_NAMES, type Scalar } from "@groupwise/ir/tables/scalar.js";

const TYPE: Wanted = {
  want: "an element type of @groupwise/dsl, for example f32",
  is: (value) => typeof value === "function" && typeof (value as { type?: unknown }).type === "string",
};

/** @throws GroupwiseError `bad-argument`, `unknown-type` */
function typeOf(what: string, given: unknown, known: readonly ArrayType[], at?: string): ArrayType {
  requireArgument(given, TYPE, `the element type of ${what}`, at);
  const { type } = given as { readonly type: ArrayType };
  if (!ARRAY_TYPES.includes(type)) throw errorOf("unknown-type", { type, known }, at);
  return type;
}

function requireTaken(what: string, type: ArrayType, takes: readonly ArrayType[], at?: string): void {
  if (takes.includes(type)) return;
  const hint = `use one of: ${takes.join(", ")}`;
  throw errorOf("bad-usage", { reason: `${what} does not exist for ${type}`, hint }, at);
}

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
  requireTaken(what, typeOf(what, given, SCALAR_NAMES, at), SCALAR_NAMES.filter(takes), at);
}

/** The same for functions that take narrow types too. */
export function requireArrayType(
  what: string,
  given: unknown,
  takes: (type: ArrayType) => boolean = () => true,
): void {
  requireTaken(what, typeOf(what, given, ARRAY_TYPES), ARRAY_TYPES.filter(takes));
}
