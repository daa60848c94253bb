/** Helpers of the operators: element types by kind, and constants of a generic type. */
import type { Scalar } from "@groupwise/core";
import { SCALARS } from "@groupwise/core/target";
import type { ScalarType } from "../declare/scalar-type.ts";
import type { Hosts, Values } from "../values/value.ts";

/** Element types that can be ordered and added. */
export type NumericScalar = Exclude<Scalar, "bool">;
/** Element types that round. */
export type FloatScalar = "f16" | "f32" | "f64";
/** Element types without a sign. */
export type UnsignedScalar = "u32" | "u64";

export const isNumeric = (type: Scalar): type is NumericScalar => type !== "bool";
export const isFloat = (type: Scalar): type is FloatScalar => SCALARS[type]?.kind === "float";
export const isUnsigned = (type: Scalar): type is UnsignedScalar => SCALARS[type]?.kind === "uint";

/**
 * An operator is written once, on one type of its kind: `F` represents all of them, and the exported
 * signature states the true type.
 */
export function standIn<F extends Scalar>(type: { readonly type: Scalar }): ScalarType<F> {
  return type as ScalarType<F>;
}

/** A small whole number, in the notation of the type's constants. */
export function hostOf<S extends Scalar>({ type }: { readonly type: S }, value: number): Hosts[S] {
  const { kind, bits } = SCALARS[type];
  return (kind !== "float" && bits === 64 ? BigInt(value) : value) as Hosts[S];
}

/** The least and the greatest value of a type. */
export function endsOf<S extends Scalar>({
  type,
}: {
  readonly type: S;
}): {
  readonly lowest: Hosts[S];
  readonly highest: Hosts[S];
} {
  const { lowest, highest } = SCALARS[type];
  return { lowest, highest } as { lowest: Hosts[S]; highest: Hosts[S] };
}

/** A value converted to a type. */
export function converted<S extends Scalar>(
  value: Values[Scalar],
  { type }: { readonly type: S },
): Values[S] {
  const methods = value as unknown as Record<string, () => Values[S]>;
  return methods[`to${type[0]?.toUpperCase()}${type.slice(1)}`]?.() as Values[S];
}
