// compact: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target opencl
// OpenCL C 1.2. Build options: -cl-std=CL1.2
// Never build it with -cl-fast-relaxed-math, -cl-mad-enable or -cl-denorms-are-zero.
// Tiles: 256 x 4 items. Division of floats: exact.
// Passes, one after the other; a pass without work-groups is skipped:
//   tile_totals: floor(n / 1024) work-groups of 256
//   tile_totals_2: floor(n / 2097152) work-groups of 256
//   finish: 1 work-groups of 256
//   prefixes_2: min(floor(n / 2097152), 1) work-groups of 256
//   prefixes_1: min(floor(n / 1024), (floor(n / 2097152) + 1)) work-groups of 256
//   scan: ceil(n / 1024) work-groups of 256

// A product and a sum must not become one operation: the results would differ between devices.
#pragma OPENCL FP_CONTRACT OFF

// The position of the float among all floats, as a signed integer; -0 and +0 have the same.
int rank_f32(const float x) {
  const int magnitude = as_int(as_uint(x) & 2147483647u);
  return ((as_uint(x) & 2147483648u) != 0u) ? as_int(0u - as_uint(magnitude)) : magnitude;
}

// a <= b; false for NaN.
bool le_f32(const float a, const float b) {
  const bool ordered = !(((as_uint(a) & 2147483647u) > 2139095040u) || ((as_uint(b) & 2147483647u) > 2139095040u));
  return ordered && (rank_f32(a) <= rank_f32(b));
}

// Pass 1 over the items, 1024 to a work-group, 4 to a work-item.
// Leaves the total of every full tile for the next pass.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void tile_totals(
  const uint n, // number of items
  const float least, // parameter
  __global const float* restrict x, // input, n elements
  __global uint* tile_totals_add) // scratch, (floor(n / 1024) + floor(n / 2097152)) elements
{
  __local uint lanes_u32[512];
  const uint lane = (uint)get_local_id(0);
  const uint group = (uint)get_group_id(0);
  const uint base = (group * 1024u) + (lane * 4u);
  uint items[4] = {0};
  const uint i = base;
  const float4 x_row = ((__global const float4*)x)[i >> 2u];
  const bool v2 = le_f32(least, x_row.x);
  const uint v3 = v2 ? 1u : 0u;
  items[0u] = v3;
  const bool v2_2 = le_f32(least, x_row.y);
  const uint v3_2 = v2_2 ? 1u : 0u;
  items[1u] = v3_2;
  const bool v2_3 = le_f32(least, x_row.z);
  const uint v3_3 = v2_3 ? 1u : 0u;
  items[2u] = v3_3;
  const bool v2_4 = le_f32(least, x_row.w);
  const uint v3_4 = v2_4 ? 1u : 0u;
  items[3u] = v3_4;
  // total of the tile: within each work-item, then across the work-group
  items[1u] = items[0u] + items[1u];
  items[3u] = items[2u] + items[3u];
  items[3u] = items[1u] + items[3u];
  uint total = items[3u];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint round = 0u; round < 8u; round++) {
    const uint bit = 1u << round;
    const uint slot = ((round & 1u) * 256u) + lane;
    lanes_u32[slot] = total;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint theirs = lanes_u32[slot ^ bit];
    total = total + theirs;
  }
  if ((lane == 0u) && (group < (n >> 10u))) {
    const uint at = (n >> 21u) + group;
    tile_totals_add[at] = total;
  }
}

// Totals of level 2: each of 2048 totals of level 1.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void tile_totals_2(
  const uint n, // number of items
  __global uint* tile_totals_add) // scratch, (floor(n / 1024) + floor(n / 2097152)) elements
{
  __local uint lanes_u32[512];
  const uint lane = (uint)get_local_id(0);
  const uint group = (uint)get_group_id(0);
  uint items[8] = {0};
  const uint base = (n >> 21u) + ((group * 2048u) + (lane * 8u));
  for (uint k = 0u; k < 8u; k++) {
    items[k] = tile_totals_add[base + k];
  }
  // total of the tile: within each work-item, then across the work-group
  for (uint k = 1u; k < 8u; k += 2u) {
    items[k] = items[k - 1u] + items[k];
  }
  for (uint k = 3u; k < 8u; k += 4u) {
    items[k] = items[k - 2u] + items[k];
  }
  items[7u] = items[3u] + items[7u];
  uint total = items[7u];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint round = 0u; round < 8u; round++) {
    const uint bit = 1u << round;
    const uint slot = ((round & 1u) * 256u) + lane;
    lanes_u32[slot] = total;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint theirs = lanes_u32[slot ^ bit];
    total = total + theirs;
  }
  if ((lane == 0u) && (group < (n >> 21u))) {
    const uint at = group;
    tile_totals_add[at] = total;
  }
}

