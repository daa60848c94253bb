// votes: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target opencl
// OpenCL C 1.2. Build options: -cl-std=CL1.2
// -cl-std=CL3.0 or CL2.0 instead opens what newer languages have, where the device offers them.
// Never build it with -cl-fast-relaxed-math, -cl-mad-enable or -cl-denorms-are-zero.
// Tiles: 256 x 4 items. Division of floats: exact.
// Passes, one after the other; a pass without work-groups is skipped:
//   tile_totals: floor(n / 1024) work-groups of 256
//   tile_totals_2: floor(n / 2097152) work-groups of 256
//   groups: ceil(n / 64) work-groups of 64
//   finish: 1 work-groups of 256
//   map: ceil(n / 1024) work-groups of 256

// A product and a sum must not become one operation: the results would differ between devices.
#pragma OPENCL FP_CONTRACT OFF

// The language's own work-group functions are used where the compiler promises them, unless the build
// option -DGROUPWISE_PORTABLE says otherwise. The results are the same.
#ifndef GROUPWISE_PORTABLE
#if defined(__opencl_c_work_group_collective_functions) || (__OPENCL_C_VERSION__ >= 200 && __OPENCL_C_VERSION__ < 300)
#define GROUPWISE_COLLECTIVES
#endif
#endif

// Pass 1 over the items, 1024 to a work-group, 4 to a work-item.
// Leaves the total of every full tile for the next pass.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void tile_totals(
  const uint n, // number of items
  __global const int* restrict x, // input, n elements
  __global uint* tile_totals_logical_or, // scratch, (floor(n / 1024) + floor(n / 2097152)) elements
  __global uint* tile_totals_logical_and, // scratch, (floor(n / 1024) + floor(n / 2097152)) elements
  __global uint* tile_totals_logical_and_2) // scratch, (floor(n / 1024) + floor(n / 2097152)) elements
{
  __local uint lanes_bool[512];
  __local uint lanes_bool_2[512];
  __local uint lanes_bool_3[512];
  const uint lane = (uint)get_local_id(0);
  const uint group = (uint)get_group_id(0);
  const uint base = (group * 1024u) + (lane * 4u);
  uint items[4] = {0};
  uint items_2[4] = {0};
  uint items_3[4] = {0};
  const uint i = base;
  const int4 x_row = ((__global const int4*)x)[i >> 2u];
  const bool v2 = x_row.x > 0;
  items[0u] = v2 ? 1u : 0u;
  items_2[0u] = (x_row.x != 0) ? 1u : 0u;
  items_3[0u] = v2 ? 1u : 0u;
  const bool v2_2 = x_row.y > 0;
  items[1u] = v2_2 ? 1u : 0u;
  items_2[1u] = (x_row.y != 0) ? 1u : 0u;
  items_3[1u] = v2_2 ? 1u : 0u;
  const bool v2_3 = x_row.z > 0;
  items[2u] = v2_3 ? 1u : 0u;
  items_2[2u] = (x_row.z != 0) ? 1u : 0u;
  items_3[2u] = v2_3 ? 1u : 0u;
  const bool v2_4 = x_row.w > 0;
  items[3u] = v2_4 ? 1u : 0u;
  items_2[3u] = (x_row.w != 0) ? 1u : 0u;
  items_3[3u] = v2_4 ? 1u : 0u;
  // total of the tile: within each work-item, then across the work-group
  const bool both = (items[0u] != 0u) || (items[1u] != 0u);
  const bool both_2 = (items_2[0u] != 0u) && (items_2[1u] != 0u);
  const bool both_3 = (items_3[0u] != 0u) && (items_3[1u] != 0u);
  items[1u] = both ? 1u : 0u;
  items_2[1u] = both_2 ? 1u : 0u;
  items_3[1u] = both_3 ? 1u : 0u;
  const bool both_4 = (items[2u] != 0u) || (items[3u] != 0u);
  const bool both_5 = (items_2[2u] != 0u) && (items_2[3u] != 0u);
  const bool both_6 = (items_3[2u] != 0u) && (items_3[3u] != 0u);
  items[3u] = both_4 ? 1u : 0u;
  items_2[3u] = both_5 ? 1u : 0u;
  items_3[3u] = both_6 ? 1u : 0u;
  const bool both_7 = (items[1u] != 0u) || (items[3u] != 0u);
  const bool both_8 = (items_2[1u] != 0u) && (items_2[3u] != 0u);
  const bool both_9 = (items_3[1u] != 0u) && (items_3[3u] != 0u);
  items[3u] = both_7 ? 1u : 0u;
  items_2[3u] = both_8 ? 1u : 0u;
  items_3[3u] = both_9 ? 1u : 0u;
  bool total = items[3u] != 0u;
  bool total_2 = items_2[3u] != 0u;
  bool total_3 = items_3[3u] != 0u;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint round = 0u; round < 8u; round++) {
    const uint bit = 1u << round;
    const uint slot = ((round & 1u) * 256u) + lane;
    lanes_bool[slot] = total ? 1u : 0u;
    lanes_bool_2[slot] = total_2 ? 1u : 0u;
    lanes_bool_3[slot] = total_3 ? 1u : 0u;
    barrier(CLK_LOCAL_MEM_FENCE);
    const bool theirs = lanes_bool[slot ^ bit] != 0u;
    const bool theirs_2 = lanes_bool_2[slot ^ bit] != 0u;
    const bool theirs_3 = lanes_bool_3[slot ^ bit] != 0u;
    const bool both_10 = total || theirs;
    const bool both_11 = total_2 && theirs_2;
    const bool both_12 = total_3 && theirs_3;
    total = both_10;
    total_2 = both_11;
    total_3 = both_12;
  }
  if ((lane == 0u) && (group < (n >> 10u))) {
    const uint at = (n >> 21u) + group;
    tile_totals_logical_or[at] = total ? 1u : 0u;
    tile_totals_logical_and[at] = total_2 ? 1u : 0u;
    tile_totals_logical_and_2[at] = total_3 ? 1u : 0u;
  }
}

