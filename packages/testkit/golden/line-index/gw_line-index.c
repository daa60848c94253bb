// line-index: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target c
// C11. Build options: -ffp-contract=off and any optimisation, but never -ffast-math.
#include "gw_line-index.h"

#include <limits.h>
#include <string.h>

_Static_assert(INT_MAX == INT32_MAX, "int must have 32 bits");
_Static_assert((int32_t)UINT32_MAX == -1 && -1 >> 1 == -1, "integers must be in two's complement");

static inline void clear(void *array, size_t bytes) {
  if (bytes > 0) memset(array, 0, bytes);
}

static inline uint32_t max_u32(uint32_t a, uint32_t b) { return a > b ? a : b; }

void gw_line_index_kernel(
  uint32_t n,
  const uint32_t *restrict text,
  uint32_t *restrict line,
  uint32_t *restrict starts,
  uint32_t *restrict lines,
  uint32_t *restrict status) {
  uint32_t starts_end = 0u;
  uint32_t add_so_far = 0u;
  // pass 1 over the items
  for (uint32_t i = 0u; i < n; i++) {
    const uint32_t text_i = text[i];
    const bool v2 = text_i == 10u;
    const uint32_t v3 = v2 ? 1u : 0u;
    const uint32_t exclusive = add_so_far;
    add_so_far = add_so_far + v3;
    line[i] = exclusive;
    const uint32_t starts_slot = exclusive;
    if (v2) {
      if (starts_slot < n) {
        starts_end = max_u32(starts_end, starts_slot + 1u);
        starts[starts_slot] = i + 1u;
      } else {
        status[0u] |= 1u;
      }
    }
  }
  lines[0u] = add_so_far;
  if (add_so_far < starts_end) {
    status[0u] |= 1u;
  }
}

int gw_line_index(
  size_t n,
  const uint32_t *restrict text,
  uint32_t *restrict line,
  uint32_t *restrict starts,
  uint32_t *restrict lines) {
  if (n > 4026531840u) return GW_TOO_MANY_ITEMS;
  uint32_t status[1] = {0};
  clear(starts, n * sizeof *starts);
  gw_line_index_kernel((uint32_t)n, text, line, starts, lines, status);
  return status[0] != 0u ? GW_OUTSIDE : GW_OK;
}
