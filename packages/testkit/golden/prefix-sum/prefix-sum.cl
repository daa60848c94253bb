// prefix-sum: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target opencl
// OpenCL C 1.2. Build options: -cl-std=CL1.2
// Never build it with -cl-fast-relaxed-math, -cl-mad-enable or -cl-denorms-are-zero.
// Tiles: 256 x 4 items. Division of floats: exact.
// Passes, one after the other; a pass without work-groups is skipped:
//   tile_totals: floor(n / 1024) work-groups of 256
//   tile_totals_2: floor(n / 2097152) work-groups of 256
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
  __global const float* restrict x, // input, n elements
  __global float* tile_totals_add) // scratch, (floor(n / 1024) + floor(n / 2097152)) elements
{
  __local float lanes_f32[512];
  const uint lane = (uint)get_local_id(0);
  const uint group = (uint)get_group_id(0);
  const uint base = (group * 1024u) + (lane * 4u);
  float items[4] = {0};
  const uint i = base;
  const float4 x_row = ((__global const float4*)x)[i >> 2u];
  items[0u] = x_row.x;
  items[1u] = x_row.y;
  items[2u] = x_row.z;
  items[3u] = x_row.w;
  // total of the tile: within each work-item, then across the work-group
  items[1u] = items[0u] + items[1u];
  items[3u] = items[2u] + items[3u];
  items[3u] = items[1u] + items[3u];
  float total = items[3u];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint round = 0u; round < 8u; round++) {
    const uint bit = 1u << round;
    const uint slot = ((round & 1u) * 256u) + lane;
    lanes_f32[slot] = total;
    barrier(CLK_LOCAL_MEM_FENCE);
    const float theirs = lanes_f32[slot ^ bit];
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
  __global float* tile_totals_add) // scratch, (floor(n / 1024) + floor(n / 2097152)) elements
{
  __local float lanes_f32[512];
  const uint lane = (uint)get_local_id(0);
  const uint group = (uint)get_group_id(0);
  float items[8] = {0};
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
  float total = items[7u];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint round = 0u; round < 8u; round++) {
    const uint bit = 1u << round;
    const uint slot = ((round & 1u) * 256u) + lane;
    lanes_f32[slot] = total;
    barrier(CLK_LOCAL_MEM_FENCE);
    const float theirs = lanes_f32[slot ^ bit];
    total = total + theirs;
  }
  if ((lane == 0u) && (group < (n >> 21u))) {
    const uint at = group;
    tile_totals_add[at] = total;
  }
}

