/** Reads numbers exactly in a type. */
import type { ArrayType, Scalar, ScalarValue } from "@groupwise/core";
import {
  type DecimalType,
  isNarrow,
  nearestFloat,
  SCALARS,
  storedValue,
  valueTypeOf,
} from "@groupwise/core/target";

const INTEGER = /^[+-]?\d{1,20}$/;
const HEX = /^0x[0-9a-f]{1,16}$/i;
const FLOAT = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const WORDS: Readonly<Record<string, number>> = {
  inf: Number.POSITIVE_INFINITY,
  "+inf": Number.POSITIVE_INFINITY,
  infinity: Number.POSITIVE_INFINITY,
  "-inf": Number.NEGATIVE_INFINITY,
  "-infinity": Number.NEGATIVE_INFINITY,
  nan: Number.NaN,
};
const BOOLS: Readonly<Record<string, boolean>> = { true: true, false: false, "1": true, "0": false };

/**
 * Reads a value of the type. Decimal fractions round to the nearest float; integers must be of the type's
 * range, and a finite text must not become an infinity.
 * @returns undefined if the text is not a value of the type
 */
export function parseScalar(type: Scalar, text: string): ScalarValue | undefined {
  const { kind } = SCALARS[type];
  const word = text.trim().toLowerCase();
  if (kind === "bool") return Object.hasOwn(BOOLS, word) ? BOOLS[word] : undefined;
  return kind === "float" ? parseFloating(type as DecimalType, word) : parseInteger(type, word);
}

/** Reads an element of an array: an integer must be of a narrow type's range, and a bf16 is rounded once. */
export function parseElement(type: ArrayType, text: string): ScalarValue | undefined {
  if (type === "bf16") return parseFloating(type, text.trim().toLowerCase());
  const value = parseScalar(valueTypeOf(type), text);
  if (value === undefined || !isNarrow(type)) return value;
  return storedValue(type, value) === value ? value : undefined;
}

function parseInteger(type: Scalar, word: string): ScalarValue | undefined {
  if (!INTEGER.test(word) && !HEX.test(word)) return undefined;
  const exact = BigInt(word.replace(/^\+/, ""));
  const wrapped = SCALARS[type].wrap(exact);
  return BigInt(wrapped as bigint | number) === exact ? wrapped : undefined;
}

function parseFloating(type: DecimalType, word: string): number | undefined {
  if (!FLOAT.test(word)) return Object.hasOwn(WORDS, word) ? WORDS[word] : undefined;
  const value = nearestFloat(type, word);
  return Number.isFinite(value) ? value : undefined;
}
