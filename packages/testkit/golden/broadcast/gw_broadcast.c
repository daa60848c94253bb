// broadcast: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target c
// C11. Build options: -ffp-contract=off and any optimisation, but never -ffast-math.
#include "gw_broadcast.h"

#include <float.h>
#include <limits.h>
#include <stdlib.h>

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

static inline int64_t ceil_div(int64_t a, int64_t b) { return a / b + (a % b > 0); }

static inline void *zeros(size_t elements, size_t bytes) {
  return elements < PTRDIFF_MAX / bytes ? calloc(elements + 1, bytes) : NULL;
}

static inline uint32_t min_u32(uint32_t a, uint32_t b) { return a < b ? a : b; }

void gw_broadcast_kernel(
  uint32_t n,
  uint32_t at,
  const float *restrict x,
  float *restrict first,
  float *restrict chosen,
  float *restrict ofGroup,
  float *restrict last,
  float *restrict broadcast_10) {
  // pass 1 over the items
  for (uint32_t start = 0u; start < n; start += 64u) {
    const uint32_t count = min_u32(64u, n - start);
    const uint32_t source = start + min_u32(at, count - 1u);
    const float x_i = x[source];
    ofGroup[start / 64u] = x_i;
    const uint32_t v7 = min_u32(64u, n - ((start / 64u) * 64u));
    const uint32_t source_2 = start + min_u32(v7 - 1u, count - 1u);
    const float x_i_2 = x[source_2];
    broadcast_10[start / 64u] = x_i_2;
  }
  float picked = 0.0f;
  if (0u < n) {
    const uint32_t source = min_u32(0u, n - 1u);
    const float x_i = x[source];
    picked = x_i;
  }
  float picked_2 = 0.0f;
  if (0u < n) {
    const uint32_t source = min_u32(at, n - 1u);
    const float x_i = x[source];
    picked_2 = x_i;
  }
  // pass 2 over the items
  for (uint32_t i = 0u; i < n; i++) {
    const float x_i = x[i];
    first[i] = x_i - picked;
    const float v10 = broadcast_10[i / 64u];
    last[i] = v10;
  }
  chosen[0u] = picked_2;
}

int gw_broadcast(
  size_t n,
  uint32_t at,
  const float *restrict x,
  float *restrict first,
  float *restrict chosen,
  float *restrict ofGroup,
  float *restrict last) {
  if (n > 4026531840u) return GW_TOO_MANY_ITEMS;
  if (n == 0) return GW_NO_ITEM;
  float *broadcast_10 = zeros((size_t)ceil_div((int64_t)n, 64), sizeof *broadcast_10);
  int result = GW_NO_MEMORY;
  if (broadcast_10) {
    gw_broadcast_kernel((uint32_t)n, at, x, first, chosen, ofGroup, last, broadcast_10);
    result = GW_OK;
  }
  free(broadcast_10);
  return result;
}
