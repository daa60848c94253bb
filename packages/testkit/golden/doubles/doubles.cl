// doubles: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target opencl
// Inputs: f64 x[n]
// Outputs: f64 sum[1]
// Strategy: reduce-then-scan
// OpenCL C 1.2. Build options: -cl-std=CL1.2
// Never build it with -cl-fast-relaxed-math, -cl-mad-enable or -cl-denorms-are-zero.
// Tiles: 256 x 4 items. Division of floats: exact.
// Passes, one after the other; a pass without work-groups is skipped:
//   tile_totals: floor(n / 1024) work-groups of 256 work-items
//   tile_totals_2: floor(n / 1048576) work-groups of 256 work-items
//   tile_totals_3: floor(n / 1073741824) work-groups of 256 work-items
//   finish: 1 work-group of 256 work-items

// A product and a sum must not become one operation: the results would differ between devices.
#pragma OPENCL FP_CONTRACT OFF

#define SMALLEST_NORMAL_F64 0x00100000u
#define TILE_TOTALS 1024u

// The words shifted left, by the amount modulo 64.
uint2 shl_u64(const uint lo, const uint hi, const uint amount) {
  bool far = (amount & 32u) != 0u;
  uint by = amount & 31u;
  uint low = far ? 0u : lo;
  return (uint2)(low << by, ((far ? lo : hi) << by) | ((low >> 1u) >> (31u - by)));
}

// The double is NaN.
bool is_nan_f64(const uint lo, const uint hi) {
  return ((hi & 0x7fffffffu) | ((lo != 0u) ? 1u : 0u)) > 0x7ff00000u;
}

// The words shifted right by any amount; the lowest bit of the result is 1 if any bit shifted out was 1 (sticky).
uint2 shr_sticky_u64(const uint lo, const uint hi, const uint amount) {
  uint by = min(amount, 63u);
  // 1 if the low word is shifted out: GPUs have units for products beside those for choices
  uint far = by >> 5u;
  uint above = hi - (far * hi);
  uint below = lo + (far * (hi - lo));
  uint down = by & 31u;
  uint unit = 1u << (31u - down);
  return (uint2)(((above * (unit + unit)) + (below >> down)) | min((below * unit) | (lo * far), 1u), above >> down);
}

// Zero bits above the highest 1 of both words, from the exponent of a float; more than 64 for zero.
uint leading_zeros_u64(const uint lo, const uint hi) {
  bool in_high = hi != 0u;
  uint word = in_high ? hi : lo;
  return (in_high ? 158u : 190u) - (as_uint(convert_float(word & (~(word >> 1u)))) >> 23u);
}

// a + b if it is large, or if many digits of their exact total cancel; the exponent is that of the larger.
uint2 rare_sum_f64(const uint a_lo, const uint a_hi, const uint b_lo, const uint b_hi, const uint exponent, const uint lo, const uint hi, const uint rounded_lo, const uint rounded_hi) {
  uint left = a_hi & 0x7fffffffu;
  uint right = b_hi & 0x7fffffffu;
  uint sign = ((left < right) ? b_hi : a_hi) & 0x80000000u;
  if (max(max(left, right), rounded_hi) >= 0x7ff00000u) {
    if ((is_nan_f64(a_lo, a_hi) || is_nan_f64(b_lo, b_hi)) || ((min(left, right) == 0x7ff00000u) && (a_hi != b_hi))) {
      return (uint2)(0u, 0x7ff80000u);
    }
    return (uint2)(0u, sign | 0x7ff00000u);
  }
  if (as_int(hi) >= 128) { return (uint2)(rounded_lo, sign | rounded_hi); }
  // nothing to round: only operands whose exponents differ by 1 at most cancel so many digits
  uint negative = as_uint(as_int(hi) >> 31u);
  uint minuend = lo ^ negative;
  uint total_lo = minuend - negative;
  uint total_hi = ((hi ^ negative) - negative) - ((minuend < negative) ? 1u : 0u);
  uint by = min(leading_zeros_u64(total_lo, total_hi) - 1u, exponent);
  uint2 top = shl_u64(total_lo, total_hi, by);
  return (uint2)((top.x >> 10u) | (top.y << 22u), (sign ^ (negative & 0x80000000u)) | ((top.y >> 10u) + ((exponent - by) << 20u)));
}

