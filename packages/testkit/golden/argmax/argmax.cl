// argmax: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target opencl
// OpenCL C 1.2. Build options: -cl-std=CL1.2
// Never build it with -cl-fast-relaxed-math, -cl-mad-enable or -cl-denorms-are-zero.
// Tiles: 256 x 4 items. Division of floats: exact.
// Passes, one after the other; a pass without work-groups is skipped:
//   tile_totals: floor(n / 1024) work-groups of 256
//   tile_totals_2: floor(n / 2097152) work-groups of 256
//   groups: ceil(n / 64) work-groups of 64
//   finish: 1 work-groups of 256

// A product and a sum must not become one operation: the results would differ between devices.
#pragma OPENCL FP_CONTRACT OFF

// The position of the float among all floats, as a signed integer; -0 and +0 have the same.
int rank_f32(const float x) {
  const int magnitude = as_int(as_uint(x) & 2147483647u);
  return ((as_uint(x) & 2147483648u) != 0u) ? as_int(0u - as_uint(magnitude)) : magnitude;
}

// a < b; false for NaN.
bool lt_f32(const float a, const float b) {
  const bool ordered = !(((as_uint(a) & 2147483647u) > 2139095040u) || ((as_uint(b) & 2147483647u) > 2139095040u));
  return ordered && (rank_f32(a) < rank_f32(b));
}

// Pass 1 over the items, 1024 to a work-group, 4 to a work-item.
// Leaves the total of every full tile for the next pass.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void tile_totals(
  const uint n, // number of items
  __global const float* restrict x, // input, n elements
  __global uint* tile_totals_argmax) // scratch, ((floor(n / 1024) + floor(n / 2097152)) * 2) elements
{
  __local uint lanes_u32[512];
  __local uint lanes_u32_2[512];
  const uint lane = (uint)get_local_id(0);
  const uint group = (uint)get_group_id(0);
  const uint base = (group * 1024u) + (lane * 4u);
  float items[4] = {0};
  uint items_2[4] = {0};
  const uint i = base;
  const float4 x_row = ((__global const float4*)x)[i >> 2u];
  items[0u] = x_row.x;
  items_2[0u] = i;
  const uint v1 = i + 1u;
  items[1u] = x_row.y;
  items_2[1u] = v1;
  const uint v1_2 = i + 2u;
  items[2u] = x_row.z;
  items_2[2u] = v1_2;
  const uint v1_3 = i + 3u;
  items[3u] = x_row.w;
  items_2[3u] = v1_3;
  // total of the tile: within each work-item, then across the work-group
  const float left = items[0u];
  const uint left_2 = items_2[0u];
  const float right = items[1u];
  const uint right_2 = items_2[1u];
  const bool part = lt_f32(left, right);
  const float part_2 = part ? right : left;
  const uint part_3 = part ? right_2 : left_2;
  items[1u] = part_2;
  items_2[1u] = part_3;
  const float left_3 = items[2u];
  const uint left_4 = items_2[2u];
  const float right_3 = items[3u];
  const uint right_4 = items_2[3u];
  const bool part_4 = lt_f32(left_3, right_3);
  const float part_5 = part_4 ? right_3 : left_3;
  const uint part_6 = part_4 ? right_4 : left_4;
  items[3u] = part_5;
  items_2[3u] = part_6;
  const float left_5 = items[1u];
  const uint left_6 = items_2[1u];
  const float right_5 = items[3u];
  const uint right_6 = items_2[3u];
  const bool part_7 = lt_f32(left_5, right_5);
  const float part_8 = part_7 ? right_5 : left_5;
  const uint part_9 = part_7 ? right_6 : left_6;
  items[3u] = part_8;
  items_2[3u] = part_9;
  float total = items[3u];
  uint total_2 = items_2[3u];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint round = 0u; round < 8u; round++) {
    const uint bit = 1u << round;
    const uint slot = ((round & 1u) * 256u) + lane;
    lanes_u32[slot] = as_uint(total);
    lanes_u32_2[slot] = total_2;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint theirs = lanes_u32[slot ^ bit];
    const uint theirs_2 = lanes_u32_2[slot ^ bit];
    const float theirs_3 = as_float(theirs);
    const bool is_upper = (lane & bit) != 0u;
    const float earlier = is_upper ? theirs_3 : total;
    const uint earlier_2 = is_upper ? theirs_2 : total_2;
    const float later = is_upper ? total : theirs_3;
    const uint later_2 = is_upper ? total_2 : theirs_2;
    const bool part_10 = lt_f32(earlier, later);
    const float part_11 = part_10 ? later : earlier;
    const uint part_12 = part_10 ? later_2 : earlier_2;
    total = part_11;
    total_2 = part_12;
  }
  if ((lane == 0u) && (group < (n >> 10u))) {
    const uint at = (n >> 21u) + group;
    const uint start = at * 2u;
    tile_totals_argmax[start] = as_uint(total);
    tile_totals_argmax[start + 1u] = total_2;
  }
}

