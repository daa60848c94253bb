/** The functions of values, as methods; their meaning is that of the table `FUNCTION_ROWS` of `@groupwise/core`. */
import type { Scalar } from "@groupwise/core";
import type { BoolValue, I32Value, Operands, Values } from "./value.ts";

/** Functions of integers and floats. */
export interface NumericFunctions<S extends Scalar> {
  /** 1 or -1; 0, -0 and NaN are their own. */
  sign(): Values[S];
  /** `min(max(x, low), high)`: NaN if an operand is NaN, `high` if the limits cross. */
  clamp(low: Operands[S], high: Operands[S]): Values[S];
  /**
   * Remainder of the floored quotient: it has the sign of the divisor. Of floats the exact value
   * x - y * floor(x / y), rounded once; a zero has the divisor's sign; NaN for x infinite or y = 0. Of integers x mod 0 is 0.
   */
  mod(divisor: Operands[S]): Values[S];
}

/** Functions of integers. */
export interface IntegerFunctions<S extends Scalar> {
  /** Number of 0 bits below the lowest 1; the width for 0 (OpenCL C 3.0, 6.15.3: ctz). */
  ctz(): Values[S];
  /** The bits in the opposite order. */
  reverseBits(): Values[S];
  /** The bytes in the opposite order. */
  swapBytes(): Values[S];
  /** The bits rotated left by the amount modulo the width (OpenCL C 3.0, 6.15.3: rotate). */
  rotateLeft(by: Operands["u32"]): Values[S];
  /** The bits rotated right by the amount modulo the width. */
  rotateRight(by: Operands["u32"]): Values[S];
  /** The exact sum, or the nearest value of the type (OpenCL C 3.0, 6.15.3: add_sat). */
  addSaturating(right: Operands[S]): Values[S];
  /** The exact difference, or the nearest value of the type (OpenCL C 3.0, 6.15.3: sub_sat). */
  subSaturating(right: Operands[S]): Values[S];
  /** The upper half of the exact product, which has twice the width (OpenCL C 3.0, 6.15.3: mul_hi). */
  mulHigh(right: Operands[S]): Values[S];
  /**
   * `count` bits from bit `offset` on, as a number: signed types extend its highest bit. The field ends at the width;
   * a field of no bits is 0 (WGSL 17.5: extractBits).
   */
  extractBits(offset: Operands["u32"], count: Operands["u32"]): Values[S];
  /** The value with `count` bits from bit `offset` on replaced by the lowest of `bits` (WGSL 17.5: insertBits). */
  insertBits(bits: Operands[S], offset: Operands["u32"], count: Operands["u32"]): Values[S];
}

/** Functions of floats. Each has the same bits on every target; clauses are those of IEEE 754-2019. */
export interface FloatFunctions<S extends Scalar> {
  /** The greatest whole number that is not greater; zeros keep their sign (5.9, roundToIntegralTowardNegative). */
  floor(): Values[S];
  /** The least whole number that is not less; -0 between -1 and 0 (5.9, roundToIntegralTowardPositive). */
  ceil(): Values[S];
  /** The whole number without the fraction; the sign stays (5.9, roundToIntegralTowardZero). */
  trunc(): Values[S];
  /** The nearest whole number, ties to even; the sign stays (5.9, roundToIntegralTiesToEven). */
  round(): Values[S];
  /** x - floor(x), rounded once: 1 for small negative numbers, NaN for infinities. */
  fract(): Values[S];
  /** The magnitude with the sign of another value (5.5.1); a NaN there counts as positive, because its sign is not defined. */
  copysign(sign: Operands[S]): Values[S];
  /** Whether it is NaN (5.7.2). */
  isNaN(): BoolValue;
  /** Whether it is neither infinite nor NaN (5.7.2). */
  isFinite(): BoolValue;
  /** The least value that is greater (5.3.1); that of +∞ is itself, that of either zero the least positive number. */
  nextUp(): Values[S];
  /** The greatest value that is less (5.3.1): -nextUp(-x). */
  nextDown(): Values[S];
  /** 0 below the edge, else 1; NaN if either is NaN. */
  step(edge: Operands[S]): Values[S];
  /** a * (1 - t) + b * t, each operation rounded: a for t = 0, b for t = 1 if both are finite (WGSL 17.5: mix). */
  mix(to: Operands[S], t: Operands[S]): Values[S];
  /** The square root, rounded once (5.4.1); -0 of -0, NaN of negative numbers. */
  sqrt(): Values[S];
  /** x * y + z, rounded once (5.4.1, fusedMultiplyAdd); NaN for 0 * ∞ + z. */
  fma(factor: Operands[S], addend: Operands[S]): Values[S];
  /** x * 2^n, rounded once (5.3.3, scaleB). */
  ldexp(n: Operands["i32"]): Values[S];
  /**
   * The fraction of C's frexp: x is mantissa() * 2^exponent(), and its magnitude is in [1/2, 1). Zeros, infinities and
   * NaN are their own.
   */
  mantissa(): Values[S];
  /** The exponent of C's frexp; 0 for zeros, infinities and NaN. */
  exponent(): I32Value;
  /**
   * Remainder of the truncated quotient, exact: it has the sign of the dividend. x for y infinite; NaN for x infinite
   * or y = 0 (OpenCL C 3.0, 6.15.2: fmod).
   */
  fmod(divisor: Operands[S]): Values[S];
}