// a + b, rounded to nearest even.
uint2 add_f64(const uint a_lo, const uint a_hi, const uint b_lo, const uint b_hi) {
  uint left = a_hi & 0x7fffffffu;
  uint right = b_hi & 0x7fffffffu;
  bool swap = left < right;
  uint large_lo = swap ? b_lo : a_lo;
  uint large_hi = max(left, right);
  uint small_lo = swap ? a_lo : b_lo;
  uint small_hi = min(left, right);
  uint x_exponent = max(large_hi, SMALLEST_NORMAL_F64) >> 20u;
  uint x_digits = (large_hi + SMALLEST_NORMAL_F64) - (x_exponent << 20u);
  uint y_exponent = max(small_hi, SMALLEST_NORMAL_F64) >> 20u;
  uint y_digits = (small_hi + SMALLEST_NORMAL_F64) - (y_exponent << 20u);
  // if the signs differ: the complement of y, and 1 in a bit that x does not use
  uint differ = as_uint(as_int(a_hi ^ b_hi) >> 31u);
  uint2 aligned = shr_sticky_u64(small_lo << 9u, (y_digits << 9u) | (small_lo >> 23u), x_exponent - y_exponent);
  uint addend = (large_lo << 9u) - differ;
  uint sum = addend + (aligned.x ^ differ);
  uint total_hi = (((x_digits << 9u) | (large_lo >> 23u)) + (aligned.y ^ differ)) + ((sum < addend) ? 1u : 0u);
  // the highest digit to the second highest bit, or as far as the exponent allows
  uint by = min(150u - (as_uint(convert_float(total_hi >> 7u)) >> 23u), x_exponent);
  uint unit = 1u << by;
  uint top_lo = sum * unit;
  uint raised_lo = (top_lo + 0x1ffu) + ((top_lo >> 10u) & 1u);
  uint raised_hi = ((total_hi * unit) + ((sum >> 1u) >> (31u - by))) + ((raised_lo < top_lo) ? 1u : 0u);
  uint magnitude = (raised_hi >> 10u) + ((x_exponent - by) << 20u);
  bool any = (sum | total_hi) != 0u;
  if (((as_int(total_hi) < 128) && any) || (magnitude >= 0x76900000u)) {
    uint2 rare = rare_sum_f64(a_lo, a_hi, b_lo, b_hi, x_exponent, sum, total_hi, (raised_lo >> 10u) | (raised_hi << 22u), magnitude);
    return (uint2)(rare.x, rare.y);
  }
  return (uint2)((raised_lo >> 10u) | (raised_hi << 22u), any ? (((swap ? b_hi : a_hi) & 0x80000000u) | magnitude) : ((a_hi & b_hi) & 0x80000000u));
}

typedef struct { uint total_lo; uint total_hi; } TotalOfLanes;
// The total of 256 lanes, in each of them.
TotalOfLanes total_of_lanes(const uint own_lo, const uint own_hi, const uint lane, __local uint* lanes_f64_lo, __local uint* lanes_f64_hi) {
  uint total_lo = own_lo;
  uint total_hi = own_hi;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint round = 0u; round < 8u; round++) {
    uint slot = ((round & 1u) * 256u) + lane;
    lanes_f64_lo[slot] = total_lo;
    lanes_f64_hi[slot] = total_hi;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint at = slot ^ (1u << round);
    uint theirs_lo = lanes_f64_lo[at];
    uint2 sum_2 = add_f64(total_lo, total_hi, theirs_lo, lanes_f64_hi[at]);
    total_lo = sum_2.x;
    total_hi = sum_2.y;
  }
  return (TotalOfLanes){total_lo, total_hi};
}