// Totals of level 2: each of 2048 totals of level 1.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void tile_totals_2(
  const uint n, // number of items
  __global uint* tile_totals_argmax) // scratch, ((floor(n / 1024) + floor(n / 2097152)) * 2) elements
{
  __local uint lanes_u32[512];
  __local uint lanes_u32_2[512];
  const uint lane = (uint)get_local_id(0);
  const uint group = (uint)get_group_id(0);
  float items[8] = {0};
  uint items_2[8] = {0};
  const uint base = (n >> 21u) + ((group * 2048u) + (lane * 8u));
  for (uint k = 0u; k < 8u; k++) {
    const uint start = (base + k) * 2u;
    items[k] = as_float(tile_totals_argmax[start]);
    items_2[k] = tile_totals_argmax[start + 1u];
  }
  // total of the tile: within each work-item, then across the work-group
  for (uint k = 1u; k < 8u; k += 2u) {
    const float left = items[k - 1u];
    const uint left_2 = items_2[k - 1u];
    const float right = items[k];
    const uint right_2 = items_2[k];
    const bool part = lt_f32(left, right);
    const float part_2 = part ? right : left;
    const uint part_3 = part ? right_2 : left_2;
    items[k] = part_2;
    items_2[k] = part_3;
  }
  for (uint k = 3u; k < 8u; k += 4u) {
    const float left = items[k - 2u];
    const uint left_2 = items_2[k - 2u];
    const float right = items[k];
    const uint right_2 = items_2[k];
    const bool part = lt_f32(left, right);
    const float part_2 = part ? right : left;
    const uint part_3 = part ? right_2 : left_2;
    items[k] = part_2;
    items_2[k] = part_3;
  }
  const float left = items[3u];
  const uint left_2 = items_2[3u];
  const float right = items[7u];
  const uint right_2 = items_2[7u];
  const bool part = lt_f32(left, right);
  const float part_2 = part ? right : left;
  const uint part_3 = part ? right_2 : left_2;
  items[7u] = part_2;
  items_2[7u] = part_3;
  float total = items[7u];
  uint total_2 = items_2[7u];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint round = 0u; round < 8u; round++) {
    const uint bit = 1u << round;
    const uint slot = ((round & 1u) * 256u) + lane;
    lanes_u32[slot] = as_uint(total);
    lanes_u32_2[slot] = total_2;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint theirs = lanes_u32[slot ^ bit];
    const uint theirs_2 = lanes_u32_2[slot ^ bit];
    const float theirs_3 = as_float(theirs);
    const bool is_upper = (lane & bit) != 0u;
    const float earlier = is_upper ? theirs_3 : total;
    const uint earlier_2 = is_upper ? theirs_2 : total_2;
    const float later = is_upper ? total : theirs_3;
    const uint later_2 = is_upper ? total_2 : theirs_2;
    const bool part_4 = lt_f32(earlier, later);
    const float part_5 = part_4 ? later : earlier;
    const uint part_6 = part_4 ? later_2 : earlier_2;
    total = part_5;
    total_2 = part_6;
  }
  if ((lane == 0u) && (group < (n >> 21u))) {
    const uint at = group;
    const uint start = at * 2u;
    tile_totals_argmax[start] = as_uint(total);
    tile_totals_argmax[start + 1u] = total_2;
  }
}

