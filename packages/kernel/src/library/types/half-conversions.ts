/**
 * Conversions between floats and halves by the device, whose results are those of the bodies in `half.ts`: for implementations whose
 * `halfConversions` are exact. The target spells the functions without a body.
 */
import type { HalfConversions } from "../../capabilities/half-conversions.ts";
import type { Expr } from "../../language/expr.ts";
import { call, u32 } from "../../language/make-expr.ts";
import type { Fn } from "../../language/module.ts";
import { bitsOf, define, floatOf, isNaNBits } from "./base/define.ts";
import { or } from "./base/pair.ts";
import { HALF_NAMES, type HalfConversion, WORD_NAMES } from "./half-names.ts";

type Types = Pick<Fn, "params" | "returns">;
const TO: Types = { params: [{ name: "x", type: "f32" }], returns: "u32" };
const TWO: Types = { ...TO, params: [...TO.params, { name: "y", type: "f32" }] };
const OF: Types = { params: [{ name: "bits", type: "u32" }], returns: "f32" };
const own = (name: HalfConversion, types: Types, doc: string): Fn => ({
  name,
  doc: `${doc}, by the device's conversion.`,
  ...types,
  width: 1,
  own: true,
  body: [],
});
const TO_BITS = own(HALF_NAMES.toBits, TO, "The 16 bits of the half nearest to a float");
const OF_BITS = own(HALF_NAMES.ofBits, OF, "The half in the low 16 bits, as a float");
const OF_HIGH_BITS = own(WORD_NAMES.ofHighBits, OF, "The half in the high 16 bits, as a float");
const TWO_TO_BITS = own(WORD_NAMES.twoToBits, TWO, "A word of the halves nearest to two floats");

const toBits = (x: Expr): Expr => call(TO_BITS.name, "u32", [x]);
const ofBits = (bits: Expr): Expr => call(OF_BITS.name, "f32", [bits]);

/** A bit of the other half of the word, without which some compilers omit both conversions. */
const APART = 0x10000;
const ROUNDED: Readonly<Record<HalfConversions, (x: Expr) => Expr>> = {
  exact: (x) => ofBits(toBits(x)),
  apart: (x) => ofBits(or(toBits(x), APART)),
};
const ROUND_SUM = define(HALF_NAMES.sum, {
  doc: "A sum or a difference of two halves, rounded to the nearest half, ties to even.",
  params: ["x"],
  type: "f32",
  returns: "f32",
  body: (code, [x]) => code.return(ROUNDED.exact(x as Expr)),
});
const round = (form: HalfConversions): Fn =>
  define(HALF_NAMES.round, {
    doc: "The bits of a float, rounded to the nearest half, ties to even.",
    params: ["bits"],
    type: "u32",
    returns: "u32",
    body: (code, [bits]) => code.return(bitsOf(ROUNDED[form](floatOf(bits as Expr)))),
  });
const NEAREST_BITS = define(HALF_NAMES.nearestBits, {
  doc: "The bits of a float, converted to the 16 bits of the nearest half, ties to even.",
  params: ["bits"],
  type: "u32",
  returns: "u32",
  body: (code, [given]) => {
    const bits = given as Expr;
    // As a value, a NaN has the same bits on every device.
    code.if(isNaNBits(bits), (then) => then.return(u32(0x7e00)));
    code.return(toBits(floatOf(bits)));
  },
});

/** For each form, the functions in the place of those of the same names, callees before callers. */
export const CONVERTING: Readonly<Record<HalfConversions, readonly Fn[]>> = {
  exact: [TO_BITS, OF_BITS, ROUND_SUM, round("exact"), NEAREST_BITS],
  apart: [TO_BITS, OF_BITS, round("apart"), NEAREST_BITS],
};
/** Conversions of the two halves of a word, which only passes over words call. */
export const HALF_WORD_FUNCTIONS: readonly Fn[] = [OF_HIGH_BITS, TWO_TO_BITS];

/** The half whose bits an expression converts to a float: the bits, undefined for others. */
export const convertedBits = (e: Expr): Expr | undefined =>
  e.kind === "call" && e.fn === OF_BITS.name ? e.args[0] : undefined;
/** A half of a word, as a float. */
export const halfOfWord = (word: Expr, isHigh: boolean): Expr =>
  isHigh ? call(OF_HIGH_BITS.name, "f32", [word]) : ofBits(word);

const stored = (e: Expr | undefined): Expr | undefined =>
  e?.kind === "call" && e.fn === TO_BITS.name ? e.args[0] : undefined;
/** The word of two values that are the bits of halves; undefined for others. */
export function wordOfHalves([low, high]: readonly Expr[]): Expr | undefined {
  const [x, y] = [stored(low), stored(high)];
  return x && y ? call(TWO_TO_BITS.name, "u32", [x, y]) : undefined;
}
