// mixed-scopes: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target c
// C11. Build options: -ffp-contract=off and any optimisation, but never -ffast-math.
#include "gw_mixed-scopes.h"

#include <limits.h>

_Static_assert(INT_MAX == INT32_MAX, "int must have 32 bits");
_Static_assert((int32_t)UINT32_MAX == -1 && -1 >> 1 == -1, "integers must be in two's complement");

static inline int32_t max_i32(int32_t a, int32_t b) { return a > b ? a : b; }

static inline uint32_t min_u32(uint32_t a, uint32_t b) { return a < b ? a : b; }

void gw_mixed_scopes_kernel(
  uint32_t n,
  const int32_t *restrict x,
  int32_t *restrict within,
  int32_t *restrict top,
  int32_t *restrict joined,
  int32_t *restrict against,
  int32_t *restrict tops) {
  int32_t xor_so_far = 0;
  // pass 1 over the items
  int32_t add_so_far = 0;
  int32_t max_so_far = INT32_MIN;
  for (uint32_t start = 0u; start < n; start += 64u) {
    const uint32_t count = min_u32(64u, n - start);
    add_so_far = 0;
    max_so_far = INT32_MIN;
    for (uint32_t place = 0u; place < count; place++) {
      const uint32_t i = start + place;
      const int32_t x_i = x[i];
      xor_so_far = xor_so_far ^ x_i;
      add_so_far = (int32_t)((uint32_t)add_so_far + (uint32_t)x_i);
      const int32_t inclusive = add_so_far;
      max_so_far = max_i32(max_so_far, inclusive);
      within[i] = inclusive;
    }
    top[start / 64u] = max_so_far;
  }
  int32_t add_so_far_2 = 0;
  int32_t max_so_far_2 = INT32_MIN;
  // pass 2 over the items
  int32_t max_so_far_3 = INT32_MIN;
  for (uint32_t start = 0u; start < n; start += 64u) {
    const uint32_t count = min_u32(64u, n - start);
    max_so_far_3 = INT32_MIN;
    for (uint32_t place = 0u; place < count; place++) {
      const uint32_t i = start + place;
      const int32_t top_i = top[i / 64u];
      const int32_t exclusive = add_so_far_2;
      add_so_far_2 = (int32_t)((uint32_t)add_so_far_2 + (uint32_t)top_i);
      max_so_far_2 = max_i32(max_so_far_2, top_i);
      const int32_t within_i = within[i];
      const int32_t value = (int32_t)((uint32_t)within_i - (uint32_t)xor_so_far);
      const int32_t exclusive_2 = max_so_far_3;
      max_so_far_3 = max_i32(max_so_far_3, value);
      joined[i] = (int32_t)((uint32_t)within_i + (uint32_t)exclusive);
      against[i] = exclusive_2;
      if ((i % 64u) == 0u) {
        top[i / 64u] = top_i;
      }
    }
  }
  tops[0u] = max_so_far_2;
}

int gw_mixed_scopes(
  size_t n,
  const int32_t *restrict x,
  int32_t *restrict within,
  int32_t *restrict top,
  int32_t *restrict joined,
  int32_t *restrict against,
  int32_t *restrict tops) {
  if (n > 4026531840u) return GW_TOO_MANY_ITEMS;
  gw_mixed_scopes_kernel((uint32_t)n, x, within, top, joined, against, tops);
  return GW_OK;
}