// Work-groups of 64, one item to a work-item.
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void groups(
  const uint n, // number of items
  __global const float* restrict x, // input, n elements
  __global float* inGroup_value, // output, ceil(n / 64) elements
  __global uint* inGroup_index) // output, ceil(n / 64) elements
{
  __local uint lanes_u32[128];
  __local uint lanes_u32_2[128];
  __local float lanes_f32[1];
  const uint lane = (uint)get_local_id(0);
  const uint group = (uint)get_group_id(0);
  const uint item = (group * 64u) + lane;
  const bool exists = item < n;
  const uint i = min(item, n - 1u);
  const uint count = min(64u, n - (group * 64u));
  const float x_i = x[i];
  const float mine = x_i;
  const uint mine_2 = i;
  // across the work-group: reduce argmax
  float total = mine;
  uint total_2 = mine_2;
  float sibling[6] = {0};
  uint sibling_2[6] = {0};
  float own[6] = {0};
  uint own_2[6] = {0};
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint round = 0u; round < 6u; round++) {
    const uint bit = 1u << round;
    const uint slot = ((round & 1u) * 64u) + lane;
    lanes_u32[slot] = as_uint(total);
    lanes_u32_2[slot] = total_2;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint theirs = lanes_u32[slot ^ bit];
    const uint theirs_2 = lanes_u32_2[slot ^ bit];
    const float theirs_3 = as_float(theirs);
    sibling[round] = theirs_3;
    own[round] = total;
    sibling_2[round] = theirs_2;
    own_2[round] = total_2;
    const bool is_upper = (lane & bit) != 0u;
    const float earlier = is_upper ? theirs_3 : total;
    const uint earlier_2 = is_upper ? theirs_2 : total_2;
    const float later = is_upper ? total : theirs_3;
    const uint later_2 = is_upper ? total_2 : theirs_2;
    const bool part = lt_f32(earlier, later);
    const float part_2 = part ? later : earlier;
    const uint part_3 = part ? later_2 : earlier_2;
    total = part_2;
    total_2 = part_3;
  }
  float carry = 0.0f;
  uint carry_2 = 0u;
  bool has_carry = false;
  float inclusive = total;
  uint inclusive_2 = total_2;
  for (uint step = 0u; step < 6u; step++) {
    const uint round = 5u - step;
    const bool is_upper = (lane & (1u << round)) != 0u;
    const float block = is_upper ? sibling[round] : own[round];
    const uint block_2 = is_upper ? sibling_2[round] : own_2[round];
    const bool part_4 = lt_f32(carry, block);
    const float part_5 = part_4 ? block : carry;
    const uint part_6 = part_4 ? block_2 : carry_2;
    const float joined = has_carry ? part_5 : block;
    const uint joined_2 = has_carry ? part_6 : block_2;
    inclusive = is_upper ? inclusive : joined;
    carry = is_upper ? joined : carry;
    inclusive_2 = is_upper ? inclusive_2 : joined_2;
    carry_2 = is_upper ? joined_2 : carry_2;
    has_carry = has_carry || is_upper;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lane == (count - 1u)) {
    lanes_f32[0u] = inclusive;
    lanes_u32_2[0u] = inclusive_2;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const float announced = lanes_f32[0u];
  const uint announced_2 = lanes_u32_2[0u];
  const float reduce = announced;
  const uint reduce_2 = announced_2;
  if (exists) {
    if (lane == 0u) {
      inGroup_value[i / 64u] = reduce;
      inGroup_index[i / 64u] = reduce_2;
    }
  }
}

