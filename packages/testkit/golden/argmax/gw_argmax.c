// argmax: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target c
// C11. Build options: -ffp-contract=off and any optimisation, but never -ffast-math.
#include "gw_argmax.h"

#include <float.h>
#include <limits.h>
#include <math.h>

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

void gw_argmax_kernel(
  uint32_t n,
  const float *restrict x,
  float *restrict best_value,
  uint32_t *restrict best_index,
  float *restrict inGroup_value,
  uint32_t *restrict inGroup_index) {
  float argmax_so_far = -INFINITY;
  uint32_t argmax_so_far_2 = 4294967295u;
  float block_total[32] = {0};
  uint32_t block_total_2[32] = {0};
  float block_prefix[32] = {0};
  uint32_t block_prefix_2[32] = {0};
  // pass 1 over the items
  float argmax_so_far_3 = -INFINITY;
  uint32_t argmax_so_far_4 = 4294967295u;
  float block_total_3[32] = {0};
  uint32_t block_total_4[32] = {0};
  float block_prefix_3[32] = {0};
  uint32_t block_prefix_4[32] = {0};
  for (uint32_t start = 0u; start < n; start += 64u) {
    const uint32_t count = min_u32(64u, n - start);
    argmax_so_far_3 = -INFINITY;
    argmax_so_far_4 = 4294967295u;
    for (uint32_t place = 0u; place < count; place++) {
      const uint32_t i = start + place;
      const float x_i = x[i];
      float total = x_i;
      uint32_t total_2 = i;
      const uint32_t size = min_u32(31u - clz_u32((~i) & (i + 1u)), 31u);
      for (uint32_t k = 0u; k < size; k++) {
        const float left = block_total[k];
        const uint32_t left_2 = block_total_2[k];
        const bool part = total > left;
        const float part_2 = part ? total : left;
        const uint32_t part_3 = part ? total_2 : left_2;
        total = part_2;
        total_2 = part_3;
      }
      const uint32_t rest = i & (i + 1u);
      const uint32_t previous = min_u32(31u - clz_u32(rest & (0u - rest)), 31u);
      const float left = block_prefix[previous];
      const uint32_t left_2 = block_prefix_2[previous];
      const bool part = total > left;
      const float part_2 = part ? total : left;
      const uint32_t part_3 = part ? total_2 : left_2;
      argmax_so_far = (rest != 0u) ? part_2 : total;
      block_total[size] = total;
      block_prefix[size] = argmax_so_far;
      argmax_so_far_2 = (rest != 0u) ? part_3 : total_2;
      block_total_2[size] = total_2;
      block_prefix_2[size] = argmax_so_far_2;
      float total_3 = x_i;
      uint32_t total_4 = i;
      const uint32_t size_2 = min_u32(31u - clz_u32((~place) & (place + 1u)), 31u);
      for (uint32_t k = 0u; k < size_2; k++) {
        const float left_3 = block_total_3[k];
        const uint32_t left_4 = block_total_4[k];
        const bool part_4 = total_3 > left_3;
        const float part_5 = part_4 ? total_3 : left_3;
        const uint32_t part_6 = part_4 ? total_4 : left_4;
        total_3 = part_5;
        total_4 = part_6;
      }
      const uint32_t rest_2 = place & (place + 1u);
      const uint32_t previous_2 = min_u32(31u - clz_u32(rest_2 & (0u - rest_2)), 31u);
      const float left_3 = block_prefix_3[previous_2];
      const uint32_t left_4 = block_prefix_4[previous_2];
      const bool part_4 = total_3 > left_3;
      const float part_5 = part_4 ? total_3 : left_3;
      const uint32_t part_6 = part_4 ? total_4 : left_4;
      argmax_so_far_3 = (rest_2 != 0u) ? part_5 : total_3;
      block_total_3[size_2] = total_3;
      block_prefix_3[size_2] = argmax_so_far_3;
      argmax_so_far_4 = (rest_2 != 0u) ? part_6 : total_4;
      block_total_4[size_2] = total_4;
      block_prefix_4[size_2] = argmax_so_far_4;
    }
    inGroup_value[start / 64u] = argmax_so_far_3;
    inGroup_index[start / 64u] = argmax_so_far_4;
  }
  // pass 2 over the items
  best_value[0u] = argmax_so_far;
  best_index[0u] = argmax_so_far_2;
}

int gw_argmax(
  size_t n,
  const float *restrict x,
  float *restrict best_value,
  uint32_t *restrict best_index,
  float *restrict inGroup_value,
  uint32_t *restrict inGroup_index) {
  if (n > 4026531840u) return GW_TOO_MANY_ITEMS;
  gw_argmax_kernel((uint32_t)n, x, best_value, best_index, inGroup_value, inGroup_index);
  return GW_OK;
}
