import type { PipelineSource, Scalar } from "@groupwise/core";
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

/**
 * A pipeline that was built on the stand-in, with its true type: that of the exported function, which the
 * type tests compare with the pipeline's own record of its types.
 */
export function ofTrueType<P extends PipelineSource>(made: PipelineSource): P {
  return made as P;
}