// Pass 1 over the items, 1024 to a work-group, 4 to a work-item.
// Stores the total of every full tile for the next pass.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void tile_totals(
  const uint n, // number of items
  __global const uint* restrict x, // input, n elements of f64, each its low and its high word
  __global uint* tile_totals_add) // scratch, ((floor(n / 1024) + floor(n / 1048576)) + floor(n / 1073741824)) elements of f64, each its low and its high word
{
  __local uint lanes_f64_lo[512];
  __local uint lanes_f64_hi[512];
  uint lane = (uint)get_local_id(0);
  uint group = (uint)get_group_id(0);
  uint items_lo[4] = {0};
  uint items_hi[4] = {0};
  uint first = ((group * 1024u) + (lane * 4u)) << 1u;
  uint4 x_row = ((__global const uint4*)x)[first >> 2u];
  uint4 x_row_2 = ((__global const uint4*)x)[(first + 4u) >> 2u];
  items_lo[0u] = x_row.x;
  items_hi[0u] = x_row.y;
  items_lo[1u] = x_row.z;
  items_hi[1u] = x_row.w;
  items_lo[2u] = x_row_2.x;
  items_hi[2u] = x_row_2.y;
  items_lo[3u] = x_row_2.z;
  items_hi[3u] = x_row_2.w;
  // total of the tile: within each work-item, then across the work-group
  uint2 sum_2 = add_f64(items_lo[0u], items_hi[0u], items_lo[1u], items_hi[1u]);
  items_lo[1u] = sum_2.x;
  items_hi[1u] = sum_2.y;
  uint2 sum_3 = add_f64(items_lo[2u], items_hi[2u], items_lo[3u], items_hi[3u]);
  items_lo[3u] = sum_3.x;
  items_hi[3u] = sum_3.y;
  uint2 sum_4 = add_f64(items_lo[1u], items_hi[1u], items_lo[3u], items_hi[3u]);
  items_lo[3u] = sum_4.x;
  items_hi[3u] = sum_4.y;
  TotalOfLanes total = total_of_lanes(items_lo[3u], items_hi[3u], lane, lanes_f64_lo, lanes_f64_hi);
  if ((lane == 0u) && (group < (n >> 10u))) {
    uint at = ((n >> 30u) + (n >> 20u)) + group;
    tile_totals_add[at << 1u] = total.total_lo;
    tile_totals_add[(at << 1u) + 1u] = total.total_hi;
  }
}

// Totals of level 2: each of 1024 totals of level 1.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void tile_totals_2(
  const uint n, // number of items
  __global uint* tile_totals_add) // scratch, ((floor(n / 1024) + floor(n / 1048576)) + floor(n / 1073741824)) elements of f64, each its low and its high word
{
  __local uint lanes_f64_lo[512];
  __local uint lanes_f64_hi[512];
  uint lane = (uint)get_local_id(0);
  uint group = (uint)get_group_id(0);
  uint base = ((n >> 30u) + (n >> 20u)) + ((group * TILE_TOTALS) + (lane * 4u));
  uint items_lo[4] = {0};
  uint items_hi[4] = {0};
  for (uint k = 0u; k < 4u; k++) {
    uint at = base + k;
    uint word_lo = tile_totals_add[at << 1u];
    uint word_hi = tile_totals_add[(at << 1u) + 1u];
    items_lo[k] = word_lo;
    items_hi[k] = word_hi;
  }
  // total of the tile: within each work-item, then across the work-group
  for (uint k = 1u; k < 4u; k += 2u) {
    uint at = k - 1u;
    uint2 sum_2 = add_f64(items_lo[at], items_hi[at], items_lo[k], items_hi[k]);
    items_lo[k] = sum_2.x;
    items_hi[k] = sum_2.y;
  }
  uint2 sum_2 = add_f64(items_lo[1u], items_hi[1u], items_lo[3u], items_hi[3u]);
  items_lo[3u] = sum_2.x;
  items_hi[3u] = sum_2.y;
  TotalOfLanes total = total_of_lanes(items_lo[3u], items_hi[3u], lane, lanes_f64_lo, lanes_f64_hi);
  if ((lane == 0u) && (group < (n >> 20u))) {
    uint at_2 = (n >> 30u) + group;
    tile_totals_add[at_2 << 1u] = total.total_lo;
    tile_totals_add[(at_2 << 1u) + 1u] = total.total_hi;
  }
}

