// mixed-scopes: made by groupwise 0.1.0. Do not edit; regenerate it with
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
//   tile_totals_3: floor(n / 1024) work-groups of 256
//   tile_totals_2_2: floor(n / 2097152) work-groups of 256
//   groups_2: ceil(n / 64) work-groups of 64
//   finish_2: 1 work-groups of 256
//   prefixes_2: min(floor(n / 2097152), 1) work-groups of 256
//   prefixes_1: min(floor(n / 1024), (floor(n / 2097152) + 1)) work-groups of 256
//   scan: ceil(n / 1024) work-groups of 256

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
  __global int* tile_totals_xor) // scratch, (floor(n / 1024) + floor(n / 2097152)) elements
{
  __local int lanes_i32[512];
  const uint lane = (uint)get_local_id(0);
  const uint group = (uint)get_group_id(0);
  const uint base = (group * 1024u) + (lane * 4u);
  int items[4] = {0};
  const uint i = base;
  const int4 x_row = ((__global const int4*)x)[i >> 2u];
  items[0u] = x_row.x;
  items[1u] = x_row.y;
  items[2u] = x_row.z;
  items[3u] = x_row.w;
  // total of the tile: within each work-item, then across the work-group
  items[1u] = items[0u] ^ items[1u];
  items[3u] = items[2u] ^ items[3u];
  items[3u] = items[1u] ^ items[3u];
  int total = items[3u];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint round = 0u; round < 8u; round++) {
    const uint bit = 1u << round;
    const uint slot = ((round & 1u) * 256u) + lane;
    lanes_i32[slot] = total;
    barrier(CLK_LOCAL_MEM_FENCE);
    const int theirs = lanes_i32[slot ^ bit];
    total = total ^ theirs;
  }
  if ((lane == 0u) && (group < (n >> 10u))) {
    const uint at = (n >> 21u) + group;
    tile_totals_xor[at] = total;
  }
}

// Totals of level 2: each of 2048 totals of level 1.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void tile_totals_2(
  const uint n, // number of items
  __global int* tile_totals_xor) // scratch, (floor(n / 1024) + floor(n / 2097152)) elements
{
  __local int lanes_i32[512];
  const uint lane = (uint)get_local_id(0);
  const uint group = (uint)get_group_id(0);
  int items[8] = {0};
  const uint base = (n >> 21u) + ((group * 2048u) + (lane * 8u));
  for (uint k = 0u; k < 8u; k++) {
    items[k] = tile_totals_xor[base + k];
  }
  // total of the tile: within each work-item, then across the work-group
  for (uint k = 1u; k < 8u; k += 2u) {
    items[k] = items[k - 1u] ^ items[k];
  }
  for (uint k = 3u; k < 8u; k += 4u) {
    items[k] = items[k - 2u] ^ items[k];
  }
  items[7u] = items[3u] ^ items[7u];
  int total = items[7u];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint round = 0u; round < 8u; round++) {
    const uint bit = 1u << round;
    const uint slot = ((round & 1u) * 256u) + lane;
    lanes_i32[slot] = total;
    barrier(CLK_LOCAL_MEM_FENCE);
    const int theirs = lanes_i32[slot ^ bit];
    total = total ^ theirs;
  }
  if ((lane == 0u) && (group < (n >> 21u))) {
    const uint at = group;
    tile_totals_xor[at] = total;
  }
}

