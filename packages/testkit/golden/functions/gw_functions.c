// functions: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target c
// C11. Build options: -ffp-contract=off and any optimisation, but never -ffast-math.
#include "gw_functions.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

_Static_assert(INT_MAX == INT32_MAX, "int must have 32 bits");
_Static_assert((int32_t)UINT32_MAX == -1 && -1 >> 1 == -1, "integers must be in two's complement");
_Static_assert(FLT_RADIX == 2 && FLT_MANT_DIG == 24 && DBL_MANT_DIG == 53, "floats must be IEEE 754");
_Static_assert(FLT_EVAL_METHOD == 0, "floats must be computed in their own type");
#ifdef __FAST_MATH__
#error "-ffast-math changes results"
#endif

// A product and a sum must not become one operation: the results would differ between machines.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("fp-contract=off")
#else
#pragma STDC FP_CONTRACT OFF
#endif

static inline uint32_t bits_of_float(float from) {
  uint32_t to;
  memcpy(&to, &from, sizeof to);
  return to;
}

static inline float float_of_bits(uint32_t from) {
  float to;
  memcpy(&to, &from, sizeof to);
  return to;
}

static inline uint64_t bits_of_double(double from) {
  uint64_t to;
  memcpy(&to, &from, sizeof to);
  return to;
}

static inline double double_of_bits(uint64_t from) {
  double to;
  memcpy(&to, &from, sizeof to);
  return to;
}

static inline uint32_t min_u32(uint32_t a, uint32_t b) { return a < b ? a : b; }

static inline uint32_t clz_u32(uint32_t x) {
#if defined(__GNUC__) && !defined(GW_PORTABLE)
  return x == 0u ? 32u : (uint32_t)__builtin_clz(x);
#else
  uint32_t zeros = 32u;
  for (; x != 0u; x >>= 1) zeros--;
  return zeros;
#endif
}

static inline uint64_t clz_u64(uint64_t x) {
#if defined(__GNUC__) && !defined(GW_PORTABLE)
  return x == 0u ? 64u : (uint64_t)__builtin_clzll(x);
#else
  uint64_t zeros = 64u;
  for (; x != 0u; x >>= 1) zeros--;
  return zeros;
#endif
}

// IEEE 754-2019 minimum: NaN if an operand is NaN; -0 is less than +0.
static inline float min_f32(float a, float b) {
  const int32_t a_bits = (int32_t)bits_of_float(a);
  const int32_t a_order = a_bits ^ ((a_bits >> 31u) & (int32_t)2147483647u);
  const int32_t b_bits = (int32_t)bits_of_float(b);
  const int32_t b_order = b_bits ^ ((b_bits >> 31u) & (int32_t)2147483647u);
  return float_of_bits((((bits_of_float(a) & 2147483647u) > 2139095040u) || ((a_order < b_order) && (!((bits_of_float(b) & 2147483647u) > 2139095040u)))) ? bits_of_float(a) : bits_of_float(b));
}

// IEEE 754-2019 maximum: NaN if an operand is NaN; -0 is less than +0.
static inline float max_f32(float a, float b) {
  const int32_t a_bits = (int32_t)bits_of_float(a);
  const int32_t a_order = a_bits ^ ((a_bits >> 31u) & (int32_t)2147483647u);
  const int32_t b_bits = (int32_t)bits_of_float(b);
  const int32_t b_order = b_bits ^ ((b_bits >> 31u) & (int32_t)2147483647u);
  return float_of_bits((((bits_of_float(a) & 2147483647u) > 2139095040u) || ((a_order > b_order) && (!((bits_of_float(b) & 2147483647u) > 2139095040u)))) ? bits_of_float(a) : bits_of_float(b));
}

// a % b with the sign of a; a % 0 is 0.
static inline uint64_t rem_native_u64(uint64_t a, uint64_t b) {
  const uint64_t divisor = (b == UINT64_C(0)) ? UINT64_C(1) : b;
  return a % divisor;
}

