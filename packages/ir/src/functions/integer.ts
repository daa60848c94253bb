/** Functions of integers, on their bits. */
import { SCALARS, type Scalar, type ScalarKind, type ScalarValue } from "../tables/scalar.ts";
import type { FunctionSpec, IntegerFunction, OwnOr } from "./spec.ts";

const INTEGER: readonly ScalarKind[] = ["int", "uint"];
const widthOf = (type: Scalar): number => SCALARS[type].bits;
/** The bits of a value, the highest first. */
const digitsOf = (type: Scalar, x: ScalarValue): string =>
  BigInt.asUintN(widthOf(type), BigInt(x)).toString(2).padStart(widthOf(type), "0");
const ofDigits = (type: Scalar, digits: string): ScalarValue =>
  SCALARS[type].whole(BigInt(`0b${digits || "0"}`));
const saturated = (type: Scalar, exact: bigint): ScalarValue => {
  const { lowest, highest, whole } = SCALARS[type];
  return exact < BigInt(lowest) ? lowest : exact > BigInt(highest) ? highest : whole(exact);
};
const rotated = (type: Scalar, x: ScalarValue, left: number): ScalarValue => {
  const digits = digitsOf(type, x);
  return ofDigits(type, digits.slice(left) + digits.slice(0, left));
};
const reversed = (list: Iterable<string>): string => [...list].reverse().join("");

/** The field of bits: where it begins, counted from the lowest bit, and how many bits it has. */
function fieldOf(type: Scalar, offset: ScalarValue, count: ScalarValue): { from: number; size: number } {
  const from = Math.min(Number(offset), widthOf(type));
  return { from, size: Math.min(Number(count), widthOf(type) - from) };
}

type Values = readonly ScalarValue[];
const row = (
  rest: readonly OwnOr[],
  summary: string,
  apply: (type: Scalar, a: ScalarValue, ...rest: Values) => ScalarValue,
): FunctionSpec => ({
  on: INTEGER,
  rest,
  result: "own",
  summary,
  apply: (type, [a, ...others]) => apply(type, a as ScalarValue, ...others),
});

export const INTEGER_FUNCTIONS: Readonly<Record<IntegerFunction, FunctionSpec>> = {
  ctz: row([], "number of 0 bits below the lowest 1; the width for 0", (type, a) =>
    SCALARS[type].whole((/0*$/.exec(digitsOf(type, a)) as RegExpExecArray)[0].length),
  ),
  reverseBits: row([], "the bits in the opposite order", (type, a) =>
    ofDigits(type, reversed(digitsOf(type, a))),
  ),
  swapBytes: row([], "the bytes in the opposite order", (type, a) =>
    ofDigits(type, reversed(digitsOf(type, a).match(/.{8}/g) as string[])),
  ),
  rotateLeft: row(["u32"], "the bits rotated left by the amount modulo the width", (type, a, by) =>
    rotated(type, a, Number(by) % widthOf(type)),
  ),
  rotateRight: row(["u32"], "the bits rotated right by the amount modulo the width", (type, a, by) =>
    rotated(type, a, (widthOf(type) - (Number(by) % widthOf(type))) % widthOf(type)),
  ),
  addSaturating: row(["own"], "the exact sum, or the nearest value of the type", (type, a, b) =>
    saturated(type, BigInt(a) + BigInt(b as ScalarValue)),
  ),
  subSaturating: row(["own"], "the exact difference, or the nearest value of the type", (type, a, b) =>
    saturated(type, BigInt(a) - BigInt(b as ScalarValue)),
  ),
  mulHigh: row(["own"], "the upper half of the exact product, which has twice the width", (type, a, b) =>
    SCALARS[type].whole((BigInt(a) * BigInt(b as ScalarValue)) >> BigInt(widthOf(type))),
  ),
  extractBits: row(
    ["u32", "u32"],
    "the bits from an offset on, as many as the count; signed types extend the field's highest bit. The field ends at the width",
    (type, a, offset, count) => {
      const { from, size } = fieldOf(type, offset as ScalarValue, count as ScalarValue);
      const end = widthOf(type) - from;
      const field = BigInt(`0b0${digitsOf(type, a).slice(end - size, end)}`);
      return SCALARS[type].whole(SCALARS[type].kind === "int" ? BigInt.asIntN(size, field) : field);
    },
  ),
  insertBits: row(
    ["own", "u32", "u32"],
    "the value whose bits from an offset on, as many as the count, are the lowest bits of another. The field ends at the width",
    (type, a, bits, offset, count) => {
      const { from, size } = fieldOf(type, offset as ScalarValue, count as ScalarValue);
      const [old, own] = [digitsOf(type, a), digitsOf(type, bits as ScalarValue)];
      const end = widthOf(type) - from;
      return ofDigits(type, old.slice(0, end - size) + own.slice(own.length - size) + old.slice(end));
    },
  ),
};
