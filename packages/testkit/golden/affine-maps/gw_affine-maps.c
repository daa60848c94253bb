// affine-maps: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target c
// C11. Build options: -ffp-contract=off and any optimisation, but never -ffast-math.
#include "gw_affine-maps.h"

#include <limits.h>

_Static_assert(INT_MAX == INT32_MAX, "int must have 32 bits");
_Static_assert((int32_t)UINT32_MAX == -1 && -1 >> 1 == -1, "integers must be in two's complement");

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

void gw_affine_maps_kernel(
  uint32_t n,
  const uint32_t *restrict a,
  const uint32_t *restrict b,
  uint32_t *restrict scan_a,
  uint32_t *restrict scan_b,
  uint32_t *restrict before,
  uint32_t *restrict total_a,
  uint32_t *restrict total_b,
  uint32_t *restrict inGroup) {
  uint32_t affine_so_far = 1u;
  uint32_t affine_so_far_2 = 0u;
  uint32_t block_total[32] = {0};
  uint32_t block_total_2[32] = {0};
  uint32_t block_prefix[32] = {0};
  uint32_t block_prefix_2[32] = {0};
  // pass 1 over the items
  uint32_t affine_so_far_4 = 0u;
  uint32_t block_total_3[32] = {0};
  uint32_t block_total_4[32] = {0};
  uint32_t block_prefix_4[32] = {0};
  for (uint32_t start = 0u; start < n; start += 100u) {
    const uint32_t count = min_u32(100u, n - start);
    affine_so_far_4 = 0u;
    for (uint32_t place = 0u; place < count; place++) {
      const uint32_t i = start + place;
      const uint32_t a_i = a[i];
      const uint32_t b_i = b[i];
      const uint32_t exclusive = affine_so_far_2;
      uint32_t total = a_i;
      uint32_t total_2 = b_i;
      const uint32_t size = min_u32(31u - clz_u32((~i) & (i + 1u)), 31u);
      for (uint32_t k = 0u; k < size; k++) {
        const uint32_t left = block_total[k];
        const uint32_t left_2 = block_total_2[k];
        const uint32_t both = left * total;
        const uint32_t both_2 = (left_2 * total) + total_2;
        total = both;
        total_2 = both_2;
      }
      const uint32_t rest = i & (i + 1u);
      const uint32_t previous = min_u32(31u - clz_u32(rest & (0u - rest)), 31u);
      const uint32_t left = block_prefix[previous];
      const uint32_t left_2 = block_prefix_2[previous];
      const uint32_t both = left * total;
      const uint32_t both_2 = (left_2 * total) + total_2;
      affine_so_far = (rest != 0u) ? both : total;
      block_total[size] = total;
      block_prefix[size] = affine_so_far;
      affine_so_far_2 = (rest != 0u) ? both_2 : total_2;
      block_total_2[size] = total_2;
      block_prefix_2[size] = affine_so_far_2;
      const uint32_t inclusive = affine_so_far;
      const uint32_t inclusive_2 = affine_so_far_2;
      const uint32_t exclusive_2 = affine_so_far_4;
      uint32_t total_3 = a_i;
      uint32_t total_4 = b_i;
      const uint32_t size_2 = min_u32(31u - clz_u32((~place) & (place + 1u)), 31u);
      for (uint32_t k = 0u; k < size_2; k++) {
        const uint32_t left_3 = block_total_3[k];
        const uint32_t left_4 = block_total_4[k];
        const uint32_t both_3 = left_3 * total_3;
        const uint32_t both_4 = (left_4 * total_3) + total_4;
        total_3 = both_3;
        total_4 = both_4;
      }
      const uint32_t rest_2 = place & (place + 1u);
      const uint32_t previous_2 = min_u32(31u - clz_u32(rest_2 & (0u - rest_2)), 31u);
      const uint32_t left_4 = block_prefix_4[previous_2];
      const uint32_t both_4 = (left_4 * total_3) + total_4;
      block_total_3[size_2] = total_3;
      affine_so_far_4 = (rest_2 != 0u) ? both_4 : total_4;
      block_total_4[size_2] = total_4;
      block_prefix_4[size_2] = affine_so_far_4;
      scan_a[i] = inclusive;
      scan_b[i] = inclusive_2;
      before[i] = exclusive;
      inGroup[i] = exclusive_2;
    }
  }
  total_a[0u] = affine_so_far;
  total_b[0u] = affine_so_far_2;
}

int gw_affine_maps(
  size_t n,
  const uint32_t *restrict a,
  const uint32_t *restrict b,
  uint32_t *restrict scan_a,
  uint32_t *restrict scan_b,
  uint32_t *restrict before,
  uint32_t *restrict total_a,
  uint32_t *restrict total_b,
  uint32_t *restrict inGroup) {
  if (n > 4026531840u) return GW_TOO_MANY_ITEMS;
  gw_affine_maps_kernel((uint32_t)n, a, b, scan_a, scan_b, before, total_a, total_b, inGroup);
  return GW_OK;
}
