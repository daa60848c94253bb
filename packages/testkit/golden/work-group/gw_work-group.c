// work-group: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target c
// C11. Build options: -ffp-contract=off and any optimisation, but never -ffast-math.
#include "gw_work-group.h"

#include <limits.h>

_Static_assert(INT_MAX == INT32_MAX, "int must have 32 bits");
_Static_assert((int32_t)UINT32_MAX == -1 && -1 >> 1 == -1, "integers must be in two's complement");

static inline uint32_t min_u32(uint32_t a, uint32_t b) { return a < b ? a : b; }

void gw_work_group_kernel(
  uint32_t n,
  const uint32_t *restrict x,
  uint32_t *restrict before,
  uint32_t *restrict total) {
  // pass 1 over the items
  uint32_t add_so_far = 0u;
  for (uint32_t start = 0u; start < n; start += 100u) {
    const uint32_t count = min_u32(100u, n - start);
    add_so_far = 0u;
    for (uint32_t place = 0u; place < count; place++) {
      const uint32_t i = start + place;
      const uint32_t x_i = x[i];
      const uint32_t exclusive = add_so_far;
      add_so_far = add_so_far + x_i;
      before[i] = exclusive;
    }
    total[start / 100u] = add_so_far;
  }
  // pass 2 over the items
}

int gw_work_group(
  size_t n,
  const uint32_t *restrict x,
  uint32_t *restrict before,
  uint32_t *restrict total) {
  if (n > 4026531840u) return GW_TOO_MANY_ITEMS;
  gw_work_group_kernel((uint32_t)n, x, before, total);
  return GW_OK;
}
