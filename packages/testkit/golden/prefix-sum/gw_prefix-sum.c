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
    const uint32_t i1 = i + 1u;
    const float x_i1 = x[i1];
    const float total0to1 = x_i + x_i1;
    const float prefix1 = before + total0to1;
    add_so_far = prefix1;
    sum[i1] = add_so_far;
    const uint32_t i2 = i + 2u;
    const float x_i2 = x[i2];
    add_so_far = prefix1 + x_i2;
    sum[i2] = add_so_far;
    const uint32_t i3 = i + 3u;
    const float x_i3 = x[i3];
    const float total2to3 = x_i2 + x_i3;
    const float total0to3 = total0to1 + total2to3;
    const float prefix3 = before + total0to3;
    add_so_far = prefix3;
    sum[i3] = add_so_far;
    const uint32_t i4 = i + 4u;
    const float x_i4 = x[i4];
    add_so_far = prefix3 + x_i4;
    sum[i4] = add_so_far;
    const uint32_t i5 = i + 5u;
    const float x_i5 = x[i5];
    const float total4to5 = x_i4 + x_i5;
    const float prefix5 = prefix3 + total4to5;
    add_so_far = prefix5;
    sum[i5] = add_so_far;
    const uint32_t i6 = i + 6u;
    const float x_i6 = x[i6];
    add_so_far = prefix5 + x_i6;
    sum[i6] = add_so_far;
    const uint32_t i7 = i + 7u;
    const float x_i7 = x[i7];
    const float total6to7 = x_i6 + x_i7;
    const float total4to7 = total4to5 + total6to7;
    float total = total0to3 + total4to7;
    float start = before;
    uint32_t size = 3u;
    uint32_t bits = i >> 3u;
    while ((bits & 1u) != 0u) {
      total = block_total[size & 31u] + total;
      start = block_prefix[size & 31u];
      size = size + 1u;
      bits = bits >> 1u;
    }
    add_so_far = start + total;
    block_total[size & 31u] = total;
    block_prefix[size & 31u] = start;
    sum[i7] = add_so_far;
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
