// table-alone: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target c
// Inputs: i32 t[]
// Outputs: i32 mirrored[n]
// Strategy: one-thread
// C11. Build options: -ffp-contract=off and any optimisation, but never -ffast-math.
#include "gw_table-alone.h"

#include <limits.h>

_Static_assert(INT_MAX == INT32_MAX, "int must have 32 bits");
_Static_assert((int32_t)UINT32_MAX == -1 && -1 >> 1 == -1, "integers must be in two's complement");

static inline uint32_t min_u32(uint32_t a, uint32_t b) { return a < b ? a : b; }

static inline uint32_t max_u32(uint32_t a, uint32_t b) { return a > b ? a : b; }

void gw_table_alone_kernel(
  uint32_t n,
  uint32_t t_length,
  const int32_t *restrict t,
  int32_t *restrict mirrored) {
  // pass 1 over the items
  for (uint32_t i = 0u; i < n; i++) {
    const int32_t mirrored_i = (t_length != 0u) ? t[min_u32((n - 1u) - i, max_u32(t_length, 1u) - 1u)] : 0;
    mirrored[i] = mirrored_i;
  }
}

int gw_table_alone(size_t n, const int32_t *restrict t, size_t t_length, int32_t *restrict mirrored) {
  if (n > 4026531840u) return GW_TOO_MANY_ITEMS;
  if (t_length > 4026531840u) return GW_TABLE_TOO_LONG;
  gw_table_alone_kernel((uint32_t)n, (uint32_t)t_length, t_length > 0 ? t : &(const int32_t){0}, mirrored);
  return GW_OK;
}