// The bits of a float, rounded to the nearest half, ties to even.
static inline uint32_t round_f16(uint32_t bits) {
  if ((bits & 2147483647u) > 2139095040u) {
    return bits;
  }
  const uint32_t magnitude = bits & 2147483647u;
  if (magnitude < 864026624u) {
    return (bits & 2147483648u) | ((magnitude > 855638016u) ? 864026624u : 0u);
  }
  const uint32_t drop = 126u - min_u32(magnitude >> 23u, 113u);
  const uint32_t rounded = (((magnitude + ((1u << ((drop - 1u) & 31u)) - 1u)) + ((magnitude >> (drop & 31u)) & 1u)) >> (drop & 31u)) << (drop & 31u);
  return (bits & 2147483648u) | ((rounded >= 1199570944u) ? 2139095040u : rounded);
}

// The bits of a float, converted to the 16 bits of the nearest half, ties to even.
static inline uint32_t f16_bits_of_f32(uint32_t bits) {
  if ((bits & 2147483647u) > 2139095040u) {
    return 32256u;
  }
  const uint32_t rounded = round_f16(bits);
  const uint32_t magnitude = rounded & 2147483647u;
  return ((rounded & 2147483648u) >> 16u) | ((magnitude < 947912704u) ? (((rounded & 8388607u) | 8388608u) >> (min_u32(126u - min_u32(magnitude >> 23u, 113u), 24u) & 31u)) : min_u32((magnitude - 939524096u) >> 13u, 31744u));
}

// The low 16 bits, a half, converted to the bits of the equal float.
static inline uint32_t f32_bits_of_f16(uint32_t bits) {
  const uint32_t sign = (bits & 32768u) << 16u;
  const uint32_t magnitude = bits & 32767u;
  if (magnitude >= 31744u) {
    return sign | (2139095040u | (magnitude << 13u));
  }
  if (magnitude >= 1024u) {
    return sign | ((magnitude << 13u) + 939524096u);
  }
  if (magnitude == 0u) {
    return sign;
  }
  const uint32_t zeros = clz_u32(magnitude);
  return sign | ((magnitude << ((zeros - 8u) & 31u)) + ((133u - zeros) * 8388608u));
}

// The bits rotated left by the amount modulo the width.
static inline uint32_t rotate_left_of_u32(uint32_t x, uint32_t by) {
  return (x << (by & 31u)) | (x >> ((0u - by) & 31u));
}

// The exact sum, or the nearest value of the type.
static inline uint32_t add_saturating_of_u32(uint32_t x, uint32_t y) {
  const uint32_t sum = x + y;
  return (sum < x) ? 4294967295u : sum;
}

// The upper half of the product.
static inline uint32_t mul_high_of_u32(uint32_t x, uint32_t y) {
  const uint32_t x_low = x & 65535u;
  const uint32_t x_high = x >> 16u;
  const uint32_t y_low = y & 65535u;
  const uint32_t y_high = y >> 16u;
  const uint32_t first = (x_high * y_low) + ((x_low * y_low) >> 16u);
  const uint32_t second = (x_low * y_high) + (first & 65535u);
  return ((x_high * y_high) + (first >> 16u)) + (second >> 16u);
}

// The field of bits, extended by the sign of the type.
static inline uint32_t extract_bits_of_u32(uint32_t x, uint32_t offset, uint32_t count) {
  const uint32_t from = min_u32(offset, 32u);
  const uint32_t size = min_u32(count, 32u - from);
  if (size == 0u) {
    return 0u;
  }
  return (x << (((32u - from) - size) & 31u)) >> ((32u - size) & 31u);
}

// The greatest whole number that is not greater.
static inline float floor_of_f32(float x) {
  const uint32_t bits = bits_of_float(x);
  const uint32_t magnitude = bits & 2147483647u;
  if (magnitude >= 1258291200u) {
    return x;
  }
  if (magnitude < 1065353216u) {
    return float_of_bits((bits & 2147483648u) | ((((bits & 2147483648u) != 0u) && (magnitude != 0u)) ? 1065353216u : 0u));
  }
  const uint32_t drop = 150u - (magnitude >> 23u);
  const uint32_t below = (1u << (drop & 31u)) - 1u;
  return float_of_bits((bits & 2147483648u) | ((magnitude + (((bits & 2147483648u) != 0u) ? below : 0u)) & (~below)));
}