// Work-groups of 64, one item to a work-item.
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void groups(
  const uint n, // number of items
  __global const int* restrict x, // input, n elements
  __global int* within, // output, n elements
  __global int* top) // output, ceil(n / 64) elements
{
#if !defined(GROUPWISE_COLLECTIVES)
  __local int lanes_i32[128];
#endif
  const uint lane = (uint)get_local_id(0);
  const uint group = (uint)get_group_id(0);
  const uint item = (group * 64u) + lane;
  const bool exists = item < n;
  const uint i = min(item, n - 1u);
  const int x_i = x[i];
  const int mine = x_i;
  // across the work-group: scan-inclusive add
  int scan_inclusive = 0;
#ifdef GROUPWISE_COLLECTIVES
  {
    scan_inclusive = work_group_scan_inclusive_add(exists ? mine : 0);
  }
#else
  {
    int total = exists ? mine : 0;
    int sibling[6] = {0};
    int own[6] = {0};
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint round = 0u; round < 6u; round++) {
      const uint bit = 1u << round;
      const uint slot = ((round & 1u) * 64u) + lane;
      lanes_i32[slot] = total;
      barrier(CLK_LOCAL_MEM_FENCE);
      const int theirs = lanes_i32[slot ^ bit];
      sibling[round] = theirs;
      own[round] = total;
      total = as_int(as_uint(total) + as_uint(theirs));
    }
    int carry = 0;
    int inclusive = total;
    for (uint step = 0u; step < 6u; step++) {
      const uint round = 5u - step;
      const bool is_upper = (lane & (1u << round)) != 0u;
      const int block = is_upper ? sibling[round] : own[round];
      const int joined_2 = as_int(as_uint(carry) + as_uint(block));
      inclusive = is_upper ? inclusive : joined_2;
      carry = is_upper ? joined_2 : carry;
    }
    const int scan_inclusive_2 = inclusive;
    scan_inclusive = scan_inclusive_2;
  }
#endif
  const int mine_2 = scan_inclusive;
  // across the work-group: reduce max
  int reduce = -2147483647 - 1;
#ifdef GROUPWISE_COLLECTIVES
  {
    reduce = work_group_reduce_max(exists ? mine_2 : (-2147483647 - 1));
  }
#else
  {
    int total = exists ? mine_2 : (-2147483647 - 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint round = 0u; round < 6u; round++) {
      const uint bit = 1u << round;
      const uint slot = ((round & 1u) * 64u) + lane;
      lanes_i32[slot] = total;
      barrier(CLK_LOCAL_MEM_FENCE);
      const int theirs = lanes_i32[slot ^ bit];
      total = max(total, theirs);
    }
    const int reduce_2 = total;
    reduce = reduce_2;
  }
#endif
  if (exists) {
    within[i] = scan_inclusive;
    if (lane == 0u) {
      top[i / 64u] = reduce;
    }
  }
}

