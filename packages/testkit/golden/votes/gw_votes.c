// votes: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target c
// C11. Build options: -ffp-contract=off and any optimisation, but never -ffast-math.
#include "gw_votes.h"

#include <limits.h>

_Static_assert(INT_MAX == INT32_MAX, "int must have 32 bits");
_Static_assert((int32_t)UINT32_MAX == -1 && -1 >> 1 == -1, "integers must be in two's complement");

static inline uint32_t min_u32(uint32_t a, uint32_t b) { return a < b ? a : b; }

void gw_votes_kernel(
  uint32_t n,
  const int32_t *restrict x,
  uint8_t *restrict all,
  uint8_t *restrict any,
  uint8_t *restrict anywhere,
  uint8_t *restrict everywhere,
  int32_t *restrict share,
  uint8_t *restrict outvoted) {
  bool logical_or_so_far = false;
  bool logical_and_so_far = true;
  bool logical_and_so_far_2 = true;
  // pass 1 over the items
  bool logical_and_so_far_3 = true;
  bool logical_or_so_far_2 = false;
  int32_t add_so_far = 0;
  for (uint32_t start = 0u; start < n; start += 64u) {
    const uint32_t count = min_u32(64u, n - start);
    logical_and_so_far_3 = true;
    logical_or_so_far_2 = false;
    add_so_far = 0;
    for (uint32_t place = 0u; place < count; place++) {
      const uint32_t i = start + place;
      const int32_t x_i = x[i];
      const bool value = x_i != 0;
      logical_and_so_far = logical_and_so_far && value;
      const bool v2 = x_i > 0;
      logical_or_so_far = logical_or_so_far || v2;
      logical_and_so_far_2 = logical_and_so_far_2 && v2;
      logical_and_so_far_3 = logical_and_so_far_3 && v2;
      logical_or_so_far_2 = logical_or_so_far_2 || v2;
      const int32_t v7 = v2 ? x_i : 0;
      add_so_far = (int32_t)((uint32_t)add_so_far + (uint32_t)v7);
    }
    all[start / 64u] = logical_and_so_far_3;
    any[start / 64u] = logical_or_so_far_2;
    share[start / 64u] = add_so_far;
  }
  // pass 2 over the items
  for (uint32_t i = 0u; i < n; i++) {
    const int32_t x_i = x[i];
    const bool v2 = x_i > 0;
    outvoted[i] = v2 != logical_and_so_far_2;
  }
  anywhere[0u] = logical_or_so_far;
  everywhere[0u] = logical_and_so_far;
}

int gw_votes(
  size_t n,
  const int32_t *restrict x,
  uint8_t *restrict all,
  uint8_t *restrict any,
  uint8_t *restrict anywhere,
  uint8_t *restrict everywhere,
  int32_t *restrict share,
  uint8_t *restrict outvoted) {
  if (n > 4026531840u) return GW_TOO_MANY_ITEMS;
  gw_votes_kernel((uint32_t)n, x, all, any, anywhere, everywhere, share, outvoted);
  return GW_OK;
}