// x with the sign of y; a NaN counts as positive.
static inline float copysign_of_f32(float x, float y) {
  const uint32_t y_bits = bits_of_float(y);
  const uint32_t y_magnitude = y_bits & 2147483647u;
  const uint32_t bits = bits_of_float(x);
  const uint32_t magnitude = bits & 2147483647u;
  return float_of_bits(magnitude | ((y_magnitude > 2139095040u) ? 0u : (y_bits & 2147483648u)));
}

// The nearest whole number, ties to even.
static inline double round_of_f64(double x) {
  const uint64_t bits = bits_of_double(x);
  const uint64_t magnitude = bits & UINT64_C(9223372036854775807);
  if (magnitude >= UINT64_C(4841369599423283200)) {
    return x;
  }
  if (magnitude < UINT64_C(4607182418800017408)) {
    return double_of_bits((bits & UINT64_C(9223372036854775808)) | ((magnitude > UINT64_C(4602678819172646912)) ? UINT64_C(4607182418800017408) : UINT64_C(0)));
  }
  const uint32_t drop = 1075u - (uint32_t)(magnitude >> 52u);
  const uint64_t below = (UINT64_C(1) << (drop & 63u)) - UINT64_C(1);
  return double_of_bits((bits & UINT64_C(9223372036854775808)) | ((magnitude + ((below >> 1u) + ((magnitude >> (drop & 63u)) & UINT64_C(1)))) & (~below)));
}

// x with the sign of y; a NaN counts as positive.
static inline double copysign_of_f64(double x, double y) {
  const uint64_t y_bits = bits_of_double(y);
  const uint64_t y_magnitude = y_bits & UINT64_C(9223372036854775807);
  const uint64_t bits = bits_of_double(x);
  const uint64_t magnitude = bits & UINT64_C(9223372036854775807);
  return double_of_bits(magnitude | ((y_magnitude > UINT64_C(9218868437227405312)) ? UINT64_C(0) : (y_bits & UINT64_C(9223372036854775808))));
}

// The nearest float: the top digit has that biased exponent, the lowest one is sticky.
static inline float nearest_of_f32(uint32_t sign, uint32_t exponent, uint32_t digits) {
  if ((int32_t)exponent >= 255) {
    return float_of_bits(sign | 2139095040u);
  }
  uint32_t kept = digits;
  uint32_t biased = exponent;
  if ((int32_t)exponent < 1) {
    const uint32_t by = min_u32(1u - exponent, 31u);
    kept = (kept >> (by & 31u)) | (((kept << ((32u - by) & 31u)) != 0u) ? 1u : 0u);
    biased = 1u;
  }
  const uint32_t whole = kept >> 8u;
  return float_of_bits(sign | ((((biased - 1u) << 23u) + whole) + ((((kept & 255u) + (whole & 1u)) > 128u) ? 1u : 0u)));
}

// The nearest float: the top digit has that biased exponent, the lowest one is sticky.
static inline double nearest_of_f64(uint64_t sign, uint32_t exponent, uint64_t digits) {
  if ((int32_t)exponent >= 2047) {
    return double_of_bits(sign | UINT64_C(9218868437227405312));
  }
  uint64_t kept = digits;
  uint32_t biased = exponent;
  if ((int32_t)exponent < 1) {
    const uint32_t by = min_u32(1u - exponent, 63u);
    kept = (kept >> (by & 63u)) | (((kept << ((64u - by) & 63u)) != UINT64_C(0)) ? UINT64_C(1) : UINT64_C(0));
    biased = 1u;
  }
  const uint64_t whole = kept >> 11u;
  return double_of_bits(sign | ((((uint64_t)(biased - 1u) << 52u) + whole) + ((((kept & UINT64_C(2047)) + (whole & UINT64_C(1))) > UINT64_C(1024)) ? UINT64_C(1) : UINT64_C(0))));
}

