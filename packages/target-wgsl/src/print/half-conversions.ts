/**
 * Conversions of halves. WGSL states neither how they round nor what overflows, so only a device that is tested has them
 * (`device/half-conversions.ts`).
 */
import type { Manifest } from "@groupwise/core";
import { bare, type HalfConversion } from "@groupwise/core/kernel";
import { HALF_REQUIREMENTS } from "@groupwise/core/target";

const pack = (x: string, y: string): string => `pack2x16float(vec2<f32>(${bare(x)}, ${bare(y)}))`;
const unpack = (bits: string, part: "x" | "y"): string => `unpack2x16float(${bare(bits)}).${part}`;

/** By the function that they replace. */
export const HALF_CONVERSIONS: Readonly<Record<HalfConversion, (...args: string[]) => string>> = {
  f16_bits_of_f32: (x) => pack(x, "0f"),
  f32_of_f16_bits: (bits) => unpack(bits, "x"),
  f32_of_high_f16_bits: (bits) => unpack(bits, "y"),
  two_f16_bits_of_f32: pack,
};

/** The requirement of manifests of files that rely on more than what every device computes that was met. */
export const PROBE_REQUIREMENT = "probe";
const TESTED: ReadonlySet<string> = new Set([...Object.values(HALF_REQUIREMENTS), PROBE_REQUIREMENT]);
/** The features of a device that files need, without what a runtime tests. */
export const featuresIn = ({ requires }: Pick<Manifest, "requires">): string[] =>
  requires.filter((name) => !TESTED.has(name));
