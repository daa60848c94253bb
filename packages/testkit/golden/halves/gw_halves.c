// halves: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target c
// C11. Build options: -ffp-contract=off and any optimisation, but never -ffast-math.
#include "gw_halves.h"

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

// IEEE 754-2019 maximum: NaN if an operand is NaN; -0 is less than +0.
static inline float max_f32(float a, float b) {
  const int32_t a_bits = (int32_t)bits_of_float(a);
  const int32_t a_order = a_bits ^ ((a_bits >> 31u) & (int32_t)2147483647u);
  const int32_t b_bits = (int32_t)bits_of_float(b);
  const int32_t b_order = b_bits ^ ((b_bits >> 31u) & (int32_t)2147483647u);
  return float_of_bits((((bits_of_float(a) & 2147483647u) > 2139095040u) || ((a_order > b_order) && (!((bits_of_float(b) & 2147483647u) > 2139095040u)))) ? bits_of_float(a) : bits_of_float(b));
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

void gw_halves_kernel(
  uint32_t n,
  const uint16_t *restrict x,
  uint16_t *restrict before,
  uint16_t *restrict peak) {
  // pass 1 over the items
  float add_so_far = 0.0f;
  float block_total[32] = {0};
  float block_prefix[32] = {0};
  float max_so_far = -INFINITY;
  for (uint32_t start = 0u; start < n; start += 64u) {
    const uint32_t count = min_u32(64u, n - start);
    add_so_far = 0.0f;
    max_so_far = -INFINITY;
    for (uint32_t place = 0u; place < count; place++) {
      const uint32_t i = start + place;
      const float x_i = float_of_bits(f32_bits_of_f16((uint32_t)x[i]));
      const float exclusive = add_so_far;
      float total = x_i;
      const uint32_t size = min_u32(31u - clz_u32((~place) & (place + 1u)), 31u);
      for (uint32_t k = 0u; k < size; k++) {
        total = float_of_bits(round_f16(bits_of_float(block_total[k] + total)));
      }
      const uint32_t rest = place & (place + 1u);
      const uint32_t previous = min_u32(31u - clz_u32(rest & (0u - rest)), 31u);
      add_so_far = (rest != 0u) ? float_of_bits(round_f16(bits_of_float(block_prefix[previous] + total))) : total;
      block_total[size] = total;
      block_prefix[size] = add_so_far;
      max_so_far = max_f32(max_so_far, x_i);
      before[i] = (uint16_t)(f16_bits_of_f32(bits_of_float(exclusive)));
    }
    peak[start / 64u] = (uint16_t)(f16_bits_of_f32(bits_of_float(max_so_far)));
  }
  // pass 2 over the items
}

int gw_halves(size_t n, const uint16_t *restrict x, uint16_t *restrict before, uint16_t *restrict peak) {
  if (n > 4026531840u) return GW_TOO_MANY_ITEMS;
  gw_halves_kernel((uint32_t)n, x, before, peak);
  return GW_OK;
}