// The square root, rounded to nearest even.
static inline float sqrt_of_f32(float x) {
  const uint32_t bits = bits_of_float(x);
  const uint32_t magnitude = bits & 2147483647u;
  if ((magnitude == 0u) || (magnitude > 2139095040u)) {
    return x;
  }
  if ((bits & 2147483648u) != 0u) {
    uint32_t quiet_nan = 2143289344u;
    return float_of_bits(quiet_nan);
  }
  if (magnitude == 2139095040u) {
    return x;
  }
  const bool subnormal = magnitude < 8388608u;
  uint32_t digits = (magnitude & 8388607u) | 8388608u;
  uint32_t exponent = magnitude >> 23u;
  if (subnormal) {
    const uint32_t by = clz_u32(magnitude) - 8u;
    digits = magnitude << (by & 31u);
    exponent = 1u - by;
  }
  const uint32_t twice = exponent + 127u;
  uint32_t rest = (digits << ((twice & 1u) & 31u)) << 1u;
  uint32_t root = 0u;
  uint32_t sum = 0u;
  uint32_t unit = 16777216u;
  for (uint32_t step = 0u; step < 25u; step++) {
    const uint32_t tried = sum + unit;
    if (rest >= tried) {
      sum = tried + unit;
      rest = rest - tried;
      root = root + unit;
    }
    rest = rest << 1u;
    unit = unit >> 1u;
  }
  return float_of_bits((((twice >> 1u) - 1u) << 23u) + ((root + (root & 1u)) >> 1u));
}

// The exact remainder of the truncated quotient.
static inline double fmod_of_f64(double x, double y) {
  const uint64_t x_bits = bits_of_double(x);
  const uint64_t x_magnitude = x_bits & UINT64_C(9223372036854775807);
  const uint64_t y_bits = bits_of_double(y);
  const uint64_t y_magnitude = y_bits & UINT64_C(9223372036854775807);
  if (((x_magnitude >= UINT64_C(9218868437227405312)) || (y_magnitude > UINT64_C(9218868437227405312))) || (y_magnitude == UINT64_C(0))) {
    uint64_t quiet_nan = UINT64_C(9221120237041090560);
    return double_of_bits(quiet_nan);
  }
  if (x_magnitude < y_magnitude) {
    return x;
  }
  const bool x_subnormal = x_magnitude < UINT64_C(4503599627370496);
  uint64_t x_digits = (x_magnitude & UINT64_C(4503599627370495)) | UINT64_C(4503599627370496);
  uint32_t x_exponent = (uint32_t)(x_magnitude >> 52u);
  if (x_subnormal) {
    const uint32_t by = (uint32_t)clz_u64(x_magnitude) - 11u;
    x_digits = x_magnitude << (by & 63u);
    x_exponent = 1u - by;
  }
  const bool y_subnormal = y_magnitude < UINT64_C(4503599627370496);
  uint64_t y_digits = (y_magnitude & UINT64_C(4503599627370495)) | UINT64_C(4503599627370496);
  uint32_t y_exponent = (uint32_t)(y_magnitude >> 52u);
  if (y_subnormal) {
    const uint32_t by = (uint32_t)clz_u64(y_magnitude) - 11u;
    y_digits = y_magnitude << (by & 63u);
    y_exponent = 1u - by;
  }
  uint64_t rest = rem_native_u64(x_digits, y_digits);
  uint32_t left = x_exponent - y_exponent;
  while (left > 0u) {
    const uint32_t by = min_u32(left, 11u);
    rest = rem_native_u64(rest << (by & 63u), y_digits);
    left = left - by;
  }
  if (rest < UINT64_C(1)) {
    return double_of_bits(x_bits & UINT64_C(9223372036854775808));
  }
  const uint32_t zeros = (uint32_t)clz_u64(rest);
  return nearest_of_f64(x_bits & UINT64_C(9223372036854775808), (y_exponent + 11u) - zeros, rest << (zeros & 63u));
}