// Totals of level 2: each of 2048 totals of level 1.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void tile_totals_2(
  const uint n, // number of items
  __global uint* tile_totals_logical_or, // scratch, (floor(n / 1024) + floor(n / 2097152)) elements
  __global uint* tile_totals_logical_and, // scratch, (floor(n / 1024) + floor(n / 2097152)) elements
  __global uint* tile_totals_logical_and_2) // scratch, (floor(n / 1024) + floor(n / 2097152)) elements
{
  __local uint lanes_bool[512];
  __local uint lanes_bool_2[512];
  __local uint lanes_bool_3[512];
  const uint lane = (uint)get_local_id(0);
  const uint group = (uint)get_group_id(0);
  uint items[8] = {0};
  uint items_2[8] = {0};
  uint items_3[8] = {0};
  const uint base = (n >> 21u) + ((group * 2048u) + (lane * 8u));
  for (uint k = 0u; k < 8u; k++) {
    items[k] = (tile_totals_logical_or[base + k] != 0u) ? 1u : 0u;
    items_2[k] = (tile_totals_logical_and[base + k] != 0u) ? 1u : 0u;
    items_3[k] = (tile_totals_logical_and_2[base + k] != 0u) ? 1u : 0u;
  }
  // total of the tile: within each work-item, then across the work-group
  for (uint k = 1u; k < 8u; k += 2u) {
    const bool both = (items[k - 1u] != 0u) || (items[k] != 0u);
    const bool both_2 = (items_2[k - 1u] != 0u) && (items_2[k] != 0u);
    const bool both_3 = (items_3[k - 1u] != 0u) && (items_3[k] != 0u);
    items[k] = both ? 1u : 0u;
    items_2[k] = both_2 ? 1u : 0u;
    items_3[k] = both_3 ? 1u : 0u;
  }
  for (uint k = 3u; k < 8u; k += 4u) {
    const bool both = (items[k - 2u] != 0u) || (items[k] != 0u);
    const bool both_2 = (items_2[k - 2u] != 0u) && (items_2[k] != 0u);
    const bool both_3 = (items_3[k - 2u] != 0u) && (items_3[k] != 0u);
    items[k] = both ? 1u : 0u;
    items_2[k] = both_2 ? 1u : 0u;
    items_3[k] = both_3 ? 1u : 0u;
  }
  const bool both = (items[3u] != 0u) || (items[7u] != 0u);
  const bool both_2 = (items_2[3u] != 0u) && (items_2[7u] != 0u);
  const bool both_3 = (items_3[3u] != 0u) && (items_3[7u] != 0u);
  items[7u] = both ? 1u : 0u;
  items_2[7u] = both_2 ? 1u : 0u;
  items_3[7u] = both_3 ? 1u : 0u;
  bool total = items[7u] != 0u;
  bool total_2 = items_2[7u] != 0u;
  bool total_3 = items_3[7u] != 0u;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint round = 0u; round < 8u; round++) {
    const uint bit = 1u << round;
    const uint slot = ((round & 1u) * 256u) + lane;
    lanes_bool[slot] = total ? 1u : 0u;
    lanes_bool_2[slot] = total_2 ? 1u : 0u;
    lanes_bool_3[slot] = total_3 ? 1u : 0u;
    barrier(CLK_LOCAL_MEM_FENCE);
    const bool theirs = lanes_bool[slot ^ bit] != 0u;
    const bool theirs_2 = lanes_bool_2[slot ^ bit] != 0u;
    const bool theirs_3 = lanes_bool_3[slot ^ bit] != 0u;
    const bool both_4 = total || theirs;
    const bool both_5 = total_2 && theirs_2;
    const bool both_6 = total_3 && theirs_3;
    total = both_4;
    total_2 = both_5;
    total_3 = both_6;
  }
  if ((lane == 0u) && (group < (n >> 21u))) {
    const uint at = group;
    tile_totals_logical_or[at] = total ? 1u : 0u;
    tile_totals_logical_and[at] = total_2 ? 1u : 0u;
    tile_totals_logical_and_2[at] = total_3 ? 1u : 0u;
  }
}

