import { SCALARS, type Scalar, type ScalarValue } from "./scalar.ts";

/**
 * The exact written form of a constant in JSON: a number or boolean if JSON can represent it, a word for
 * other numbers (`inf`, `-inf`, `nan`, `-0`), decimal digits in a string for 64-bit integers.
 */
export type Literal = number | boolean | string;

const WORDS: Readonly<Record<string, number>> = {
  inf: Number.POSITIVE_INFINITY,
  "-inf": Number.NEGATIVE_INFINITY,
  nan: Number.NaN,
  "-0": -0,
};

/**
 * Writes a value of the type. The value must be exactly a value of the type (see {@link SCALARS}' `wrap`).
 */
export function encodeLiteral(type: Scalar, value: ScalarValue): Literal {
  if (type === "bool") return Boolean(value);
  if (typeof value === "bigint") return value.toString();
  return Object.keys(WORDS).find((word) => Object.is(WORDS[word], value)) ?? Number(value);
}

/** Reads a written constant; undefined if it is not exactly a value of the type. */
export function decodeLiteral(type: Scalar, literal: unknown): ScalarValue | undefined {
  const { kind, lowest } = SCALARS[type];
  if (kind === "bool") return typeof literal === "boolean" ? literal : undefined;
  if (kind === "float") return decodeFloat(type, literal);
  if (typeof lowest === "bigint") return decodeInteger64(type, literal);
  return typeof literal === "number" && Object.is(SCALARS[type].wrap(literal), literal) ? literal : undefined;
}

function decodeFloat(type: Scalar, literal: unknown): ScalarValue | undefined {
  if (typeof literal === "string") return Object.hasOwn(WORDS, literal) ? WORDS[literal] : undefined;
  if (!Number.isFinite(literal) || Object.is(literal, -0)) return undefined;
  return Object.is(SCALARS[type].wrap(literal as number), literal) ? (literal as number) : undefined;
}

function decodeInteger64(type: Scalar, literal: unknown): ScalarValue | undefined {
  if (typeof literal !== "string" || !/^(0|-?[1-9][0-9]{0,19})$/.test(literal)) return undefined;
  const value = BigInt(literal);
  return SCALARS[type].wrap(value) === value ? value : undefined;
}

/** Same value of the type: NaN equals NaN, and -0 differs from +0. */
export function sameValue(a: ScalarValue, b: ScalarValue): boolean {
  return Object.is(a, b);
}
