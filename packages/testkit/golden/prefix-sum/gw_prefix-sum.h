// prefix-sum: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target c
// Inputs: f32 x[n]
// Outputs: f32 sum[n]
// Strategy: one-thread
#ifndef gw_prefix_sum_H
#define gw_prefix_sum_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef GW_STATUS
#define GW_STATUS
enum gw_status {
  GW_OK = 0, // every output is written
  GW_TOO_MANY_ITEMS = 1, // the range has more items than indexes of 32 bits allow
  GW_TABLE_TOO_LONG = 2, // a table has more elements than indexes of 32 bits allow
  GW_NO_ITEM = 3, // a broadcast needs an item, but the range is empty
  GW_BAD_OFFSET = 4, // a global id would pass 2^32
  GW_BAD_CAPACITY = 5, // a capacity, or a term of it, is negative or too large
  GW_NO_MEMORY = 6, // there is not enough memory for scratch arrays
  GW_OUTSIDE = 7, // a scatter used an index outside its output, and wrote nothing there
  GW_BAD_STATE = 8, // the ranges of the states do not follow one another
};
#endif

#ifndef GW_RESTRICT
#ifdef __cplusplus
#define GW_RESTRICT // C++ lacks restrict
#else
#define GW_RESTRICT restrict
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

// Runs the pipeline over n items, at most 4026531840. Arrays that are written must not overlap other arrays.
// Returns GW_OK, or another status if an argument is invalid, memory is lacking, or a scatter
// used an index outside its output. The lengths of arrays are not checked.
int gw_prefix_sum(
  size_t n, // number of items
  const float *GW_RESTRICT x, // input, n elements
  float *GW_RESTRICT sum); // output, n elements

// The loops only: the caller provides every array, and none is checked.
void gw_prefix_sum_kernel(
  uint32_t n, // number of items
  const float *GW_RESTRICT x, // input, n elements
  float *GW_RESTRICT sum); // output, n elements

#ifdef __cplusplus
}
#endif

#endif
