/** Functions of JavaScript that give the exact result. */
import { called } from "@groupwise/core/kernel";

const single =
  (fn: string) =>
  (x = ""): string =>
    `Math.fround(${called(fn)(x)})`;

/** The functions that gpu.js translates. */
export const GPU_JS_OWN: Readonly<Record<string, (...args: string[]) => string>> = {
  floor_of_f32: called("Math.floor"),
  ceil_of_f32: called("Math.ceil"),
  sqrt_of_f32: single("Math.sqrt"),
};

/**
 * By the body that they replace. ECMA-262 defines `Math.floor`, `ceil`, `trunc`, `sign` and `%` exactly (21.3.2, 6.1.6.1.6).
 * It leaves `Math.sqrt` to the engine: all engines use the processor's instruction, which IEEE 754 defines, and the second rounding, to an f32,
 * does not change the result.
 */
export const OWN: Readonly<Record<string, (...args: string[]) => string>> = {
  ...Object.fromEntries(
    (["f32", "f64"] as const).flatMap((type) => [
      ...["floor", "ceil", "trunc", "sign"].map((fn) => [`${fn}_of_${type}`, called(`Math.${fn}`)]),
      [`fmod_of_${type}`, (x: string, y: string) => `(${x} % ${y})`],
      [`is_nan_of_${type}`, called("Number.isNaN")],
      [`is_finite_of_${type}`, called("Number.isFinite")],
    ]),
  ),
  sqrt_of_f64: called("Math.sqrt"),
  sqrt_of_f32: single("Math.sqrt"),
};
