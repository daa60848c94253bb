import {
  ANY,
  BOOLEAN,
  optionsOf as checkedOptions,
  oneOf,
  type Schema,
  type Wanted,
} from "@groupwise/core/target";

/** Options that several methods have. */
export const SCOPE: { readonly scope: Wanted } = { scope: /*@__PURE__*/ oneOf("device", "work-group") };

/** The options of a reduce or a scan by any operator. */
export const COMBINE_OPTIONS: Readonly<Record<"scope" | "seed" | "segments" | "keys" | "reverse", Wanted>> = {
  ...SCOPE,
  seed: ANY,
  segments: ANY,
  keys: ANY,
  reverse: BOOLEAN,
};

/**
 * Options that have no other keys than these: the effect of a misspelt option would be lost.
 * @throws GroupwiseError `bad-usage`, `bad-argument`
 */
export function optionsOf<T extends object>(
  options: T | null | undefined,
  schema: Schema<keyof T & string>,
  at: string | undefined,
): Partial<T> {
  return checkedOptions(options ?? undefined, schema, "the options", at) as Partial<T>;
}
