/** What the bodies of elementary functions share: fixed-point numbers in 64 bits, and how they end as a float. */
import { shifted } from "../../../ir/functions/real.ts";
import { SCALARS } from "../../../ir/tables/scalar.ts";
import type { Code } from "../../kernel/build.ts";
import type { Expr } from "../../kernel/expr.ts";
import {
  add,
  and,
  binary,
  bitcast,
  call,
  cast,
  constant,
  lt,
  select,
  sub,
  u32,
  word,
} from "../../kernel/make-expr.ts";
import type { Fn } from "../../kernel/module.ts";
import {
  anyBit,
  body,
  ge,
  i32,
  infinity,
  leadingZeros,
  normalised,
  or,
  type Parts,
  partsOf,
  powerBits,
  SINGLE,
  shl,
  shr,
  signBit,
} from "../format.ts";
import { mulHigh } from "../integers.ts";
import { packed } from "../pack.ts";

/** The type that a result is rounded to: as an f32, or as an f32 from which a half takes its one rounding. */
export type Rounding = "f32" | "f16";
export const ROUNDINGS: readonly Rounding[] = ["f32", "f16"];

export const u64 = (value: bigint): Expr => constant("u64", SCALARS.u64.whole(value));
export const i64 = (value: bigint): Expr => constant("i64", SCALARS.i64.whole(value));
/** A number of so many fraction bits. */
export const q = (bits: number, n: bigint, p: number): Expr => u64(shifted(n, bits - p));
export const one = (bits: number): Expr => u64(1n << BigInt(bits));
export const high: typeof mulHigh = mulHigh;
export const upper = (x: Expr): Expr => word(1, x);
export const widened = (x: Expr): Expr => shl(cast("u64", x), 32);
/** The number of an i32 by which a shift moves: 63 stands for all that is more. */
export const far = (by: Expr): Expr => bitcast("u32", binary("min", by, i32(63)));
export const down = (x: Expr, by: Expr): Expr => shr(x, far(by));
export const zerosOf = (code: Code, x: Expr): Expr => code.let("zeros", leadingZeros(x));
export const asI32 = (x: Expr): Expr => bitcast("i32", x);

const NEAREST: Readonly<Record<Rounding, string>> = { f32: "nearest_of_digits", f16: "odd_of_digits" };
const PARAMS = [
  ["sign", "u32"],
  ["exponent", "i32"],
  ["digits", "u64"],
] as const;

/** A body that rounds digits * 2^(exponent - 63): `fill` has them with the top digit set, and the zeros that were before it. */
const ofDigits = (
  to: Rounding,
  doc: string,
  fill: (code: Code, sign: Expr, exponent: Expr, zeros: Expr, kept: Expr) => void,
): Fn =>
  body(NEAREST[to], doc, PARAMS, "f32", (code, ...args) => {
    const [sign, exponent, digits] = args as [Expr, Expr, Expr];
    const zeros = zerosOf(code, digits);
    fill(code, sign, exponent, zeros, code.let("digits_up", shl(digits, zeros)));
  });
const nearestDigits: Fn = ofDigits(
  "f32",
  "The nearest f32, ties to even: digits * 2^(exponent - 63), of any digits but none at all.",
  (code, sign, exponent, zeros, kept) => {
    const biased = add(bitcast("u32", exponent), sub(u32(SINGLE.bias), zeros));
    code.return(packed(SINGLE, sign, biased, or(upper(kept), anyBit(SINGLE, word(0, kept)))));
  },
);
/** Boldo and Melquiond, Emulation of FMA and correctly rounded sums: proved algorithms using rounding to odd, 2008. */
const oddDigits: Fn = ofDigits(
  "f16",
  "The digits cut off to an f32 whose last digit is 1 if any was lost: its nearest half is that of the digits.",
  (code, sign, exponent, zeros, kept) => {
    const biased = code.let("biased", sub(add(exponent, i32(SINGLE.bias)), asI32(zeros)));
    code.if(lt(biased, i32(1)), (then) => then.return(bitcast("f32", or(sign, powerBits(SINGLE, -126)))));
    code.if(ge(biased, i32(255)), (then) => then.return(bitcast("f32", or(sign, infinity(SINGLE)))));
    const top = upper(kept);
    const lost = anyBit(SINGLE, or(and(top, u32(255)), word(0, kept)));
    const whole = add(shl(bitcast("u32", sub(biased, i32(1))), SINGLE.digits), shr(top, 8));
    code.return(bitcast("f32", or(sign, or(whole, lost))));
  },
);
export const DIGITS_BODIES: readonly Fn[] = [nearestDigits, oddDigits];