// Results for the whole range, by one work-group.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void finish(
  const uint n, // number of items
  const float least, // parameter
  __global const float* restrict x, // input, n elements
  __global uint* kept_length, // output, 1 elements
  __global const uint* restrict tile_totals_add) // scratch, (floor(n / 1024) + floor(n / 2097152)) elements
{
  __local uint lanes_u32[512];
  const uint lane = (uint)get_local_id(0);
  uint result = 0u;
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
      const uint last = tail - 1u;
      if (is_items) {
        for (uint k = 0u; k < 8u; k++) {
          const uint at = from + min(first + k, last);
          const float x_i = x[at];
          const bool v2 = le_f32(least, x_i);
          const uint v3 = v2 ? 1u : 0u;
          items[k] = v3;
        }
      } else {
        for (uint k = 0u; k < 8u; k++) {
          const uint at = from + min(first + k, last);
          items[k] = tile_totals_add[offset + at];
        }
      }
      // scan of the tile: totals of aligned blocks on the way up, prefixes on the way down
      for (uint k = 1u; k < 8u; k += 2u) {
        items[k] = items[k - 1u] + items[k];
      }
      for (uint k = 3u; k < 8u; k += 4u) {
        items[k] = items[k - 2u] + items[k];
      }
      items[7u] = items[3u] + items[7u];
      uint total = items[7u];
      uint sibling[8] = {0};
      uint own[8] = {0};
      barrier(CLK_LOCAL_MEM_FENCE);
      for (uint round = 0u; round < 8u; round++) {
        const uint bit = 1u << round;
        const uint slot = ((round & 1u) * 256u) + lane;
        lanes_u32[slot] = total;
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint theirs = lanes_u32[slot ^ bit];
        sibling[round] = theirs;
        own[round] = total;
        total = total + theirs;
      }
      uint carry = result;
      uint inclusive = result + total;
      for (uint step_2 = 0u; step_2 < 8u; step_2++) {
        const uint round = 7u - step_2;
        const bool is_upper = (lane & (1u << round)) != 0u;
        const uint block = is_upper ? sibling[round] : own[round];
        const uint joined = carry + block;
        inclusive = is_upper ? inclusive : joined;
        carry = is_upper ? joined : carry;
      }
      items[3u] = carry + items[3u];
      items[1u] = carry + items[1u];
      items[5u] = items[3u] + items[5u];
      items[0u] = carry + items[0u];
      for (uint k = 2u; k < 8u; k += 2u) {
        items[k] = items[k - 1u] + items[k];
      }
      items[7u] = inclusive;
      barrier(CLK_LOCAL_MEM_FENCE);
      if ((last / 8u) == lane) {
        lanes_u32[0u] = items[last % 8u];
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      const uint announced = lanes_u32[0u];
      result = announced;
    }
    if (level != 0u) {
      offset = offset + count;
    }
  }
  if (lane == 0u) {
    kept_length[0u] = result;
  }
}

// Prefixes of the totals of level 2, in place.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void prefixes_2(
  const uint n, // number of items
  __global uint* tile_totals_add) // scratch, (floor(n / 1024) + floor(n / 2097152)) elements
{
  __local uint lanes_u32[512];
  const uint lane = (uint)get_local_id(0);
  const uint group = (uint)get_group_id(0);
  uint items[8] = {0};
  const uint base = (group * 2048u) + (lane * 8u);
  const uint count = n >> 21u;
  for (uint k = 0u; k < 8u; k++) {
    if ((base + k) < count) {
      items[k] = tile_totals_add[base + k];
    }
  }
  // scan of the tile: totals of aligned blocks on the way up, prefixes on the way down
  for (uint k = 1u; k < 8u; k += 2u) {
    items[k] = items[k - 1u] + items[k];
  }
  for (uint k = 3u; k < 8u; k += 4u) {
    items[k] = items[k - 2u] + items[k];
  }
  items[7u] = items[3u] + items[7u];
  uint total = items[7u];
  uint sibling[8] = {0};
  uint own[8] = {0};
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint round = 0u; round < 8u; round++) {
    const uint bit = 1u << round;
    const uint slot = ((round & 1u) * 256u) + lane;
    lanes_u32[slot] = total;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint theirs = lanes_u32[slot ^ bit];
    sibling[round] = theirs;
    own[round] = total;
    total = total + theirs;
  }
  uint carry = 0u;
  uint inclusive = total;
  for (uint step = 0u; step < 8u; step++) {
    const uint round = 7u - step;
    const bool is_upper = (lane & (1u << round)) != 0u;
    const uint block = is_upper ? sibling[round] : own[round];
    const uint joined = carry + block;
    inclusive = is_upper ? inclusive : joined;
    carry = is_upper ? joined : carry;
  }
  items[3u] = carry + items[3u];
  items[1u] = carry + items[1u];
  items[5u] = items[3u] + items[5u];
  items[0u] = carry + items[0u];
  for (uint k = 2u; k < 8u; k += 2u) {
    items[k] = items[k - 1u] + items[k];
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
  __global uint* tile_totals_add) // scratch, (floor(n / 1024) + floor(n / 2097152)) elements
{
  __local uint lanes_u32[512];
  const uint lane = (uint)get_local_id(0);
  const uint group = (uint)get_group_id(0);
  uint items[8] = {0};
  const uint base = (group * 2048u) + (lane * 8u);
  const uint offset = n >> 21u;
  const uint count = n >> 10u;
  for (uint k = 0u; k < 8u; k++) {
    if ((base + k) < count) {
      items[k] = tile_totals_add[(offset + base) + k];
    }
  }
  uint before = 0u;
  if (group != 0u) {
    const uint at = group - 1u;
    before = tile_totals_add[at];
  }
  // scan of the tile: totals of aligned blocks on the way up, prefixes on the way down
  for (uint k = 1u; k < 8u; k += 2u) {
    items[k] = items[k - 1u] + items[k];
  }
  for (uint k = 3u; k < 8u; k += 4u) {
    items[k] = items[k - 2u] + items[k];
  }
  items[7u] = items[3u] + items[7u];
  uint total = items[7u];
  uint sibling[8] = {0};
  uint own[8] = {0};
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint round = 0u; round < 8u; round++) {
    const uint bit = 1u << round;
    const uint slot = ((round & 1u) * 256u) + lane;
    lanes_u32[slot] = total;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint theirs = lanes_u32[slot ^ bit];
    sibling[round] = theirs;
    own[round] = total;
    total = total + theirs;
  }
  uint carry = before;
  uint inclusive = before + total;
  for (uint step = 0u; step < 8u; step++) {
    const uint round = 7u - step;
    const bool is_upper = (lane & (1u << round)) != 0u;
    const uint block = is_upper ? sibling[round] : own[round];
    const uint joined = carry + block;
    inclusive = is_upper ? inclusive : joined;
    carry = is_upper ? joined : carry;
  }
  items[3u] = carry + items[3u];
  items[1u] = carry + items[1u];
  items[5u] = items[3u] + items[5u];
  items[0u] = carry + items[0u];
  for (uint k = 2u; k < 8u; k += 2u) {
    items[k] = items[k - 1u] + items[k];
  }
  items[7u] = inclusive;
  for (uint k = 0u; k < 8u; k++) {
    if ((base + k) < count) {
      tile_totals_add[(offset + base) + k] = items[k];
    }
  }
}