// Results for the whole range, by one work-group.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void finish(
  const uint n, // number of items
  __global const int* restrict x, // input, n elements
  __global int* reduce_5, // scratch, 1 elements
  __global const int* restrict tile_totals_xor) // scratch, (floor(n / 1024) + floor(n / 2097152)) elements
{
  __local int lanes_i32[512];
  const uint lane = (uint)get_local_id(0);
  int result = 0;
  uint offset = 0u;
  const uint first = lane * 8u;
  for (uint step = 0u; step < 3u; step++) {
    const uint level = 2u - step;
    const bool is_items = level == 0u;
    const uint count = n >> (is_items ? 0u : (10u + ((level - 1u) * 11u)));
    const uint tail = count & (is_items ? 1023u : 2047u);
    const uint from = count - tail;
    if (tail != 0u) {
      int items[8] = {0};
      const uint last = tail - 1u;
      if (is_items) {
        for (uint k = 0u; k < 8u; k++) {
          const uint at = from + min(first + k, last);
          const int x_i = x[at];
          items[k] = x_i;
        }
      } else {
        for (uint k = 0u; k < 8u; k++) {
          const uint at = from + min(first + k, last);
          items[k] = tile_totals_xor[offset + at];
        }
      }
      // scan of the tile: totals of aligned blocks on the way up, prefixes on the way down
      for (uint k = 1u; k < 8u; k += 2u) {
        items[k] = items[k - 1u] ^ items[k];
      }
      for (uint k = 3u; k < 8u; k += 4u) {
        items[k] = items[k - 2u] ^ items[k];
      }
      items[7u] = items[3u] ^ items[7u];
      int total = items[7u];
      int sibling[8] = {0};
      int own[8] = {0};
      barrier(CLK_LOCAL_MEM_FENCE);
      for (uint round = 0u; round < 8u; round++) {
        const uint bit = 1u << round;
        const uint slot = ((round & 1u) * 256u) + lane;
        lanes_i32[slot] = total;
        barrier(CLK_LOCAL_MEM_FENCE);
        const int theirs = lanes_i32[slot ^ bit];
        sibling[round] = theirs;
        own[round] = total;
        total = total ^ theirs;
      }
      int carry = result;
      int inclusive = result ^ total;
      for (uint step_2 = 0u; step_2 < 8u; step_2++) {
        const uint round = 7u - step_2;
        const bool is_upper = (lane & (1u << round)) != 0u;
        const int block = is_upper ? sibling[round] : own[round];
        const int joined_2 = carry ^ block;
        inclusive = is_upper ? inclusive : joined_2;
        carry = is_upper ? joined_2 : carry;
      }
      items[3u] = carry ^ items[3u];
      items[1u] = carry ^ items[1u];
      items[5u] = items[3u] ^ items[5u];
      items[0u] = carry ^ items[0u];
      for (uint k = 2u; k < 8u; k += 2u) {
        items[k] = items[k - 1u] ^ items[k];
      }
      items[7u] = inclusive;
      barrier(CLK_LOCAL_MEM_FENCE);
      if ((last / 8u) == lane) {
        lanes_i32[0u] = items[last % 8u];
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      const int announced = lanes_i32[0u];
      result = announced;
    }
    if (level != 0u) {
      offset = offset + count;
    }
  }
  if (lane == 0u) {
    reduce_5[0u] = result;
  }
}

// Pass 2 over the items, 1024 to a work-group, 4 to a work-item.
// Leaves the total of every full tile for the next pass.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void tile_totals_3(
  const uint n, // number of items
  __global const int* restrict top, // output, ceil(n / 64) elements
  __global int* tile_totals_add, // scratch, (floor(n / 1024) + floor(n / 2097152)) elements
  __global int* tile_totals_max) // scratch, (floor(n / 1024) + floor(n / 2097152)) elements
{
  __local int lanes_i32[512];
  __local int lanes_i32_2[512];
  const uint lane = (uint)get_local_id(0);
  const uint group = (uint)get_group_id(0);
  const uint base = (group * 1024u) + (lane * 4u);
  int items[4] = {0};
  int items_2[4] = {0};
  const uint i = base;
  const int top_i = top[i / 64u];
  items[0u] = top_i;
  items_2[0u] = top_i;
  const int top_i_2 = top[(i + 1u) / 64u];
  items[1u] = top_i_2;
  items_2[1u] = top_i_2;
  const int top_i_3 = top[(i + 2u) / 64u];
  items[2u] = top_i_3;
  items_2[2u] = top_i_3;
  const int top_i_4 = top[(i + 3u) / 64u];
  items[3u] = top_i_4;
  items_2[3u] = top_i_4;
  // total of the tile: within each work-item, then across the work-group
  const int both = as_int(as_uint(items[0u]) + as_uint(items[1u]));
  const int both_2 = max(items_2[0u], items_2[1u]);
  items[1u] = both;
  items_2[1u] = both_2;
  const int both_3 = as_int(as_uint(items[2u]) + as_uint(items[3u]));
  const int both_4 = max(items_2[2u], items_2[3u]);
  items[3u] = both_3;
  items_2[3u] = both_4;
  const int both_5 = as_int(as_uint(items[1u]) + as_uint(items[3u]));
  const int both_6 = max(items_2[1u], items_2[3u]);
  items[3u] = both_5;
  items_2[3u] = both_6;
  int total = items[3u];
  int total_2 = items_2[3u];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint round = 0u; round < 8u; round++) {
    const uint bit = 1u << round;
    const uint slot = ((round & 1u) * 256u) + lane;
    lanes_i32[slot] = total;
    lanes_i32_2[slot] = total_2;
    barrier(CLK_LOCAL_MEM_FENCE);
    const int theirs = lanes_i32[slot ^ bit];
    const int theirs_2 = lanes_i32_2[slot ^ bit];
    const int both_7 = as_int(as_uint(total) + as_uint(theirs));
    const int both_8 = max(total_2, theirs_2);
    total = both_7;
    total_2 = both_8;
  }
  if ((lane == 0u) && (group < (n >> 10u))) {
    const uint at = (n >> 21u) + group;
    tile_totals_add[at] = total;
    tile_totals_max[at] = total_2;
  }
}