/** Returns sign, and digits * 2^(exponent - 63), rounded. */
export const give = (code: Code, to: Rounding, sign: Expr, exponent: Expr, digits: Expr): void =>
  code.return(call(NEAREST[to], "f32", [sign, exponent, digits]));

/** The constant of these bits. A NaN stands in a variable. */
export const float = (bits: Expr): Expr => bitcast("f32", bits);
export const POSITIVE: Expr = u32(0);

/** A number that is not 0: digits * 2^(exponent - 63), the top digit set. */
export interface Number64 {
  readonly digits: Expr;
  /** An i32. */
  readonly exponent: Expr;
}
export function numberOf(code: Code, parts: Parts, hint: string = ""): Number64 {
  const { digits, exponent } = normalised(code, SINGLE, parts, hint);
  return {
    digits: code.let(`${hint}top`, shl(cast("u64", digits), 40)),
    exponent: code.let(`${hint}power`, asI32(sub(exponent, u32(SINGLE.bias)))),
  };
}
export const single = (code: Code, x: Expr, hint: string = ""): Parts => partsOf(code, SINGLE, x, hint);
/** The bits of a number that an f32 holds. */
export function bitsOf(x: number): number {
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, x);
  return view.getUint32(0);
}
export const ONE: Expr = powerBits(SINGLE, 0);
export const MINUS_ONE: Expr = or(ONE, signBit(SINGLE));
export const INFINITE: Expr = infinity(SINGLE);
export const MINUS_INFINITE: Expr = or(INFINITE, signBit(SINGLE));
/** Writes a body of one operand or two: what it returns is rounded for the type. */
export type Fill = (code: Code, to: Rounding, x: Expr, y: Expr) => void;
/** A NaN is its own; from a magnitude on there are two values, which are given as bits. */
export function ends(code: Code, x: Expr, parts: Parts, limit: number, above: Expr, below: Expr): void {
  code.if(parts.isNaN, (then) => then.return(x));
  code.if(ge(parts.magnitude, u32(bitsOf(limit))), (then) =>
    then.return(float(select(parts.isNegative, below, above))),
  );
}
export const ofZero = (code: Code, parts: Parts, value: Expr): void =>
  code.if(parts.isZero, (then) => then.return(value));
/** Horner's scheme; magnitudes stay positive where each coefficient outweighs what follows it. */
export function unsignedSum(code: Code, u: Expr, coefficients: readonly bigint[]): Expr {
  const magnitude = (c: bigint): bigint => (c < 0n ? -c : c);
  return coefficients
    .map((c, i) => ({ c, isSame: c < 0n === (coefficients[i + 1] ?? 0n) < 0n }))
    .reduceRight<Expr | undefined>((sum, { c, isSame }) => {
      const own = u64(magnitude(c));
      if (!sum) return own;
      return code.let("sum", binary(isSame ? "add" : "sub", own, high(sum, u)));
    }, undefined) as Expr;
}
/** The same for signed numbers, with a choice of coefficients in each step. */
export const signedSum = (code: Code, u: Expr, steps: readonly Expr[]): Expr =>
  steps.reduceRight((sum, c) => code.let("sum", add(c, high(sum, u))));
