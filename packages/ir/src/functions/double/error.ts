/** The error function of doubles: what `kernel/src/library/functions/elementary/error.ts` computes. */
import { ERF, ERF_FAR, ERF_SMALL } from "../digits/coefficients.ts";
import { down, high, magnitude, sum, type UnaryDouble, unit } from "../digits/fixed.ts";

const PIECES = [...ERF, ...ERF_FAR];
/** Of |x| < 6. */
export const erf: UnaryDouble = ({ digits, exponent }, isNegative) => {
  if (exponent < 0) {
    const u = down(high(digits, digits), -2 * (exponent + 1));
    return { digits: high(digits, magnitude(u, ERF_SMALL)), exponent: exponent + 2, isNegative };
  }
  // 3 digits before the point
  const fixed = down(digits, 2 - exponent);
  const piece = PIECES[Number(fixed >> 61n) - 1] as readonly bigint[];
  const t = ((fixed & (unit(61) - 1n)) << 3n) - unit(63);
  return { digits: sum(t, piece), exponent: 1, isNegative };
};
