/** The operands of first steps of logarithms, as a power of two, one of three factors, and a number near 1. */
import type { Code } from "../../../language/build.ts";
import type { Expr } from "../../../language/expr.ts";
import { add, binary, bitcast, cast, mul, select, sub } from "../../../language/make-expr.ts";
import { floatOf, magnitudeOf } from "../base/define.ts";
import { asFloat, bits, f32, f32Bits, guardBy, plus } from "./parts.ts";

/** The bits of the least m: between it and twice this number, quarters next to 63/64 m - 1 are 1/4, 0 and -1/4, and change at 8/9 and 8/7. */
const LEAST = 0x3f328000;
/** 1.5 * 2^21 and 1.5 * 2^10: sums with them are rounded to 2 and 13 fraction bits. */
const TO_QUARTERS = 3145728;
const TO_STEPS = 1536;
const STEP = 2 ** -13;

/** The operand: x = 2^k m, m (1 - q) = 1 + z, z = s + t, s a whole number of steps of 2^-13, |t| <= 2^-14. */
export interface Reduced {
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
export function reduced(code: Code, x: Expr): Reduced {
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
export function oneMore(code: Code, given: Expr): Reduced & { readonly lost: Expr } {
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
