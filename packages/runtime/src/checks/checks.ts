/** Checks of the types, sizes and values of arrays. */

import { errorOf } from "@groupwise/ir/base/errors.js";
import { ARRAY_TYPES, type ArrayType, isNarrow } from "@groupwise/ir/tables/narrow.js";
import { type HostArray, isScalar } from "@groupwise/ir/tables/scalar.js";
import { elementBytes } from "@groupwise/kernel/language/memory.js";
import { hostView, shown } from "../api/host-view.ts";

/** Maximum size of an array in bytes, 1 TiB, on every device. */
const MOST_BYTES = 2 ** 40;

/** The contents of a new array. */
export interface NewArray {
  readonly length: number;
  /** The caller's values, from `hostView`; default: zeros. */
  readonly values?: HostArray;
}

/**
 * Checks the arguments of a new array.
 * @throws GroupwiseError `unknown-type`, `bad-length`, `wrong-dtype`, `detached`
 */
export function newArray(type: unknown, lengthOrValues: unknown): NewArray {
  if (!isScalar(type) && !isNarrow(type))
    throw errorOf(
      "unknown-type",
      { type: typeof type === "string" ? type : shown(type), known: ARRAY_TYPES },
      "array",
    );
  const limit = MOST_BYTES / elementBytes({ type });
  const isObject = typeof lengthOrValues === "object" || typeof lengthOrValues === "function";
  const values = isObject ? hostView(type, lengthOrValues, "values") : undefined;
  const length = values ? values.length : (lengthOrValues as number);
  if (Number.isSafeInteger(length) && length >= 0 && length <= limit)
    return { length, ...(values && { values }) };
  throw errorOf("bad-length", { got: shown(length), limit }, "array");
}

/**
 * The result of `hostView` for values that are written to the first elements of an array.
 * @throws GroupwiseError `wrong-dtype`, `detached`, `bad-buffer`
 */
export function writable(type: ArrayType, length: number, values: unknown): HostArray {
  const checked = hostView(type, values, "values");
  if (checked.length <= length) return checked;
  const reason = `it has ${length} elements, but ${checked.length} values are written`;
  throw errorOf("bad-buffer", { name: "array", reason });
}

/**
 * The bounds of a slice.
 * @throws GroupwiseError `bad-slice`
 */
export function sliceOf(length: number, from: unknown, to: unknown = length): readonly [number, number] {
  const fits =
    Number.isSafeInteger(from) &&
    Number.isSafeInteger(to) &&
    (from as number) >= 0 &&
    (from as number) <= (to as number) &&
    (to as number) <= length;
  if (!fits) throw errorOf("bad-slice", { from: shown(from), to: shown(to), length });
  return [from as number, to as number];
}
