/** In which form kernels compute with a type. */
import { type Capabilities, isSupported } from "../../capabilities.ts";
import type { Module } from "../../kernel/stmt.ts";
import { SCALARS, type Scalar } from "../../scalar.ts";

/** `words`: two u32, the low one first; `rounded`: an f32 that is always a half. */
export type Form = "native" | "words" | "rounded";

/** The form of each type. */
export type Forms = (type: Scalar) => Form;

export function formsOf({ scalars }: Capabilities): Forms {
  return (type) => {
    const support = scalars[type];
    // Types that are not to be had were refused before; a constant index of such a type may still be here.
    if (!isSupported(support) || support === "native") return "native";
    return SCALARS[type].bits === 64 ? "words" : "rounded";
  };
}

/** The type of values in a form that is one value. */
export const carrierOf = (type: Scalar, form: Form): Scalar => (form === "rounded" ? "f32" : type);

/** Most items whose words have indexes in u32: element i stands at 2i and 2i + 1. */
const MOST_IN_WORDS = 2 ** 31;

/** Most items of a run of a module, of those that its implementation allows. */
export function itemsLimit({ buffers }: Module, { maxItems, scalars }: Capabilities): number {
  const forms = formsOf({ scalars } as Capabilities);
  return buffers.some(({ type }) => forms(type) === "words") ? Math.min(maxItems, MOST_IN_WORDS) : maxItems;
}
