// prefix-sum: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target c
// Inputs: f32 x[n]
// Outputs: f32 sum[n]
// Strategy: one-thread
// C11. Build options: -ffp-contract=off and any optimisation, but never -ffast-math.
#include "gw_prefix-sum.h"

#include <float.h>
#include <limits.h>

_Static_assert(INT_MAX == INT32_MAX, "int must have 32 bits");
_Static_assert((int32_t)UINT32_MAX == -1 && -1 >> 1 == -1, "integers must be in two's complement");
_Static_assert(FLT_RADIX == 2 && FLT_MANT_DIG == 24 && DBL_MANT_DIG == 53, "floats must be IEEE 754");
_Static_assert(FLT_EVAL_METHOD == 0, "floats must be computed in their own type");
#ifdef __FAST_MATH__
#error "-ffast-math changes results"
#endif

// A product and a sum must not become one operation: the results would differ between machines.
// Without rounding-math, gcc makes -x of -x + 0 where x is a magnitude or a count: -0 for 0.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("fp-contract=off", "rounding-math")
#else
#pragma STDC FP_CONTRACT OFF
#endif

void gw_prefix_sum_kernel(uint32_t n, const float *restrict x, float *restrict sum) {
  float add_so_far = 0.0f;
  float block_total[32] = {0};
  float block_prefix[32] = {0};
  // pass 1 over the items
  const uint32_t whole = n - (n & 7u);
  for (uint32_t i = 0u; i < whole; i += 8u) {
    const float x_i = x[i];
    const float before = (i != 0u) ? add_so_far : (-0.0f);
    add_so_far = before + x_i;
    sum[i] = add_so_far;
    const uint32_t i_2 = i + 1u;
    const float x_i_2 = x[i_2];
    const float total = x_i + x_i_2;
    const float prefix_2 = before + total;
    add_so_far = prefix_2;
    sum[i_2] = add_so_far;
    const uint32_t i_3 = i + 2u;
    const float x_i_3 = x[i_3];
    add_so_far = prefix_2 + x_i_3;
    sum[i_3] = add_so_far;
    const uint32_t i_4 = i + 3u;
    const float x_i_4 = x[i_4];
    const float total_2 = x_i_3 + x_i_4;
    const float total_3 = total + total_2;
    const float prefix_4 = before + total_3;
    add_so_far = prefix_4;
    sum[i_4] = add_so_far;
    const uint32_t i_5 = i + 4u;
    const float x_i_5 = x[i_5];
    add_so_far = prefix_4 + x_i_5;
    sum[i_5] = add_so_far;
    const uint32_t i_6 = i + 5u;
    const float x_i_6 = x[i_6];
    const float total_4 = x_i_5 + x_i_6;
    const float prefix_6 = prefix_4 + total_4;
    add_so_far = prefix_6;
    sum[i_6] = add_so_far;
    const uint32_t i_7 = i + 6u;
    const float x_i_7 = x[i_7];
    add_so_far = prefix_6 + x_i_7;
    sum[i_7] = add_so_far;
    const uint32_t i_8 = i + 7u;
    const float x_i_8 = x[i_8];
    const float total_5 = x_i_7 + x_i_8;
    const float total_6 = total_4 + total_5;
    float total_8 = total_3 + total_6;
    float start = before;
    uint32_t size = 3u;
    uint32_t bits = i >> 3u;
    while ((bits & 1u) != 0u) {
      total_8 = block_total[size & 31u] + total_8;
      start = block_prefix[size & 31u];
      size = size + 1u;
      bits = bits >> 1u;
    }
    add_so_far = start + total_8;
    block_total[size & 31u] = total_8;
    block_prefix[size & 31u] = start;
    sum[i_8] = add_so_far;
  }
  // the tail
  for (uint32_t i = whole; i < n; i++) {
    float total = x[i];
    float start = (i != 0u) ? add_so_far : (-0.0f);
    uint32_t size = 0u;
    uint32_t bits = i;
    while ((bits & 1u) != 0u) {
      total = block_total[size & 31u] + total;
      start = block_prefix[size & 31u];
      size = size + 1u;
      bits = bits >> 1u;
    }
    add_so_far = start + total;
    block_total[size & 31u] = total;
    block_prefix[size & 31u] = start;
    sum[i] = add_so_far;
  }
}

int gw_prefix_sum(size_t n, const float *restrict x, float *restrict sum) {
  if (n > 4026531840u) return GW_TOO_MANY_ITEMS;
  gw_prefix_sum_kernel((uint32_t)n, x, sum);
  return GW_OK;
}
