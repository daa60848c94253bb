/**
 * Conversions of halves in registers: OpenCL C without cl_khr_fp16 converts them only as it loads and stores them (OpenCL C 3.0, 6.15.7), to the
 * nearest half and with subnormal ones. A vector of private memory holds them between, since any type may alias it in clang.
 */
import type { HalfConversion } from "@groupwise/core/kernel";

const load = (bits: string, place: 0 | 1): readonly string[] => [
  `const ushort2 both = as_ushort2(${bits});`,
  `return vload_half(${place}, (const __private half*)&both);`,
];

/** By the function whose body they are. */
export const HALF_CONVERSIONS: Readonly<Record<HalfConversion, (...args: string[]) => readonly string[]>> = {
  f16_bits_of_f32: (x) => [
    "ushort2 both = 0;",
    `vstore_half_rte(${x}, 0, (__private half*)&both);`,
    "return both.x;",
  ],
  f32_of_f16_bits: (bits) => load(bits as string, 0),
  f32_of_high_f16_bits: (bits) => load(bits as string, 1),
  two_f16_bits_of_f32: (x, y) => [
    "ushort2 both;",
    `vstore_half2_rte((float2)(${x}, ${y}), 0, (__private half*)&both);`,
    "return as_uint(both);",
  ],
};