// Totals of level 3: each of 1024 totals of level 2.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void tile_totals_3(
  const uint n, // number of items
  __global uint* tile_totals_add) // scratch, ((floor(n / 1024) + floor(n / 1048576)) + floor(n / 1073741824)) elements of f64, each its low and its high word
{
  __local uint lanes_f64_lo[512];
  __local uint lanes_f64_hi[512];
  uint lane = (uint)get_local_id(0);
  uint group = (uint)get_group_id(0);
  uint base = (n >> 30u) + ((group * TILE_TOTALS) + (lane * 4u));
  uint items_lo[4] = {0};
  uint items_hi[4] = {0};
  for (uint k = 0u; k < 4u; k++) {
    uint at = base + k;
    uint word_lo = tile_totals_add[at << 1u];
    uint word_hi = tile_totals_add[(at << 1u) + 1u];
    items_lo[k] = word_lo;
    items_hi[k] = word_hi;
  }
  // total of the tile: within each work-item, then across the work-group
  for (uint k = 1u; k < 4u; k += 2u) {
    uint at = k - 1u;
    uint2 sum_2 = add_f64(items_lo[at], items_hi[at], items_lo[k], items_hi[k]);
    items_lo[k] = sum_2.x;
    items_hi[k] = sum_2.y;
  }
  uint2 sum_2 = add_f64(items_lo[1u], items_hi[1u], items_lo[3u], items_hi[3u]);
  items_lo[3u] = sum_2.x;
  items_hi[3u] = sum_2.y;
  TotalOfLanes total = total_of_lanes(items_lo[3u], items_hi[3u], lane, lanes_f64_lo, lanes_f64_hi);
  if ((lane == 0u) && (group < (n >> 30u))) {
    uint at_2 = group;
    tile_totals_add[at_2 << 1u] = total.total_lo;
    tile_totals_add[(at_2 << 1u) + 1u] = total.total_hi;
  }
}