// Prefixes of the totals of level 2, in place.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void prefixes_2(
  const uint n, // number of items
  __global float* tile_totals_add) // scratch, (floor(n / 1024) + floor(n / 2097152)) elements
{
  __local float lanes_f32[512];
  const uint lane = (uint)get_local_id(0);
  const uint group = (uint)get_group_id(0);
  float items[8] = {0};
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
  float total = items[7u];
  float sibling[8] = {0};
  float own[8] = {0};
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint round = 0u; round < 8u; round++) {
    const uint bit = 1u << round;
    const uint slot = ((round & 1u) * 256u) + lane;
    lanes_f32[slot] = total;
    barrier(CLK_LOCAL_MEM_FENCE);
    const float theirs = lanes_f32[slot ^ bit];
    sibling[round] = theirs;
    own[round] = total;
    total = total + theirs;
  }
  float carry = 0.0f;
  bool has_carry = false;
  float inclusive = total;
  for (uint step = 0u; step < 8u; step++) {
    const uint round = 7u - step;
    const bool is_upper = (lane & (1u << round)) != 0u;
    const float block = is_upper ? sibling[round] : own[round];
    const float joined = has_carry ? (carry + block) : block;
    inclusive = is_upper ? inclusive : joined;
    carry = is_upper ? joined : carry;
    has_carry = has_carry || is_upper;
  }
  items[3u] = has_carry ? (carry + items[3u]) : items[3u];
  items[1u] = has_carry ? (carry + items[1u]) : items[1u];
  items[5u] = items[3u] + items[5u];
  items[0u] = has_carry ? (carry + items[0u]) : items[0u];
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
  __global float* tile_totals_add) // scratch, (floor(n / 1024) + floor(n / 2097152)) elements
{
  __local float lanes_f32[512];
  const uint lane = (uint)get_local_id(0);
  const uint group = (uint)get_group_id(0);
  float items[8] = {0};
  const uint base = (group * 2048u) + (lane * 8u);
  const uint offset = n >> 21u;
  const uint count = n >> 10u;
  for (uint k = 0u; k < 8u; k++) {
    if ((base + k) < count) {
      items[k] = tile_totals_add[(offset + base) + k];
    }
  }
  float before = 0.0f;
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
  float total = items[7u];
  float sibling[8] = {0};
  float own[8] = {0};
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint round = 0u; round < 8u; round++) {
    const uint bit = 1u << round;
    const uint slot = ((round & 1u) * 256u) + lane;
    lanes_f32[slot] = total;
    barrier(CLK_LOCAL_MEM_FENCE);
    const float theirs = lanes_f32[slot ^ bit];
    sibling[round] = theirs;
    own[round] = total;
    total = total + theirs;
  }
  float carry = before;
  bool has_carry = group != 0u;
  float inclusive = (group != 0u) ? (before + total) : total;
  for (uint step = 0u; step < 8u; step++) {
    const uint round = 7u - step;
    const bool is_upper = (lane & (1u << round)) != 0u;
    const float block = is_upper ? sibling[round] : own[round];
    const float joined = has_carry ? (carry + block) : block;
    inclusive = is_upper ? inclusive : joined;
    carry = is_upper ? joined : carry;
    has_carry = has_carry || is_upper;
  }
  items[3u] = has_carry ? (carry + items[3u]) : items[3u];
  items[1u] = has_carry ? (carry + items[1u]) : items[1u];
  items[5u] = items[3u] + items[5u];
  items[0u] = has_carry ? (carry + items[0u]) : items[0u];
  for (uint k = 2u; k < 8u; k += 2u) {
    items[k] = items[k - 1u] + items[k];
  }
  items[7u] = inclusive;
  if ((lane == 255u) && (group < (n >> 21u))) {
    const uint at = group;
    items[7u] = tile_totals_add[at];
  }
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
  __global const float* restrict x, // input, n elements
  __global float* sum, // output, n elements
  __global const float* restrict tile_totals_add) // scratch, (floor(n / 1024) + floor(n / 2097152)) elements
{
  __local float lanes_f32[512];
  const uint lane = (uint)get_local_id(0);
  const uint group = (uint)get_group_id(0);
  const uint base = (group * 1024u) + (lane * 4u);
  float items[4] = {0};
  for (uint k = 0u; k < 4u; k++) {
    const uint i = min(base + k, n - 1u);
    const float x_i = x[i];
    items[k] = x_i;
  }
  float before = 0.0f;
  if (group != 0u) {
    const uint at = (n >> 21u) + (group - 1u);
    before = tile_totals_add[at];
  }
  // scan of the tile: totals of aligned blocks on the way up, prefixes on the way down
  for (uint k = 1u; k < 4u; k += 2u) {
    items[k] = items[k - 1u] + items[k];
  }
  items[3u] = items[1u] + items[3u];
  float total = items[3u];
  float sibling[8] = {0};
  float own[8] = {0};
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint round = 0u; round < 8u; round++) {
    const uint bit = 1u << round;
    const uint slot = ((round & 1u) * 256u) + lane;
    lanes_f32[slot] = total;
    barrier(CLK_LOCAL_MEM_FENCE);
    const float theirs = lanes_f32[slot ^ bit];
    sibling[round] = theirs;
    own[round] = total;
    total = total + theirs;
  }
  float carry = before;
  bool has_carry = group != 0u;
  float inclusive = (group != 0u) ? (before + total) : total;
  for (uint step = 0u; step < 8u; step++) {
    const uint round = 7u - step;
    const bool is_upper = (lane & (1u << round)) != 0u;
    const float block = is_upper ? sibling[round] : own[round];
    const float joined = has_carry ? (carry + block) : block;
    inclusive = is_upper ? inclusive : joined;
    carry = is_upper ? joined : carry;
    has_carry = has_carry || is_upper;
  }
  items[1u] = has_carry ? (carry + items[1u]) : items[1u];
  items[0u] = has_carry ? (carry + items[0u]) : items[0u];
  items[2u] = items[1u] + items[2u];
  items[3u] = inclusive;
  if ((lane == 255u) && (group < (n >> 10u))) {
    const uint at = (n >> 21u) + group;
    items[3u] = tile_totals_add[at];
  }
  for (uint k = 0u; k < 4u; k++) {
    const uint i = min(base + k, n - 1u);
    const float inclusive_2 = items[k];
    if ((base + k) < n) {
      sum[i] = inclusive_2;
    }
  }
}
