/** What the field of a parameter holds at first, by its type. */
import type { ArrayType } from "@groupwise/core";

const OTHERS: Readonly<Partial<Record<ArrayType, string>>> = {
  bool: "true",
  f16: "0.5",
  f32: "0.5",
  f64: "0.5",
};

/** A value within what inputs are generated from: half of the floats and a tenth of the integers lie below it. */
export const initialOf = (type: ArrayType): string => OTHERS[type] ?? "10";
