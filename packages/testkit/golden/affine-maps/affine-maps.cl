// affine-maps: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target opencl
// OpenCL C 1.2. Build options: -cl-std=CL1.2
// Never build it with -cl-fast-relaxed-math, -cl-mad-enable or -cl-denorms-are-zero.
// Tiles: 256 x 4 items. Division of floats: exact.
// Passes, one after the other; a pass without work-groups is skipped:
//   tile_totals: floor(n / 1024) work-groups of 256
//   tile_totals_2: floor(n / 2097152) work-groups of 256
//   groups: ceil(n / 100) work-groups of 100
//   finish: 1 work-groups of 256
//   prefixes_2: min(floor(n / 2097152), 1) work-groups of 256
//   prefixes_1: min(floor(n / 1024), (floor(n / 2097152) + 1)) work-groups of 256
//   scan: ceil(n / 1024) work-groups of 256

// A product and a sum must not become one operation: the results would differ between devices.
#pragma OPENCL FP_CONTRACT OFF

// Pass 1 over the items, 1024 to a work-group, 4 to a work-item.
// Leaves the total of every full tile for the next pass.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void tile_totals(
  const uint n, // number of items
  __global const uint* restrict a, // input, n elements
  __global const uint* restrict b, // input, n elements
  __global uint* tile_totals_affine) // scratch, ((floor(n / 1024) + floor(n / 2097152)) * 2) elements
{
  __local uint lanes_u32[512];
  __local uint lanes_u32_2[512];
  const uint lane = (uint)get_local_id(0);
  const uint group = (uint)get_group_id(0);
  const uint base = (group * 1024u) + (lane * 4u);
  uint items[4] = {0};
  uint items_2[4] = {0};
  const uint i = base;
  const uint4 b_row = ((__global const uint4*)b)[i >> 2u];
  const uint4 a_row = ((__global const uint4*)a)[i >> 2u];
  items[0u] = a_row.x;
  items_2[0u] = b_row.x;
  items[1u] = a_row.y;
  items_2[1u] = b_row.y;
  items[2u] = a_row.z;
  items_2[2u] = b_row.z;
  items[3u] = a_row.w;
  items_2[3u] = b_row.w;
  // total of the tile: within each work-item, then across the work-group
  const uint left = items[0u];
  const uint left_2 = items_2[0u];
  const uint right = items[1u];
  const uint right_2 = items_2[1u];
  const uint both = left * right;
  const uint both_2 = (left_2 * right) + right_2;
  items[1u] = both;
  items_2[1u] = both_2;
  const uint left_3 = items[2u];
  const uint left_4 = items_2[2u];
  const uint right_3 = items[3u];
  const uint right_4 = items_2[3u];
  const uint both_3 = left_3 * right_3;
  const uint both_4 = (left_4 * right_3) + right_4;
  items[3u] = both_3;
  items_2[3u] = both_4;
  const uint left_5 = items[1u];
  const uint left_6 = items_2[1u];
  const uint right_5 = items[3u];
  const uint right_6 = items_2[3u];
  const uint both_5 = left_5 * right_5;
  const uint both_6 = (left_6 * right_5) + right_6;
  items[3u] = both_5;
  items_2[3u] = both_6;
  uint total = items[3u];
  uint total_2 = items_2[3u];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint round = 0u; round < 8u; round++) {
    const uint bit = 1u << round;
    const uint slot = ((round & 1u) * 256u) + lane;
    lanes_u32[slot] = total;
    lanes_u32_2[slot] = total_2;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint theirs = lanes_u32[slot ^ bit];
    const uint theirs_2 = lanes_u32_2[slot ^ bit];
    const bool is_upper = (lane & bit) != 0u;
    const uint earlier = is_upper ? theirs : total;
    const uint earlier_2 = is_upper ? theirs_2 : total_2;
    const uint later = is_upper ? total : theirs;
    const uint later_2 = is_upper ? total_2 : theirs_2;
    const uint both_7 = earlier * later;
    const uint both_8 = (earlier_2 * later) + later_2;
    total = both_7;
    total_2 = both_8;
  }
  if ((lane == 0u) && (group < (n >> 10u))) {
    const uint at = (n >> 21u) + group;
    const uint start = at * 2u;
    tile_totals_affine[start] = total;
    tile_totals_affine[start + 1u] = total_2;
  }
}

