/** x^y = 2^(y log2 x). */
import type { Code } from "../../../language/build.ts";
import type { Expr } from "../../../language/expr.ts";
import { add, and, cast, eq, lt, ne, select, sub, u32 } from "../../../language/make-expr.ts";
import {
  type Format,
  fractionMask,
  ge,
  hiddenBit,
  i32,
  infinity,
  leadingZeros,
  not,
  or,
  type Parts,
  returnNaN,
  shl,
  shr,
  signBit,
  wordOf,
} from "../format.ts";
import { powerOfTwo } from "./exponential.ts";
import { logarithmOf, reduced } from "./logarithm.ts";
import { type DoublePower, doublePowerOf } from "./power-double.ts";
import {
  asI32,
  bitsOf,
  down,
  type FillBody,
  float,
  formatOf,
  give,
  high,
  type Number64,
  numberOf,
  operand,
  pick,
  positive,
  type Rounding,
  u64,
} from "./words.ts";

/** Whether a number that is not 0 is whole, and odd: its lowest digit that is set is that of 1. */
function parityOf(code: Code, f: Format, y: Parts): { readonly isWhole: Expr; readonly isOdd: Expr } {
  const exponent = code.let("y_biased", cast("u32", shr(y.magnitude, f.digits)));
  const digits = or(and(y.magnitude, fractionMask(f)), hiddenBit(f));
  const isFraction = lt(exponent, f.bias);
  const isFar = ge(exponent, u32(f.bias + f.digits + 1));
  // Digits from that of 1/2 down at the top.
  const spare = f.width - 1 - f.digits;
  const moved = code.let("y_moved", shl(digits, and(sub(exponent, f.bias - spare), f.width - 1)));
  const isInside = code.let("y_inside", not(or(isFraction, isFar)));
  return {
    isWhole: code.let("y_whole", or(isFar, and(isInside, eq(shl(moved, 1), wordOf(f, 0n))))),
    isOdd: code.let("y_odd", and(isInside, eq(moved, signBit(f)))),
  };
}

/** x and y, the parts of each, and the sign of the result. */
interface Operands {
  readonly x: Expr;
  readonly y: Expr;
  readonly a: Parts;
  readonly b: Parts;
  readonly sign: Expr;
}
/** IEEE 754-2019, 9.2.1: 1 for x = 1 or y = 0, whatever the other is. */
function specials(code: Code, to: Rounding, { x, y, a, b, sign }: Operands): void {
  code.if(or(eq(a.bits, bitsOf(to, 1)), b.isZero), (then) => then.return(float(to, bitsOf(to, 1))));
  code.if(a.isNaN, (then) => then.return(x));
  code.if(b.isNaN, (then) => then.return(y));
  code.if(and(eq(a.magnitude, bitsOf(to, 1)), b.isInfinite), (then) => then.return(float(to, bitsOf(to, 1))));
  code.if(or(or(a.isZero, a.isInfinite), b.isInfinite), (then) => {
    const isLarge = ge(a.magnitude, bitsOf(to, 1));
    then.return(float(to, or(sign, select(ne(isLarge, b.isNegative), infinity(formatOf(to)), positive(to)))));
  });
}

type Power = (code: Code, x: Number64, y: Number64, isOpposite: Expr) => DoublePower;
const singlePowerOf: Power = (code, x, factor, isOpposite) => {
  const log = logarithmOf(code, reduced(code, x), true);
  const zeros = code.let("zeros", leadingZeros(log.digits));
  const whole = code.let("whole", high(shl(log.digits, zeros), factor.digits));
  const lead = code.let("lead", leadingZeros(whole));
  const product = code.let("product", shl(whole, lead));
  const lost = asI32(sub(add(zeros, lead), 1));
  const power = code.let("power", sub(add(log.exponent, factor.exponent), lost));
  const isNegative = code.let("negative", ne(log.isNegative, isOpposite));
  // 192 and more, or less than its opposite
  const isFar = or(ge(power, i32(8)), ge(down(product, sub(i32(7), power)), u64(192n << 56n)));
  return { isNegative, isFar, ...powerOfTwo(code, "f32", { digits: product, exponent: power }, isNegative) };
};
/** An exact result has no digits there, and one that is halfway between two floats neither. */
const kept = (digits: Expr): Expr => and(add(digits, u64(1n << 8n)), not(u64((1n << 9n) - 1n)));

export const pow: FillBody = (code, to, x, y) => {
  const [a, b] = [operand(code, to, x, "x_"), operand(code, to, y, "y_")];
  const { isWhole, isOdd } = parityOf(code, formatOf(to), b);
  const sign = code.let("sign", select(isOdd, a.sign, positive(to)));
  specials(code, to, { x, y, a, b, sign });
  code.if(and(a.isNegative, not(isWhole)), (then) => returnNaN(then, formatOf(to)));
  code.if(eq(a.magnitude, bitsOf(to, 1)), (then) => then.return(float(to, or(sign, bitsOf(to, 1)))));
  const powerOf = pick(to, singlePowerOf, doublePowerOf);
  const [base, exponent] = [numberOf(code, to, a, "x_"), numberOf(code, to, b, "y_")];
  const { isNegative, isFar, k, power } = powerOf(code, base, exponent, b.isNegative);
  code.if(isFar, (then) =>
    then.return(float(to, or(sign, select(isNegative, positive(to), infinity(formatOf(to)))))),
  );
  give(code, to, sign, add(k, i32(1)), pick(to, kept(power), power));
};
