/** Names of the functions of halves, without their bodies: programs that only print need no more. */
import type { Module } from "../../language/module.ts";

/** Sums of halves read the results of `sum` and `ofBits` without a guard. */
export const HALF_NAMES = {
  round: "round_f16",
  sum: "round_sum_f16",
  toBits: "f16_bits_of_f32",
  nearestBits: "nearest_f16_bits",
  ofBits: "f32_of_f16_bits",
} as const;

/** Conversions of the two halves of a word. */
export const WORD_NAMES = { ofHighBits: "f32_of_high_f16_bits", twoToBits: "two_f16_bits_of_f32" } as const;

/** The conversions that a target spells. */
export type HalfConversion =
  | "f16_bits_of_f32"
  | "f32_of_f16_bits"
  | "f32_of_high_f16_bits"
  | "two_f16_bits_of_f32";

const CONVERSIONS: ReadonlySet<string> = new Set<HalfConversion>([
  HALF_NAMES.toBits,
  HALF_NAMES.ofBits,
  WORD_NAMES.ofHighBits,
  WORD_NAMES.twoToBits,
]);

/** Whether a module converts halves by the device. */
export const convertsHalves = ({ functions }: Pick<Module, "functions">): boolean =>
  functions.some(({ name, own }) => own && CONVERSIONS.has(name));
