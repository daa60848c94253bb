/** First steps of logarithms in few operations, which report whether they decide the rounding (as that of e^x does). */
import { ln2, log, over } from "@groupwise/ir/functions/digits/real.js";
import type { Code } from "../../../language/build.ts";
import type { Expr } from "../../../language/expr.ts";
import { add, binary, bitcast, cast, mul, select, sub } from "../../../language/make-expr.ts";
import type { Fn } from "../../../language/module.ts";
import { define, floatOf, magnitudeOf, QUIET_NAN } from "../base/define.ts";
import { asFloat, bits, f32, f32Bits, guardBy, horner, plus, roundedSum } from "./parts.ts";

// The operands of first steps of logarithms, as a power of two, one of three factors, and a number near 1.
/** The bits of the least m: between it and twice this number, quarters next to 63/64 m - 1 are 1/4, 0 and -1/4, and change at 8/9 and 8/7. */
const LEAST = 0x3f328000;
/** 1.5 * 2^21 and 1.5 * 2^10: sums with them are rounded to 2 and 13 fraction bits. */
const TO_QUARTERS = 3145728;
const TO_STEPS = 1536;
const STEP = 2 ** -13;

/** The operand: x = 2^k m, m (1 - q) = 1 + z, z = s + t, s a whole number of steps of 2^-13, |t| <= 2^-14. */
interface Reduced {
  /** An i32. */
  readonly power: Expr;
  /** The same number. */
  readonly k: Expr;
  /** 1/4, 0 or -1/4. */
  readonly q: Expr;
  /** |z| < 0.1431: 26 fraction bits hold that of a float. */
  readonly z: Expr;
  /** s in steps, a whole number as u32. */
  readonly steps: Expr;
  readonly s: Expr;
  readonly t: Expr;
  readonly guarded: (x: Expr) => Expr;
}
/** @param x bits of a float, which is no operand of log1p but its sum with 1 */
function reduced(code: Code, x: Expr): Reduced {
  const power = code.let("power", binary("shr", bitcast("i32", sub(x, LEAST)), 23));
  const m = code.let("m", floatOf(sub(x, binary("shl", bitcast("u32", power), 23))));
  const nearest = code.let("nearest", bits(plus(f32(TO_QUARTERS - 1), m, f32(63 / 64))));
  const guarded = guardBy(nearest);
  const q = code.let("q", sub(floatOf(magnitudeOf(nearest)), f32(TO_QUARTERS)));
  const z = code.let("z", guarded(sub(guarded(sub(m, f32(1))), mul(m, q))));
  const steps = code.let("steps", sub(bits(add(z, f32(TO_STEPS))), f32Bits(TO_STEPS)));
  const s = code.let("s", mul(asFloat(steps), f32(STEP)));
  const t = code.let("t", guarded(sub(z, s)));
  return { power, k: code.let("k", cast("f32", power)), q, z, steps, s, t, guarded };
}
/**
 * 1 + x, of which a float holds the first digits.
 * @param given bits of x > -1
 */
function oneMore(code: Code, given: Expr): Reduced & { readonly lost: Expr } {
  const isLarge = code.let("large", binary("gt", magnitudeOf(given), f32Bits(1)));
  const x = floatOf(given);
  const most = code.let("most_of_sum", select(isLarge, x, f32(1)));
  const least = code.let("least_of_sum", select(isLarge, f32(1), x));
  const sum = code.let("sum", bits(add(most, least)));
  const parts = reduced(code, sum);
  const { power, q, s, t: before, guarded } = parts;
  const unit = floatOf(binary("shl", sub(127, bitcast("u32", power)), 23));
  const behind = code.let(
    "rest_of_m",
    mul(guarded(sub(least, guarded(sub(floatOf(magnitudeOf(sum)), most)))), unit),
  );
  const more = code.let("more", guarded(sub(behind, mul(behind, q))));
  const t = code.let("all_of_t", guarded(add(before, more)));
  const lost = sub(more, guarded(sub(t, before)));
  return { ...parts, z: code.let("all_of_z", add(s, t)), t, lost: code.let("lost_of_t", guarded(lost)) };
}

