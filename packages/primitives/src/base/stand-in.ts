import type { ArrayType, PipelineSource } from "@groupwise/core";
import { isNarrow, valueTypeOf } from "@groupwise/core/target";
import {
  type AnyNarrowType,
  type AnyScalarType,
  type AnyValue,
  f32,
  i32,
  type ScalarType,
  type U32Value,
  u32,
} from "@groupwise/dsl";

/** The type of the elements of an array: an element type, or a narrow one. */
export interface ElementType<S extends ArrayType = ArrayType> {
  (...given: never[]): unknown;
  readonly type: S;
}

/** The element type of that name. */
export type TypeOf<S extends ArrayType> = Extract<AnyScalarType | AnyNarrowType, { readonly type: S }>;

/**
 * A stand-in for all types: a primitive is written once, on one type. The exported signature states the true
 * type.
 */
export function standIn(type: { readonly type: ArrayType }): ScalarType<"u32"> {
  return type as ScalarType<"u32">;
}

/** A value as elements of a type: an output of narrow ones is no value. */
export const elementOf = (type: ElementType, value: AnyValue): U32Value =>
  (isNarrow(type.type) ? type(value as never) : value) as U32Value;

const WIDE = { i32, u32, f32 };

/** The type of the values of an array. */
export const wideOf = (type: { readonly type: ArrayType }): ElementType =>
  isNarrow(type.type) ? WIDE[valueTypeOf(type.type) as keyof typeof WIDE] : (type as ElementType);

/**
 * A pipeline that was built on the stand-in, with its true type: that of the exported function, which the
 * type tests compare with the pipeline's own record of its types.
 */
export function ofTrueType<P extends PipelineSource>(made: PipelineSource): P {
  return made as P;
}
