/**
 * Conversions between floats and halves by the device, whose results are those of the bodies in `half.ts`: for implementations whose
 * `halfConversions` are exact. The target spells the functions without a body.
 */
import type { Expr } from "../kernel/expr.ts";
import { call, u32 } from "../kernel/make-expr.ts";
import type { Fn, Module } from "../kernel/module.ts";
import { bitsOf, define, floatOf, isNaNBits } from "./base/define.ts";
import { HALF_NAMES } from "./half.ts";

/** The names that a target spells. */
export type HalfConversion =
  | typeof HALF_NAMES.sum
  | typeof HALF_NAMES.toBits
  | typeof HALF_NAMES.ofBits
  | "f32_of_high_f16_bits"
  | "two_f16_bits_of_f32";

const own = (name: HalfConversion, doc: string, params: Fn["params"], returns: Fn["returns"]): Fn => ({
  name,
  doc,
  params,
  returns,
  width: 1,
  own: true,
  body: [],
});
const x = { name: "x", type: "f32" } as const;
const bits = { name: "bits", type: "u32" } as const;

const ROUND_SUM = own(HALF_NAMES.sum, "The nearest half, ties to even, by the device.", [x], "f32");
const TO_BITS = own(HALF_NAMES.toBits, "The 16 bits of the nearest half, by the device.", [x], "u32");
const OF_BITS = own(HALF_NAMES.ofBits, "The half in the low 16 bits, by the device.", [bits], "f32");
const OF_HIGH_BITS = own(
  "f32_of_high_f16_bits",
  "The half in the high 16 bits, by the device.",
  [bits],
  "f32",
);
const TWO_TO_BITS = own(
  "two_f16_bits_of_f32",
  "The bits of the nearest two halves, the first in the low ones, by the device.",
  [
    { name: "x", type: "f32" },
    { name: "y", type: "f32" },
  ],
  "u32",
);
const ROUND = define(HALF_NAMES.round, {
  doc: "The bits of a float, rounded to the nearest half, ties to even.",
  params: ["bits"],
  type: "u32",
  returns: "u32",
  body: (code, [given]) => code.return(bitsOf(call(ROUND_SUM.name, "f32", [floatOf(given as Expr)]))),
});
const NEAREST_BITS = define(HALF_NAMES.nearestBits, {
  doc: "The bits of a float, converted to the 16 bits of the nearest half, ties to even.",
  params: ["bits"],
  type: "u32",
  returns: "u32",
  body: (code, [given]) => {
    // Its bits as a value are the same on every device.
    code.if(isNaNBits(given as Expr), (then) => then.return(u32(0x7e00)));
    code.return(call(TO_BITS.name, "u32", [floatOf(given as Expr)]));
  },
});

/** In the place of the functions of these names, callees before callers. */
export const DEVICE_HALF_FUNCTIONS: readonly Fn[] = [ROUND_SUM, ROUND, TO_BITS, NEAREST_BITS, OF_BITS];
/** Conversions of the two halves of a word, which only passes over words call. */
export const HALF_WORD_FUNCTIONS: readonly Fn[] = [OF_HIGH_BITS, TWO_TO_BITS];

/** Whether a module has conversions by the device. */
export const convertsHalves = ({ functions }: Pick<Module, "functions">): boolean =>
  functions.some(({ name, own: isOwn }) => isOwn && OWN_NAMES.has(name));
const OWN_NAMES: ReadonlySet<string> = new Set(
  [...DEVICE_HALF_FUNCTIONS, ...HALF_WORD_FUNCTIONS].filter((fn) => fn.own).map(({ name }) => name),
);

/** The half whose bits an expression converts to a float: the bits, undefined for others. */
export const convertedBits = (e: Expr): Expr | undefined =>
  e.kind === "call" && e.fn === OF_BITS.name ? e.args[0] : undefined;
/** A half of a word, as a float. */
export const halfOfWord = (word: Expr, isHigh: boolean): Expr =>
  call(isHigh ? OF_HIGH_BITS.name : OF_BITS.name, "f32", [word]);

const stored = (e: Expr | undefined): Expr | undefined =>
  e?.kind === "call" && e.fn === TO_BITS.name ? e.args[0] : undefined;
/** The word of two values that are the bits of halves; undefined for others. */
export function wordOfHalves([low, high]: readonly Expr[]): Expr | undefined {
  const [a, b] = [stored(low), stored(high)];
  return a && b ? call(TWO_TO_BITS.name, "u32", [a, b]) : undefined;
}
