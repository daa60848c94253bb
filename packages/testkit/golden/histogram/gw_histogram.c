// histogram: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target c
// C11. Build options: -ffp-contract=off and any optimisation, but never -ffast-math.
#include "gw_histogram.h"

#include <limits.h>
#include <string.h>

_Static_assert(INT_MAX == INT32_MAX, "int must have 32 bits");
_Static_assert((int32_t)UINT32_MAX == -1 && -1 >> 1 == -1, "integers must be in two's complement");

static inline bool is_size(int64_t x, int64_t most) { return x >= 0 && x <= most; }

static inline void clear(void *array, size_t bytes) {
  if (bytes > 0) memset(array, 0, bytes);
}

static inline uint32_t min_u32(uint32_t a, uint32_t b) { return a < b ? a : b; }

// a % b with the sign of a; a % 0 is 0.
static inline uint32_t rem_u32(uint32_t a, uint32_t b) {
  const uint32_t divisor = (b == 0u) ? 1u : b;
  return a % divisor;
}

void gw_histogram_kernel(
  uint32_t n,
  uint32_t bins,
  const uint32_t *restrict x,
  uint32_t *restrict counts,
  uint32_t *restrict least,
  uint32_t *restrict status) {
  for (uint32_t slot = 0u; slot < bins; slot++) {
    least[slot] = 4294967295u;
  }
  // pass 1 over the items
  for (uint32_t i = 0u; i < n; i++) {
    const uint32_t x_i = x[i];
    const uint32_t v4 = rem_u32(x_i, bins);
    const uint32_t counts_slot = v4;
    if (counts_slot < bins) {
      counts[counts_slot] = counts[counts_slot] + 1u;
    } else {
      status[0u] |= 1u;
    }
    const uint32_t least_slot = v4;
    if (least_slot < bins) {
      least[least_slot] = min_u32(least[least_slot], x_i);
    } else {
      status[0u] |= 2u;
    }
  }
}

int gw_histogram(
  size_t n,
  uint32_t bins,
  const uint32_t *restrict x,
  uint32_t *restrict counts,
  uint32_t *restrict least) {
  if (n > 4026531840u) return GW_TOO_MANY_ITEMS;
  if (!is_size((int64_t)bins, 2147483648)) return GW_BAD_CAPACITY;
  if (!is_size((int64_t)bins, 2147483648)) return GW_BAD_CAPACITY;
  uint32_t status[1] = {0};
  clear(counts, (size_t)(int64_t)bins * sizeof *counts);
  clear(least, (size_t)(int64_t)bins * sizeof *least);
  gw_histogram_kernel((uint32_t)n, bins, x, counts, least, status);
  return status[0] != 0u ? GW_OUTSIDE : GW_OK;
}