// x * y + z, rounded once.
static inline float fma_of_f32(float x, float y, float z) {
  const uint32_t x_bits = bits_of_float(x);
  const uint32_t x_magnitude = x_bits & 2147483647u;
  const uint32_t y_bits = bits_of_float(y);
  const uint32_t y_magnitude = y_bits & 2147483647u;
  const uint32_t z_bits = bits_of_float(z);
  const uint32_t z_magnitude = z_bits & 2147483647u;
  const uint32_t sign = (x_bits ^ y_bits) & 2147483648u;
  const bool product_infinite = (x_magnitude == 2139095040u) || (y_magnitude == 2139095040u);
  if (((((x_magnitude > 2139095040u) || (y_magnitude > 2139095040u)) || (z_magnitude > 2139095040u)) || (((x_magnitude == 2139095040u) && (y_magnitude == 0u)) || ((x_magnitude == 0u) && (y_magnitude == 2139095040u)))) || ((product_infinite && (z_magnitude == 2139095040u)) && (sign != (z_bits & 2147483648u)))) {
    uint32_t quiet_nan = 2143289344u;
    return float_of_bits(quiet_nan);
  }
  if (product_infinite) {
    return float_of_bits(sign | ((x_magnitude == 2139095040u) ? x_magnitude : y_magnitude));
  }
  if (z_magnitude == 2139095040u) {
    return z;
  }
  if ((x_magnitude == 0u) || (y_magnitude == 0u)) {
    if (!(z_magnitude == 0u)) {
      return z;
    }
    return float_of_bits(sign & (z_bits & 2147483648u));
  }
  const bool x_subnormal = x_magnitude < 8388608u;
  uint32_t x_digits = (x_magnitude & 8388607u) | 8388608u;
  uint32_t x_exponent = x_magnitude >> 23u;
  if (x_subnormal) {
    const uint32_t by = clz_u32(x_magnitude) - 8u;
    x_digits = x_magnitude << (by & 31u);
    x_exponent = 1u - by;
  }
  const bool y_subnormal = y_magnitude < 8388608u;
  uint32_t y_digits = (y_magnitude & 8388607u) | 8388608u;
  uint32_t y_exponent = y_magnitude >> 23u;
  if (y_subnormal) {
    const uint32_t by = clz_u32(y_magnitude) - 8u;
    y_digits = y_magnitude << (by & 31u);
    y_exponent = 1u - by;
  }
  const bool z_subnormal = z_magnitude < 8388608u;
  uint32_t z_digits = (z_magnitude & 8388607u) | 8388608u;
  uint32_t z_exponent = z_magnitude >> 23u;
  if (z_subnormal) {
    const uint32_t by = clz_u32(z_magnitude) - 8u;
    z_digits = z_magnitude << (by & 31u);
    z_exponent = 1u - by;
  }
  const uint32_t m = x_digits << 1u;
  const uint32_t n = y_digits << 1u;
  uint32_t high = mul_high_of_u32(m, n);
  uint32_t low = m * n;
  uint32_t lowest = ((x_exponent + y_exponent) - 151u) - 151u;
  const uint32_t z_lowest = (z_magnitude == 0u) ? lowest : (z_exponent - 151u);
  uint32_t addend_high = 0u;
  uint32_t addend_low = (z_magnitude == 0u) ? 0u : (z_digits << 1u);
  const uint32_t apart = z_lowest - lowest;
  if ((int32_t)apart > 0) {
    if (apart < 32u) {
      addend_high = addend_low >> ((32u - apart) & 31u);
      addend_low = addend_low << (apart & 31u);
    } else {
      addend_high = addend_low;
      addend_low = 0u;
      lowest = z_lowest - 32u;
      const uint32_t down = apart - 32u;
      if (down > 0u) {
        if (down < 32u) {
          low = (high << ((32u - down) & 31u)) | ((low >> (down & 31u)) | (((low << ((32u - down) & 31u)) != 0u) ? 1u : 0u));
          high = high >> (down & 31u);
        } else {
          low = 1u;
          high = 0u;
        }
      }
    }
  } else {
    const uint32_t down = 0u - apart;
    if (down > 0u) {
      if (down < 32u) {
        addend_low = (addend_low >> (down & 31u)) | (((addend_low << ((32u - down) & 31u)) != 0u) ? 1u : 0u);
      } else {
        addend_low = (addend_low != 0u) ? 1u : 0u;
      }
    }
  }
  uint32_t sign_of_sum = sign;
  const uint32_t before = low;
  if (sign == (z_bits & 2147483648u)) {
    low = low + addend_low;
    high = (high + addend_high) + ((low < before) ? 1u : 0u);
  } else {
    low = low - addend_low;
    high = (high - addend_high) - ((before < low) ? 1u : 0u);
    if ((high & 2147483648u) != 0u) {
      low = 0u - low;
      high = (0u - high) - ((low != 0u) ? 1u : 0u);
      sign_of_sum = sign ^ 2147483648u;
    }
  }
  if ((high | low) == 0u) {
    return 0.0f;
  }
  if (high == 0u) {
    const uint32_t zeros = clz_u32(low);
    return nearest_of_f32(sign_of_sum, (lowest + 158u) - zeros, low << (zeros & 31u));
  }
  const uint32_t by = clz_u32(high);
  return nearest_of_f32(sign_of_sum, (lowest + 158u) - (by - 32u), (high << (by & 31u)) | ((low >> ((32u - by) & 31u)) | (((low << ((32u - (32u - by)) & 31u)) != 0u) ? 1u : 0u)));
}

