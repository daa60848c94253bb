/** Shared code of the bodies of elementary functions: fixed-point numbers in 64 bits, and their rounding to a float. */
import { shifted } from "@groupwise/ir/functions/digits/real.js";
import { SCALARS } from "@groupwise/ir/tables/scalar.js";
import type { Code } from "../../../language/build.ts";
import type { Expr } from "../../../language/expr.ts";
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
  word,
} from "../../../language/make-expr.ts";
import type { Fn } from "../../../language/module.ts";
import {
  anyBit,
  body,
  DOUBLE,
  type Format,
  ge,
  i32,
  infinity,
  leadingZeros,
  or,
  type Parts,
  partsOf,
  powerBits,
  SINGLE,
  shl,
  shr,
  signBit,
  significandOf,
  wordOf,
} from "../format.ts";
import { mulHigh } from "../integers.ts";
import { packed } from "../pack.ts";

/** The type that a result is rounded to: as an f32, as an f32 from which a half takes its one rounding, or as an f64. */
export type Rounding = "f32" | "f16" | "f64";
export const ROUNDINGS: readonly Rounding[] = ["f32", "f16", "f64"];
/** The differences between f32, which is also used for halves, and f64. */
export const pick = <T>(to: Rounding, single: T, double: T): T => (to === "f64" ? double : single);
/** The format of operands and results. */
export const formatOf = (to: Rounding): Format => pick(to, SINGLE, DOUBLE);

export const u64 = (value: bigint): Expr => constant("u64", SCALARS.u64.whole(value));
export const i64 = (value: bigint): Expr => constant("i64", SCALARS.i64.whole(value));
/** A number of so many fraction bits. */
export const q = (bits: number, n: bigint, p: number): Expr => u64(shifted(n, bits - p));
export const one = (bits: number): Expr => u64(1n << BigInt(bits));
export const high: typeof mulHigh = mulHigh;
export const upper = (x: Expr): Expr => word(1, x);
export const widened = (x: Expr): Expr => shl(cast("u64", x), 32);
/** The number of an i32 by which a shift moves: 63 means any larger shift. */
export const far = (by: Expr): Expr => bitcast("u32", binary("min", by, i32(63)));
export const down = (x: Expr, by: Expr): Expr => shr(x, far(by));
const zerosOf = (code: Code, x: Expr): Expr => code.let("zeros", leadingZeros(x));
export const asI32 = (x: Expr): Expr => bitcast("i32", x);

const NEAREST: Readonly<Record<Rounding, string>> = {
  f32: "nearest_of_digits",
  f16: "odd_of_digits",
  f64: "nearest_f64_of_digits",
};

/** A body that rounds digits * 2^(exponent - 63): `fill` has them with the top digit set, and the zeros that were before it. */
const ofDigits = (
  to: Rounding,
  doc: string,
  fill: (code: Code, sign: Expr, exponent: Expr, zeros: Expr, kept: Expr) => void,
): Fn => {
  const { word: bits, float: type } = formatOf(to);
  const params = [
    ["sign", bits],
    ["exponent", "i32"],
    ["digits", "u64"],
  ] as const;
  return body(NEAREST[to], doc, params, type, (code, ...args) => {
    const [sign, exponent, digits] = args as [Expr, Expr, Expr];
    const zeros = zerosOf(code, digits);
    fill(code, sign, exponent, zeros, code.let("digits_up", shl(digits, zeros)));
  });
};
const NEAREST_DOC = (type: string): string =>
  `The nearest ${type}, ties to even: digits * 2^(exponent - 63), of any digits but none at all.`;
const biasedOf = (f: Format, exponent: Expr, zeros: Expr): Expr =>
  add(bitcast("u32", exponent), sub(f.bias, zeros));
const nearestDigits: Fn = ofDigits("f32", NEAREST_DOC("f32"), (code, sign, exponent, zeros, kept) => {
  const lost = anyBit(SINGLE, word(0, kept));
  code.return(packed(SINGLE, sign, biasedOf(SINGLE, exponent, zeros), or(upper(kept), lost)));
});
const nearestDouble: Fn = ofDigits("f64", NEAREST_DOC("f64"), (code, sign, exponent, zeros, kept) =>
  code.return(packed(DOUBLE, sign, biasedOf(DOUBLE, exponent, zeros), kept)),
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
    const lost = anyBit(SINGLE, or(and(top, 255), word(0, kept)));
    const whole = add(shl(bitcast("u32", sub(biased, i32(1))), SINGLE.digits), shr(top, 8));
    code.return(bitcast("f32", or(sign, or(whole, lost))));
  },
);
export const DIGITS_BODIES: readonly Fn[] = [nearestDigits, oddDigits, nearestDouble];

/** Returns sign, and digits * 2^(exponent - 63), rounded. */
export const give = (code: Code, to: Rounding, sign: Expr, exponent: Expr, digits: Expr): void =>
  code.return(call(NEAREST[to], formatOf(to).float, [sign, exponent, digits]));

/** The constant of these bits. A NaN is read from a variable. */
export const float = (to: Rounding, bits: Expr): Expr => bitcast(formatOf(to).float, bits);
/** The sign of a result that is not negative. */
export const positive = (to: Rounding): Expr => wordOf(formatOf(to), 0n);
export const signOf = (to: Rounding, isNegative: Expr): Expr =>
  select(isNegative, signBit(formatOf(to)), positive(to));

/** A number that is not 0: digits * 2^(exponent - 63), the top digit set. */
export interface Number64 {
  readonly digits: Expr;
  /** An i32. */
  readonly exponent: Expr;
}
export function numberOf(code: Code, to: Rounding, parts: Parts, hint: string = ""): Number64 {
  const f = formatOf(to);
  const { digits, exponent } = significandOf(code, f, parts, hint);
  return {
    digits: code.let(`${hint}top`, shl(cast("u64", digits), 63 - f.digits)),
    exponent: code.let(`${hint}power`, asI32(sub(exponent, f.bias))),
  };
}
/** The parts of an operand. */
export const operand = (code: Code, to: Rounding, x: Expr, hint: string = ""): Parts =>
  partsOf(code, formatOf(to), x, hint);
/** The bits of a number that the format holds. */
export function bitsOf(to: Rounding, x: number): Expr {
  const view = new DataView(new ArrayBuffer(8));
  const f = formatOf(to);
  if (f.width === 32) view.setFloat32(4, x);
  else view.setFloat64(0, x);
  return wordOf(f, view.getBigUint64(0));
}
/** Writes a body of one or two operands, whose result is rounded for the type. */
export type FillBody = (code: Code, to: Rounding, x: Expr, y: Expr) => void;
/** NaN is unchanged; from some magnitude on the function has only two values. */
export function ends(
  code: Code,
  to: Rounding,
  { x, parts }: { readonly x: Expr; readonly parts: Parts },
  limit: number,
  [above, below]: readonly [number, number],
): void {
  code.if(parts.isNaN, (then) => then.return(x));
  code.if(ge(parts.magnitude, bitsOf(to, limit)), (then) =>
    then.return(float(to, select(parts.isNegative, bitsOf(to, below), bitsOf(to, above)))),
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
