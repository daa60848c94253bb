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
  const uint32_t whole = n - (n & 7u);
  for (uint32_t i = 0u; i < whole; i += 8u) {
    const float x_i = x[i];
    const float before = add_so_far;
    const float prefix = (i != 0u) ? (before + x_i) : x_i;
    add_so_far = prefix;
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
    const uint32_t i_2 = i + 1u;
    const float x_i_4 = x[i_2];
    const float total = x_i + x_i_4;
    const float prefix_2 = (i != 0u) ? (before + total) : total;
    add_so_far = prefix_2;
    const float inclusive_2 = add_so_far;
    scan_inclusive_3[i_2] = inclusive_2;
    const uint32_t at_3 = min_u32((n - 1u) - i_2, n - 1u);
    const float x_i_5 = x[at_3];
    reversed[i_2] = x_i_5;
    const uint32_t at_4 = min_u32(i_2 + 1u, n - 1u);
    const float x_i_6 = x[at_4];
    step[i_2] = x_i_6 - x_i_4;
    const uint32_t level_i_2 = level[i_2];
    const uint32_t palette_at_2 = min_u32(level_i_2, max_u32(palette_length, 1u) - 1u);
    const float palette_i_2 = palette[palette_at_2];
    const float colour_i_2 = (palette_length != 0u) ? palette_i_2 : 0.0f;
    colour[i_2] = colour_i_2;
    const uint32_t i_3 = i + 2u;
    const float x_i_7 = x[i_3];
    const float prefix_3 = prefix_2 + x_i_7;
    add_so_far = prefix_3;
    const float inclusive_3 = add_so_far;
    scan_inclusive_3[i_3] = inclusive_3;
    const uint32_t at_5 = min_u32((n - 1u) - i_3, n - 1u);
    const float x_i_8 = x[at_5];
    reversed[i_3] = x_i_8;
    const uint32_t at_6 = min_u32(i_3 + 1u, n - 1u);
    const float x_i_9 = x[at_6];
    step[i_3] = x_i_9 - x_i_7;
    const uint32_t level_i_3 = level[i_3];
    const uint32_t palette_at_3 = min_u32(level_i_3, max_u32(palette_length, 1u) - 1u);
    const float palette_i_3 = palette[palette_at_3];
    const float colour_i_3 = (palette_length != 0u) ? palette_i_3 : 0.0f;
    colour[i_3] = colour_i_3;
    const uint32_t i_4 = i + 3u;
    const float x_i_10 = x[i_4];
    const float total_2 = x_i_7 + x_i_10;
    const float total_3 = total + total_2;
    const float prefix_4 = (i != 0u) ? (before + total_3) : total_3;
    add_so_far = prefix_4;
    const float inclusive_4 = add_so_far;
    scan_inclusive_3[i_4] = inclusive_4;
    const uint32_t at_7 = min_u32((n - 1u) - i_4, n - 1u);
    const float x_i_11 = x[at_7];
    reversed[i_4] = x_i_11;
    const uint32_t at_8 = min_u32(i_4 + 1u, n - 1u);
    const float x_i_12 = x[at_8];
    step[i_4] = x_i_12 - x_i_10;
    const uint32_t level_i_4 = level[i_4];
    const uint32_t palette_at_4 = min_u32(level_i_4, max_u32(palette_length, 1u) - 1u);
    const float palette_i_4 = palette[palette_at_4];
    const float colour_i_4 = (palette_length != 0u) ? palette_i_4 : 0.0f;
    colour[i_4] = colour_i_4;
    const uint32_t i_5 = i + 4u;
    const float x_i_13 = x[i_5];
    const float prefix_5 = prefix_4 + x_i_13;
    add_so_far = prefix_5;
    const float inclusive_5 = add_so_far;
    scan_inclusive_3[i_5] = inclusive_5;
    const uint32_t at_9 = min_u32((n - 1u) - i_5, n - 1u);
    const float x_i_14 = x[at_9];
    reversed[i_5] = x_i_14;
    const uint32_t at_10 = min_u32(i_5 + 1u, n - 1u);
    const float x_i_15 = x[at_10];
    step[i_5] = x_i_15 - x_i_13;
    const uint32_t level_i_5 = level[i_5];
    const uint32_t palette_at_5 = min_u32(level_i_5, max_u32(palette_length, 1u) - 1u);
    const float palette_i_5 = palette[palette_at_5];
    const float colour_i_5 = (palette_length != 0u) ? palette_i_5 : 0.0f;
    colour[i_5] = colour_i_5;
    const uint32_t i_6 = i + 5u;
    const float x_i_16 = x[i_6];
    const float total_4 = x_i_13 + x_i_16;
    const float prefix_6 = prefix_4 + total_4;
    add_so_far = prefix_6;
    const float inclusive_6 = add_so_far;
    scan_inclusive_3[i_6] = inclusive_6;
    const uint32_t at_11 = min_u32((n - 1u) - i_6, n - 1u);
    const float x_i_17 = x[at_11];
    reversed[i_6] = x_i_17;
    const uint32_t at_12 = min_u32(i_6 + 1u, n - 1u);
    const float x_i_18 = x[at_12];
    step[i_6] = x_i_18 - x_i_16;
    const uint32_t level_i_6 = level[i_6];
    const uint32_t palette_at_6 = min_u32(level_i_6, max_u32(palette_length, 1u) - 1u);
    const float palette_i_6 = palette[palette_at_6];
    const float colour_i_6 = (palette_length != 0u) ? palette_i_6 : 0.0f;
    colour[i_6] = colour_i_6;
    const uint32_t i_7 = i + 6u;
    const float x_i_19 = x[i_7];
    const float prefix_7 = prefix_6 + x_i_19;
    add_so_far = prefix_7;
    const float inclusive_7 = add_so_far;
    scan_inclusive_3[i_7] = inclusive_7;
    const uint32_t at_13 = min_u32((n - 1u) - i_7, n - 1u);
    const float x_i_20 = x[at_13];
    reversed[i_7] = x_i_20;
    const uint32_t at_14 = min_u32(i_7 + 1u, n - 1u);
    const float x_i_21 = x[at_14];
    step[i_7] = x_i_21 - x_i_19;
    const uint32_t level_i_7 = level[i_7];
    const uint32_t palette_at_7 = min_u32(level_i_7, max_u32(palette_length, 1u) - 1u);
    const float palette_i_7 = palette[palette_at_7];
    const float colour_i_7 = (palette_length != 0u) ? palette_i_7 : 0.0f;
    colour[i_7] = colour_i_7;
    const uint32_t i_8 = i + 7u;
    const float x_i_22 = x[i_8];
    const float total_5 = x_i_19 + x_i_22;
    const float total_6 = total_4 + total_5;
    const float total_7 = total_3 + total_6;
    const uint32_t last = i + 7u;
    float total_8 = total_7;
    const uint32_t size = min_u32(31u - clz_u32((~last) & (last + 1u)), 31u);
    for (uint32_t k = 3u; k < size; k++) {
      total_8 = block_total[k] + total_8;
    }
    const uint32_t rest = last & (last + 1u);
    const uint32_t previous = min_u32(31u - clz_u32(rest & (0u - rest)), 31u);
    add_so_far = (rest != 0u) ? (block_prefix[previous] + total_8) : total_8;
    block_total[size] = total_8;
    block_prefix[size] = add_so_far;
    const float inclusive_8 = add_so_far;
    scan_inclusive_3[i_8] = inclusive_8;
    const uint32_t at_15 = min_u32((n - 1u) - i_8, n - 1u);
    const float x_i_23 = x[at_15];
    reversed[i_8] = x_i_23;
    const uint32_t at_16 = min_u32(i_8 + 1u, n - 1u);
    const float x_i_24 = x[at_16];
    step[i_8] = x_i_24 - x_i_22;
    const uint32_t level_i_8 = level[i_8];
    const uint32_t palette_at_8 = min_u32(level_i_8, max_u32(palette_length, 1u) - 1u);
    const float palette_i_8 = palette[palette_at_8];
    const float colour_i_8 = (palette_length != 0u) ? palette_i_8 : 0.0f;
    colour[i_8] = colour_i_8;
  }
  // the tail
  for (uint32_t i = whole; i < n; i++) {
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