void gw_functions_kernel(
  uint32_t n,
  const float *restrict x,
  const double *restrict d,
  const uint16_t *restrict h,
  const uint32_t *restrict u,
  float *restrict root,
  float *restrict fused,
  double *restrict angle,
  uint16_t *restrict part,
  uint32_t *restrict mixed,
  uint32_t *restrict bounded) {
  // pass 1 over the items
  uint32_t saturating_so_far = 0u;
  uint32_t block_total[32] = {0};
  uint32_t block_prefix[32] = {0};
  for (uint32_t start = 0u; start < n; start += 64u) {
    const uint32_t count = min_u32(64u, n - start);
    saturating_so_far = 0u;
    for (uint32_t place = 0u; place < count; place++) {
      const uint32_t i = start + place;
      const uint32_t u_i = u[i];
      uint32_t total = u_i;
      const uint32_t size = min_u32(31u - clz_u32((~place) & (place + 1u)), 31u);
      for (uint32_t k = 0u; k < size; k++) {
        const uint32_t left = block_total[k];
        const uint32_t part_2 = add_saturating_of_u32(left, total);
        total = part_2;
      }
      const uint32_t rest = place & (place + 1u);
      const uint32_t previous = min_u32(31u - clz_u32(rest & (0u - rest)), 31u);
      const uint32_t left = block_prefix[previous];
      const uint32_t part_2 = add_saturating_of_u32(left, total);
      saturating_so_far = (rest != 0u) ? part_2 : total;
      block_total[size] = total;
      block_prefix[size] = saturating_so_far;
      const uint32_t inclusive = saturating_so_far;
      const float x_i = x[i];
      const float v5 = sqrt_of_f32(fabsf(x_i));
      const float root_i = floor_of_f32(v5);
      root[i] = root_i;
      const float v8 = fma_of_f32(x_i, x_i, -x_i);
      fused[i] = min_f32(max_f32(v8, -1.0f), 1.0f);
      const double d_i = d[i];
      const double given = fmod_of_f64(d_i, 360.0);
      const double v13 = (given == 0.0) ? copysign_of_f64(0.0, 360.0) : (((given < 0.0) != false) ? (given + 360.0) : given);
      const double angle_i = round_of_f64(v13);
      angle[i] = angle_i;
      const float h_i = float_of_bits(f32_bits_of_f16((uint32_t)h[i]));
      const float v16 = float_of_bits(round_f16(bits_of_float(copysign_of_f32(h_i, -1.0f))));
      const float part_i = float_of_bits(round_f16(bits_of_float(v16 - float_of_bits(round_f16(bits_of_float(floor_of_f32(v16)))))));
      part[i] = (uint16_t)(f16_bits_of_f32(bits_of_float(part_i)));
      const uint32_t v19 = rotate_left_of_u32(u_i, 7u);
      const uint32_t v21 = mul_high_of_u32(v19, 2654435761u);
      const uint32_t mixed_i = extract_bits_of_u32(v21, 4u, 20u);
      mixed[i] = mixed_i;
      bounded[i] = inclusive;
    }
  }
}

int gw_functions(
  size_t n,
  const float *restrict x,
  const double *restrict d,
  const uint16_t *restrict h,
  const uint32_t *restrict u,
  float *restrict root,
  float *restrict fused,
  double *restrict angle,
  uint16_t *restrict part,
  uint32_t *restrict mixed,
  uint32_t *restrict bounded) {
  if (n > 4026531840u) return GW_TOO_MANY_ITEMS;
  gw_functions_kernel((uint32_t)n, x, d, h, u, root, fused, angle, part, mixed, bounded);
  return GW_OK;
}
