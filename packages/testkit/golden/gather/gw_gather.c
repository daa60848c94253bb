// gather: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target c
// C11. Build options: -ffp-contract=off and any optimisation, but never -ffast-math.
#include "gw_gather.h"

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

static inline void *zeros(size_t elements, size_t bytes) {
  return elements < PTRDIFF_MAX / bytes ? calloc(elements + 1, bytes) : NULL;
}

static inline uint32_t min_u32(uint32_t a, uint32_t b) { return a < b ? a : b; }

static inline uint32_t max_u32(uint32_t a, uint32_t b) { return a > b ? a : b; }

static inline uint32_t clz_u32(uint32_t x) {
#if defined(__GNUC__) && !defined(GW_PORTABLE)
  return x == 0u ? 32u : (uint32_t)__builtin_clz(x);
#else
  uint32_t zeros = 32u;
  for (; x != 0u; x >>= 1) zeros--;
  return zeros;
#endif
}

// a % b with the sign of a; a % 0 is 0.
static inline uint32_t rem_u32(uint32_t a, uint32_t b) {
  const uint32_t divisor = (b == 0u) ? 1u : b;
  return a % divisor;
}

void gw_gather_kernel(
  uint32_t n,
  uint32_t palette_length,
  const float *restrict x,
  const uint32_t *restrict level,
  const float *restrict palette,
  float *restrict reversed,
  float *restrict step,
  float *restrict colour,
  float *restrict between,
  float *restrict scan_inclusive_3) {
  float add_so_far = 0.0f;
  float block_total[32] = {0};
  float block_prefix[32] = {0};
  // pass 1 over the items
  for (uint32_t i = 0u; i < n; i++) {
    const float x_i = x[i];
    float total = x_i;
    const uint32_t size = min_u32(31u - clz_u32((~i) & (i + 1u)), 31u);
    for (uint32_t k = 0u; k < size; k++) {
      total = block_total[k] + total;
    }
    const uint32_t rest = i & (i + 1u);
    const uint32_t previous = min_u32(31u - clz_u32(rest & (0u - rest)), 31u);
    add_so_far = (rest != 0u) ? (block_prefix[previous] + total) : total;
    block_total[size] = total;
    block_prefix[size] = add_so_far;
    const float inclusive = add_so_far;
    scan_inclusive_3[i] = inclusive;
    const uint32_t at = min_u32((n - 1u) - i, n - 1u);
    const float x_i_2 = x[at];
    reversed[i] = x_i_2;
    const uint32_t at_2 = min_u32(i + 1u, n - 1u);
    const float x_i_3 = x[at_2];
    step[i] = x_i_3 - x_i;
    const uint32_t level_i = level[i];
    const uint32_t palette_at = min_u32(level_i, max_u32(palette_length, 1u) - 1u);
    const float palette_i = palette[palette_at];
    const float colour_i = (palette_length != 0u) ? palette_i : 0.0f;
    colour[i] = colour_i;
  }
  // pass 2 over the items
  for (uint32_t i = 0u; i < n; i++) {
    const uint32_t level_i = level[i];
    const float v3 = scan_inclusive_3[i];
    const uint32_t at = min_u32(rem_u32(level_i, n), n - 1u);
    const float v3_2 = scan_inclusive_3[at];
    between[i] = v3 - v3_2;
  }
}

int gw_gather(
  size_t n,
  const float *restrict x,
  const uint32_t *restrict level,
  const float *restrict palette,
  size_t palette_length,
  float *restrict reversed,
  float *restrict step,
  float *restrict colour,
  float *restrict between) {
  if (n > 4026531840u) return GW_TOO_MANY_ITEMS;
  if (palette_length > 4026531840u) return GW_TABLE_TOO_LONG;
  float *scan_inclusive_3 = zeros(n, sizeof *scan_inclusive_3);
  int result = GW_NO_MEMORY;
  if (scan_inclusive_3) {
    gw_gather_kernel(
      (uint32_t)n,
      (uint32_t)palette_length,
      x,
      level,
      palette_length > 0 ? palette : &(const float){0},
      reversed,
      step,
      colour,
      between,
      scan_inclusive_3);
    result = GW_OK;
  }
  free(scan_inclusive_3);
  return result;
}