// Totals of level 2: each of 2048 totals of level 1.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void tile_totals_2_2(
  const uint n, // number of items
  __global int* tile_totals_add, // scratch, (floor(n / 1024) + floor(n / 2097152)) elements
  __global int* tile_totals_max) // scratch, (floor(n / 1024) + floor(n / 2097152)) elements
{
  __local int lanes_i32[512];
  __local int lanes_i32_2[512];
  const uint lane = (uint)get_local_id(0);
  const uint group = (uint)get_group_id(0);
  int items[8] = {0};
  int items_2[8] = {0};
  const uint base = (n >> 21u) + ((group * 2048u) + (lane * 8u));
  for (uint k = 0u; k < 8u; k++) {
    items[k] = tile_totals_add[base + k];
    items_2[k] = tile_totals_max[base + k];
  }
  // total of the tile: within each work-item, then across the work-group
  for (uint k = 1u; k < 8u; k += 2u) {
    const int both = as_int(as_uint(items[k - 1u]) + as_uint(items[k]));
    const int both_2 = max(items_2[k - 1u], items_2[k]);
    items[k] = both;
    items_2[k] = both_2;
  }
  for (uint k = 3u; k < 8u; k += 4u) {
    const int both = as_int(as_uint(items[k - 2u]) + as_uint(items[k]));
    const int both_2 = max(items_2[k - 2u], items_2[k]);
    items[k] = both;
    items_2[k] = both_2;
  }
  const int both = as_int(as_uint(items[3u]) + as_uint(items[7u]));
  const int both_2 = max(items_2[3u], items_2[7u]);
  items[7u] = both;
  items_2[7u] = both_2;
  int total = items[7u];
  int total_2 = items_2[7u];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint round = 0u; round < 8u; round++) {
    const uint bit = 1u << round;
    const uint slot = ((round & 1u) * 256u) + lane;
    lanes_i32[slot] = total;
    lanes_i32_2[slot] = total_2;
    barrier(CLK_LOCAL_MEM_FENCE);
    const int theirs = lanes_i32[slot ^ bit];
    const int theirs_2 = lanes_i32_2[slot ^ bit];
    const int both_3 = as_int(as_uint(total) + as_uint(theirs));
    const int both_4 = max(total_2, theirs_2);
    total = both_3;
    total_2 = both_4;
  }
  if ((lane == 0u) && (group < (n >> 21u))) {
    const uint at = group;
    tile_totals_add[at] = total;
    tile_totals_max[at] = total_2;
  }
}

// Work-groups of 64, one item to a work-item.
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void groups_2(
  const uint n, // number of items
  __global const int* restrict within, // output, n elements
  __global int* against, // output, n elements
  __global const int* restrict reduce_5) // scratch, 1 elements
{
#if !defined(GROUPWISE_COLLECTIVES)
  __local int lanes_i32[128];
#endif
  const uint lane = (uint)get_local_id(0);
  const uint group = (uint)get_group_id(0);
  const uint item = (group * 64u) + lane;
  const bool exists = item < n;
  const uint i = min(item, n - 1u);
  const int within_i = within[i];
  const int v5 = reduce_5[0u];
  const int mine = as_int(as_uint(within_i) - as_uint(v5));
  // across the work-group: scan-exclusive max
  int scan_exclusive = -2147483647 - 1;
#ifdef GROUPWISE_COLLECTIVES
  {
    scan_exclusive = work_group_scan_exclusive_max(exists ? mine : (-2147483647 - 1));
  }
#else
  {
    int total = exists ? mine : (-2147483647 - 1);
    int sibling[6] = {0};
    int own[6] = {0};
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint round = 0u; round < 6u; round++) {
      const uint bit = 1u << round;
      const uint slot = ((round & 1u) * 64u) + lane;
      lanes_i32[slot] = total;
      barrier(CLK_LOCAL_MEM_FENCE);
      const int theirs = lanes_i32[slot ^ bit];
      sibling[round] = theirs;
      own[round] = total;
      total = max(total, theirs);
    }
    int carry = -2147483647 - 1;
    for (uint step = 0u; step < 6u; step++) {
      const uint round = 5u - step;
      const bool is_upper = (lane & (1u << round)) != 0u;
      const int block = is_upper ? sibling[round] : own[round];
      const int joined_2 = max(carry, block);
      carry = is_upper ? joined_2 : carry;
    }
    const int scan_exclusive_2 = carry;
    scan_exclusive = scan_exclusive_2;
  }