// Totals of level 2: each of 2048 totals of level 1.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void tile_totals_2(
  const uint n, // number of items
  __global uint* tile_totals_affine) // scratch, ((floor(n / 1024) + floor(n / 2097152)) * 2) elements
{
  __local uint lanes_u32[512];
  __local uint lanes_u32_2[512];
  const uint lane = (uint)get_local_id(0);
  const uint group = (uint)get_group_id(0);
  uint items[8] = {0};
  uint items_2[8] = {0};
  const uint base = (n >> 21u) + ((group * 2048u) + (lane * 8u));
  for (uint k = 0u; k < 8u; k++) {
    const uint start = (base + k) * 2u;
    items[k] = tile_totals_affine[start];
    items_2[k] = tile_totals_affine[start + 1u];
  }
  // total of the tile: within each work-item, then across the work-group
  for (uint k = 1u; k < 8u; k += 2u) {
    const uint left = items[k - 1u];
    const uint left_2 = items_2[k - 1u];
    const uint right = items[k];
    const uint right_2 = items_2[k];
    const uint both = left * right;
    const uint both_2 = (left_2 * right) + right_2;
    items[k] = both;
    items_2[k] = both_2;
  }
  for (uint k = 3u; k < 8u; k += 4u) {
    const uint left = items[k - 2u];
    const uint left_2 = items_2[k - 2u];
    const uint right = items[k];
    const uint right_2 = items_2[k];
    const uint both = left * right;
    const uint both_2 = (left_2 * right) + right_2;
    items[k] = both;
    items_2[k] = both_2;
  }
  const uint left = items[3u];
  const uint left_2 = items_2[3u];
  const uint right = items[7u];
  const uint right_2 = items_2[7u];
  const uint both = left * right;
  const uint both_2 = (left_2 * right) + right_2;
  items[7u] = both;
  items_2[7u] = both_2;
  uint total = items[7u];
  uint total_2 = items_2[7u];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint round = 0u; round < 8u; round++) {
    const uint bit = 1u << round;
    const uint slot = ((round & 1u) * 256u) + lane;
    lanes_u32[slot] = total;
    lanes_u32_2[slot] = total_2;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint theirs = lanes_u32[slot ^ bit];
    const uint theirs_2 = lanes_u32_2[slot ^ bit];
    const bool is_upper = (lane & bit) != 0u;
    const uint earlier = is_upper ? theirs : total;
    const uint earlier_2 = is_upper ? theirs_2 : total_2;
    const uint later = is_upper ? total : theirs;
    const uint later_2 = is_upper ? total_2 : theirs_2;
    const uint both_3 = earlier * later;
    const uint both_4 = (earlier_2 * later) + later_2;
    total = both_3;
    total_2 = both_4;
  }
  if ((lane == 0u) && (group < (n >> 21u))) {
    const uint at = group;
    const uint start = at * 2u;
    tile_totals_affine[start] = total;
    tile_totals_affine[start + 1u] = total_2;
  }
}

// Work-groups of 100, one item to a work-item.
__kernel __attribute__((reqd_work_group_size(100, 1, 1)))
void groups(
  const uint n, // number of items
  __global const uint* restrict a, // input, n elements
  __global const uint* restrict b, // input, n elements
  __global uint* inGroup) // output, n elements
{
  __local uint lanes_u32[256];
  __local uint lanes_u32_2[256];
  const uint lane = (uint)get_local_id(0);
  const uint group = (uint)get_group_id(0);
  const uint item = (group * 100u) + lane;
  const bool exists = item < n;
  const uint i = min(item, n - 1u);
  const uint a_i = a[i];
  const uint b_i = b[i];
  const uint mine = a_i;
  const uint mine_2 = b_i;
  // across the work-group: scan-exclusive affine
  uint total = mine;
  uint total_2 = mine_2;
  uint sibling[7] = {0};
  uint sibling_2[7] = {0};
  uint own[7] = {0};
  uint own_2[7] = {0};
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint round = 0u; round < 7u; round++) {
    const uint bit = 1u << round;
    const uint slot = ((round & 1u) * 128u) + lane;
    lanes_u32[slot] = total;
    lanes_u32_2[slot] = total_2;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint first = (lane ^ bit) & (0u - bit);
    const uint theirs = (first < 100u) ? lanes_u32[((round & 1u) * 128u) + min(first, 99u)] : 0u;
    const uint theirs_2 = (first < 100u) ? lanes_u32_2[((round & 1u) * 128u) + min(first, 99u)] : 0u;
    sibling[round] = theirs;
    own[round] = total;
    sibling_2[round] = theirs_2;
    own_2[round] = total_2;
    const bool is_upper = (lane & bit) != 0u;
    const uint earlier = is_upper ? theirs : total;
    const uint earlier_2 = is_upper ? theirs_2 : total_2;
    const uint later = is_upper ? total : theirs;
    const uint later_2 = is_upper ? total_2 : theirs_2;
    const uint both = earlier * later;
    const uint both_2 = (earlier_2 * later) + later_2;
    total = both;
    total_2 = both_2;
  }
  uint carry_2 = 0u;
  bool has_carry = false;
  for (uint step = 0u; step < 7u; step++) {
    const uint round = 6u - step;
    const bool is_upper = (lane & (1u << round)) != 0u;
    const uint block = is_upper ? sibling[round] : own[round];
    const uint block_2 = is_upper ? sibling_2[round] : own_2[round];
    const uint joined_2 = has_carry ? ((carry_2 * block) + block_2) : block_2;
    carry_2 = is_upper ? joined_2 : carry_2;
    has_carry = has_carry || is_upper;
  }
  const uint scan_exclusive = (lane == 0u) ? 0u : carry_2;
  if (exists) {
    inGroup[i] = scan_exclusive;
  }
}