// Pass 2 over the items, 1024 to a work-group, 4 to a work-item.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void scan(
  const uint n, // number of items
  const float least, // parameter
  __global const float* restrict x, // input, n elements
  __global float* kept, // output, n elements, all zero at first
  __global const uint* restrict kept_length, // output, 1 elements
  volatile __global uint* status, // status, 1 elements, all zero at first
  __global const uint* restrict tile_totals_add) // scratch, (floor(n / 1024) + floor(n / 2097152)) elements
{
  __local uint lanes_u32[512];
  const uint lane = (uint)get_local_id(0);
  const uint group = (uint)get_group_id(0);
  const uint base = (group * 1024u) + (lane * 4u);
  uint items[4] = {0};
  for (uint k = 0u; k < 4u; k++) {
    const uint i = min(base + k, n - 1u);
    const float x_i = x[i];
    const bool v2 = le_f32(least, x_i);
    const uint v3 = v2 ? 1u : 0u;
    items[k] = v3;
  }
  uint before = 0u;
  if (group != 0u) {
    const uint at = (n >> 21u) + (group - 1u);
    before = tile_totals_add[at];
  }
  // scan of the tile: totals of aligned blocks on the way up, prefixes on the way down
  for (uint k = 1u; k < 4u; k += 2u) {
    items[k] = items[k - 1u] + items[k];
  }
  items[3u] = items[1u] + items[3u];
  uint total = items[3u];
  uint sibling[8] = {0};
  uint own[8] = {0};
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint round = 0u; round < 8u; round++) {
    const uint bit = 1u << round;
    const uint slot = ((round & 1u) * 256u) + lane;
    lanes_u32[slot] = total;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint theirs = lanes_u32[slot ^ bit];
    sibling[round] = theirs;
    own[round] = total;
    total = total + theirs;
  }
  uint carry = before;
  uint inclusive = before + total;
  for (uint step = 0u; step < 8u; step++) {
    const uint round = 7u - step;
    const bool is_upper = (lane & (1u << round)) != 0u;
    const uint block = is_upper ? sibling[round] : own[round];
    const uint joined = carry + block;
    inclusive = is_upper ? inclusive : joined;
    carry = is_upper ? joined : carry;
  }
  items[1u] = carry + items[1u];
  items[0u] = carry + items[0u];
  items[2u] = items[1u] + items[2u];
  items[3u] = inclusive;
  uint before_2 = carry;
  for (uint k = 0u; k < 4u; k++) {
    const uint i = min(base + k, n - 1u);
    const uint inclusive_2 = items[k];
    const uint exclusive = before_2;
    if ((base + k) < n) {
      const float x_i = x[i];
      const uint kept_slot = exclusive;
      const uint kept_length_i = kept_length[0u];
      const bool v2 = le_f32(least, x_i);
      if (v2) {
        if (kept_slot < min(kept_length_i, n)) {
          kept[kept_slot] = x_i;
        } else {
          atomic_or(&status[0u], 1u);
        }
      }
    }
    before_2 = inclusive_2;
  }
}
