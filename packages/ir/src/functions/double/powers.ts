/** Exponential functions of doubles: what `kernel/src/library/functions/elementary/exponential.ts` computes. */
import { EXP } from "../digits/coefficients.ts";
import {
  type Digits,
  down,
  high,
  LN2,
  LOG2E,
  lengthOf,
  of,
  reciprocal,
  sum,
  type UnaryDouble,
  unit,
  word,
} from "../digits/fixed.ts";

interface Split {
  readonly k: number;
  readonly part: bigint;
  readonly power: bigint;
}
/** The digits after the point, 64 of them. */
const fractionOf = ({ digits, exponent }: Digits): bigint =>
  exponent < -1 ? down(digits, -1 - exponent) : word(digits << BigInt(exponent + 1));
const signed = (n: bigint, isNegative: boolean): bigint => (isNegative ? -n : n);
function powerOf(r: bigint): Pick<Split, "part" | "power"> {
  const part = sum(r, EXP);
  return { part, power: unit(62) + high(part, r) };
}
/** e^x = 2^k power. */
function split(x: Digits, isNegative: boolean): Split {
  const fixed = down(x.digits, 10 - x.exponent);
  const k = (((fixed >> 32n) * of(LOG2E, 31)) / unit(32) + unit(19)) >> 20n;
  const last = (k * (of(LN2, 80) & 0xffffn)) >> 16n;
  const r = signed(BigInt.asIntN(64, fractionOf(x) - k * of(LN2, 64) - last), isNegative);
  return { k: Number(signed(k, isNegative)), ...powerOf(r) };
}
/** e^x - 1 of a number whose k is 0. */
const lessOne = ({ digits, exponent }: Digits, part: bigint): Digits => ({
  digits: high(digits, part),
  exponent: exponent + 2,
});
const positive = (digits: bigint, exponent: number): ReturnType<UnaryDouble> => ({
  digits,
  exponent,
  isNegative: false,
});

const exp: UnaryDouble = (x, isNegative) => {
  const { k, power } = split(x, isNegative);
  return positive(power, k + 1);
};

/** 2^f of the digits after the point, less 1 from 1/2 on. */
export function powerOfFraction(fraction: bigint, isNegative: boolean): bigint {
  const r = high(BigInt.asIntN(64, fraction), of(LN2, 63)) << 1n;
  return powerOf(signed(r, isNegative)).power;
}
const exp2: UnaryDouble = (x, isNegative) => {
  const k = (down(x.digits, 10 - x.exponent) + unit(52)) >> 53n;
  return positive(powerOfFraction(fractionOf(x), isNegative), Number(signed(k, isNegative)) + 1);
};
const expm1: UnaryDouble = (x, isNegative) => {
  const { k, part, power } = split(x, isNegative);
  if (k === 0) return { ...lessOne(x, part), isNegative };
  if (k > 0) return positive(power - down(unit(62), k), k + 1);
  return { digits: unit(62) - down(power, -k), exponent: 1, isNegative };
};

/** 1 / e^r, of 62 fraction bits. */
const inverse = (power: bigint): bigint =>
  power < unit(62) ? reciprocal(power << 2n) >> 1n : reciprocal(power << 1n) >> 2n;
const sinh: UnaryDouble = (x, isNegative) => {
  const { k, part, power } = split(x, false);
  const other = inverse(power);
  if (k > 0) return { digits: power - down(other, 2 * k), exponent: k, isNegative };
  const { digits, exponent } = lessOne(x, part);
  return { digits: high(digits, unit(63) + (other << 1n)), exponent, isNegative };
};
const cosh: UnaryDouble = (x) => {
  const { k, power } = split(x, false);
  return positive(power + down(inverse(power), 2 * k), k);
};
const tanh: UnaryDouble = (x, isNegative) => {
  const twice = { digits: x.digits, exponent: x.exponent + 1 };
  const { k, part, power } = split(twice, false);
  if (k === 0) {
    const { digits, exponent } = lessOne(twice, part);
    return { digits: high(digits, reciprocal(power + unit(62))), exponent: exponent - 1, isNegative };
  }
  const one = down(unit(62), k);
  const zeros = BigInt(64 - lengthOf(power + one));
  const ratio = high((power - one) << zeros, reciprocal((power + one) << zeros));
  return { digits: ratio, exponent: 0, isNegative };
};

function nearHalf({ digits, exponent }: Digits, isNegative: boolean): bigint {
  const fixed = down(digits, -1 - exponent);
  const cubic = high(high(high(fixed, fixed), fixed), unit(64) / 48n);
  return unit(63) + signed(down(digits, 1 - exponent) - cubic - 1n, isNegative);
}
const sigmoid: UnaryDouble = (x, isNegative) => {
  if (x.exponent < -13) return positive(nearHalf(x, isNegative), -1);
  const { k, power } = split(x, true);
  const sum = unit(62) + down(power, -k);
  const zeros = 64 - lengthOf(sum);
  const inverted = reciprocal(sum << BigInt(zeros));
  return isNegative ? positive(high(power, inverted), zeros + k) : positive(inverted, zeros - 2);
};

export const DOUBLE_POWERS: Readonly<
  Record<"exp" | "exp2" | "expm1" | "sinh" | "cosh" | "tanh" | "sigmoid", UnaryDouble>
> = { exp, exp2, expm1, sinh, cosh, tanh, sigmoid };