// Results for the whole range, by one work-group.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void finish(
  const uint n, // number of items
  __global const uint* restrict a, // input, n elements
  __global const uint* restrict b, // input, n elements
  __global uint* total_a, // output, 1 elements
  __global uint* total_b, // output, 1 elements
  __global const uint* restrict tile_totals_affine) // scratch, ((floor(n / 1024) + floor(n / 2097152)) * 2) elements
{
  __local uint lanes_u32[512];
  __local uint lanes_u32_2[512];
  const uint lane = (uint)get_local_id(0);
  uint result = 0u;
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
      uint items[8] = {0};
      uint items_2[8] = {0};
      const uint last = tail - 1u;
      if (is_items) {
        for (uint k = 0u; k < 8u; k++) {
          const uint at = from + min(first + k, last);
          const uint a_i = a[at];
          const uint b_i = b[at];
          items[k] = a_i;
          items_2[k] = b_i;
        }
      } else {
        for (uint k = 0u; k < 8u; k++) {
          const uint at = from + min(first + k, last);
          const uint start = (offset + at) * 2u;
          items[k] = tile_totals_affine[start];
          items_2[k] = tile_totals_affine[start + 1u];
        }
      }
      // scan of the tile: totals of aligned blocks on the way up, prefixes on the way down
      for (uint k = 1u; k < 8u; k += 2u) {
        const uint left = items[k - 1u];
        const uint left_2 = items_2[k - 1u];
        const uint right = items[k];
        const uint right_2 = items_2[k];
        const uint both = left * right;
        const uint both_2 = (left_2 * right) + right_2;
        items[k] = both;
        items_2[k] = both_2;
      }
      for (uint k = 3u; k < 8u; k += 4u) {
        const uint left = items[k - 2u];
        const uint left_2 = items_2[k - 2u];
        const uint right = items[k];
        const uint right_2 = items_2[k];
        const uint both = left * right;
        const uint both_2 = (left_2 * right) + right_2;
        items[k] = both;
        items_2[k] = both_2;
      }
      const uint left = items[3u];
      const uint left_2 = items_2[3u];
      const uint right = items[7u];
      const uint right_2 = items_2[7u];
      const uint both = left * right;
      const uint both_2 = (left_2 * right) + right_2;
      items[7u] = both;
      items_2[7u] = both_2;
      uint total = items[7u];
      uint total_2 = items_2[7u];
      uint sibling[8] = {0};
      uint sibling_2[8] = {0};
      uint own[8] = {0};
      uint own_2[8] = {0};
      barrier(CLK_LOCAL_MEM_FENCE);
      for (uint round = 0u; round < 8u; round++) {
        const uint bit = 1u << round;
        const uint slot = ((round & 1u) * 256u) + lane;
        lanes_u32[slot] = total;
        lanes_u32_2[slot] = total_2;
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint theirs = lanes_u32[slot ^ bit];
        const uint theirs_2 = lanes_u32_2[slot ^ bit];
        sibling[round] = theirs;
        own[round] = total;
        sibling_2[round] = theirs_2;
        own_2[round] = total_2;
        const bool is_upper = (lane & bit) != 0u;
        const uint earlier = is_upper ? theirs : total;
        const uint earlier_2 = is_upper ? theirs_2 : total_2;
        const uint later = is_upper ? total : theirs;
        const uint later_2 = is_upper ? total_2 : theirs_2;
        const uint both_3 = earlier * later;
        const uint both_4 = (earlier_2 * later) + later_2;
        total = both_3;
        total_2 = both_4;
      }
      uint carry = result;
      uint carry_2 = result_2;
      bool has_carry = has_result;
      uint inclusive = has_result ? (result * total) : total;
      uint inclusive_2 = has_result ? ((result_2 * total) + total_2) : total_2;
      for (uint step_2 = 0u; step_2 < 8u; step_2++) {
        const uint round = 7u - step_2;
        const bool is_upper = (lane & (1u << round)) != 0u;
        const uint block = is_upper ? sibling[round] : own[round];
        const uint block_2 = is_upper ? sibling_2[round] : own_2[round];
        const uint joined = has_carry ? (carry * block) : block;
        const uint joined_2 = has_carry ? ((carry_2 * block) + block_2) : block_2;
        inclusive = is_upper ? inclusive : joined;
        carry = is_upper ? joined : carry;
        inclusive_2 = is_upper ? inclusive_2 : joined_2;
        carry_2 = is_upper ? joined_2 : carry_2;
        has_carry = has_carry || is_upper;
      }
      const uint right_3 = items[3u];
      const uint right_4 = items_2[3u];
      const uint both_3 = has_carry ? (carry * right_3) : items[3u];
      const uint both_4 = has_carry ? ((carry_2 * right_3) + right_4) : items_2[3u];
      items[3u] = both_3;
      items_2[3u] = both_4;
      const uint right_5 = items[1u];
      const uint right_6 = items_2[1u];
      const uint both_5 = has_carry ? (carry * right_5) : items[1u];
      const uint both_6 = has_carry ? ((carry_2 * right_5) + right_6) : items_2[1u];
      items[1u] = both_5;
      items_2[1u] = both_6;
      const uint left_3 = items[3u];
      const uint left_4 = items_2[3u];
      const uint right_7 = items[5u];
      const uint right_8 = items_2[5u];
      const uint both_7 = left_3 * right_7;
      const uint both_8 = (left_4 * right_7) + right_8;
      items[5u] = both_7;
      items_2[5u] = both_8;
      const uint right_9 = items[0u];
      const uint right_10 = items_2[0u];
      const uint both_9 = has_carry ? (carry * right_9) : items[0u];
      const uint both_10 = has_carry ? ((carry_2 * right_9) + right_10) : items_2[0u];
      items[0u] = both_9;
      items_2[0u] = both_10;
      for (uint k = 2u; k < 8u; k += 2u) {
        const uint left_5 = items[k - 1u];
        const uint left_6 = items_2[k - 1u];
        const uint right_11 = items[k];
        const uint right_12 = items_2[k];
        const uint both_11 = left_5 * right_11;
        const uint both_12 = (left_6 * right_11) + right_12;
        items[k] = both_11;
        items_2[k] = both_12;
      }
      items[7u] = inclusive;
      items_2[7u] = inclusive_2;
      barrier(CLK_LOCAL_MEM_FENCE);
      if ((last / 8u) == lane) {
        lanes_u32[0u] = items[last % 8u];
        lanes_u32_2[0u] = items_2[last % 8u];
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      const uint announced = lanes_u32[0u];
      const uint announced_2 = lanes_u32_2[0u];
      result = announced;
      result_2 = announced_2;
      has_result = true;
    }
    if (level != 0u) {
      offset = offset + count;
    }
  }
  const uint reduced = has_result ? result : 1u;
  const uint reduced_2 = has_result ? result_2 : 0u;
  if (lane == 0u) {
    total_a[0u] = reduced;
    total_b[0u] = reduced_2;
  }
}

