/** First steps of logarithms in few operations, which tell whether they decide the rounding (as that of e^x does). */
import { ln2, log, over } from "../../ir/functions/digits/real.ts";
import type { Code } from "../kernel/build.ts";
import type { Expr } from "../kernel/expr.ts";
import { add, binary, bitcast, cast, mul, ne, select, sub, u32 } from "../kernel/make-expr.ts";
import type { Fn } from "../kernel/module.ts";
import { define, floatOf, magnitudeOf, QUIET_NAN } from "./base/define.ts";
import { asFloat, bits, f32, f32Bits, guardBy, horner, plus } from "./base/quick.ts";

const P = 128;
/** The bits of the least m: between it and twice this number, quarters next to 63/64 m - 1 are 1/4, 0 and -1/4, and change at 8/9 and 8/7. */
const LEAST = 0x3f328000;
/** 1.5 * 2^21, 1.5 * 2^10 and 3 / 4: sums with them are rounded to 2, 13 and 24 fraction bits. */
const TO_QUARTERS = 3145728;
const TO_STEPS = 1536;
const TO_ESTIMATE = 0.75;
const STEP = 2 ** -13;
/** The error is less than |z| (a + b z²) + c |result|: see docs/decisions/elementary-functions.md. */
type Doubt = readonly [a: number, b: number, c: number];
const DOUBT: Doubt = [2 ** -35, 25 * 2 ** -35, 1.5 * 2 ** -40];
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

/** Log2 e, of 12 digits. */
const SHORT_LOG2E = Math.round(Math.LOG2E * 2 ** 11) / 2 ** 11;
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
  /** That of e, if it is not 1. */
  readonly scale: readonly [number, number] | undefined;
  readonly doubt: Doubt;
}
const LN2 = ln2(P);
const LOG2E = over(1n << BigInt(P), LN2, P);
const factors = (of: (n: bigint) => bigint): Base["ofFactors"] =>
  [3n, 5n].map((quarters) => parted(of(-log(quarters << BigInt(P - 2), P))));
const NATURAL: Base = { ofTwo: parted(LN2), ofFactors: factors((n) => n), scale: undefined, doubt: DOUBT };
const BINARY: Base = {
  ofTwo: [1, 0],
  ofFactors: factors((n) => (n * LOG2E) >> BigInt(P)),
  scale: [SHORT_LOG2E, Number(LOG2E - (BigInt(SHORT_LOG2E * 2 ** 11) << BigInt(P - 11))) / 2 ** P],
  doubt: DOUBT_OF_BINARY,
};
/** k times the logarithm of 2, less that of 1 - q for q = 1/4, 0 and -1/4, as q (a + b q): the first part or the rest. */
function outsideOf({ ofTwo, ofFactors }: Base, { k, q }: Reduced, part: 0 | 1): Expr {
  const [up, down] = ofFactors.map((parts) => parts[part]) as [number, number];
  const factor = mul(q, plus(f32(2 * (up - down)), q, f32(8 * (up + down))));
  if (ofTwo[part] === 0) return factor;
  return add(factor, ofTwo[part] === 1 ? k : mul(k, f32(ofTwo[part])));
}

/** The operand: x = 2^k m, m (1 - q) = 1 + z, z = s + t, s a whole number of steps of 2^-13, |t| <= 2^-14. */
interface Reduced {
  readonly k: Expr;
  /** 1/4, 0 or -1/4. */
  readonly q: Expr;
  /** |z| < 0.1431: 26 fraction bits hold it. */
  readonly z: Expr;
  readonly square: Expr;
  /** s in steps, a whole number as u32. */
  readonly steps: Expr;
  readonly s: Expr;
  readonly t: Expr;
  readonly guarded: (x: Expr) => Expr;
}
function reduced(code: Code, x: Expr): Reduced {
  const k = code.let("k", binary("shr", bitcast("i32", sub(x, u32(LEAST))), u32(23)));
  const m = code.let("m", floatOf(sub(x, binary("shl", bitcast("u32", k), u32(23)))));
  const nearest = code.let("nearest", bits(plus(f32(TO_QUARTERS - 1), m, f32(63 / 64))));
  const guarded = guardBy(nearest);
  const q = code.let("q", sub(floatOf(magnitudeOf(nearest)), f32(TO_QUARTERS)));
  const z = code.let("z", guarded(sub(guarded(sub(m, f32(1))), mul(m, q))));
  const steps = code.let("steps", sub(bits(add(z, f32(TO_STEPS))), u32(f32Bits(TO_STEPS))));
  const s = code.let("s", mul(asFloat(steps), f32(STEP)));
  return {
    k: code.let("powers", cast("f32", k)),
    q,
    z,
    square: code.let("square", mul(z, z)),
    steps,
    s,
    t: code.let("t", guarded(sub(z, s))),
    guarded,
  };
}

