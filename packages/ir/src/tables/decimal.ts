/** Decimals as floats, rounded once. */
import type { FloatScalar } from "./scalar.ts";

/** The types of floats, also that which only elements of arrays have. */
export type DecimalType = FloatScalar | "bf16";

/** A type's significant binary digits, the exponent of its least normal value, and the power of two above its greatest. */
interface Format {
  readonly digits: number;
  readonly least: number;
  readonly end: number;
}

const FORMATS: { readonly [T in Exclude<DecimalType, "f64">]: Format } = {
  f16: { digits: 11, least: -14, end: 2 ** 16 },
  bf16: { digits: 8, least: -126, end: 2 ** 128 },
  f32: { digits: 24, least: -126, end: 2 ** 128 },
};

const words = /*@__PURE__*/ new DataView(new ArrayBuffer(8));

/**
 * The value of the type nearest to a decimal, ties to even; infinite from half a step past the greatest. The nearest double decides, unless it
 * is half-way between two values of the type: then the decimal's own side of it does. IEEE 754-2019, 5.12.2.
 * @param decimal digits with an optional sign, point and exponent
 */
export function nearestFloat(type: DecimalType, decimal: string): number {
  const double = Number(decimal);
  if (type === "f64" || double === 0) return double;
  const { digits, least, end } = FORMATS[type];
  const magnitude = Math.abs(double);
  const sign = Math.sign(double);
  if (magnitude >= end) return sign * Number.POSITIVE_INFINITY;
  words.setFloat64(0, magnitude);
  const step = 2 ** (Math.max((words.getUint16(0) >> 4) - 1023, least) + 1 - digits);
  const below = Math.floor(magnitude / step);
  const rest = magnitude / step - below;
  const side = rest === 0.5 ? sideOf(decimal, magnitude) : rest - 0.5;
  const nearest = (side > 0 || (side === 0 && below % 2 === 1) ? below + 1 : below) * step;
  return sign * (nearest < end ? nearest : Number.POSITIVE_INFINITY);
}

/** Positive if a decimal's magnitude is greater than a double, 0 if it equals it, negative if it is less. */
function sideOf(decimal: string, double: number): number {
  const [, whole = "", fraction = "", exponent = "0"] = /(\d*)\.?(\d*)(?:e(.+))?$/i.exec(decimal) ?? [];
  words.setFloat64(0, double);
  const bits = words.getBigUint64(0);
  const power = Number(bits >> 52n);
  let left = BigInt(whole + fraction);
  let right = (bits & (2n ** 52n - 1n)) | (power > 0 ? 2n ** 52n : 0n);
  const scale = (base: bigint, by: number): void => {
    if (by >= 0) left *= base ** BigInt(by);
    else right *= base ** BigInt(-by);
  };
  scale(10n, Number(exponent) - fraction.length);
  scale(2n, 1075 - Math.max(power, 1));
  return left > right ? 1 : left < right ? -1 : 0;
}
