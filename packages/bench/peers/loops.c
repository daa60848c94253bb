// The loops that a person writes, for `bench loops`. Floats add in the fixed order of groupwise (fixed_) and from left to right (plain_).
#include <omp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define BINS 256
#define MOST_THREADS 64

#define LOOPS(T, BIN) \
  void plain_reduce_add_##T##_(size_t n, const T *restrict x, T *restrict total) { \
    T sum = 0; \
    for (size_t i = 0; i < n; i++) sum += x[i]; \
    *total = sum; \
  } \
  void plain_scan_add_##T##_(size_t n, const T *restrict x, T *restrict y) { \
    T sum = 0; \
    for (size_t i = 0; i < n; i++) y[i] = sum += x[i]; \
  } \
  void plain_scan_max_##T##_(size_t n, const T *restrict x, T *restrict y) { \
    if (n == 0) return; \
    T most = x[0]; \
    for (size_t i = 0; i < n; i++) { \
      most = x[i] > most ? x[i] : most; \
      y[i] = most; \
    } \
  } \
  void plain_compact_##T##_(size_t n, const T *restrict x, T *restrict kept, uint32_t *restrict count, T above) { \
    uint32_t slot = 0; \
    for (size_t i = 0; i < n; i++) \
      if (x[i] > above) kept[slot++] = x[i]; \
    *count = slot; \
  } \
  void plain_histogram_##T##_(size_t n, const T *restrict x, uint32_t *restrict counts) { \
    memset(counts, 0, BINS * sizeof *counts); \
    for (size_t i = 0; i < n; i++) { \
      if (HAS_BIN_##T(x[i])) counts[BIN(x[i])]++; \
    } \
  } \
  void openmp_reduce_add_##T##_(size_t n, const T *restrict x, T *restrict total) { \
    T sum = 0; \
    _Pragma("omp parallel for reduction(+ : sum) num_threads(2)") for (size_t i = 0; i < n; i++) sum += x[i]; \
    *total = sum; \
  } \
  void openmp_scan_add_##T##_(size_t n, const T *restrict x, T *restrict y) { \
    T sums[MOST_THREADS] = {0}; \
    _Pragma("omp parallel num_threads(2)") { \
      const size_t me = (size_t)omp_get_thread_num(), all = (size_t)omp_get_num_threads(); \
      const size_t from = n * me / all, to = n * (me + 1) / all; \
      T sum = 0; \
      for (size_t i = from; i < to; i++) sum += x[i]; \
      sums[me] = sum; \
      _Pragma("omp barrier") sum = 0; \
      for (size_t i = 0; i < me; i++) sum += sums[i]; \
      for (size_t i = from; i < to; i++) y[i] = sum += x[i]; \
    } \
  }

typedef uint32_t u32;
typedef int32_t i32;
typedef float f32;
#define LOW_BITS(x) ((uint32_t)(x) & 255u)
#define HAS_BIN_u32(x) 1
#define HAS_BIN_i32(x) 1
#define HAS_BIN_f32(x) ((x) >= 0.0f && (x) < (f32)BINS)
#define WHOLE(x) ((uint32_t)(x))
// Sums of i32 wrap, as those of u32 do.
LOOPS(u32, LOW_BITS)
LOOPS(i32, LOW_BITS)
LOOPS(f32, WHOLE)

// Completed blocks of 2^k items, one for each bit of the number of items; `before` is the sum up to the end of a block.
typedef struct {
  f32 total[32], before[32];
  int depth;
} Blocks;

// Adds a block of 2^from items that ends with item i; returns the sum up to its end.
static inline f32 add_block(Blocks *b, size_t i, int from, f32 total) {
  for (size_t bits = i >> from; bits & 1; bits >>= 1) total = b->total[--b->depth] + total;
  const f32 sum = b->depth > 0 ? b->before[b->depth - 1] + total : total;
  b->total[b->depth] = total;
  b->before[b->depth++] = sum;
  return sum;
}

void fixed_reduce_add_f32_(size_t n, const f32 *restrict x, f32 *restrict total) {
  Blocks b = {.depth = 0};
  f32 sum = 0;
  const size_t whole = n & ~(size_t)7;
  for (size_t i = 0; i < whole; i += 8) {
    const f32 left = (x[i] + x[i + 1]) + (x[i + 2] + x[i + 3]);
    const f32 right = (x[i + 4] + x[i + 5]) + (x[i + 6] + x[i + 7]);
    sum = add_block(&b, i + 7, 3, left + right);
  }
  for (size_t i = whole; i < n; i++) sum = add_block(&b, i, 0, x[i]);
  *total = sum;
}

void fixed_scan_add_f32_(size_t n, const f32 *restrict x, f32 *restrict y) {
  Blocks b = {.depth = 0};
  const size_t whole = n & ~(size_t)7;
  // -0 plus anything is that thing.
  f32 sum = -0.0f;
  for (size_t i = 0; i < whole; i += 8) {
    const f32 t01 = x[i] + x[i + 1], t23 = x[i + 2] + x[i + 3], t45 = x[i + 4] + x[i + 5];
    const f32 t03 = t01 + t23, t47 = t45 + (x[i + 6] + x[i + 7]);
    y[i] = sum + x[i];
    const f32 s2 = sum + t01, s4 = sum + t03;
    y[i + 1] = s2;
    y[i + 2] = s2 + x[i + 2];
    y[i + 3] = s4;
    y[i + 4] = s4 + x[i + 4];
    const f32 s6 = s4 + t45;
    y[i + 5] = s6;
    y[i + 6] = s6 + x[i + 6];
    sum = add_block(&b, i + 7, 3, t03 + t47);
    y[i + 7] = sum;
  }
  for (size_t i = whole; i < n; i++) y[i] = add_block(&b, i, 0, x[i]);
}
