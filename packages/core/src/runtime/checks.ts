/** Checks of arrays' sizes and of values that go into them. */
import { errorOf } from "../errors.ts";
import { type HostArray, SCALARS, type Scalar } from "../scalar.ts";

/**
 * The elements of a new array.
 * @throws GroupwiseError `bad-length`, `wrong-dtype`
 */
export function newLength(type: Scalar, lengthOrValues: number | HostArray): number {
  if (typeof lengthOrValues === "object") return hostValues(type, lengthOrValues, "values").length;
  if (Number.isSafeInteger(lengthOrValues) && lengthOrValues >= 0) return lengthOrValues;
  throw errorOf("bad-length", { got: lengthOrValues, limit: Number.MAX_SAFE_INTEGER }, "array");
}

/**
 * Values of the type.
 * @throws GroupwiseError `wrong-dtype`
 */
export function hostValues(type: Scalar, values: unknown, name: string): HostArray {
  const want = SCALARS[type].array;
  if (values instanceof want) return values;
  const got = typeof values === "object" ? (values?.constructor?.name ?? "null") : typeof values;
  throw errorOf("wrong-dtype", { name, want: `${want.name} (${type})`, got });
}

/**
 * Values that fit the first elements of an array.
 * @throws GroupwiseError `wrong-dtype`, `bad-buffer`
 */
export function writable(type: Scalar, length: number, values: unknown): HostArray {
  const checked = hostValues(type, values, "values");
  if (checked.length <= length) return checked;
  const reason = `it has ${length} elements, and ${checked.length} values are written`;
  throw errorOf("bad-buffer", { name: "array", reason });
}

/**
 * The bounds of a slice.
 * @throws GroupwiseError `bad-slice`
 */
export function sliceOf(length: number, from: number, to: number = length): readonly [number, number] {
  const fits =
    Number.isSafeInteger(from) && Number.isSafeInteger(to) && from >= 0 && from <= to && to <= length;
  if (!fits) throw errorOf("bad-slice", { from, to, length });
  return [from, to];
}