// Work-groups of 64, one item to a work-item.
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void groups(
  const uint n, // number of items
  __global const int* restrict x, // input, n elements
  __global uint* all, // output, ceil(n / 64) elements
  __global uint* any, // output, ceil(n / 64) elements
  __global int* share) // output, ceil(n / 64) elements
{
#if !defined(GROUPWISE_COLLECTIVES)
  __local uint lanes_bool[128];
  __local uint lanes_bool_2[128];
  __local int lanes_i32_3[128];
#endif
  const uint lane = (uint)get_local_id(0);
  const uint group = (uint)get_group_id(0);
  const uint item = (group * 64u) + lane;
  const bool exists = item < n;
  const uint i = min(item, n - 1u);
  const int x_i = x[i];
  const bool v2 = x_i > 0;
  const bool mine = v2;
  const bool mine_2 = v2;
  const int v7 = v2 ? x_i : 0;
  const int mine_3 = v7;
  // across the work-group: all, any, reduce add
  bool all_2 = true;
  bool any_2 = false;
  int reduce = 0;
#ifdef GROUPWISE_COLLECTIVES
  {
    all_2 = work_group_any(!(exists ? mine : true)) == 0;
    any_2 = work_group_any(exists ? mine_2 : false) != 0;
    reduce = work_group_reduce_add(exists ? mine_3 : 0);
  }
#else
  {
    bool total = exists ? mine : true;
    bool total_2 = exists ? mine_2 : false;
    int total_3 = exists ? mine_3 : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint round = 0u; round < 6u; round++) {
      const uint bit = 1u << round;
      const uint slot = ((round & 1u) * 64u) + lane;
      lanes_bool[slot] = total ? 1u : 0u;
      lanes_bool_2[slot] = total_2 ? 1u : 0u;
      lanes_i32_3[slot] = total_3;
      barrier(CLK_LOCAL_MEM_FENCE);
      const bool theirs = lanes_bool[slot ^ bit] != 0u;
      const bool theirs_2 = lanes_bool_2[slot ^ bit] != 0u;
      const int theirs_3 = lanes_i32_3[slot ^ bit];
      const bool both = total && theirs;
      const bool both_2 = total_2 || theirs_2;
      const int both_3 = as_int(as_uint(total_3) + as_uint(theirs_3));
      total = both;
      total_2 = both_2;
      total_3 = both_3;
    }
    const bool all_3 = total;
    const bool any_3 = total_2;
    const int reduce_2 = total_3;
    all_2 = all_3;
    any_2 = any_3;
    reduce = reduce_2;
  }
