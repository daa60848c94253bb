/**
 * Conversions of halves. WGSL states neither how they round nor what overflows, so only a device that is tested has them
 * (`device/half-conversions.ts`).
 */
import { bare, type HalfConversion } from "@groupwise/core/kernel";

const pack = (x: string, y: string): string => `pack2x16float(vec2<f32>(${bare(x)}, ${bare(y)}))`;
const unpack = (bits: string, part: "x" | "y"): string => `unpack2x16float(${bare(bits)}).${part}`;
const alone = (x: string): string => pack(x, "0f");

/** By the function that they replace. */
export const HALF_CONVERSIONS: Readonly<Record<HalfConversion, (...args: [string, string]) => string>> = {
  round_sum_f16: (x) => unpack(alone(x), "x"),
  f16_bits_of_f32: alone,
  f32_of_f16_bits: (bits) => unpack(bits, "x"),
  f32_of_high_f16_bits: (bits) => unpack(bits, "y"),
  two_f16_bits_of_f32: pack,
};
