/** What the operators share: element types by kind, and constants of a type that is not known yet. */
import { errorOf, SCALAR_NAMES, SCALARS, type Scalar } from "@groupwise/core";
import type { ScalarType } from "../scalar-type.ts";
import type { Hosts, Values } from "../value.ts";

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
 * An operator is written once, on one type of its kind, and the text is the same for all others: `F` stands for
 * them, and the exported signature gives the true type back.
 */
export function standIn<F extends Scalar>(type: { readonly type: Scalar }): ScalarType<F> {
  return type as ScalarType<F>;
}

/** A small whole number as a constant of the type is written. */
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

/**
 * Refuses a type that an operator does not take, for authors without a compiler.
 * @throws GroupwiseError `bad-usage`, `unknown-type`
 */
export function requireType(
  op: string,
  given: { readonly type: Scalar },
  takes: (type: Scalar) => boolean,
  at: string | undefined,
): void {
  const type = given?.type;
  if (!SCALAR_NAMES.includes(type)) throw errorOf("unknown-type", { type, known: SCALAR_NAMES }, at);
  if (takes(type)) return;
  const hint = `${op} is for ${SCALAR_NAMES.filter(takes).join(", ")}`;
  throw errorOf("bad-usage", { reason: `there is no ${op} of ${type}`, hint }, at);
}
