// extremes: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target c
// C11. Build options: -ffp-contract=off and any optimisation, but never -ffast-math.
#include "gw_extremes.h"

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

void gw_extremes_kernel(
  uint32_t n,
  const float *restrict x,
  const int32_t *restrict k,
  float *restrict highest_value,
  uint32_t *restrict highest_index,
  int32_t *restrict lowest_value,
  uint32_t *restrict lowest_index,
  float *restrict ends_min,
  float *restrict ends_max) {
  float argmax_f32_so_far = -INFINITY;
  uint32_t argmax_f32_so_far_2 = 4294967295u;
  float block_total[32] = {0};
  uint32_t block_total_2[32] = {0};
  float block_prefix[32] = {0};
  uint32_t block_prefix_2[32] = {0};
  int32_t argmin_i32_so_far = 2147483647;
  uint32_t argmin_i32_so_far_2 = 4294967295u;
  int32_t block_total_3[32] = {0};
  uint32_t block_total_4[32] = {0};
  int32_t block_prefix_3[32] = {0};
  uint32_t block_prefix_4[32] = {0};
  // pass 1 over the items
  float min_max_f32_so_far = INFINITY;
  float min_max_f32_so_far_2 = -INFINITY;
  float block_total_5[32] = {0};
  float block_total_6[32] = {0};
  float block_prefix_5[32] = {0};
  float block_prefix_6[32] = {0};
  for (uint32_t start = 0u; start < n; start += 64u) {
    const uint32_t count = min_u32(64u, n - start);
    min_max_f32_so_far = INFINITY;
    min_max_f32_so_far_2 = -INFINITY;
    for (uint32_t place = 0u; place < count; place++) {
      const uint32_t i = start + place;
      const float x_i = x[i];
      float total = x_i;
      float total_2 = x_i;
      const uint32_t size = min_u32(31u - clz_u32((~place) & (place + 1u)), 31u);
      for (uint32_t k_2 = 0u; k_2 < size; k_2++) {
        const float left = block_total_5[k_2];
        const float left_2 = block_total_6[k_2];
        const float both = min_f32(left, total);
        const float both_2 = max_f32(left_2, total_2);
        total = both;
        total_2 = both_2;
      }
      const uint32_t rest = place & (place + 1u);
      const uint32_t previous = min_u32(31u - clz_u32(rest & (0u - rest)), 31u);
      const float left = block_prefix_5[previous];
      const float left_2 = block_prefix_6[previous];
      const float both = min_f32(left, total);
      const float both_2 = max_f32(left_2, total_2);
      min_max_f32_so_far = (rest != 0u) ? both : total;
      block_total_5[size] = total;
      block_prefix_5[size] = min_max_f32_so_far;
      min_max_f32_so_far_2 = (rest != 0u) ? both_2 : total_2;
      block_total_6[size] = total_2;
      block_prefix_6[size] = min_max_f32_so_far_2;
      float total_3 = x_i;
      uint32_t total_4 = i;
      const uint32_t size_2 = min_u32(31u - clz_u32((~i) & (i + 1u)), 31u);
      for (uint32_t k_2 = 0u; k_2 < size_2; k_2++) {
        const float left_3 = block_total[k_2];
        const uint32_t left_4 = block_total_2[k_2];
        const bool part = left_3 != left_3;
        const bool part_2 = total_3 != total_3;
        const bool part_3 = (total_3 > left_3) || (part_2 && (!part));
        const bool part_4 = (total_3 == left_3) || (part_2 && part);
        const bool part_5 = part_3 || (part_4 && (total_4 < left_4));
        const float part_6 = part_5 ? total_3 : left_3;
        const uint32_t part_7 = part_5 ? total_4 : left_4;
        total_3 = part_6;
        total_4 = part_7;
      }
      const uint32_t rest_2 = i & (i + 1u);
      const uint32_t previous_2 = min_u32(31u - clz_u32(rest_2 & (0u - rest_2)), 31u);
      const float left_3 = block_prefix[previous_2];
      const uint32_t left_4 = block_prefix_2[previous_2];
      const bool part = left_3 != left_3;
      const bool part_2 = total_3 != total_3;
      const bool part_3 = (total_3 > left_3) || (part_2 && (!part));
      const bool part_4 = (total_3 == left_3) || (part_2 && part);
      const bool part_5 = part_3 || (part_4 && (total_4 < left_4));
      const float part_6 = part_5 ? total_3 : left_3;
      const uint32_t part_7 = part_5 ? total_4 : left_4;
      argmax_f32_so_far = (rest_2 != 0u) ? part_6 : total_3;
      block_total[size_2] = total_3;
      block_prefix[size_2] = argmax_f32_so_far;
      argmax_f32_so_far_2 = (rest_2 != 0u) ? part_7 : total_4;
      block_total_2[size_2] = total_4;
      block_prefix_2[size_2] = argmax_f32_so_far_2;
      const float inclusive = argmax_f32_so_far;
      const uint32_t inclusive_2 = argmax_f32_so_far_2;
      const int32_t k_i = k[i];
      int32_t total_5 = k_i;
      uint32_t total_6 = i;
      const uint32_t size_3 = min_u32(31u - clz_u32((~i) & (i + 1u)), 31u);
      for (uint32_t k_2 = 0u; k_2 < size_3; k_2++) {
        const int32_t left_5 = block_total_3[k_2];
        const uint32_t left_6 = block_total_4[k_2];
        const bool part_8 = (total_5 == left_5) && (total_6 < left_6);
        const bool part_9 = (total_5 < left_5) || part_8;
        const int32_t part_10 = part_9 ? total_5 : left_5;
        const uint32_t part_11 = part_9 ? total_6 : left_6;
        total_5 = part_10;
        total_6 = part_11;
      }
      const uint32_t rest_3 = i & (i + 1u);
      const uint32_t previous_3 = min_u32(31u - clz_u32(rest_3 & (0u - rest_3)), 31u);
      const int32_t left_5 = block_prefix_3[previous_3];
      const uint32_t left_6 = block_prefix_4[previous_3];
      const bool part_8 = (total_5 == left_5) && (total_6 < left_6);
      const bool part_9 = (total_5 < left_5) || part_8;
      const int32_t part_10 = part_9 ? total_5 : left_5;
      const uint32_t part_11 = part_9 ? total_6 : left_6;
      argmin_i32_so_far = (rest_3 != 0u) ? part_10 : total_5;
      block_total_3[size_3] = total_5;
      block_prefix_3[size_3] = argmin_i32_so_far;
      argmin_i32_so_far_2 = (rest_3 != 0u) ? part_11 : total_6;
      block_total_4[size_3] = total_6;
      block_prefix_4[size_3] = argmin_i32_so_far_2;
      highest_value[i] = inclusive;
      highest_index[i] = inclusive_2;
    }
    ends_min[start / 64u] = min_max_f32_so_far;
    ends_max[start / 64u] = min_max_f32_so_far_2;
  }
  // pass 2 over the items
  lowest_value[0u] = argmin_i32_so_far;
  lowest_index[0u] = argmin_i32_so_far_2;
}

int gw_extremes(
  size_t n,
  const float *restrict x,
  const int32_t *restrict k,
  float *restrict highest_value,
  uint32_t *restrict highest_index,
  int32_t *restrict lowest_value,
  uint32_t *restrict lowest_index,
  float *restrict ends_min,
  float *restrict ends_max) {
  if (n > 4026531840u) return GW_TOO_MANY_ITEMS;
  gw_extremes_kernel(
    (uint32_t)n,
    x,
    k,
    highest_value,
    highest_index,
    lowest_value,
    lowest_index,
    ends_min,
    ends_max);
  return GW_OK;
}
