// map: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target c
// Inputs: f32 x[n], f32 y[n], f32 alpha
// Outputs: f32 z[n]
// Strategy: one-thread
// C11. Build options: -ffp-contract=off and any optimisation, but never -ffast-math.
#include "gw_map.h"

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

void gw_map_kernel(
  uint32_t n,
  float alpha,
  const float *restrict x,
  const float *restrict y,
  float *restrict z) {
  // pass 1 over the items
  for (uint32_t i = 0u; i < n; i++) {
    const float x_i = x[i];
    const float y_i = y[i];
    z[i] = (x_i * alpha) + y_i;
  }
}

int gw_map(size_t n, float alpha, const float *restrict x, const float *restrict y, float *restrict z) {
  if (n > 4026531840u) return GW_TOO_MANY_ITEMS;
  gw_map_kernel((uint32_t)n, alpha, x, y, z);
  return GW_OK;
}