// Prefixes of the totals of level 2, in place.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void prefixes_2(
  const uint n, // number of items
  __global uint* tile_totals_affine) // scratch, ((floor(n / 1024) + floor(n / 2097152)) * 2) elements
{
  __local uint lanes_u32[512];
  __local uint lanes_u32_2[512];
  const uint lane = (uint)get_local_id(0);
  const uint group = (uint)get_group_id(0);
  uint items[8] = {0};
  uint items_2[8] = {0};
  const uint base = (group * 2048u) + (lane * 8u);
  const uint count = n >> 21u;
  for (uint k = 0u; k < 8u; k++) {
    if ((base + k) < count) {
      const uint start = (base + k) * 2u;
      items[k] = tile_totals_affine[start];
      items_2[k] = tile_totals_affine[start + 1u];
    }
  }
  // scan of the tile: totals of aligned blocks on the way up, prefixes on the way down
  for (uint k = 1u; k < 8u; k += 2u) {
    const uint left = items[k - 1u];
    const uint left_2 = items_2[k - 1u];
    const uint right = items[k];
    const uint right_2 = items_2[k];
    const uint both = left * right;
    const uint both_2 = (left_2 * right) + right_2;
    items[k] = both;
    items_2[k] = both_2;
  }
  for (uint k = 3u; k < 8u; k += 4u) {
    const uint left = items[k - 2u];
    const uint left_2 = items_2[k - 2u];
    const uint right = items[k];
    const uint right_2 = items_2[k];
    const uint both = left * right;
    const uint both_2 = (left_2 * right) + right_2;
    items[k] = both;
    items_2[k] = both_2;
  }
  const uint left = items[3u];
  const uint left_2 = items_2[3u];
  const uint right = items[7u];
  const uint right_2 = items_2[7u];
  const uint both = left * right;
  const uint both_2 = (left_2 * right) + right_2;
  items[7u] = both;
  items_2[7u] = both_2;
  uint total = items[7u];
  uint total_2 = items_2[7u];
  uint sibling[8] = {0};
  uint sibling_2[8] = {0};
  uint own[8] = {0};
  uint own_2[8] = {0};
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint round = 0u; round < 8u; round++) {
    const uint bit = 1u << round;
    const uint slot = ((round & 1u) * 256u) + lane;
    lanes_u32[slot] = total;
    lanes_u32_2[slot] = total_2;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint theirs = lanes_u32[slot ^ bit];
    const uint theirs_2 = lanes_u32_2[slot ^ bit];
    sibling[round] = theirs;
    own[round] = total;
    sibling_2[round] = theirs_2;
    own_2[round] = total_2;
    const bool is_upper = (lane & bit) != 0u;
    const uint earlier = is_upper ? theirs : total;
    const uint earlier_2 = is_upper ? theirs_2 : total_2;
    const uint later = is_upper ? total : theirs;
    const uint later_2 = is_upper ? total_2 : theirs_2;
    const uint both_3 = earlier * later;
    const uint both_4 = (earlier_2 * later) + later_2;
    total = both_3;
    total_2 = both_4;
  }
  uint carry = 0u;
  uint carry_2 = 0u;
  bool has_carry = false;
  uint inclusive = total;
  uint inclusive_2 = total_2;
  for (uint step = 0u; step < 8u; step++) {
    const uint round = 7u - step;
    const bool is_upper = (lane & (1u << round)) != 0u;
    const uint block = is_upper ? sibling[round] : own[round];
    const uint block_2 = is_upper ? sibling_2[round] : own_2[round];
    const uint joined = has_carry ? (carry * block) : block;
    const uint joined_2 = has_carry ? ((carry_2 * block) + block_2) : block_2;
    inclusive = is_upper ? inclusive : joined;
    carry = is_upper ? joined : carry;
    inclusive_2 = is_upper ? inclusive_2 : joined_2;
    carry_2 = is_upper ? joined_2 : carry_2;
    has_carry = has_carry || is_upper;
  }
  const uint right_3 = items[3u];
  const uint right_4 = items_2[3u];
  const uint both_3 = has_carry ? (carry * right_3) : items[3u];
  const uint both_4 = has_carry ? ((carry_2 * right_3) + right_4) : items_2[3u];
  items[3u] = both_3;
  items_2[3u] = both_4;
  const uint right_5 = items[1u];
  const uint right_6 = items_2[1u];
  const uint both_5 = has_carry ? (carry * right_5) : items[1u];
  const uint both_6 = has_carry ? ((carry_2 * right_5) + right_6) : items_2[1u];
  items[1u] = both_5;
  items_2[1u] = both_6;
  const uint left_3 = items[3u];
  const uint left_4 = items_2[3u];
  const uint right_7 = items[5u];
  const uint right_8 = items_2[5u];
  const uint both_7 = left_3 * right_7;
  const uint both_8 = (left_4 * right_7) + right_8;
  items[5u] = both_7;
  items_2[5u] = both_8;
  const uint right_9 = items[0u];
  const uint right_10 = items_2[0u];
  const uint both_9 = has_carry ? (carry * right_9) : items[0u];
  const uint both_10 = has_carry ? ((carry_2 * right_9) + right_10) : items_2[0u];
  items[0u] = both_9;
  items_2[0u] = both_10;
  for (uint k = 2u; k < 8u; k += 2u) {
    const uint left_5 = items[k - 1u];
    const uint left_6 = items_2[k - 1u];
    const uint right_11 = items[k];
    const uint right_12 = items_2[k];
    const uint both_11 = left_5 * right_11;
    const uint both_12 = (left_6 * right_11) + right_12;
    items[k] = both_11;
    items_2[k] = both_12;
  }
  items[7u] = inclusive;
  items_2[7u] = inclusive_2;
  for (uint k = 0u; k < 8u; k++) {
    if ((base + k) < count) {
      const uint start = (base + k) * 2u;
      tile_totals_affine[start] = items[k];
      tile_totals_affine[start + 1u] = items_2[k];
    }
  }
}

