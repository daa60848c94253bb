/** Functions of OpenCL C that give the exact result (OpenCL C 3.0, 6.15.3, and 7.4 for fma). */
import { called } from "@groupwise/core/kernel";

/** By the body that they replace. */
export const OWN: Readonly<Record<string, (...args: string[]) => string>> = {
  ...Object.fromEntries(
    ["i32", "u32", "i64", "u64"].flatMap((type) => [
      [`mul_high_of_${type}`, called("mul_hi")],
      [`add_saturating_of_${type}`, called("add_sat")],
      [`sub_saturating_of_${type}`, called("sub_sat")],
    ]),
  ),
  fma_of_f32: called("fma"),
  fma_of_f64: called("fma"),
};