#endif
  if (exists) {
    against[i] = scan_exclusive;
  }
}

// Results for the whole range, by one work-group.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void finish_2(
  const uint n, // number of items
  __global const int* restrict top, // output, ceil(n / 64) elements
  __global int* tops, // output, 1 elements
  __global const int* restrict tile_totals_max) // scratch, (floor(n / 1024) + floor(n / 2097152)) elements
{
  __local int lanes_i32[512];
  const uint lane = (uint)get_local_id(0);
  int result = -2147483647 - 1;
  uint offset = 0u;
  const uint first = lane * 8u;
  for (uint step = 0u; step < 3u; step++) {
    const uint level = 2u - step;
    const bool is_items = level == 0u;
    const uint count = n >> (is_items ? 0u : (10u + ((level - 1u) * 11u)));
    const uint tail = count & (is_items ? 1023u : 2047u);
    const uint from = count - tail;
    if (tail != 0u) {
      int items[8] = {0};
      const uint last = tail - 1u;
      if (is_items) {
        for (uint k = 0u; k < 8u; k++) {
          const uint at = from + min(first + k, last);
          const int top_i = top[at / 64u];
          items[k] = top_i;
        }
      } else {
        for (uint k = 0u; k < 8u; k++) {
          const uint at = from + min(first + k, last);
          items[k] = tile_totals_max[offset + at];
        }
      }
      // scan of the tile: totals of aligned blocks on the way up, prefixes on the way down
      for (uint k = 1u; k < 8u; k += 2u) {
        items[k] = max(items[k - 1u], items[k]);
      }
      for (uint k = 3u; k < 8u; k += 4u) {
        items[k] = max(items[k - 2u], items[k]);
      }
      items[7u] = max(items[3u], items[7u]);
      int total = items[7u];
      int sibling[8] = {0};
      int own[8] = {0};
      barrier(CLK_LOCAL_MEM_FENCE);
      for (uint round = 0u; round < 8u; round++) {
        const uint bit = 1u << round;
        const uint slot = ((round & 1u) * 256u) + lane;
        lanes_i32[slot] = total;
        barrier(CLK_LOCAL_MEM_FENCE);
        const int theirs = lanes_i32[slot ^ bit];
        sibling[round] = theirs;
        own[round] = total;
        total = max(total, theirs);
      }
      int carry = result;
      int inclusive = max(result, total);
      for (uint step_2 = 0u; step_2 < 8u; step_2++) {
        const uint round = 7u - step_2;
        const bool is_upper = (lane & (1u << round)) != 0u;
        const int block = is_upper ? sibling[round] : own[round];
        const int joined_2 = max(carry, block);
        inclusive = is_upper ? inclusive : joined_2;
        carry = is_upper ? joined_2 : carry;
      }
      items[3u] = max(carry, items[3u]);
      items[1u] = max(carry, items[1u]);
      items[5u] = max(items[3u], items[5u]);
      items[0u] = max(carry, items[0u]);
      for (uint k = 2u; k < 8u; k += 2u) {
        items[k] = max(items[k - 1u], items[k]);
      }
      items[7u] = inclusive;
      barrier(CLK_LOCAL_MEM_FENCE);
      if ((last / 8u) == lane) {
        lanes_i32[0u] = items[last % 8u];
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      const int announced = lanes_i32[0u];
      result = announced;
    }
    if (level != 0u) {
      offset = offset + count;
    }
  }
  if (lane == 0u) {
    tops[0u] = result;
  }
}

// Prefixes of the totals of level 2, in place.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void prefixes_2(
  const uint n, // number of items
  __global int* tile_totals_add) // scratch, (floor(n / 1024) + floor(n / 2097152)) elements
{
  __local int lanes_i32[512];
  const uint lane = (uint)get_local_id(0);
  const uint group = (uint)get_group_id(0);
  int items[8] = {0};
  const uint base = (group * 2048u) + (lane * 8u);
  const uint count = n >> 21u;
  for (uint k = 0u; k < 8u; k++) {
    if ((base + k) < count) {
      items[k] = tile_totals_add[base + k];
    }
  }
  // scan of the tile: totals of aligned blocks on the way up, prefixes on the way down
  for (uint k = 1u; k < 8u; k += 2u) {
    items[k] = as_int(as_uint(items[k - 1u]) + as_uint(items[k]));
  }
  for (uint k = 3u; k < 8u; k += 4u) {
    items[k] = as_int(as_uint(items[k - 2u]) + as_uint(items[k]));
  }
  items[7u] = as_int(as_uint(items[3u]) + as_uint(items[7u]));
  int total = items[7u];
  int sibling[8] = {0};
  int own[8] = {0};
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint round = 0u; round < 8u; round++) {
    const uint bit = 1u << round;
    const uint slot = ((round & 1u) * 256u) + lane;
    lanes_i32[slot] = total;
    barrier(CLK_LOCAL_MEM_FENCE);
    const int theirs = lanes_i32[slot ^ bit];
    sibling[round] = theirs;
    own[round] = total;
    total = as_int(as_uint(total) + as_uint(theirs));
  }
  int carry = 0;
  int inclusive = total;
  for (uint step = 0u; step < 8u; step++) {
    const uint round = 7u - step;
    const bool is_upper = (lane & (1u << round)) != 0u;
    const int block = is_upper ? sibling[round] : own[round];
    const int joined_2 = as_int(as_uint(carry) + as_uint(block));
    inclusive = is_upper ? inclusive : joined_2;
    carry = is_upper ? joined_2 : carry;
  }
  items[3u] = as_int(as_uint(carry) + as_uint(items[3u]));
  items[1u] = as_int(as_uint(carry) + as_uint(items[1u]));
  items[5u] = as_int(as_uint(items[3u]) + as_uint(items[5u]));
  items[0u] = as_int(as_uint(carry) + as_uint(items[0u]));
  for (uint k = 2u; k < 8u; k += 2u) {
    items[k] = as_int(as_uint(items[k - 1u]) + as_uint(items[k]));
  }
  items[7u] = inclusive;
  for (uint k = 0u; k < 8u; k++) {
    if ((base + k) < count) {
      tile_totals_add[base + k] = items[k];
    }
  }
}