// Prefixes of the totals of level 1, in place.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void prefixes_1(
  const uint n, // number of items
  __global uint* tile_totals_affine) // scratch, ((floor(n / 1024) + floor(n / 2097152)) * 2) elements
{
  __local uint lanes_u32[512];
  __local uint lanes_u32_2[512];
  const uint lane = (uint)get_local_id(0);
  const uint group = (uint)get_group_id(0);
  uint items[8] = {0};
  uint items_2[8] = {0};
  const uint base = (group * 2048u) + (lane * 8u);
  const uint offset = n >> 21u;
  const uint count = n >> 10u;
  for (uint k = 0u; k < 8u; k++) {
    if ((base + k) < count) {
      const uint start = ((offset + base) + k) * 2u;
      items[k] = tile_totals_affine[start];
      items_2[k] = tile_totals_affine[start + 1u];
    }
  }
  uint before_2 = 0u;
  uint before_3 = 0u;
  if (group != 0u) {
    const uint at = group - 1u;
    const uint start = at * 2u;
    before_2 = tile_totals_affine[start];
    before_3 = tile_totals_affine[start + 1u];
  }
  // scan of the tile: totals of aligned blocks on the way up, prefixes on the way down
  for (uint k = 1u; k < 8u; k += 2u) {
    const uint left = items[k - 1u];
    const uint left_2 = items_2[k - 1u];
    const uint right = items[k];
    const uint right_2 = items_2[k];
    const uint both = left * right;
    const uint both_2 = (left_2 * right) + right_2;
    items[k] = both;
    items_2[k] = both_2;
  }
  for (uint k = 3u; k < 8u; k += 4u) {
    const uint left = items[k - 2u];
    const uint left_2 = items_2[k - 2u];
    const uint right = items[k];
    const uint right_2 = items_2[k];
    const uint both = left * right;
    const uint both_2 = (left_2 * right) + right_2;
    items[k] = both;
    items_2[k] = both_2;
  }
  const uint left = items[3u];
  const uint left_2 = items_2[3u];
  const uint right = items[7u];
  const uint right_2 = items_2[7u];
  const uint both = left * right;
  const uint both_2 = (left_2 * right) + right_2;
  items[7u] = both;
  items_2[7u] = both_2;
  uint total = items[7u];
  uint total_2 = items_2[7u];
  uint sibling[8] = {0};
  uint sibling_2[8] = {0};
  uint own[8] = {0};
  uint own_2[8] = {0};
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint round = 0u; round < 8u; round++) {
    const uint bit = 1u << round;
    const uint slot = ((round & 1u) * 256u) + lane;
    lanes_u32[slot] = total;
    lanes_u32_2[slot] = total_2;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint theirs = lanes_u32[slot ^ bit];
    const uint theirs_2 = lanes_u32_2[slot ^ bit];
    sibling[round] = theirs;
    own[round] = total;
    sibling_2[round] = theirs_2;
    own_2[round] = total_2;
    const bool is_upper = (lane & bit) != 0u;
    const uint earlier = is_upper ? theirs : total;
    const uint earlier_2 = is_upper ? theirs_2 : total_2;
    const uint later = is_upper ? total : theirs;
    const uint later_2 = is_upper ? total_2 : theirs_2;
    const uint both_3 = earlier * later;
    const uint both_4 = (earlier_2 * later) + later_2;
    total = both_3;
    total_2 = both_4;
  }
  uint carry = before_2;
  uint carry_2 = before_3;
  bool has_carry = group != 0u;
  uint inclusive = (group != 0u) ? (before_2 * total) : total;
  uint inclusive_2 = (group != 0u) ? ((before_3 * total) + total_2) : total_2;
  for (uint step = 0u; step < 8u; step++) {
    const uint round = 7u - step;
    const bool is_upper = (lane & (1u << round)) != 0u;
    const uint block = is_upper ? sibling[round] : own[round];
    const uint block_2 = is_upper ? sibling_2[round] : own_2[round];
    const uint joined = has_carry ? (carry * block) : block;
    const uint joined_2 = has_carry ? ((carry_2 * block) + block_2) : block_2;
    inclusive = is_upper ? inclusive : joined;
    carry = is_upper ? joined : carry;
    inclusive_2 = is_upper ? inclusive_2 : joined_2;
    carry_2 = is_upper ? joined_2 : carry_2;
    has_carry = has_carry || is_upper;
  }
  const uint right_3 = items[3u];
  const uint right_4 = items_2[3u];
  const uint both_3 = has_carry ? (carry * right_3) : items[3u];
  const uint both_4 = has_carry ? ((carry_2 * right_3) + right_4) : items_2[3u];
  items[3u] = both_3;
  items_2[3u] = both_4;
  const uint right_5 = items[1u];
  const uint right_6 = items_2[1u];
  const uint both_5 = has_carry ? (carry * right_5) : items[1u];
  const uint both_6 = has_carry ? ((carry_2 * right_5) + right_6) : items_2[1u];
  items[1u] = both_5;
  items_2[1u] = both_6;
  const uint left_3 = items[3u];
  const uint left_4 = items_2[3u];
  const uint right_7 = items[5u];
  const uint right_8 = items_2[5u];
  const uint both_7 = left_3 * right_7;
  const uint both_8 = (left_4 * right_7) + right_8;
  items[5u] = both_7;
  items_2[5u] = both_8;
  const uint right_9 = items[0u];
  const uint right_10 = items_2[0u];
  const uint both_9 = has_carry ? (carry * right_9) : items[0u];
  const uint both_10 = has_carry ? ((carry_2 * right_9) + right_10) : items_2[0u];
  items[0u] = both_9;
  items_2[0u] = both_10;
  for (uint k = 2u; k < 8u; k += 2u) {
    const uint left_5 = items[k - 1u];
    const uint left_6 = items_2[k - 1u];
    const uint right_11 = items[k];
    const uint right_12 = items_2[k];
    const uint both_11 = left_5 * right_11;
    const uint both_12 = (left_6 * right_11) + right_12;
    items[k] = both_11;
    items_2[k] = both_12;
  }
  items[7u] = inclusive;
  items_2[7u] = inclusive_2;
  if ((lane == 255u) && (group < (n >> 21u))) {
    const uint at = group;
    const uint start = at * 2u;
    items[7u] = tile_totals_affine[start];
    items_2[7u] = tile_totals_affine[start + 1u];
  }
  for (uint k = 0u; k < 8u; k++) {
    if ((base + k) < count) {
      const uint start = ((offset + base) + k) * 2u;
      tile_totals_affine[start] = items[k];
      tile_totals_affine[start + 1u] = items_2[k];
    }
  }
}

