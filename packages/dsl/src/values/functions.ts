/** The functions of values, as methods; their meaning is that of the table `FUNCTION_ROWS` of `@groupwise/core`. */
import type { Scalar } from "@groupwise/core";
import type { BoolValue, I32Value, Operands, Values } from "./value.ts";

/** Functions of integers and floats. */
export interface NumericFunctions<S extends Scalar> {
  /** The sign, 1 or -1; 0, -0 and NaN are unchanged. */
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
  /** The greatest whole number that is not greater than x; zeros keep their sign (5.9, roundToIntegralTowardNegative). */
  floor(): Values[S];
  /** The least whole number that is not less than x; -0 between -1 and 0 (5.9, roundToIntegralTowardPositive). */
  ceil(): Values[S];
  /** The whole number without the fraction; the sign stays (5.9, roundToIntegralTowardZero). */
  trunc(): Values[S];
  /** The nearest whole number, ties to even; the sign stays (5.9, roundToIntegralTiesToEven). */
  round(): Values[S];
  /** x - floor(x), rounded once: 1 for small negative numbers, NaN for infinities. */
  fract(): Values[S];
  /** The magnitude with the sign of another value (5.5.1); a NaN there counts as positive, because its sign is not defined. */
  copysign(sign: Operands[S]): Values[S];
  /** Whether the value is NaN (5.7.2). */
  isNaN(): BoolValue;
  /** Whether the value is neither infinite nor NaN (5.7.2). */
  isFinite(): BoolValue;
  /** The least value that is greater than x (5.3.1); +∞ of +∞, and the least positive number of either zero. */
  nextUp(): Values[S];
  /** The greatest value that is less than x (5.3.1): -nextUp(-x). */
  nextDown(): Values[S];
  /** 0 below the edge, otherwise 1; NaN if either is NaN. */
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
   * NaN are unchanged.
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

/** How an elementary function is computed. */
export interface FastOptions {
  /**
   * True: a target uses its language's own function if the language states a bound of the error. Results are then not equal bit for bit on
   * all targets, and infinities, NaN and subnormal numbers have the language's results; default `false`. f64 has no fast functions, and refuses them. WGSL states no bound for powers
   * of numbers that are not positive: they may be NaN.
   */
  readonly fast?: boolean;
}

/**
 * Elementary functions. Each returns the same bits on every target. Unless its text says otherwise, the result of f16
 * and f32 is correctly rounded, so its error is at most 0.5 ulp; of f64 the error is at most 0.52 ulp. Special values are
 * those of IEEE 754-2019, 9.2.1, and the result for NaN is NaN. Angles are in radians.
 */
export interface ElementaryFunctions<S extends Scalar> {
  /** e^x: 0 of -∞, +∞ of +∞. */
  exp(options?: FastOptions): Values[S];
  /** 2^x: exact for whole numbers. */
  exp2(options?: FastOptions): Values[S];
  /** e^x - 1, with all digits near 0: -1 of -∞; zeros keep their sign. */
  expm1(options?: FastOptions): Values[S];
  /** The natural logarithm: -∞ of zeros, NaN of negative numbers, +0 of 1. */
  log(options?: FastOptions): Values[S];
  /** The logarithm to base 2: exact for powers of two; -∞ of zeros, NaN of negative numbers. */
  log2(options?: FastOptions): Values[S];
  /** log(1 + x), with all digits near 0: -∞ of -1, NaN below; zeros keep their sign (9.2, logp1). */
  log1p(options?: FastOptions): Values[S];
  /** The sine, of any magnitude: NaN of infinities; zeros keep their sign. */
  sin(options?: FastOptions): Values[S];
  /** The cosine, of any magnitude: NaN of infinities. */
  cos(options?: FastOptions): Values[S];
  /** The tangent, of any magnitude: NaN of infinities; zeros keep their sign. */
  tan(options?: FastOptions): Values[S];
  /** The arc sine, from -π/2 to π/2: NaN if |x| > 1; zeros keep their sign. */
  asin(options?: FastOptions): Values[S];
  /** The arc cosine, from 0 to π: NaN if |x| > 1; +0 of 1. */
  acos(options?: FastOptions): Values[S];
  /** The arc tangent, from -π/2 (of -∞) to π/2 (of +∞); zeros keep their sign. */
  atan(options?: FastOptions): Values[S];
  /** The hyperbolic sine: infinities and zeros are unchanged. */
  sinh(options?: FastOptions): Values[S];
  /** The hyperbolic cosine: +∞ of infinities. */
  cosh(options?: FastOptions): Values[S];
  /** The hyperbolic tangent: ±1 of infinities; zeros keep their sign. */
  tanh(options?: FastOptions): Values[S];
  /** The inverse hyperbolic sine: infinities and zeros are unchanged. */
  asinh(options?: FastOptions): Values[S];
  /** The inverse hyperbolic cosine: NaN below 1, +0 of 1. */
  acosh(options?: FastOptions): Values[S];
  /** The inverse hyperbolic tangent: ±∞ of ±1, NaN if |x| > 1; zeros keep their sign. */
  atanh(options?: FastOptions): Values[S];
  /** The logistic function 1 / (1 + e^-x): 0 of -∞, 1 of +∞. */
  sigmoid(options?: FastOptions): Values[S];
  /** The error function (ISO C 7.12.8.1): ±1 of infinities; zeros keep their sign. */
  erf(options?: FastOptions): Values[S];
  /** The cube root: zeros and infinities are unchanged (9.2, rootn(x, 3)). */
  cbrt(options?: FastOptions): Values[S];
  /** 1 / √x: ±∞ of zeros, +0 of +∞, NaN of negative numbers (9.2, rSqrt). */
  rsqrt(options?: FastOptions): Values[S];
  /**
   * x^y, within 0.5000001 ulp: exact if a value of the type is. 1 for y = 0 and for x = 1 with any other operand, and for
   * x = -1 with y infinite; NaN for x < 0 if y is finite and not whole (9.2.1, pow).
   */
  pow(exponent: Operands[S], options?: FastOptions): Values[S];
  /**
   * The angle of the point (x, y), from -π to π, within 0.5000001 ulp; this value is y. ±0 and ±π on the x-axis, by the
   * sign of x, zeros included; ±π/4 and ±3π/4 if both are infinite (9.2.1, atan2).
   */
  atan2(x: Operands[S], options?: FastOptions): Values[S];
  /** √(x² + y²) without overflow of intermediate results: +∞ if one operand is infinite, even if the other is NaN (9.2.1, hypot). */
  hypot(other: Operands[S], options?: FastOptions): Values[S];
}
