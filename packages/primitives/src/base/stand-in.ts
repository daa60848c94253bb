import type { Scalar } from "@groupwise/core";
import type { AnyScalarType, ScalarType } from "@groupwise/dsl";

/** The element type of that name. */
export type TypeOf<S extends Scalar> = Extract<AnyScalarType, { readonly type: S }>;

/**
 * A stand-in for all types: a primitive is written once, on one type. The exported signature states the true
 * type.
 */
export function standIn(type: { readonly type: Scalar }): ScalarType<"u32"> {
  return type as ScalarType<"u32">;
}