// Prefixes of the totals of level 1, in place.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void prefixes_1(
  const uint n, // number of items
  __global int* tile_totals_add) // scratch, (floor(n / 1024) + floor(n / 2097152)) elements
{
  __local int lanes_i32[512];
  const uint lane = (uint)get_local_id(0);
  const uint group = (uint)get_group_id(0);
  int items[8] = {0};
  const uint base = (group * 2048u) + (lane * 8u);
  const uint offset = n >> 21u;
  const uint count = n >> 10u;
  for (uint k = 0u; k < 8u; k++) {
    if ((base + k) < count) {
      items[k] = tile_totals_add[(offset + base) + k];
    }
  }
  int before = 0;
  if (group != 0u) {
    const uint at = group - 1u;
    before = tile_totals_add[at];
  }
  // scan of the tile: totals of aligned blocks on the way up, prefixes on the way down
  for (uint k = 1u; k < 8u; k += 2u) {
    items[k] = as_int(as_uint(items[k - 1u]) + as_uint(items[k]));
  }
  for (uint k = 3u; k < 8u; k += 4u) {
    items[k] = as_int(as_uint(items[k - 2u]) + as_uint(items[k]));
  }
  items[7u] = as_int(as_uint(items[3u]) + as_uint(items[7u]));
  int total = items[7u];
  int sibling[8] = {0};
  int own[8] = {0};
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint round = 0u; round < 8u; round++) {
    const uint bit = 1u << round;
    const uint slot = ((round & 1u) * 256u) + lane;
    lanes_i32[slot] = total;
    barrier(CLK_LOCAL_MEM_FENCE);
    const int theirs = lanes_i32[slot ^ bit];
    sibling[round] = theirs;
    own[round] = total;
    total = as_int(as_uint(total) + as_uint(theirs));
  }
  int carry = before;
  int inclusive = as_int(as_uint(before) + as_uint(total));
  for (uint step = 0u; step < 8u; step++) {
    const uint round = 7u - step;
    const bool is_upper = (lane & (1u << round)) != 0u;
    const int block = is_upper ? sibling[round] : own[round];
    const int joined_2 = as_int(as_uint(carry) + as_uint(block));
    inclusive = is_upper ? inclusive : joined_2;
    carry = is_upper ? joined_2 : carry;
  }
  items[3u] = as_int(as_uint(carry) + as_uint(items[3u]));
  items[1u] = as_int(as_uint(carry) + as_uint(items[1u]));
  items[5u] = as_int(as_uint(items[3u]) + as_uint(items[5u]));
  items[0u] = as_int(as_uint(carry) + as_uint(items[0u]));
  for (uint k = 2u; k < 8u; k += 2u) {
    items[k] = as_int(as_uint(items[k - 1u]) + as_uint(items[k]));
  }
  items[7u] = inclusive;
  for (uint k = 0u; k < 8u; k++) {
    if ((base + k) < count) {
      tile_totals_add[(offset + base) + k] = items[k];
    }
  }
}