/** Log(1 + s + t) without t and without the first four terms of s. */
function small(code: Code, { z, square, s, t }: Reduced): Expr {
  const rest = mul(mul(square, square), mul(z, horner(z, REST_OF_SERIES.map(f32))));
  // The slope of the four terms in the middle of s and z, and what its curvature adds.
  const middle = code.let("middle", plus(s, t, f32(1 / 2)));
  const slope = mul(middle, sub(f32(1), mul(middle, sub(f32(1), middle))));
  return add(rest, mul(t, sub(mul(t, mul(t, f32(1 / 12))), slope)));
}
/** s - s²/2 + s³/3 - s⁴/4, nearly. */
const estimated = (s: Expr): Expr => plus(s, mul(s, s), horner(s, [f32(-1 / 2), f32(1 / 3), f32(-1 / 4)]));
/** 12 (s - s²/2 + s³/3 - s⁴/4) in units of 2^-52, modulo 2^32: its first digits are those of floats. */
const exactSum = (n: Expr): Expr =>
  mul(mul(n, n), sub(mul(n, sub(u32(4 << 13), mul(n, u32(3)))), u32(6 << 26)));

/** An exact number and a small one, whose sum is the logarithm of 1 + z. */
interface Parted {
  readonly first: Expr;
  readonly behind: Expr;
}
/** The first four terms of s are a float of 24 fraction bits, and a small distance from it, which fits a word in units of 2^-52 / 12. */
function logOfNearOne(code: Code, parts: Reduced): Parted {
  const { steps, s, t, guarded } = parts;
  const estimate = code.let("estimate", bits(add(estimated(s), f32(TO_ESTIMATE))));
  const distance = asFloat(sub(exactSum(steps), mul(estimate, u32((12 << 28) >>> 0))));
  const whole = guarded(sub(floatOf(magnitudeOf(estimate)), f32(TO_ESTIMATE)));
  const first = code.let("first", add(whole, t));
  return { first, behind: plus(small(code, parts), distance, f32(2 ** -54 / 3)) };
}
/** The logarithm of a base: the product of 12 digits of the first number and 12 of the scale is exact. */
function scaled(code: Code, { first, behind }: Parted, scale: readonly [number, number]): Parted {
  const short = code.let("short", floatOf(binary("and", add(bits(first), u32(1 << 11)), u32(0xfffff000))));
  const products = plus(mul(sub(first, short), f32(scale[0])), first, f32(scale[1]));
  return {
    first: code.let("scaled", mul(short, f32(scale[0]))),
    behind: plus(products, behind, f32(scale[0] + scale[1])),
  };
}

/** log x = k log 2 - log(1 - q) + log(1 + z). The sum rounds in the same way with the bound of its error and without it, or is undecided. */
function fill(code: Code, given: Expr, base: Base): void {
  const parts = reduced(code, given);
  const { z, square, guarded } = parts;
  const natural = logOfNearOne(code, parts);
  const { first, behind } = base.scale ? scaled(code, natural, base.scale) : natural;
  const outside = code.let("outside", outsideOf(base, parts, 0));
  const head = code.let("head", guarded(add(outside, first)));
  const lost = guarded(sub(first, guarded(sub(head, outside))));
  const left = code.let("left", add(lost, add(behind, outsideOf(base, parts, 1))));
  const [sizeOfZ, sizeOfHead] = [z, head].map((x) => floatOf(magnitudeOf(bits(x)))) as [Expr, Expr];
  const [ofZ, ofCube, ofResult] = base.doubt.map(f32) as [Expr, Expr, Expr];
  const doubt = code.let("doubt", plus(mul(sizeOfZ, plus(ofZ, square, ofCube)), sizeOfHead, ofResult));
  const [up, down] = [add(left, doubt), sub(left, doubt)].map((by) => bits(add(head, guarded(by))));
  const most = code.let("most", up as Expr);
  const isSpecial = binary("ge", sub(given, u32(0x00800000)), u32(0x7f000000));
  code.return(select(binary("or", ne(most, down as Expr), isSpecial), u32(QUIET_NAN), most));
}

const quick = (name: string, what: string, base: Base): Fn =>
  define(`quick_${name}`, {
    doc: `The bits of the f32 nearest to ${what} for the bits of x, or those of a NaN if the exact function has to decide.`,
    params: ["bits"],
    type: "u32",
    returns: "u32",
    body: (code, [given]) => fill(code, given as Expr, base),
  });
export const QUICK_LOGARITHMS: readonly Fn[] = [
  quick("log", "log x", NATURAL),
  quick("log2", "log2 x", BINARY),
];