// Results for the whole range, by one work-group.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void finish(
  const uint n, // number of items
  __global const float* restrict x, // input, n elements
  __global float* best_value, // output, 1 elements
  __global uint* best_index, // output, 1 elements
  __global const uint* restrict tile_totals_argmax) // scratch, ((floor(n / 1024) + floor(n / 2097152)) * 2) elements
{
  __local uint lanes_u32[512];
  __local uint lanes_u32_2[512];
  __local float lanes_f32[1];
  const uint lane = (uint)get_local_id(0);
  float result = 0.0f;
  uint result_2 = 0u;
  bool has_result = false;
  uint offset = 0u;
  const uint first = lane * 8u;
  for (uint step = 0u; step < 3u; step++) {
    const uint level = 2u - step;
    const bool is_items = level == 0u;
    const uint count = n >> (is_items ? 0u : (10u + ((level - 1u) * 11u)));
    const uint tail = count & (is_items ? 1023u : 2047u);
    const uint from = count - tail;
    if (tail != 0u) {
      float items[8] = {0};
      uint items_2[8] = {0};
      const uint last = tail - 1u;
      if (is_items) {
        for (uint k = 0u; k < 8u; k++) {
          const uint at = from + min(first + k, last);
          const float x_i = x[at];
          items[k] = x_i;
          items_2[k] = at;
        }
      } else {
        for (uint k = 0u; k < 8u; k++) {
          const uint at = from + min(first + k, last);
          const uint start = (offset + at) * 2u;
          items[k] = as_float(tile_totals_argmax[start]);
          items_2[k] = tile_totals_argmax[start + 1u];
        }
      }
      // scan of the tile: totals of aligned blocks on the way up, prefixes on the way down
      for (uint k = 1u; k < 8u; k += 2u) {
        const float left = items[k - 1u];
        const uint left_2 = items_2[k - 1u];
        const float right = items[k];
        const uint right_2 = items_2[k];
        const bool part = lt_f32(left, right);
        const float part_2 = part ? right : left;
        const uint part_3 = part ? right_2 : left_2;
        items[k] = part_2;
        items_2[k] = part_3;
      }
      for (uint k = 3u; k < 8u; k += 4u) {
        const float left = items[k - 2u];
        const uint left_2 = items_2[k - 2u];
        const float right = items[k];
        const uint right_2 = items_2[k];
        const bool part = lt_f32(left, right);
        const float part_2 = part ? right : left;
        const uint part_3 = part ? right_2 : left_2;
        items[k] = part_2;
        items_2[k] = part_3;
      }
      const float left = items[3u];
      const uint left_2 = items_2[3u];
      const float right = items[7u];
      const uint right_2 = items_2[7u];
      const bool part = lt_f32(left, right);
      const float part_2 = part ? right : left;
      const uint part_3 = part ? right_2 : left_2;
      items[7u] = part_2;
      items_2[7u] = part_3;
      float total = items[7u];
      uint total_2 = items_2[7u];
      float sibling[8] = {0};
      uint sibling_2[8] = {0};
      float own[8] = {0};
      uint own_2[8] = {0};
      barrier(CLK_LOCAL_MEM_FENCE);
      for (uint round = 0u; round < 8u; round++) {
        const uint bit = 1u << round;
        const uint slot = ((round & 1u) * 256u) + lane;
        lanes_u32[slot] = as_uint(total);
        lanes_u32_2[slot] = total_2;
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint theirs = lanes_u32[slot ^ bit];
        const uint theirs_2 = lanes_u32_2[slot ^ bit];
        const float theirs_3 = as_float(theirs);
        sibling[round] = theirs_3;
        own[round] = total;
        sibling_2[round] = theirs_2;
        own_2[round] = total_2;
        const bool is_upper = (lane & bit) != 0u;
        const float earlier = is_upper ? theirs_3 : total;
        const uint earlier_2 = is_upper ? theirs_2 : total_2;
        const float later = is_upper ? total : theirs_3;
        const uint later_2 = is_upper ? total_2 : theirs_2;
        const bool part_4 = lt_f32(earlier, later);
        const float part_5 = part_4 ? later : earlier;
        const uint part_6 = part_4 ? later_2 : earlier_2;
        total = part_5;
        total_2 = part_6;
      }
      const bool part_4 = lt_f32(result, total);
      const float part_5 = part_4 ? total : result;
      const uint part_6 = part_4 ? total_2 : result_2;
      float carry = result;
      uint carry_2 = result_2;
      bool has_carry = has_result;
      float inclusive = has_result ? part_5 : total;
      uint inclusive_2 = has_result ? part_6 : total_2;
      for (uint step_2 = 0u; step_2 < 8u; step_2++) {
        const uint round = 7u - step_2;
        const bool is_upper = (lane & (1u << round)) != 0u;
        const float block = is_upper ? sibling[round] : own[round];
        const uint block_2 = is_upper ? sibling_2[round] : own_2[round];
        const bool part_7 = lt_f32(carry, block);
        const float part_8 = part_7 ? block : carry;
        const uint part_9 = part_7 ? block_2 : carry_2;
        const float joined = has_carry ? part_8 : block;
        const uint joined_2 = has_carry ? part_9 : block_2;
        inclusive = is_upper ? inclusive : joined;
        carry = is_upper ? joined : carry;
        inclusive_2 = is_upper ? inclusive_2 : joined_2;
        carry_2 = is_upper ? joined_2 : carry_2;
        has_carry = has_carry || is_upper;
      }
      const float right_3 = items[3u];
      const uint right_4 = items_2[3u];
      const bool part_7 = lt_f32(carry, right_3);
      const float part_8 = part_7 ? right_3 : carry;
      const uint part_9 = part_7 ? right_4 : carry_2;
      const float both = has_carry ? part_8 : items[3u];
      const uint both_2 = has_carry ? part_9 : items_2[3u];
      items[3u] = both;
      items_2[3u] = both_2;
      const float right_5 = items[1u];
      const uint right_6 = items_2[1u];
      const bool part_10 = lt_f32(carry, right_5);
      const float part_11 = part_10 ? right_5 : carry;
      const uint part_12 = part_10 ? right_6 : carry_2;
      const float both_3 = has_carry ? part_11 : items[1u];
      const uint both_4 = has_carry ? part_12 : items_2[1u];
      items[1u] = both_3;
      items_2[1u] = both_4;
      const float left_3 = items[3u];
      const uint left_4 = items_2[3u];
      const float right_7 = items[5u];
      const uint right_8 = items_2[5u];
      const bool part_13 = lt_f32(left_3, right_7);
      const float part_14 = part_13 ? right_7 : left_3;
      const uint part_15 = part_13 ? right_8 : left_4;
      items[5u] = part_14;
      items_2[5u] = part_15;
      const float right_9 = items[0u];
      const uint right_10 = items_2[0u];
      const bool part_16 = lt_f32(carry, right_9);
      const float part_17 = part_16 ? right_9 : carry;
      const uint part_18 = part_16 ? right_10 : carry_2;
      const float both_5 = has_carry ? part_17 : items[0u];
      const uint both_6 = has_carry ? part_18 : items_2[0u];
      items[0u] = both_5;
      items_2[0u] = both_6;
      for (uint k = 2u; k < 8u; k += 2u) {
        const float left_5 = items[k - 1u];
        const uint left_6 = items_2[k - 1u];
        const float right_11 = items[k];
        const uint right_12 = items_2[k];
        const bool part_19 = lt_f32(left_5, right_11);
        const float part_20 = part_19 ? right_11 : left_5;
        const uint part_21 = part_19 ? right_12 : left_6;
        items[k] = part_20;
        items_2[k] = part_21;
      }
      items[7u] = inclusive;
      items_2[7u] = inclusive_2;
      barrier(CLK_LOCAL_MEM_FENCE);
      if ((last / 8u) == lane) {
        lanes_f32[0u] = items[last % 8u];
        lanes_u32_2[0u] = items_2[last % 8u];
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      const float announced = lanes_f32[0u];
      const uint announced_2 = lanes_u32_2[0u];
      result = announced;
      result_2 = announced_2;
      has_result = true;
    }
    if (level != 0u) {
      offset = offset + count;
    }
  }
  const float reduced = has_result ? result : as_float(0xff800000u);
  const uint reduced_2 = has_result ? result_2 : 4294967295u;
  if (lane == 0u) {
    best_value[0u] = reduced;
    best_index[0u] = reduced_2;
  }
}
