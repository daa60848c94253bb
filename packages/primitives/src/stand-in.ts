import type { Scalar } from "@groupwise/core";
import type { AnyScalarType, ScalarType } from "@groupwise/dsl";

/** The element type of that name. */
export type TypeOf<S extends Scalar> = Extract<AnyScalarType, { readonly type: S }>;

/**
 * The type under another name: a primitive is written once, on one type, and the text is the same for all. The
 * exported signature gives the true type back.
 */
export function standIn(type: { readonly type: Scalar }): ScalarType<"u32"> {
  return type as ScalarType<"u32">;
}