const P = 128;
/** Sums with it are rounded to 24 fraction bits. */
const TO_ESTIMATE = 0.75;
/** The error is less than |z| (a + b z²) + c |result|: see docs/decisions/first-steps.md. */
type Doubt = readonly [a: number, b: number, c: number];
const DOUBT: Doubt = [2 ** -35, 25 * 2 ** -35, 1.5 * 2 ** -40];
const DOUBT_OF_ONE_MORE: Doubt = [1.25 * 2 ** -35, 64 * 2 ** -35, 2 ** -39];
const DOUBT_OF_BINARY: Doubt = [3 * 2 ** -35, 64 * 2 ** -35, 1.5 * 2 ** -40];
/** (log(1 + z) - z + z²/2 - z³/3 + z⁴/4) / z⁵, for |z| < 0.1431 within 2^-42.6 if multiplied by z⁵. */
const REST_OF_SERIES = [
  0x19999c0 * 2 ** -27,
  -0x1555588 * 2 ** -27,
  0x12471b4 * 2 ** -27,
  -0x1ffb516 * 2 ** -28,
  0x1d87b98 * 2 ** -28,
  -0x1ab5150 * 2 ** -28,
];

/** A logarithm, of P digits, as a number of 17 fraction bits, whose sums are exact, and the rest. */
function parted(n: bigint): readonly [number, number] {
  const first = ((n >> BigInt(P - 18)) + 1n) >> 1n;
  return [Number(first) / 2 ** 17, Number(n - (first << BigInt(P - 17))) / 2 ** P];
}
/** What the bases e and 2 differ in. */
interface Base {
  /** The logarithm of 2. */
  readonly ofTwo: readonly [number, number];
  /** Those of 4/3 and of 4/5. */
  readonly ofFactors: readonly (readonly [number, number])[];
  /** The logarithm of 1 + z, of that of base e. */
  readonly form: (code: Code, natural: Parted) => Parted;
  readonly doubt: Doubt;
}
const LN2 = ln2(P);
const LOG2E = over(1n << BigInt(P), LN2, P);
/** Log2 e, of 12 digits, and the rest. */
const SHORT_LOG2E = Math.round(Math.LOG2E * 2 ** 11) / 2 ** 11;
const REST_OF_LOG2E = Number(LOG2E - (BigInt(SHORT_LOG2E * 2 ** 11) << BigInt(P - 11))) / 2 ** P;
const factors = (of: (n: bigint) => bigint): Base["ofFactors"] =>
  [3n, 5n].map((quarters) => parted(of(-log(quarters << BigInt(P - 2), P))));
/** k times the logarithm of 2, less that of 1 - q for q = 1/4, 0 and -1/4, as q (a + b q): the first part or the rest. */
function outsideOf(
  { ofTwo, ofFactors }: Pick<Base, "ofTwo" | "ofFactors">,
  { k, q }: Reduced,
  part: 0 | 1,
): Expr {
  const [up, down] = ofFactors.map((parts) => parts[part]) as [number, number];
  const factor = mul(q, plus(f32(2 * (up - down)), q, f32(8 * (up + down))));
  if (ofTwo[part] === 0) return factor;
  return add(factor, ofTwo[part] === 1 ? k : mul(k, f32(ofTwo[part])));
}

/** Log(1 + s + t) without t and without the first four terms of s. */
function small(code: Code, { z, s, t }: Reduced, square: Expr): Expr {
  const rest = mul(mul(square, square), mul(z, horner(z, REST_OF_SERIES.map(f32))));
  // The slope of the four terms in the middle of s and z, and what its curvature adds.
  const middle = code.let("middle", plus(s, t, f32(1 / 2)));
  const slope = mul(middle, sub(f32(1), mul(middle, sub(f32(1), middle))));
  return add(rest, mul(t, sub(mul(t, mul(t, f32(1 / 12))), slope)));
}
/** s - s²/2 + s³/3 - s⁴/4, nearly. */
const estimated = (s: Expr): Expr => plus(s, mul(s, s), horner(s, [f32(-1 / 2), f32(1 / 3), f32(-1 / 4)]));
/** 12 (s - s²/2 + s³/3 - s⁴/4) in units of 2^-52, modulo 2^32: its first digits are those of floats. */
const exactSum = (n: Expr): Expr => mul(mul(n, n), sub(mul(n, sub(4 << 13, mul(n, 3))), 6 << 26));

