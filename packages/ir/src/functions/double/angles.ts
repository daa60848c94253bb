/** Arc functions of doubles: what `kernel/src/library/functions/elementary/angle.ts` computes. */
import { type Digits, down, high, inverseRoot, lengthOf, type UnaryDouble, unit } from "../digits/fixed.ts";
import { angleOf } from "../digits/words.ts";

/** √((1 - x) (1 + x)) of a magnitude below 1: the first factor has all its digits. */
function beside({ digits, exponent }: Digits): Digits {
  const fixed = down(digits, -1 - exponent);
  const gap = unit(64) - (fixed || 1n);
  const zeros = 64 - lengthOf(gap);
  const square = high(gap << BigInt(zeros), unit(63) + (fixed >> 1n));
  const before = 64 - lengthOf(square);
  const places = zeros + before + 1;
  const d = (square << BigInt(before)) >> BigInt(places & 1);
  const root = high(d, inverseRoot(d));
  const kept = root < unit(61) ? unit(61) : root < unit(62) ? root : unit(62) - 1n;
  return { digits: (kept << 2n) + 2n, exponent: -(places >> 1) };
}
const ONE: Digits = { digits: unit(63), exponent: 0 };
const signed =
  (angle: (x: Digits) => Digits): UnaryDouble =>
  (x, isNegative) => ({ ...angle(x), isNegative });

export const DOUBLE_ANGLES: Readonly<Record<"asin" | "acos" | "atan", UnaryDouble>> = {
  asin: signed((x) => angleOf(x, beside(x), false)),
  acos: (x, isNegative) => ({ ...angleOf(beside(x), x, isNegative), isNegative: false }),
  atan: signed((x) => angleOf(x, ONE, false)),
};