// Pass 2 over the items, 1024 to a work-group, 4 to a work-item.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void scan(
  const uint n, // number of items
  __global const uint* restrict a, // input, n elements
  __global const uint* restrict b, // input, n elements
  __global uint* scan_a, // output, n elements
  __global uint* scan_b, // output, n elements
  __global uint* before, // output, n elements
  __global const uint* restrict tile_totals_affine) // scratch, ((floor(n / 1024) + floor(n / 2097152)) * 2) elements
{
  __local uint lanes_u32[512];
  __local uint lanes_u32_2[512];
  const uint lane = (uint)get_local_id(0);
  const uint group = (uint)get_group_id(0);
  const uint base = (group * 1024u) + (lane * 4u);
  uint items[4] = {0};
  uint items_2[4] = {0};
  for (uint k = 0u; k < 4u; k++) {
    const uint i = min(base + k, n - 1u);
    const uint a_i = a[i];
    const uint b_i = b[i];
    items[k] = a_i;
    items_2[k] = b_i;
  }
  uint before_2 = 0u;
  uint before_3 = 0u;
  if (group != 0u) {
    const uint at = (n >> 21u) + (group - 1u);
    const uint start = at * 2u;
    before_2 = tile_totals_affine[start];
    before_3 = tile_totals_affine[start + 1u];
  }
  // scan of the tile: totals of aligned blocks on the way up, prefixes on the way down
  for (uint k = 1u; k < 4u; k += 2u) {
    const uint left = items[k - 1u];
    const uint left_2 = items_2[k - 1u];
    const uint right = items[k];
    const uint right_2 = items_2[k];
    const uint both = left * right;
    const uint both_2 = (left_2 * right) + right_2;
    items[k] = both;
    items_2[k] = both_2;
  }
  const uint left = items[1u];
  const uint left_2 = items_2[1u];
  const uint right = items[3u];
  const uint right_2 = items_2[3u];
  const uint both = left * right;
  const uint both_2 = (left_2 * right) + right_2;
  items[3u] = both;
  items_2[3u] = both_2;
  uint total = items[3u];
  uint total_2 = items_2[3u];
  uint sibling[8] = {0};
  uint sibling_2[8] = {0};
  uint own[8] = {0};
  uint own_2[8] = {0};
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint round = 0u; round < 8u; round++) {
    const uint bit = 1u << round;
    const uint slot = ((round & 1u) * 256u) + lane;
    lanes_u32[slot] = total;
    lanes_u32_2[slot] = total_2;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint theirs = lanes_u32[slot ^ bit];
    const uint theirs_2 = lanes_u32_2[slot ^ bit];
    sibling[round] = theirs;
    own[round] = total;
    sibling_2[round] = theirs_2;
    own_2[round] = total_2;
    const bool is_upper = (lane & bit) != 0u;
    const uint earlier = is_upper ? theirs : total;
    const uint earlier_2 = is_upper ? theirs_2 : total_2;
    const uint later = is_upper ? total : theirs;
    const uint later_2 = is_upper ? total_2 : theirs_2;
    const uint both_3 = earlier * later;
    const uint both_4 = (earlier_2 * later) + later_2;
    total = both_3;
    total_2 = both_4;
  }
  uint carry = before_2;
  uint carry_2 = before_3;
  bool has_carry = group != 0u;
  uint inclusive = (group != 0u) ? (before_2 * total) : total;
  uint inclusive_2 = (group != 0u) ? ((before_3 * total) + total_2) : total_2;
  for (uint step = 0u; step < 8u; step++) {
    const uint round = 7u - step;
    const bool is_upper = (lane & (1u << round)) != 0u;
    const uint block = is_upper ? sibling[round] : own[round];
    const uint block_2 = is_upper ? sibling_2[round] : own_2[round];
    const uint joined = has_carry ? (carry * block) : block;
    const uint joined_2 = has_carry ? ((carry_2 * block) + block_2) : block_2;
    inclusive = is_upper ? inclusive : joined;
    carry = is_upper ? joined : carry;
    inclusive_2 = is_upper ? inclusive_2 : joined_2;
    carry_2 = is_upper ? joined_2 : carry_2;
    has_carry = has_carry || is_upper;
  }
  const uint right_3 = items[1u];
  const uint right_4 = items_2[1u];
  const uint both_3 = has_carry ? (carry * right_3) : items[1u];
  const uint both_4 = has_carry ? ((carry_2 * right_3) + right_4) : items_2[1u];
  items[1u] = both_3;
  items_2[1u] = both_4;
  const uint right_5 = items[0u];
  const uint right_6 = items_2[0u];
  const uint both_5 = has_carry ? (carry * right_5) : items[0u];
  const uint both_6 = has_carry ? ((carry_2 * right_5) + right_6) : items_2[0u];
  items[0u] = both_5;
  items_2[0u] = both_6;
  const uint left_3 = items[1u];
  const uint left_4 = items_2[1u];
  const uint right_7 = items[2u];
  const uint right_8 = items_2[2u];
  const uint both_7 = left_3 * right_7;
  const uint both_8 = (left_4 * right_7) + right_8;
  items[2u] = both_7;
  items_2[2u] = both_8;
  items[3u] = inclusive;
  items_2[3u] = inclusive_2;
  if ((lane == 255u) && (group < (n >> 10u))) {
    const uint at = (n >> 21u) + group;
    const uint start = at * 2u;
    items[3u] = tile_totals_affine[start];
    items_2[3u] = tile_totals_affine[start + 1u];
  }
  uint before_5 = carry_2;
  for (uint k = 0u; k < 4u; k++) {
    const uint i = min(base + k, n - 1u);
    const uint inclusive_3 = items[k];
    const uint inclusive_4 = items_2[k];
    const uint exclusive = (i == 0u) ? 0u : before_5;
    if ((base + k) < n) {
      scan_a[i] = inclusive_3;
      scan_b[i] = inclusive_4;
      before[i] = exclusive;
    }
    before_5 = inclusive_4;
  }
}