// Results for the whole range, by one work-group.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void finish(
  const uint n, // number of items
  __global const uint* restrict x, // input, n elements of f64, each its low and its high word
  __global uint* sum, // output, 1 element of f64, each its low and its high word
  __global const uint* restrict tile_totals_add) // scratch, ((floor(n / 1024) + floor(n / 1048576)) + floor(n / 1073741824)) elements of f64, each its low and its high word
{
  __local uint lanes_f64_lo[512];
  __local uint lanes_f64_hi[512];
  uint lane = (uint)get_local_id(0);
  uint result_lo = 0u;
  uint result_hi = 0x80000000u;
  bool has_result = false;
  uint offset = 0u;
  uint first = lane * 4u;
  for (uint step = 0u; step < 4u; step++) {
    uint level = 3u - step;
    bool is_items = level == 0u;
    uint count = n >> (is_items ? 0u : (10u + ((level - 1u) * 10u)));
    uint tail = count & (is_items ? 0x3ffu : 0x3ffu);
    uint from = count - tail;
    if (tail != 0u) {
      uint last = tail - 1u;
      uint items_lo[4] = {0};
      uint items_hi[4] = {0};
      if (is_items) {
        for (uint k = 0u; k < 4u; k++) {
          uint at = from + min(first + k, last);
          uint x_i_lo = x[at << 1u];
          uint x_i_hi = x[(at << 1u) + 1u];
          items_lo[k] = x_i_lo;
          items_hi[k] = x_i_hi;
        }
      } else {
        for (uint k = 0u; k < 4u; k++) {
          uint at_2 = offset + (from + min(first + k, last));
          uint word_lo = tile_totals_add[at_2 << 1u];
          uint word_hi = tile_totals_add[(at_2 << 1u) + 1u];
          items_lo[k] = word_lo;
          items_hi[k] = word_hi;
        }
      }
      // scan of the tile: an up-sweep for totals of aligned blocks, then a down-sweep for prefixes
      for (uint k = 1u; k < 4u; k += 2u) {
        uint at_2 = k - 1u;
        uint2 sum_2 = add_f64(items_lo[at_2], items_hi[at_2], items_lo[k], items_hi[k]);
        items_lo[k] = sum_2.x;
        items_hi[k] = sum_2.y;
      }
      uint2 sum_2 = add_f64(items_lo[1u], items_hi[1u], items_lo[3u], items_hi[3u]);
      items_lo[3u] = sum_2.x;
      items_hi[3u] = sum_2.y;
      uint total_lo = items_lo[3u];
      uint total_hi = items_hi[3u];
      uint lower_lo[8] = {0};
      uint lower_hi[8] = {0};
      barrier(CLK_LOCAL_MEM_FENCE);
      for (uint round = 0u; round < 8u; round++) {
        uint bit = 1u << round;
        uint slot = ((round & 1u) * 256u) + lane;
        lanes_f64_lo[slot] = total_lo;
        lanes_f64_hi[slot] = total_hi;
        barrier(CLK_LOCAL_MEM_FENCE);
        uint at_2 = slot ^ bit;
        uint theirs_lo = lanes_f64_lo[at_2];
        uint theirs_hi = lanes_f64_hi[at_2];
        bool is_upper = (lane & bit) != 0u;
        lower_lo[round] = is_upper ? theirs_lo : total_lo;
        lower_hi[round] = is_upper ? theirs_hi : total_hi;
        uint2 sum_3 = add_f64(total_lo, total_hi, theirs_lo, theirs_hi);
        total_lo = sum_3.x;
        total_hi = sum_3.y;
      }
      uint carry_lo = result_lo;
      uint carry_hi = result_hi;
      uint2 sum_3 = add_f64(result_lo, result_hi, total_lo, total_hi);
      uint inclusive_lo = sum_3.x;
      uint inclusive_hi = sum_3.y;
      for (uint step_2 = 0u; step_2 < 8u; step_2++) {
        uint round = 7u - step_2;
        bool is_upper = (lane & (1u << round)) != 0u;
        uint2 sum_4 = add_f64(carry_lo, carry_hi, lower_lo[round], lower_hi[round]);
        inclusive_lo = is_upper ? inclusive_lo : sum_4.x;
        inclusive_hi = is_upper ? inclusive_hi : sum_4.y;
        carry_lo = is_upper ? sum_4.x : carry_lo;
        carry_hi = is_upper ? sum_4.y : carry_hi;
      }
      uint exclusive_lo = carry_lo;
      uint exclusive_hi = carry_hi;
      uint inclusive_lo_2 = inclusive_lo;
      uint inclusive_hi_2 = inclusive_hi;
      uint2 sum_4 = add_f64(exclusive_lo, exclusive_hi, items_lo[1u], items_hi[1u]);
      items_lo[1u] = sum_4.x;
      items_hi[1u] = sum_4.y;
      uint2 sum_5 = add_f64(exclusive_lo, exclusive_hi, items_lo[0u], items_hi[0u]);
      items_lo[0u] = sum_5.x;
      items_hi[0u] = sum_5.y;
      uint2 sum_6 = add_f64(items_lo[1u], items_hi[1u], items_lo[2u], items_hi[2u]);
      items_lo[2u] = sum_6.x;
      items_hi[2u] = sum_6.y;
      items_lo[3u] = inclusive_lo_2;
      items_hi[3u] = inclusive_hi_2;
      barrier(CLK_LOCAL_MEM_FENCE);
      if ((last / 4u) == lane) {
        uint at_2 = last % 4u;
        lanes_f64_lo[0u] = items_lo[at_2];
        lanes_f64_hi[0u] = items_hi[at_2];
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      uint announced_lo = lanes_f64_lo[0u];
      uint announced_hi = lanes_f64_hi[0u];
      result_lo = announced_lo;
      result_hi = announced_hi;
      has_result = true;
    }
    if (level != 0u) { offset = offset + count; }
  }
  if (lane == 0u) {
    sum[0u] = has_result ? result_lo : 0u;
    sum[1u] = has_result ? result_hi : 0u;
  }
}