// Pass 3 over the items, 1024 to a work-group, 4 to a work-item.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void scan(
  const uint n, // number of items
  __global const int* restrict within, // output, n elements
  __global const int* restrict top, // output, ceil(n / 64) elements
  __global int* joined, // output, n elements
  __global const int* restrict tile_totals_add) // scratch, (floor(n / 1024) + floor(n / 2097152)) elements
{
  __local int lanes_i32[512];
  const uint lane = (uint)get_local_id(0);
  const uint group = (uint)get_group_id(0);
  const uint base = (group * 1024u) + (lane * 4u);
  int items[4] = {0};
  for (uint k = 0u; k < 4u; k++) {
    const uint i = min(base + k, n - 1u);
    const int top_i = top[i / 64u];
    items[k] = top_i;
  }
  int before = 0;
  if (group != 0u) {
    const uint at = (n >> 21u) + (group - 1u);
    before = tile_totals_add[at];
  }
  // scan of the tile: totals of aligned blocks on the way up, prefixes on the way down
  for (uint k = 1u; k < 4u; k += 2u) {
    items[k] = as_int(as_uint(items[k - 1u]) + as_uint(items[k]));
  }
  items[3u] = as_int(as_uint(items[1u]) + as_uint(items[3u]));
  int total = items[3u];
  int sibling[8] = {0};
  int own[8] = {0};
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint round = 0u; round < 8u; round++) {
    const uint bit = 1u << round;
    const uint slot = ((round & 1u) * 256u) + lane;
    lanes_i32[slot] = total;
    barrier(CLK_LOCAL_MEM_FENCE);
    const int theirs = lanes_i32[slot ^ bit];
    sibling[round] = theirs;
    own[round] = total;
    total = as_int(as_uint(total) + as_uint(theirs));
  }
  int carry = before;
  int inclusive = as_int(as_uint(before) + as_uint(total));
  for (uint step = 0u; step < 8u; step++) {
    const uint round = 7u - step;
    const bool is_upper = (lane & (1u << round)) != 0u;
    const int block = is_upper ? sibling[round] : own[round];
    const int joined_2 = as_int(as_uint(carry) + as_uint(block));
    inclusive = is_upper ? inclusive : joined_2;
    carry = is_upper ? joined_2 : carry;
  }
  items[1u] = as_int(as_uint(carry) + as_uint(items[1u]));
  items[0u] = as_int(as_uint(carry) + as_uint(items[0u]));
  items[2u] = as_int(as_uint(items[1u]) + as_uint(items[2u]));
  items[3u] = inclusive;
  int before_2 = carry;
  for (uint k = 0u; k < 4u; k++) {
    const uint i = min(base + k, n - 1u);
    const int inclusive_2 = items[k];
    const int exclusive = before_2;
    if ((base + k) < n) {
      const int within_i = within[i];
      joined[i] = as_int(as_uint(within_i) + as_uint(exclusive));
    }
    before_2 = inclusive_2;
  }
}
