// from-zero: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target c
// Inputs: f32 x[n], u32 k[n]
// Outputs: f32 opposite[n], f32 ofInteger[n], f32 greatest[1]
// Strategy: one-thread
// C11. Build options: -ffp-contract=off and any optimisation, but never -ffast-math.
#include "gw_from-zero.h"

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
// Without rounding-math, gcc makes -x of -x + 0 where x is a magnitude or a count: -0 for 0.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("fp-contract=off", "rounding-math")
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

static inline uint32_t max_u32(uint32_t a, uint32_t b) { return a > b ? a : b; }

// 0 - x: 0 for zeros of both signs.
static inline float zero_minus_f32(float x) {
  return 0.0f - x;
}

void gw_from_zero_kernel(
  uint32_t n,
  const float *restrict x,
  const uint32_t *restrict k,
  float *restrict opposite,
  float *restrict ofInteger,
  float *restrict greatest) {
  uint32_t max_so_far = 0u;
  // pass 1 over the items
  for (uint32_t i = 0u; i < n; i++) {
    const float x_i = x[i];
    const int32_t as_i32 = (int32_t)bits_of_float(x_i);
    max_so_far = max_u32(max_so_far, (uint32_t)(as_i32 ^ ((as_i32 >> 31u) & 0x7fffffff)) - 0x807fffffu);
    opposite[i] = zero_minus_f32(fabsf(x_i));
    ofInteger[i] = zero_minus_f32((float)(k[i] & 1u));
  }
  const int32_t as_i32 = (int32_t)(max_so_far + 0x807fffffu);
  greatest[0u] = float_of_bits((uint32_t)(as_i32 ^ ((as_i32 >> 31u) & 0x7fffffff)));
}

int gw_from_zero(
  size_t n,
  const float *restrict x,
  const uint32_t *restrict k,
  float *restrict opposite,
  float *restrict ofInteger,
  float *restrict greatest) {
  if (n > 4026531840u) return GW_TOO_MANY_ITEMS;
  gw_from_zero_kernel((uint32_t)n, x, k, opposite, ofInteger, greatest);
  return GW_OK;
}
