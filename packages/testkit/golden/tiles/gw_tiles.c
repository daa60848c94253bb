// tiles: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target c
// C11. Build options: -ffp-contract=off and any optimisation, but never -ffast-math.
#include "gw_tiles.h"

#include <limits.h>
#include <stdlib.h>

_Static_assert(INT_MAX == INT32_MAX, "int must have 32 bits");
_Static_assert((int32_t)UINT32_MAX == -1 && -1 >> 1 == -1, "integers must be in two's complement");

// Of two that are not negative.
static inline int64_t product(int64_t a, int64_t b) { return b > 0 && a > INT64_MAX / b ? INT64_MAX : a * b; }

static inline int64_t ceil_div(int64_t a, int64_t b) { return a / b + (a % b > 0); }

static inline void *zeros(size_t elements, size_t bytes) {
  return elements < PTRDIFF_MAX / bytes ? calloc(elements + 1, bytes) : NULL;
}

static inline uint32_t min_u32(uint32_t a, uint32_t b) { return a < b ? a : b; }

// a / b towards 0; a / 0 is a, and the least integer / -1 is itself.
static inline uint32_t div_u32(uint32_t a, uint32_t b) {
  const uint32_t divisor = (b == 0u) ? 1u : b;
  return a / divisor;
}

void gw_tiles_kernel(
  uint32_t n,
  uint32_t size_x,
  uint32_t size_y,
  uint32_t offset_x,
  uint32_t offset_y,
  const int32_t *restrict x,
  int32_t *restrict within,
  int32_t *restrict relative,
  int32_t *restrict total,
  uint8_t *restrict border,
  uint32_t *restrict checker,
  int32_t *restrict broadcast_3) {
  // pass 1 over the items, work-group after work-group
  int32_t add_so_far = 0;
  const uint32_t groups_x = (size_x / 8u) + (((size_x % 8u) != 0u) ? 1u : 0u);
  const uint32_t groups_y = (size_y / 4u) + (((size_y % 4u) != 0u) ? 1u : 0u);
  const uint32_t groups = groups_x * groups_y;
  for (uint32_t group = 0u; group < groups; group++) {
    const uint32_t group_y = div_u32(group, groups_x);
    const uint32_t group_x = group - (group_y * groups_x);
    const uint32_t start_x = group_x * 8u;
    const uint32_t start_y = group_y * 4u;
    const uint32_t extent_x = min_u32(8u, size_x - start_x);
    const uint32_t extent_y = min_u32(4u, size_y - start_y);
    add_so_far = 0;
    for (uint32_t local_y = 0u; local_y < extent_y; local_y++) {
      for (uint32_t local_x = 0u; local_x < extent_x; local_x++) {
        const uint32_t item_x = start_x + local_x;
        const uint32_t item_y = start_y + local_y;
        const uint32_t i = (item_y * size_x) + item_x;
        const int32_t x_i = x[i];
        add_so_far = (int32_t)((uint32_t)add_so_far + (uint32_t)x_i);
        const int32_t inclusive = add_so_far;
        within[i] = inclusive;
        border[i] = min_u32(local_x, local_y) == 0u;
        const uint32_t v12 = (item_x + offset_x) ^ (item_y + offset_y);
        checker[i] = v12 & 1u;
      }
    }
    total[group] = add_so_far;
    const uint32_t source = (start_y * size_x) + start_x;
    const int32_t x_i = x[source];
    broadcast_3[group] = x_i;
  }
  // pass 2 over the items
  for (uint32_t i = 0u; i < n; i++) {
    const int32_t x_i = x[i];
    const uint32_t item_y = div_u32(i, size_x);
    const uint32_t item_x = i - (item_y * size_x);
    const uint32_t group_x = item_x / 8u;
    const uint32_t group_y = item_y / 4u;
    const int32_t v3 = broadcast_3[(group_y * ((size_x / 8u) + (((size_x % 8u) != 0u) ? 1u : 0u))) + group_x];
    relative[i] = (int32_t)((uint32_t)x_i - (uint32_t)v3);
  }
}

int gw_tiles(
  size_t size_x,
  size_t size_y,
  uint32_t offset_x,
  uint32_t offset_y,
  const int32_t *restrict x,
  int32_t *restrict within,
  int32_t *restrict relative,
  int32_t *restrict total,
  uint8_t *restrict border,
  uint32_t *restrict checker) {
  if (size_x > 4026531840u || size_y > 4026531840u || (uint64_t)size_x * size_y > 4026531840u) return GW_TOO_MANY_ITEMS;
  if ((uint64_t)offset_x + size_x > UINT64_C(4294967296) || (uint64_t)offset_y + size_y > UINT64_C(4294967296)) return GW_BAD_OFFSET;
  int32_t *broadcast_3 = zeros((size_t)product(ceil_div((int64_t)size_x, 8), ceil_div((int64_t)size_y, 4)), sizeof *broadcast_3);
  int result = GW_NO_MEMORY;
  if (broadcast_3) {
    gw_tiles_kernel(
      (uint32_t)(size_x * size_y),
      (uint32_t)size_x,
      (uint32_t)size_y,
      offset_x,
      offset_y,
      x,
      within,
      relative,
      total,
      border,
      checker,
      broadcast_3);
    result = GW_OK;
  }
  free(broadcast_3);
  return result;
}
