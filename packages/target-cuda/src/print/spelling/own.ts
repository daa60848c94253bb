/** Functions of CUDA that give the exact result (CUDA Math API: 0 ulp, or rounded to the nearest). */
import { called } from "@groupwise/core/kernel";

/** By the body that they replace. */
export const OWN: Readonly<Record<string, (...args: string[]) => string>> = {
  mul_high_of_i32: called("__mulhi"),
  mul_high_of_u32: called("__umulhi"),
  mul_high_of_i64: called("__mul64hi"),
  mul_high_of_u64: called("__umul64hi"),
  ...Object.fromEntries(
    (["f32", "f64"] as const).flatMap((type) => [
      ...["floor", "ceil", "trunc"].map((fn) => [
        `${fn}_of_${type}`,
        called(`${fn}${type === "f32" ? "f" : ""}`),
      ]),
      [`sqrt_of_${type}`, called("sqrt_rn")],
      [`fma_of_${type}`, called("fma_rn")],
    ]),
  ),
};