/** Exact numbers and a small one, whose sum is a logarithm. */
interface Parted {
  readonly exact: readonly Expr[];
  readonly small: Expr;
}
/** The first four terms of s are a float of 24 fraction bits, and a small distance from it, which fits a word in units of 2^-52 / 12. */
function logOfNearOne(code: Code, parts: Reduced, square: Expr): Parted {
  const { steps, s, t, guarded } = parts;
  const estimate = code.let("estimate", bits(add(estimated(s), f32(TO_ESTIMATE))));
  const distance = asFloat(sub(exactSum(steps), mul(estimate, (12 << 28) >>> 0)));
  const whole = guarded(sub(floatOf(magnitudeOf(estimate)), f32(TO_ESTIMATE)));
  return {
    exact: [code.let("whole", whole), t],
    small: plus(small(code, parts, square), distance, f32(2 ** -54 / 3)),
  };
}
/** The sum is exact if z is that of a float. */
const ofFloat = (code: Code, { exact: [whole, t], small }: Parted): Parted => ({
  exact: [code.let("first", add(whole as Expr, t as Expr))],
  small,
});
/** The logarithm of base 2: the product of 12 digits of the number and 12 of log2 e is exact. */
function ofBinary(code: Code, parted: Parted): Parted {
  const { exact, small } = ofFloat(code, parted);
  const first = exact[0] as Expr;
  const short = code.let("short", floatOf(binary("and", add(bits(first), 1 << 11), 0xfffff000)));
  const products = plus(mul(sub(first, short), f32(SHORT_LOG2E)), first, f32(REST_OF_LOG2E));
  return {
    exact: [code.let("scaled", mul(short, f32(SHORT_LOG2E)))],
    small: plus(products, small, f32(Math.LOG2E)),
  };
}

const sizeOf = (x: Expr): Expr => floatOf(magnitudeOf(bits(x)));
/** log x = k log 2 - log(1 - q) + log(1 + z). */
function finish(code: Code, parts: Reduced, { form, ...base }: Base, isSpecial: Expr): void {
  const square = code.let("square", mul(parts.z, parts.z));
  const { exact, small } = form(code, logOfNearOne(code, parts, square));
  const [outside, rest] = ([0, 1] as const).map((part) => outsideOf(base, parts, part)) as [Expr, Expr];
  const numbers = [code.let("outside", outside), ...exact];
  const [ofZ, ofCube, ofResult] = base.doubt.map(f32) as [Expr, Expr, Expr];
  const { most, isOpen } = roundedSum(code, parts.guarded, numbers, {
    left: (lost) => add(lost, add(small, rest)),
    doubt: (head) =>
      code.let("doubt", plus(mul(sizeOf(parts.z), plus(ofZ, square, ofCube)), sizeOf(head), ofResult)),
  });
  code.return(select(binary("or", isOpen, isSpecial), QUIET_NAN, most));
}
const NATURAL: Base = { ofTwo: parted(LN2), ofFactors: factors((n) => n), form: ofFloat, doubt: DOUBT };
const BINARY: Base = {
  ofTwo: [1, 0],
  ofFactors: factors((n) => (n * LOG2E) >> BigInt(P)),
  form: ofBinary,
  doubt: DOUBT_OF_BINARY,
};
/** Other than the bits of positive normal numbers up to an end. */
const isOther = (given: Expr, end = 0x7f800000): Expr =>
  binary("ge", sub(given, 0x00800000), end - 0x00800000);
const ofNumber =
  (base: Base): ((code: Code, given: Expr) => void) =>
  (code, given) =>
    finish(code, reduced(code, given), base, isOther(given));
function ofOneMore(code: Code, given: Expr): void {
  const { lost, ...parts } = oneMore(code, given);
  const isSpecial = binary(
    "or",
    isOther(magnitudeOf(given), f32Bits(2 ** 127)),
    binary("ge", given, f32Bits(-1)),
  );
  const form: Base["form"] = (_, { exact, small }) => ({ exact, small: add(lost, small) });
  finish(code, parts, { ...NATURAL, form, doubt: DOUBT_OF_ONE_MORE }, isSpecial);
}

const quick = (name: string, what: string, fill: (code: Code, given: Expr) => void): Fn =>
  define(`quick_${name}`, {
    doc: `The bits of the f32 nearest to ${what} for the bits of x, or those of a NaN if the exact function has to decide.`,
    params: ["bits"],
    type: "u32",
    returns: "u32",
    body: (code, [given]) => fill(code, given as Expr),
  });
export const QUICK_LOGARITHMS: readonly Fn[] = [
  quick("log", "log x", ofNumber(NATURAL)),
  quick("log2", "log2 x", ofNumber(BINARY)),
  quick("log1p", "log(1 + x)", ofOneMore),
];
