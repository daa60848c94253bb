/** The forms in which kernels compute with types. */

import { valueTypeOf } from "@groupwise/ir/tables/narrow.js";
import type { Scalar, ScalarsWith } from "@groupwise/ir/tables/scalar.js";
import { type Capabilities, isSupported } from "../../capabilities/capabilities.ts";
import type { Expr } from "../../language/expr.ts";
import { type EmulatedForm, emulatedForm } from "../../language/memory.ts";
import type { Module } from "../../language/module.ts";
import {
  bitsOfHalf,
  floatOfHalfBits,
  halfBitsOf,
  roundHalf,
  roundHalfSum,
} from "../../library/types/half.ts";

/** `words`: two u32, the low one first; `rounded`: a wider float, rounded after each operation. */
type Form = "native" | EmulatedForm;

/** The form of each type. */
export type Forms = (type: Scalar) => Form;

export function formsOf({ scalars }: Capabilities): Forms {
  return (type) => {
    const support = scalars[type];
    // Unavailable types were refused before; a constant index of such a type may still be here.
    if (!isSupported(support) || support === "native") return "native";
    return emulatedForm(type);
  };
}

type RoundedScalar = ScalarsWith<{ readonly emulated: "rounded" }>;
interface Rounded {
  /** The wider float that holds a value. */
  readonly carrier: Scalar;
  /** The nearest value of the type, ties to even, in this form. */
  round(x: Expr): Expr;
  /** The same for a sum or a difference of two values of the type, which other sums read without a guard. */
  roundSum(x: Expr): Expr;
  /** The bits of a value as a u32, those of NaN always the same. */
  bitsOf(x: Expr): Expr;
  /** The bits to store, and back. */
  storedBits(x: Expr): Expr;
  ofBits(bits: Expr): Expr;
}
const ROUNDED: Readonly<Record<RoundedScalar, Rounded>> = {
  f16: {
    carrier: "f32",
    round: roundHalf,
    roundSum: roundHalfSum,
    bitsOf: halfBitsOf,
    storedBits: bitsOfHalf,
    ofBits: floatOfHalfBits,
  },
};
/** The operations of a type that is represented in a wider float. */
export const rounded = (type: Scalar): Rounded => ROUNDED[type as RoundedScalar];

/** The type of values in a form that is one value. */
export const carrierOf = (type: Scalar, form: Form): Scalar =>
  form === "rounded" ? rounded(type).carrier : type;

/** The maximum number of items whose words have indexes in u32: element i is stored at 2i and 2i + 1. */
const MOST_IN_WORDS = 2 ** 31;

/** The maximum number of items of a run of a module. */
export function itemsLimit({ buffers }: Module, { maxItems, scalars }: Capabilities): number {
  const forms = formsOf({ scalars } as Capabilities);
  return buffers.some(({ type }) => forms(valueTypeOf(type)) === "words")
    ? Math.min(maxItems, MOST_IN_WORDS)
    : maxItems;
}