#endif
  if (exists) {
    if (lane == 0u) {
      all[i / 64u] = all_2 ? 1u : 0u;
      any[i / 64u] = any_2 ? 1u : 0u;
      share[i / 64u] = reduce;
    }
  }
}

// Results for the whole range, by one work-group.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void finish(
  const uint n, // number of items
  __global const int* restrict x, // input, n elements
  __global uint* anywhere, // output, 1 elements
  __global uint* everywhere, // output, 1 elements
  __global uint* all_9, // scratch, 1 elements
  __global const uint* restrict tile_totals_logical_or, // scratch, (floor(n / 1024) + floor(n / 2097152)) elements
  __global const uint* restrict tile_totals_logical_and, // scratch, (floor(n / 1024) + floor(n / 2097152)) elements
  __global const uint* restrict tile_totals_logical_and_2) // scratch, (floor(n / 1024) + floor(n / 2097152)) elements
{
  __local uint lanes_bool[512];
  __local uint lanes_bool_2[512];
  __local uint lanes_bool_3[512];
  const uint lane = (uint)get_local_id(0);
  bool result = false;
  bool result_2 = true;
  bool result_3 = true;
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
      uint items_3[8] = {0};
      const uint last = tail - 1u;
      if (is_items) {
        for (uint k = 0u; k < 8u; k++) {
          const uint at = from + min(first + k, last);
          const int x_i = x[at];
          const bool v2 = x_i > 0;
          items[k] = v2 ? 1u : 0u;
          items_2[k] = (x_i != 0) ? 1u : 0u;
          items_3[k] = v2 ? 1u : 0u;
        }
      } else {
        for (uint k = 0u; k < 8u; k++) {
          const uint at = from + min(first + k, last);
          items[k] = (tile_totals_logical_or[offset + at] != 0u) ? 1u : 0u;
          items_2[k] = (tile_totals_logical_and[offset + at] != 0u) ? 1u : 0u;
          items_3[k] = (tile_totals_logical_and_2[offset + at] != 0u) ? 1u : 0u;
        }
      }
      // scan of the tile: totals of aligned blocks on the way up, prefixes on the way down
      for (uint k = 1u; k < 8u; k += 2u) {
        const bool both = (items[k - 1u] != 0u) || (items[k] != 0u);
        const bool both_2 = (items_2[k - 1u] != 0u) && (items_2[k] != 0u);
        const bool both_3 = (items_3[k - 1u] != 0u) && (items_3[k] != 0u);
        items[k] = both ? 1u : 0u;
        items_2[k] = both_2 ? 1u : 0u;
        items_3[k] = both_3 ? 1u : 0u;
      }
      for (uint k = 3u; k < 8u; k += 4u) {
        const bool both = (items[k - 2u] != 0u) || (items[k] != 0u);
        const bool both_2 = (items_2[k - 2u] != 0u) && (items_2[k] != 0u);
        const bool both_3 = (items_3[k - 2u] != 0u) && (items_3[k] != 0u);
        items[k] = both ? 1u : 0u;
        items_2[k] = both_2 ? 1u : 0u;
        items_3[k] = both_3 ? 1u : 0u;
      }
      const bool both = (items[3u] != 0u) || (items[7u] != 0u);
      const bool both_2 = (items_2[3u] != 0u) && (items_2[7u] != 0u);
      const bool both_3 = (items_3[3u] != 0u) && (items_3[7u] != 0u);
      items[7u] = both ? 1u : 0u;
      items_2[7u] = both_2 ? 1u : 0u;
      items_3[7u] = both_3 ? 1u : 0u;
      bool total = items[7u] != 0u;
      bool total_2 = items_2[7u] != 0u;
      bool total_3 = items_3[7u] != 0u;
      uint sibling[8] = {0};
      uint sibling_2[8] = {0};
      uint sibling_3[8] = {0};
      uint own[8] = {0};
      uint own_2[8] = {0};
      uint own_3[8] = {0};
      barrier(CLK_LOCAL_MEM_FENCE);
      for (uint round = 0u; round < 8u; round++) {
        const uint bit = 1u << round;
        const uint slot = ((round & 1u) * 256u) + lane;
        lanes_bool[slot] = total ? 1u : 0u;
        lanes_bool_2[slot] = total_2 ? 1u : 0u;
        lanes_bool_3[slot] = total_3 ? 1u : 0u;
        barrier(CLK_LOCAL_MEM_FENCE);
        const bool theirs = lanes_bool[slot ^ bit] != 0u;
        const bool theirs_2 = lanes_bool_2[slot ^ bit] != 0u;
        const bool theirs_3 = lanes_bool_3[slot ^ bit] != 0u;
        sibling[round] = theirs ? 1u : 0u;
        own[round] = total ? 1u : 0u;
        sibling_2[round] = theirs_2 ? 1u : 0u;
        own_2[round] = total_2 ? 1u : 0u;
        sibling_3[round] = theirs_3 ? 1u : 0u;
        own_3[round] = total_3 ? 1u : 0u;
        const bool both_4 = total || theirs;
        const bool both_5 = total_2 && theirs_2;
        const bool both_6 = total_3 && theirs_3;
        total = both_4;
        total_2 = both_5;
        total_3 = both_6;
      }
      bool carry = result;
      bool carry_2 = result_2;
      bool carry_3 = result_3;
      bool inclusive = result || total;
      bool inclusive_2 = result_2 && total_2;
      bool inclusive_3 = result_3 && total_3;
      for (uint step_2 = 0u; step_2 < 8u; step_2++) {
        const uint round = 7u - step_2;
        const bool is_upper = (lane & (1u << round)) != 0u;
        const bool block = is_upper ? (sibling[round] != 0u) : (own[round] != 0u);
        const bool block_2 = is_upper ? (sibling_2[round] != 0u) : (own_2[round] != 0u);
        const bool block_3 = is_upper ? (sibling_3[round] != 0u) : (own_3[round] != 0u);
        const bool joined = carry || block;
        const bool joined_2 = carry_2 && block_2;
        const bool joined_3 = carry_3 && block_3;
        inclusive = is_upper ? inclusive : joined;
        carry = is_upper ? joined : carry;
        inclusive_2 = is_upper ? inclusive_2 : joined_2;
        carry_2 = is_upper ? joined_2 : carry_2;
        inclusive_3 = is_upper ? inclusive_3 : joined_3;
        carry_3 = is_upper ? joined_3 : carry_3;
      }
      const bool both_4 = carry || (items[3u] != 0u);
      const bool both_5 = carry_2 && (items_2[3u] != 0u);
      const bool both_6 = carry_3 && (items_3[3u] != 0u);
      items[3u] = both_4 ? 1u : 0u;
      items_2[3u] = both_5 ? 1u : 0u;
      items_3[3u] = both_6 ? 1u : 0u;
      const bool both_7 = carry || (items[1u] != 0u);
      const bool both_8 = carry_2 && (items_2[1u] != 0u);
      const bool both_9 = carry_3 && (items_3[1u] != 0u);
      items[1u] = both_7 ? 1u : 0u;
      items_2[1u] = both_8 ? 1u : 0u;
      items_3[1u] = both_9 ? 1u : 0u;
      const bool both_10 = (items[3u] != 0u) || (items[5u] != 0u);
      const bool both_11 = (items_2[3u] != 0u) && (items_2[5u] != 0u);
      const bool both_12 = (items_3[3u] != 0u) && (items_3[5u] != 0u);
      items[5u] = both_10 ? 1u : 0u;
      items_2[5u] = both_11 ? 1u : 0u;
      items_3[5u] = both_12 ? 1u : 0u;
      const bool both_13 = carry || (items[0u] != 0u);
      const bool both_14 = carry_2 && (items_2[0u] != 0u);
      const bool both_15 = carry_3 && (items_3[0u] != 0u);
      items[0u] = both_13 ? 1u : 0u;
      items_2[0u] = both_14 ? 1u : 0u;
      items_3[0u] = both_15 ? 1u : 0u;
      for (uint k = 2u; k < 8u; k += 2u) {
        const bool both_16 = (items[k - 1u] != 0u) || (items[k] != 0u);
        const bool both_17 = (items_2[k - 1u] != 0u) && (items_2[k] != 0u);
        const bool both_18 = (items_3[k - 1u] != 0u) && (items_3[k] != 0u);
        items[k] = both_16 ? 1u : 0u;
        items_2[k] = both_17 ? 1u : 0u;
        items_3[k] = both_18 ? 1u : 0u;
      }
      items[7u] = inclusive ? 1u : 0u;
      items_2[7u] = inclusive_2 ? 1u : 0u;
      items_3[7u] = inclusive_3 ? 1u : 0u;
      barrier(CLK_LOCAL_MEM_FENCE);
      if ((last / 8u) == lane) {
        lanes_bool[0u] = (items[last % 8u] != 0u) ? 1u : 0u;
        lanes_bool_2[0u] = (items_2[last % 8u] != 0u) ? 1u : 0u;
        lanes_bool_3[0u] = (items_3[last % 8u] != 0u) ? 1u : 0u;
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      const bool announced = lanes_bool[0u] != 0u;
      const bool announced_2 = lanes_bool_2[0u] != 0u;
      const bool announced_3 = lanes_bool_3[0u] != 0u;
      result = announced;
      result_2 = announced_2;
      result_3 = announced_3;
    }
    if (level != 0u) {
      offset = offset + count;
    }
  }
  if (lane == 0u) {
    all_9[0u] = result_3 ? 1u : 0u;
    anywhere[0u] = result ? 1u : 0u;
    everywhere[0u] = result_2 ? 1u : 0u;
  }
}

// Pass 2 over the items, 1024 to a work-group, 4 to a work-item.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void map(
  const uint n, // number of items
  __global const int* restrict x, // input, n elements
  __global uint* outvoted, // output, n elements
  __global const uint* restrict all_9) // scratch, 1 elements
{
  const uint lane = (uint)get_local_id(0);
  const uint group = (uint)get_group_id(0);
  const uint base = (group * 1024u) + (lane * 4u);
  for (uint k = 0u; k < 4u; k++) {
    const uint i = min(base + k, n - 1u);
    if ((base + k) < n) {
      const int x_i = x[i];
      const bool v2 = x_i > 0;
      const bool v9 = all_9[0u] != 0u;
      outvoted[i] = (v2 != v9) ? 1u : 0u;
    }
  }
}
