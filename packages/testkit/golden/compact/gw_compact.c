// compact: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target c
// C11. Build options: -ffp-contract=off and any optimisation, but never -ffast-math.
#include "gw_compact.h"

#include <float.h>
#include <limits.h>
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

static inline void clear(void *array, size_t bytes) {
  if (bytes > 0) memset(array, 0, bytes);
}

static inline uint32_t max_u32(uint32_t a, uint32_t b) { return a > b ? a : b; }

void gw_compact_kernel(
  uint32_t n,
  float least,
  const float *restrict x,
  float *restrict kept,
  uint32_t *restrict kept_length,
  uint32_t *restrict status) {
  uint32_t kept_end = 0u;
  uint32_t add_so_far = 0u;
  // pass 1 over the items
  for (uint32_t i = 0u; i < n; i++) {
    const float x_i = x[i];
    const bool v2 = x_i >= least;
    const uint32_t v3 = v2 ? 1u : 0u;
    const uint32_t exclusive = add_so_far;
    add_so_far = add_so_far + v3;
    const uint32_t kept_slot = exclusive;
    if (v2) {
      if (kept_slot < n) {
        kept_end = max_u32(kept_end, kept_slot + 1u);
        kept[kept_slot] = x_i;
      } else {
        status[0u] |= 1u;
      }
    }
  }
  kept_length[0u] = add_so_far;
  if (add_so_far < kept_end) {
    status[0u] |= 1u;
  }
}

int gw_compact(
  size_t n,
  float least,
  const float *restrict x,
  float *restrict kept,
  uint32_t *restrict kept_length) {
  if (n > 4026531840u) return GW_TOO_MANY_ITEMS;
  uint32_t status[1] = {0};
  clear(kept, n * sizeof *kept);
  gw_compact_kernel((uint32_t)n, least, x, kept, kept_length, status);
  return status[0] != 0u ? GW_OUTSIDE : GW_OK;
}
