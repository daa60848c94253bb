// ledger: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target c
// C11. Build options: -ffp-contract=off and any optimisation, but never -ffast-math.
#include "gw_ledger.h"

#include <limits.h>

_Static_assert(INT_MAX == INT32_MAX, "int must have 32 bits");
_Static_assert((int32_t)UINT32_MAX == -1 && -1 >> 1 == -1, "integers must be in two's complement");

static inline uint32_t min_u32(uint32_t a, uint32_t b) { return a < b ? a : b; }

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

void gw_ledger_kernel(
  uint32_t n,
  const int64_t *restrict x,
  int64_t *restrict balance,
  int64_t *restrict lowest) {
  // pass 1 over the items
  int64_t add_so_far = INT64_C(0);
  int64_t min_so_far = INT64_C(9223372036854775807);
  for (uint32_t start = 0u; start < n; start += 64u) {
    const uint32_t count = min_u32(64u, n - start);
    add_so_far = INT64_C(0);
    min_so_far = INT64_C(9223372036854775807);
    for (uint32_t place = 0u; place < count; place++) {
      const uint32_t i = start + place;
      const int64_t x_i = x[i];
      add_so_far = (int64_t)((uint64_t)add_so_far + (uint64_t)x_i);
      const int64_t inclusive = add_so_far;
      min_so_far = min_i64(min_so_far, x_i);
      balance[i] = inclusive;
    }
    lowest[start / 64u] = min_so_far;
  }
  // pass 2 over the items
}

int gw_ledger(size_t n, const int64_t *restrict x, int64_t *restrict balance, int64_t *restrict lowest) {
  if (n > 4026531840u) return GW_TOO_MANY_ITEMS;
  gw_ledger_kernel((uint32_t)n, x, balance, lowest);
  return GW_OK;
}
