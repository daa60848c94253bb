// extremes: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target opencl
// OpenCL C 1.2. Build options: -cl-std=CL1.2
// Never build it with -cl-fast-relaxed-math, -cl-mad-enable or -cl-denorms-are-zero.
// Tiles: 256 x 4 items. Division of floats: exact.
// Passes, one after the other; a pass without work-groups is skipped:
//   tile_totals: floor(n / 1024) work-groups of 256
//   tile_totals_2: floor(n / 2097152) work-groups of 256
//   groups: ceil(n / 64) work-groups of 64
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

// a == b; NaN equals nothing.
bool eq_f32(const float a, const float b) {
  const bool ordered = !(((as_uint(a) & 2147483647u) > 2139095040u) || ((as_uint(b) & 2147483647u) > 2139095040u));
  return ordered && (rank_f32(a) == rank_f32(b));
}

// a < b; false for NaN.
bool lt_f32(const float a, const float b) {
  const bool ordered = !(((as_uint(a) & 2147483647u) > 2139095040u) || ((as_uint(b) & 2147483647u) > 2139095040u));
  return ordered && (rank_f32(a) < rank_f32(b));
}

// IEEE 754-2019 minimum: NaN if an operand is NaN; -0 is less than +0.
float min_f32(const float a, const float b) {
  const int a_bits = as_int(as_uint(a));
  const int a_order = a_bits ^ ((a_bits >> 31u) & as_int(2147483647u));
  const int b_bits = as_int(as_uint(b));
  const int b_order = b_bits ^ ((b_bits >> 31u) & as_int(2147483647u));
  return as_float((((as_uint(a) & 2147483647u) > 2139095040u) || ((a_order < b_order) && !((as_uint(b) & 2147483647u) > 2139095040u))) ? as_uint(a) : as_uint(b));
}

// IEEE 754-2019 maximum: NaN if an operand is NaN; -0 is less than +0.
float max_f32(const float a, const float b) {
  const int a_bits = as_int(as_uint(a));
  const int a_order = a_bits ^ ((a_bits >> 31u) & as_int(2147483647u));
  const int b_bits = as_int(as_uint(b));
  const int b_order = b_bits ^ ((b_bits >> 31u) & as_int(2147483647u));
  return as_float((((as_uint(a) & 2147483647u) > 2139095040u) || ((a_order > b_order) && !((as_uint(b) & 2147483647u) > 2139095040u))) ? as_uint(a) : as_uint(b));
}

// Pass 1 over the items, 1024 to a work-group, 4 to a work-item.
// Leaves the total of every full tile for the next pass.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void tile_totals(
  const uint n, // number of items
  __global const float* restrict x, // input, n elements
  __global const int* restrict k, // input, n elements
  __global uint* tile_totals_argmax_f32, // scratch, ((floor(n / 1024) + floor(n / 2097152)) * 2) elements
  __global uint* tile_totals_argmin_i32) // scratch, ((floor(n / 1024) + floor(n / 2097152)) * 2) elements
{
  __local uint lanes_u32[512];
  __local uint lanes_u32_2[512];
  __local uint lanes_u32_3[512];
  __local uint lanes_u32_4[512];
  const uint lane = (uint)get_local_id(0);
  const uint group = (uint)get_group_id(0);
  const uint base = (group * 1024u) + (lane * 4u);
  float items[4] = {0};
  uint items_2[4] = {0};
  int items_3[4] = {0};
  uint items_4[4] = {0};
  const uint i = base;
  const int4 k_row = ((__global const int4*)k)[i >> 2u];
  const float4 x_row = ((__global const float4*)x)[i >> 2u];
  items[0u] = x_row.x;
  items_2[0u] = i;
  items_3[0u] = k_row.x;
  items_4[0u] = i;
  const uint v2 = i + 1u;
  items[1u] = x_row.y;
  items_2[1u] = v2;
  items_3[1u] = k_row.y;
  items_4[1u] = v2;
  const uint v2_2 = i + 2u;
  items[2u] = x_row.z;
  items_2[2u] = v2_2;
  items_3[2u] = k_row.z;
  items_4[2u] = v2_2;
  const uint v2_3 = i + 3u;
  items[3u] = x_row.w;
  items_2[3u] = v2_3;
  items_3[3u] = k_row.w;
  items_4[3u] = v2_3;
  // total of the tile: within each work-item, then across the work-group
  const float left = items[0u];
  const uint left_2 = items_2[0u];
  const float right = items[1u];
  const uint right_2 = items_2[1u];
  const bool part = !eq_f32(left, left);
  const bool part_2 = !eq_f32(right, right);
  const bool part_3 = lt_f32(left, right) || (part_2 && !part);
  const bool part_4 = eq_f32(right, left) || (part_2 && part);
  const bool part_5 = part_3 || (part_4 && (right_2 < left_2));
  const float part_6 = part_5 ? right : left;
  const uint part_7 = part_5 ? right_2 : left_2;
  const int left_3 = items_3[0u];
  const uint left_4 = items_4[0u];
  const int right_3 = items_3[1u];
  const uint right_4 = items_4[1u];
  const bool part_8 = (right_3 == left_3) && (right_4 < left_4);
  const bool part_9 = (right_3 < left_3) || part_8;
  const int part_10 = part_9 ? right_3 : left_3;
  const uint part_11 = part_9 ? right_4 : left_4;
  items[1u] = part_6;
  items_2[1u] = part_7;
  items_3[1u] = part_10;
  items_4[1u] = part_11;
  const float left_5 = items[2u];
  const uint left_6 = items_2[2u];
  const float right_5 = items[3u];
  const uint right_6 = items_2[3u];
  const bool part_12 = !eq_f32(left_5, left_5);
  const bool part_13 = !eq_f32(right_5, right_5);
  const bool part_14 = lt_f32(left_5, right_5) || (part_13 && !part_12);
  const bool part_15 = eq_f32(right_5, left_5) || (part_13 && part_12);
  const bool part_16 = part_14 || (part_15 && (right_6 < left_6));
  const float part_17 = part_16 ? right_5 : left_5;
  const uint part_18 = part_16 ? right_6 : left_6;
  const int left_7 = items_3[2u];
  const uint left_8 = items_4[2u];
  const int right_7 = items_3[3u];
  const uint right_8 = items_4[3u];
  const bool part_19 = (right_7 == left_7) && (right_8 < left_8);
  const bool part_20 = (right_7 < left_7) || part_19;
  const int part_21 = part_20 ? right_7 : left_7;
  const uint part_22 = part_20 ? right_8 : left_8;
  items[3u] = part_17;
  items_2[3u] = part_18;
  items_3[3u] = part_21;
  items_4[3u] = part_22;
  const float left_9 = items[1u];
  const uint left_10 = items_2[1u];
  const float right_9 = items[3u];
  const uint right_10 = items_2[3u];
  const bool part_23 = !eq_f32(left_9, left_9);
  const bool part_24 = !eq_f32(right_9, right_9);
  const bool part_25 = lt_f32(left_9, right_9) || (part_24 && !part_23);
  const bool part_26 = eq_f32(right_9, left_9) || (part_24 && part_23);
  const bool part_27 = part_25 || (part_26 && (right_10 < left_10));
  const float part_28 = part_27 ? right_9 : left_9;
  const uint part_29 = part_27 ? right_10 : left_10;
  const int left_11 = items_3[1u];
  const uint left_12 = items_4[1u];
  const int right_11 = items_3[3u];
  const uint right_12 = items_4[3u];
  const bool part_30 = (right_11 == left_11) && (right_12 < left_12);
  const bool part_31 = (right_11 < left_11) || part_30;
  const int part_32 = part_31 ? right_11 : left_11;
  const uint part_33 = part_31 ? right_12 : left_12;
  items[3u] = part_28;
  items_2[3u] = part_29;
  items_3[3u] = part_32;
  items_4[3u] = part_33;
  float total = items[3u];
  uint total_2 = items_2[3u];
  int total_3 = items_3[3u];
  uint total_4 = items_4[3u];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint round = 0u; round < 8u; round++) {
    const uint bit = 1u << round;
    const uint slot = ((round & 1u) * 256u) + lane;
    lanes_u32[slot] = as_uint(total);
    lanes_u32_2[slot] = total_2;
    lanes_u32_3[slot] = as_uint(total_3);
    lanes_u32_4[slot] = total_4;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint theirs = lanes_u32[slot ^ bit];
    const uint theirs_2 = lanes_u32_2[slot ^ bit];
    const uint theirs_3 = lanes_u32_3[slot ^ bit];
    const uint theirs_4 = lanes_u32_4[slot ^ bit];
    const float theirs_5 = as_float(theirs);
    const int theirs_6 = as_int(theirs_3);
    const bool is_upper = (lane & bit) != 0u;
    const float earlier = is_upper ? theirs_5 : total;
    const uint earlier_2 = is_upper ? theirs_2 : total_2;
    const int earlier_3 = is_upper ? theirs_6 : total_3;
    const uint earlier_4 = is_upper ? theirs_4 : total_4;
    const float later = is_upper ? total : theirs_5;
    const uint later_2 = is_upper ? total_2 : theirs_2;
    const int later_3 = is_upper ? total_3 : theirs_6;
    const uint later_4 = is_upper ? total_4 : theirs_4;
    const bool part_34 = !eq_f32(earlier, earlier);
    const bool part_35 = !eq_f32(later, later);
    const bool part_36 = lt_f32(earlier, later) || (part_35 && !part_34);
    const bool part_37 = eq_f32(later, earlier) || (part_35 && part_34);
    const bool part_38 = part_36 || (part_37 && (later_2 < earlier_2));
    const float part_39 = part_38 ? later : earlier;
    const uint part_40 = part_38 ? later_2 : earlier_2;
    const bool part_41 = (later_3 == earlier_3) && (later_4 < earlier_4);
    const bool part_42 = (later_3 < earlier_3) || part_41;
    const int part_43 = part_42 ? later_3 : earlier_3;
    const uint part_44 = part_42 ? later_4 : earlier_4;
    total = part_39;
    total_2 = part_40;
    total_3 = part_43;
    total_4 = part_44;
  }
  if ((lane == 0u) && (group < (n >> 10u))) {
    const uint at = (n >> 21u) + group;
    const uint start = at * 2u;
    tile_totals_argmax_f32[start] = as_uint(total);
    tile_totals_argmax_f32[start + 1u] = total_2;
    const uint start_2 = at * 2u;
    tile_totals_argmin_i32[start_2] = as_uint(total_3);
    tile_totals_argmin_i32[start_2 + 1u] = total_4;
  }
}

// Totals of level 2: each of 2048 totals of level 1.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void tile_totals_2(
  const uint n, // number of items
  __global uint* tile_totals_argmax_f32, // scratch, ((floor(n / 1024) + floor(n / 2097152)) * 2) elements
  __global uint* tile_totals_argmin_i32) // scratch, ((floor(n / 1024) + floor(n / 2097152)) * 2) elements
{
  __local uint lanes_u32[512];
  __local uint lanes_u32_2[512];
  __local uint lanes_u32_3[512];
  __local uint lanes_u32_4[512];
  const uint lane = (uint)get_local_id(0);
  const uint group = (uint)get_group_id(0);
  float items[8] = {0};
  uint items_2[8] = {0};
  int items_3[8] = {0};
  uint items_4[8] = {0};
  const uint base = (n >> 21u) + ((group * 2048u) + (lane * 8u));
  for (uint k_2 = 0u; k_2 < 8u; k_2++) {
    const uint start = (base + k_2) * 2u;
    const uint start_2 = (base + k_2) * 2u;
    items[k_2] = as_float(tile_totals_argmax_f32[start]);
    items_2[k_2] = tile_totals_argmax_f32[start + 1u];
    items_3[k_2] = as_int(tile_totals_argmin_i32[start_2]);
    items_4[k_2] = tile_totals_argmin_i32[start_2 + 1u];
  }
  // total of the tile: within each work-item, then across the work-group
  for (uint k_2 = 1u; k_2 < 8u; k_2 += 2u) {
    const float left = items[k_2 - 1u];
    const uint left_2 = items_2[k_2 - 1u];
    const float right = items[k_2];
    const uint right_2 = items_2[k_2];
    const bool part = !eq_f32(left, left);
    const bool part_2 = !eq_f32(right, right);
    const bool part_3 = lt_f32(left, right) || (part_2 && !part);
    const bool part_4 = eq_f32(right, left) || (part_2 && part);
    const bool part_5 = part_3 || (part_4 && (right_2 < left_2));
    const float part_6 = part_5 ? right : left;
    const uint part_7 = part_5 ? right_2 : left_2;
    const int left_3 = items_3[k_2 - 1u];
    const uint left_4 = items_4[k_2 - 1u];
    const int right_3 = items_3[k_2];
    const uint right_4 = items_4[k_2];
    const bool part_8 = (right_3 == left_3) && (right_4 < left_4);
    const bool part_9 = (right_3 < left_3) || part_8;
    const int part_10 = part_9 ? right_3 : left_3;
    const uint part_11 = part_9 ? right_4 : left_4;
    items[k_2] = part_6;
    items_2[k_2] = part_7;
    items_3[k_2] = part_10;
    items_4[k_2] = part_11;
  }
  for (uint k_2 = 3u; k_2 < 8u; k_2 += 4u) {
    const float left = items[k_2 - 2u];
    const uint left_2 = items_2[k_2 - 2u];
    const float right = items[k_2];
    const uint right_2 = items_2[k_2];
    const bool part = !eq_f32(left, left);
    const bool part_2 = !eq_f32(right, right);
    const bool part_3 = lt_f32(left, right) || (part_2 && !part);
    const bool part_4 = eq_f32(right, left) || (part_2 && part);
    const bool part_5 = part_3 || (part_4 && (right_2 < left_2));
    const float part_6 = part_5 ? right : left;
    const uint part_7 = part_5 ? right_2 : left_2;
    const int left_3 = items_3[k_2 - 2u];
    const uint left_4 = items_4[k_2 - 2u];
    const int right_3 = items_3[k_2];
    const uint right_4 = items_4[k_2];
    const bool part_8 = (right_3 == left_3) && (right_4 < left_4);
    const bool part_9 = (right_3 < left_3) || part_8;
    const int part_10 = part_9 ? right_3 : left_3;
    const uint part_11 = part_9 ? right_4 : left_4;
    items[k_2] = part_6;
    items_2[k_2] = part_7;
    items_3[k_2] = part_10;
    items_4[k_2] = part_11;
  }
  const float left = items[3u];
  const uint left_2 = items_2[3u];
  const float right = items[7u];
  const uint right_2 = items_2[7u];
  const bool part = !eq_f32(left, left);
  const bool part_2 = !eq_f32(right, right);
  const bool part_3 = lt_f32(left, right) || (part_2 && !part);
  const bool part_4 = eq_f32(right, left) || (part_2 && part);
  const bool part_5 = part_3 || (part_4 && (right_2 < left_2));
  const float part_6 = part_5 ? right : left;
  const uint part_7 = part_5 ? right_2 : left_2;
  const int left_3 = items_3[3u];
  const uint left_4 = items_4[3u];
  const int right_3 = items_3[7u];
  const uint right_4 = items_4[7u];
  const bool part_8 = (right_3 == left_3) && (right_4 < left_4);
  const bool part_9 = (right_3 < left_3) || part_8;
  const int part_10 = part_9 ? right_3 : left_3;
  const uint part_11 = part_9 ? right_4 : left_4;
  items[7u] = part_6;
  items_2[7u] = part_7;
  items_3[7u] = part_10;
  items_4[7u] = part_11;
  float total = items[7u];
  uint total_2 = items_2[7u];
  int total_3 = items_3[7u];
  uint total_4 = items_4[7u];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint round = 0u; round < 8u; round++) {
    const uint bit = 1u << round;
    const uint slot = ((round & 1u) * 256u) + lane;
    lanes_u32[slot] = as_uint(total);
    lanes_u32_2[slot] = total_2;
    lanes_u32_3[slot] = as_uint(total_3);
    lanes_u32_4[slot] = total_4;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint theirs = lanes_u32[slot ^ bit];
    const uint theirs_2 = lanes_u32_2[slot ^ bit];
    const uint theirs_3 = lanes_u32_3[slot ^ bit];
    const uint theirs_4 = lanes_u32_4[slot ^ bit];
    const float theirs_5 = as_float(theirs);
    const int theirs_6 = as_int(theirs_3);
    const bool is_upper = (lane & bit) != 0u;
    const float earlier = is_upper ? theirs_5 : total;
    const uint earlier_2 = is_upper ? theirs_2 : total_2;
    const int earlier_3 = is_upper ? theirs_6 : total_3;
    const uint earlier_4 = is_upper ? theirs_4 : total_4;
    const float later = is_upper ? total : theirs_5;
    const uint later_2 = is_upper ? total_2 : theirs_2;
    const int later_3 = is_upper ? total_3 : theirs_6;
    const uint later_4 = is_upper ? total_4 : theirs_4;
    const bool part_12 = !eq_f32(earlier, earlier);
    const bool part_13 = !eq_f32(later, later);
    const bool part_14 = lt_f32(earlier, later) || (part_13 && !part_12);
    const bool part_15 = eq_f32(later, earlier) || (part_13 && part_12);
    const bool part_16 = part_14 || (part_15 && (later_2 < earlier_2));
    const float part_17 = part_16 ? later : earlier;
    const uint part_18 = part_16 ? later_2 : earlier_2;
    const bool part_19 = (later_3 == earlier_3) && (later_4 < earlier_4);
    const bool part_20 = (later_3 < earlier_3) || part_19;
    const int part_21 = part_20 ? later_3 : earlier_3;
    const uint part_22 = part_20 ? later_4 : earlier_4;
    total = part_17;
    total_2 = part_18;
    total_3 = part_21;
    total_4 = part_22;
  }
  if ((lane == 0u) && (group < (n >> 21u))) {
    const uint at = group;
    const uint start = at * 2u;
    tile_totals_argmax_f32[start] = as_uint(total);
    tile_totals_argmax_f32[start + 1u] = total_2;
    const uint start_2 = at * 2u;
    tile_totals_argmin_i32[start_2] = as_uint(total_3);
    tile_totals_argmin_i32[start_2 + 1u] = total_4;
  }
}

// Work-groups of 64, one item to a work-item.
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void groups(
  const uint n, // number of items
  __global const float* restrict x, // input, n elements
  __global float* ends_min, // output, ceil(n / 64) elements
  __global float* ends_max) // output, ceil(n / 64) elements
{
  __local uint lanes_u32[128];
  __local uint lanes_u32_2[128];
  __local float lanes_f32[1];
  __local float lanes_f32_2[1];
  const uint lane = (uint)get_local_id(0);
  const uint group = (uint)get_group_id(0);
  const uint item = (group * 64u) + lane;
  const bool exists = item < n;
  const uint i = min(item, n - 1u);
  const uint count = min(64u, n - (group * 64u));
  const float x_i = x[i];
  const float mine = x_i;
  const float mine_2 = x_i;
  // across the work-group: reduce min_max_f32
  float total = mine;
  float total_2 = mine_2;
  float sibling[6] = {0};
  float sibling_2[6] = {0};
  float own[6] = {0};
  float own_2[6] = {0};
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint round = 0u; round < 6u; round++) {
    const uint bit = 1u << round;
    const uint slot = ((round & 1u) * 64u) + lane;
    lanes_u32[slot] = as_uint(total);
    lanes_u32_2[slot] = as_uint(total_2);
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint theirs = lanes_u32[slot ^ bit];
    const uint theirs_2 = lanes_u32_2[slot ^ bit];
    const float theirs_3 = as_float(theirs);
    const float theirs_4 = as_float(theirs_2);
    sibling[round] = theirs_3;
    own[round] = total;
    sibling_2[round] = theirs_4;
    own_2[round] = total_2;
    const bool is_upper = (lane & bit) != 0u;
    const float earlier = is_upper ? theirs_3 : total;
    const float earlier_2 = is_upper ? theirs_4 : total_2;
    const float later = is_upper ? total : theirs_3;
    const float later_2 = is_upper ? total_2 : theirs_4;
    const float both = min_f32(earlier, later);
    const float both_2 = max_f32(earlier_2, later_2);
    total = both;
    total_2 = both_2;
  }
  float carry = 0.0f;
  float carry_2 = 0.0f;
  bool has_carry = false;
  float inclusive = total;
  float inclusive_2 = total_2;
  for (uint step = 0u; step < 6u; step++) {
    const uint round = 5u - step;
    const bool is_upper = (lane & (1u << round)) != 0u;
    const float block = is_upper ? sibling[round] : own[round];
    const float block_2 = is_upper ? sibling_2[round] : own_2[round];
    const float joined = has_carry ? min_f32(carry, block) : block;
    const float joined_2 = has_carry ? max_f32(carry_2, block_2) : block_2;
    inclusive = is_upper ? inclusive : joined;
    carry = is_upper ? joined : carry;
    inclusive_2 = is_upper ? inclusive_2 : joined_2;
    carry_2 = is_upper ? joined_2 : carry_2;
    has_carry = has_carry || is_upper;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lane == (count - 1u)) {
    lanes_f32[0u] = inclusive;
    lanes_f32_2[0u] = inclusive_2;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const float announced = lanes_f32[0u];
  const float announced_2 = lanes_f32_2[0u];
  const float reduce = announced;
  const float reduce_2 = announced_2;
  if (exists) {
    if (lane == 0u) {
      ends_min[i / 64u] = reduce;
      ends_max[i / 64u] = reduce_2;
    }
  }
}

// Results for the whole range, by one work-group.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void finish(
  const uint n, // number of items
  __global const int* restrict k, // input, n elements
  __global int* lowest_value, // output, 1 elements
  __global uint* lowest_index, // output, 1 elements
  __global const uint* restrict tile_totals_argmin_i32) // scratch, ((floor(n / 1024) + floor(n / 2097152)) * 2) elements
{
  __local uint lanes_u32[512];
  __local uint lanes_u32_2[512];
  __local int lanes_i32[1];
  const uint lane = (uint)get_local_id(0);
  int result = 0;
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
      int items[8] = {0};
      uint items_2[8] = {0};
      const uint last = tail - 1u;
      if (is_items) {
        for (uint k_2 = 0u; k_2 < 8u; k_2++) {
          const uint at = from + min(first + k_2, last);
          const int k_i = k[at];
          items[k_2] = k_i;
          items_2[k_2] = at;
        }
      } else {
        for (uint k_2 = 0u; k_2 < 8u; k_2++) {
          const uint at = from + min(first + k_2, last);
          const uint start = (offset + at) * 2u;
          items[k_2] = as_int(tile_totals_argmin_i32[start]);
          items_2[k_2] = tile_totals_argmin_i32[start + 1u];
        }
      }
      // scan of the tile: totals of aligned blocks on the way up, prefixes on the way down
      for (uint k_2 = 1u; k_2 < 8u; k_2 += 2u) {
        const int left = items[k_2 - 1u];
        const uint left_2 = items_2[k_2 - 1u];
        const int right = items[k_2];
        const uint right_2 = items_2[k_2];
        const bool part = (right == left) && (right_2 < left_2);
        const bool part_2 = (right < left) || part;
        const int part_3 = part_2 ? right : left;
        const uint part_4 = part_2 ? right_2 : left_2;
        items[k_2] = part_3;
        items_2[k_2] = part_4;
      }
      for (uint k_2 = 3u; k_2 < 8u; k_2 += 4u) {
        const int left = items[k_2 - 2u];
        const uint left_2 = items_2[k_2 - 2u];
        const int right = items[k_2];
        const uint right_2 = items_2[k_2];
        const bool part = (right == left) && (right_2 < left_2);
        const bool part_2 = (right < left) || part;
        const int part_3 = part_2 ? right : left;
        const uint part_4 = part_2 ? right_2 : left_2;
        items[k_2] = part_3;
        items_2[k_2] = part_4;
      }
      const int left = items[3u];
      const uint left_2 = items_2[3u];
      const int right = items[7u];
      const uint right_2 = items_2[7u];
      const bool part = (right == left) && (right_2 < left_2);
      const bool part_2 = (right < left) || part;
      const int part_3 = part_2 ? right : left;
      const uint part_4 = part_2 ? right_2 : left_2;
      items[7u] = part_3;
      items_2[7u] = part_4;
      int total = items[7u];
      uint total_2 = items_2[7u];
      int sibling[8] = {0};
      uint sibling_2[8] = {0};
      int own[8] = {0};
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
        const int theirs_3 = as_int(theirs);
        sibling[round] = theirs_3;
        own[round] = total;
        sibling_2[round] = theirs_2;
        own_2[round] = total_2;
        const bool is_upper = (lane & bit) != 0u;
        const int earlier = is_upper ? theirs_3 : total;
        const uint earlier_2 = is_upper ? theirs_2 : total_2;
        const int later = is_upper ? total : theirs_3;
        const uint later_2 = is_upper ? total_2 : theirs_2;
        const bool part_5 = (later == earlier) && (later_2 < earlier_2);
        const bool part_6 = (later < earlier) || part_5;
        const int part_7 = part_6 ? later : earlier;
        const uint part_8 = part_6 ? later_2 : earlier_2;
        total = part_7;
        total_2 = part_8;
      }
      const bool part_5 = (total == result) && (total_2 < result_2);
      const bool part_6 = (total < result) || part_5;
      const int part_7 = part_6 ? total : result;
      const uint part_8 = part_6 ? total_2 : result_2;
      int carry = result;
      uint carry_2 = result_2;
      bool has_carry = has_result;
      int inclusive = has_result ? part_7 : total;
      uint inclusive_2 = has_result ? part_8 : total_2;
      for (uint step_2 = 0u; step_2 < 8u; step_2++) {
        const uint round = 7u - step_2;
        const bool is_upper = (lane & (1u << round)) != 0u;
        const int block = is_upper ? sibling[round] : own[round];
        const uint block_2 = is_upper ? sibling_2[round] : own_2[round];
        const bool part_9 = (block == carry) && (block_2 < carry_2);
        const bool part_10 = (block < carry) || part_9;
        const int part_11 = part_10 ? block : carry;
        const uint part_12 = part_10 ? block_2 : carry_2;
        const int joined = has_carry ? part_11 : block;
        const uint joined_2 = has_carry ? part_12 : block_2;
        inclusive = is_upper ? inclusive : joined;
        carry = is_upper ? joined : carry;
        inclusive_2 = is_upper ? inclusive_2 : joined_2;
        carry_2 = is_upper ? joined_2 : carry_2;
        has_carry = has_carry || is_upper;
      }
      const int right_3 = items[3u];
      const uint right_4 = items_2[3u];
      const bool part_9 = (right_3 == carry) && (right_4 < carry_2);
      const bool part_10 = (right_3 < carry) || part_9;
      const int part_11 = part_10 ? right_3 : carry;
      const uint part_12 = part_10 ? right_4 : carry_2;
      const int both = has_carry ? part_11 : items[3u];
      const uint both_2 = has_carry ? part_12 : items_2[3u];
      items[3u] = both;
      items_2[3u] = both_2;
      const int right_5 = items[1u];
      const uint right_6 = items_2[1u];
      const bool part_13 = (right_5 == carry) && (right_6 < carry_2);
      const bool part_14 = (right_5 < carry) || part_13;
      const int part_15 = part_14 ? right_5 : carry;
      const uint part_16 = part_14 ? right_6 : carry_2;
      const int both_3 = has_carry ? part_15 : items[1u];
      const uint both_4 = has_carry ? part_16 : items_2[1u];
      items[1u] = both_3;
      items_2[1u] = both_4;
      const int left_3 = items[3u];
      const uint left_4 = items_2[3u];
      const int right_7 = items[5u];
      const uint right_8 = items_2[5u];
      const bool part_17 = (right_7 == left_3) && (right_8 < left_4);
      const bool part_18 = (right_7 < left_3) || part_17;
      const int part_19 = part_18 ? right_7 : left_3;
      const uint part_20 = part_18 ? right_8 : left_4;
      items[5u] = part_19;
      items_2[5u] = part_20;
      const int right_9 = items[0u];
      const uint right_10 = items_2[0u];
      const bool part_21 = (right_9 == carry) && (right_10 < carry_2);
      const bool part_22 = (right_9 < carry) || part_21;
      const int part_23 = part_22 ? right_9 : carry;
      const uint part_24 = part_22 ? right_10 : carry_2;
      const int both_5 = has_carry ? part_23 : items[0u];
      const uint both_6 = has_carry ? part_24 : items_2[0u];
      items[0u] = both_5;
      items_2[0u] = both_6;
      for (uint k_2 = 2u; k_2 < 8u; k_2 += 2u) {
        const int left_5 = items[k_2 - 1u];
        const uint left_6 = items_2[k_2 - 1u];
        const int right_11 = items[k_2];
        const uint right_12 = items_2[k_2];
        const bool part_25 = (right_11 == left_5) && (right_12 < left_6);
        const bool part_26 = (right_11 < left_5) || part_25;
        const int part_27 = part_26 ? right_11 : left_5;
        const uint part_28 = part_26 ? right_12 : left_6;
        items[k_2] = part_27;
        items_2[k_2] = part_28;
      }
      items[7u] = inclusive;
      items_2[7u] = inclusive_2;
      barrier(CLK_LOCAL_MEM_FENCE);
      if ((last / 8u) == lane) {
        lanes_i32[0u] = items[last % 8u];
        lanes_u32_2[0u] = items_2[last % 8u];
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      const int announced = lanes_i32[0u];
      const uint announced_2 = lanes_u32_2[0u];
      result = announced;
      result_2 = announced_2;
      has_result = true;
    }
    if (level != 0u) {
      offset = offset + count;
    }
  }
  const int reduced = has_result ? result : 2147483647;
  const uint reduced_2 = has_result ? result_2 : 4294967295u;
  if (lane == 0u) {
    lowest_value[0u] = reduced;
    lowest_index[0u] = reduced_2;
  }
}

// Prefixes of the totals of level 2, in place.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void prefixes_2(
  const uint n, // number of items
  __global uint* tile_totals_argmax_f32) // scratch, ((floor(n / 1024) + floor(n / 2097152)) * 2) elements
{
  __local uint lanes_u32[512];
  __local uint lanes_u32_2[512];
  const uint lane = (uint)get_local_id(0);
  const uint group = (uint)get_group_id(0);
  float items[8] = {0};
  uint items_2[8] = {0};
  const uint base = (group * 2048u) + (lane * 8u);
  const uint count = n >> 21u;
  for (uint k_2 = 0u; k_2 < 8u; k_2++) {
    if ((base + k_2) < count) {
      const uint start = (base + k_2) * 2u;
      items[k_2] = as_float(tile_totals_argmax_f32[start]);
      items_2[k_2] = tile_totals_argmax_f32[start + 1u];
    }
  }
  // scan of the tile: totals of aligned blocks on the way up, prefixes on the way down
  for (uint k_2 = 1u; k_2 < 8u; k_2 += 2u) {
    const float left = items[k_2 - 1u];
    const uint left_2 = items_2[k_2 - 1u];
    const float right = items[k_2];
    const uint right_2 = items_2[k_2];
    const bool part = !eq_f32(left, left);
    const bool part_2 = !eq_f32(right, right);
    const bool part_3 = lt_f32(left, right) || (part_2 && !part);
    const bool part_4 = eq_f32(right, left) || (part_2 && part);
    const bool part_5 = part_3 || (part_4 && (right_2 < left_2));
    const float part_6 = part_5 ? right : left;
    const uint part_7 = part_5 ? right_2 : left_2;
    items[k_2] = part_6;
    items_2[k_2] = part_7;
  }
  for (uint k_2 = 3u; k_2 < 8u; k_2 += 4u) {
    const float left = items[k_2 - 2u];
    const uint left_2 = items_2[k_2 - 2u];
    const float right = items[k_2];
    const uint right_2 = items_2[k_2];
    const bool part = !eq_f32(left, left);
    const bool part_2 = !eq_f32(right, right);
    const bool part_3 = lt_f32(left, right) || (part_2 && !part);
    const bool part_4 = eq_f32(right, left) || (part_2 && part);
    const bool part_5 = part_3 || (part_4 && (right_2 < left_2));
    const float part_6 = part_5 ? right : left;
    const uint part_7 = part_5 ? right_2 : left_2;
    items[k_2] = part_6;
    items_2[k_2] = part_7;
  }
  const float left = items[3u];
  const uint left_2 = items_2[3u];
  const float right = items[7u];
  const uint right_2 = items_2[7u];
  const bool part = !eq_f32(left, left);
  const bool part_2 = !eq_f32(right, right);
  const bool part_3 = lt_f32(left, right) || (part_2 && !part);
  const bool part_4 = eq_f32(right, left) || (part_2 && part);
  const bool part_5 = part_3 || (part_4 && (right_2 < left_2));
  const float part_6 = part_5 ? right : left;
  const uint part_7 = part_5 ? right_2 : left_2;
  items[7u] = part_6;
  items_2[7u] = part_7;
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
    const bool part_8 = !eq_f32(earlier, earlier);
    const bool part_9 = !eq_f32(later, later);
    const bool part_10 = lt_f32(earlier, later) || (part_9 && !part_8);
    const bool part_11 = eq_f32(later, earlier) || (part_9 && part_8);
    const bool part_12 = part_10 || (part_11 && (later_2 < earlier_2));
    const float part_13 = part_12 ? later : earlier;
    const uint part_14 = part_12 ? later_2 : earlier_2;
    total = part_13;
    total_2 = part_14;
  }
  float carry = 0.0f;
  uint carry_2 = 0u;
  bool has_carry = false;
  float inclusive = total;
  uint inclusive_2 = total_2;
  for (uint step = 0u; step < 8u; step++) {
    const uint round = 7u - step;
    const bool is_upper = (lane & (1u << round)) != 0u;
    const float block = is_upper ? sibling[round] : own[round];
    const uint block_2 = is_upper ? sibling_2[round] : own_2[round];
    const bool part_15 = !eq_f32(carry, carry);
    const bool part_16 = !eq_f32(block, block);
    const bool part_17 = lt_f32(carry, block) || (part_16 && !part_15);
    const bool part_18 = eq_f32(block, carry) || (part_16 && part_15);
    const bool part_19 = part_17 || (part_18 && (block_2 < carry_2));
    const float part_20 = part_19 ? block : carry;
    const uint part_21 = part_19 ? block_2 : carry_2;
    const float joined = has_carry ? part_20 : block;
    const uint joined_2 = has_carry ? part_21 : block_2;
    inclusive = is_upper ? inclusive : joined;
    carry = is_upper ? joined : carry;
    inclusive_2 = is_upper ? inclusive_2 : joined_2;
    carry_2 = is_upper ? joined_2 : carry_2;
    has_carry = has_carry || is_upper;
  }
  const float right_3 = items[3u];
  const uint right_4 = items_2[3u];
  const bool part_15 = !eq_f32(carry, carry);
  const bool part_16 = !eq_f32(right_3, right_3);
  const bool part_17 = lt_f32(carry, right_3) || (part_16 && !part_15);
  const bool part_18 = eq_f32(right_3, carry) || (part_16 && part_15);
  const bool part_19 = part_17 || (part_18 && (right_4 < carry_2));
  const float part_20 = part_19 ? right_3 : carry;
  const uint part_21 = part_19 ? right_4 : carry_2;
  const float both = has_carry ? part_20 : items[3u];
  const uint both_2 = has_carry ? part_21 : items_2[3u];
  items[3u] = both;
  items_2[3u] = both_2;
  const float right_5 = items[1u];
  const uint right_6 = items_2[1u];
  const bool part_22 = !eq_f32(carry, carry);
  const bool part_23 = !eq_f32(right_5, right_5);
  const bool part_24 = lt_f32(carry, right_5) || (part_23 && !part_22);
  const bool part_25 = eq_f32(right_5, carry) || (part_23 && part_22);
  const bool part_26 = part_24 || (part_25 && (right_6 < carry_2));
  const float part_27 = part_26 ? right_5 : carry;
  const uint part_28 = part_26 ? right_6 : carry_2;
  const float both_3 = has_carry ? part_27 : items[1u];
  const uint both_4 = has_carry ? part_28 : items_2[1u];
  items[1u] = both_3;
  items_2[1u] = both_4;
  const float left_3 = items[3u];
  const uint left_4 = items_2[3u];
  const float right_7 = items[5u];
  const uint right_8 = items_2[5u];
  const bool part_29 = !eq_f32(left_3, left_3);
  const bool part_30 = !eq_f32(right_7, right_7);
  const bool part_31 = lt_f32(left_3, right_7) || (part_30 && !part_29);
  const bool part_32 = eq_f32(right_7, left_3) || (part_30 && part_29);
  const bool part_33 = part_31 || (part_32 && (right_8 < left_4));
  const float part_34 = part_33 ? right_7 : left_3;
  const uint part_35 = part_33 ? right_8 : left_4;
  items[5u] = part_34;
  items_2[5u] = part_35;
  const float right_9 = items[0u];
  const uint right_10 = items_2[0u];
  const bool part_36 = !eq_f32(carry, carry);
  const bool part_37 = !eq_f32(right_9, right_9);
  const bool part_38 = lt_f32(carry, right_9) || (part_37 && !part_36);
  const bool part_39 = eq_f32(right_9, carry) || (part_37 && part_36);
  const bool part_40 = part_38 || (part_39 && (right_10 < carry_2));
  const float part_41 = part_40 ? right_9 : carry;
  const uint part_42 = part_40 ? right_10 : carry_2;
  const float both_5 = has_carry ? part_41 : items[0u];
  const uint both_6 = has_carry ? part_42 : items_2[0u];
  items[0u] = both_5;
  items_2[0u] = both_6;
  for (uint k_2 = 2u; k_2 < 8u; k_2 += 2u) {
    const float left_5 = items[k_2 - 1u];
    const uint left_6 = items_2[k_2 - 1u];
    const float right_11 = items[k_2];
    const uint right_12 = items_2[k_2];
    const bool part_43 = !eq_f32(left_5, left_5);
    const bool part_44 = !eq_f32(right_11, right_11);
    const bool part_45 = lt_f32(left_5, right_11) || (part_44 && !part_43);
    const bool part_46 = eq_f32(right_11, left_5) || (part_44 && part_43);
    const bool part_47 = part_45 || (part_46 && (right_12 < left_6));
    const float part_48 = part_47 ? right_11 : left_5;
    const uint part_49 = part_47 ? right_12 : left_6;
    items[k_2] = part_48;
    items_2[k_2] = part_49;
  }
  items[7u] = inclusive;
  items_2[7u] = inclusive_2;
  for (uint k_2 = 0u; k_2 < 8u; k_2++) {
    if ((base + k_2) < count) {
      const uint start = (base + k_2) * 2u;
      tile_totals_argmax_f32[start] = as_uint(items[k_2]);
      tile_totals_argmax_f32[start + 1u] = items_2[k_2];
    }
  }
}

// Prefixes of the totals of level 1, in place.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void prefixes_1(
  const uint n, // number of items
  __global uint* tile_totals_argmax_f32) // scratch, ((floor(n / 1024) + floor(n / 2097152)) * 2) elements
{
  __local uint lanes_u32[512];
  __local uint lanes_u32_2[512];
  const uint lane = (uint)get_local_id(0);
  const uint group = (uint)get_group_id(0);
  float items[8] = {0};
  uint items_2[8] = {0};
  const uint base = (group * 2048u) + (lane * 8u);
  const uint offset = n >> 21u;
  const uint count = n >> 10u;
  for (uint k_2 = 0u; k_2 < 8u; k_2++) {
    if ((base + k_2) < count) {
      const uint start = ((offset + base) + k_2) * 2u;
      items[k_2] = as_float(tile_totals_argmax_f32[start]);
      items_2[k_2] = tile_totals_argmax_f32[start + 1u];
    }
  }
  float before = 0.0f;
  uint before_2 = 0u;
  if (group != 0u) {
    const uint at = group - 1u;
    const uint start = at * 2u;
    before = as_float(tile_totals_argmax_f32[start]);
    before_2 = tile_totals_argmax_f32[start + 1u];
  }
  // scan of the tile: totals of aligned blocks on the way up, prefixes on the way down
  for (uint k_2 = 1u; k_2 < 8u; k_2 += 2u) {
    const float left = items[k_2 - 1u];
    const uint left_2 = items_2[k_2 - 1u];
    const float right = items[k_2];
    const uint right_2 = items_2[k_2];
    const bool part = !eq_f32(left, left);
    const bool part_2 = !eq_f32(right, right);
    const bool part_3 = lt_f32(left, right) || (part_2 && !part);
    const bool part_4 = eq_f32(right, left) || (part_2 && part);
    const bool part_5 = part_3 || (part_4 && (right_2 < left_2));
    const float part_6 = part_5 ? right : left;
    const uint part_7 = part_5 ? right_2 : left_2;
    items[k_2] = part_6;
    items_2[k_2] = part_7;
  }
  for (uint k_2 = 3u; k_2 < 8u; k_2 += 4u) {
    const float left = items[k_2 - 2u];
    const uint left_2 = items_2[k_2 - 2u];
    const float right = items[k_2];
    const uint right_2 = items_2[k_2];
    const bool part = !eq_f32(left, left);
    const bool part_2 = !eq_f32(right, right);
    const bool part_3 = lt_f32(left, right) || (part_2 && !part);
    const bool part_4 = eq_f32(right, left) || (part_2 && part);
    const bool part_5 = part_3 || (part_4 && (right_2 < left_2));
    const float part_6 = part_5 ? right : left;
    const uint part_7 = part_5 ? right_2 : left_2;
    items[k_2] = part_6;
    items_2[k_2] = part_7;
  }
  const float left = items[3u];
  const uint left_2 = items_2[3u];
  const float right = items[7u];
  const uint right_2 = items_2[7u];
  const bool part = !eq_f32(left, left);
  const bool part_2 = !eq_f32(right, right);
  const bool part_3 = lt_f32(left, right) || (part_2 && !part);
  const bool part_4 = eq_f32(right, left) || (part_2 && part);
  const bool part_5 = part_3 || (part_4 && (right_2 < left_2));
  const float part_6 = part_5 ? right : left;
  const uint part_7 = part_5 ? right_2 : left_2;
  items[7u] = part_6;
  items_2[7u] = part_7;
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
    const bool part_8 = !eq_f32(earlier, earlier);
    const bool part_9 = !eq_f32(later, later);
    const bool part_10 = lt_f32(earlier, later) || (part_9 && !part_8);
    const bool part_11 = eq_f32(later, earlier) || (part_9 && part_8);
    const bool part_12 = part_10 || (part_11 && (later_2 < earlier_2));
    const float part_13 = part_12 ? later : earlier;
    const uint part_14 = part_12 ? later_2 : earlier_2;
    total = part_13;
    total_2 = part_14;
  }
  const bool part_8 = !eq_f32(before, before);
  const bool part_9 = !eq_f32(total, total);
  const bool part_10 = lt_f32(before, total) || (part_9 && !part_8);
  const bool part_11 = eq_f32(total, before) || (part_9 && part_8);
  const bool part_12 = part_10 || (part_11 && (total_2 < before_2));
  const float part_13 = part_12 ? total : before;
  const uint part_14 = part_12 ? total_2 : before_2;
  float carry = before;
  uint carry_2 = before_2;
  bool has_carry = group != 0u;
  float inclusive = (group != 0u) ? part_13 : total;
  uint inclusive_2 = (group != 0u) ? part_14 : total_2;
  for (uint step = 0u; step < 8u; step++) {
    const uint round = 7u - step;
    const bool is_upper = (lane & (1u << round)) != 0u;
    const float block = is_upper ? sibling[round] : own[round];
    const uint block_2 = is_upper ? sibling_2[round] : own_2[round];
    const bool part_15 = !eq_f32(carry, carry);
    const bool part_16 = !eq_f32(block, block);
    const bool part_17 = lt_f32(carry, block) || (part_16 && !part_15);
    const bool part_18 = eq_f32(block, carry) || (part_16 && part_15);
    const bool part_19 = part_17 || (part_18 && (block_2 < carry_2));
    const float part_20 = part_19 ? block : carry;
    const uint part_21 = part_19 ? block_2 : carry_2;
    const float joined = has_carry ? part_20 : block;
    const uint joined_2 = has_carry ? part_21 : block_2;
    inclusive = is_upper ? inclusive : joined;
    carry = is_upper ? joined : carry;
    inclusive_2 = is_upper ? inclusive_2 : joined_2;
    carry_2 = is_upper ? joined_2 : carry_2;
    has_carry = has_carry || is_upper;
  }
  const float right_3 = items[3u];
  const uint right_4 = items_2[3u];
  const bool part_15 = !eq_f32(carry, carry);
  const bool part_16 = !eq_f32(right_3, right_3);
  const bool part_17 = lt_f32(carry, right_3) || (part_16 && !part_15);
  const bool part_18 = eq_f32(right_3, carry) || (part_16 && part_15);
  const bool part_19 = part_17 || (part_18 && (right_4 < carry_2));
  const float part_20 = part_19 ? right_3 : carry;
  const uint part_21 = part_19 ? right_4 : carry_2;
  const float both = has_carry ? part_20 : items[3u];
  const uint both_2 = has_carry ? part_21 : items_2[3u];
  items[3u] = both;
  items_2[3u] = both_2;
  const float right_5 = items[1u];
  const uint right_6 = items_2[1u];
  const bool part_22 = !eq_f32(carry, carry);
  const bool part_23 = !eq_f32(right_5, right_5);
  const bool part_24 = lt_f32(carry, right_5) || (part_23 && !part_22);
  const bool part_25 = eq_f32(right_5, carry) || (part_23 && part_22);
  const bool part_26 = part_24 || (part_25 && (right_6 < carry_2));
  const float part_27 = part_26 ? right_5 : carry;
  const uint part_28 = part_26 ? right_6 : carry_2;
  const float both_3 = has_carry ? part_27 : items[1u];
  const uint both_4 = has_carry ? part_28 : items_2[1u];
  items[1u] = both_3;
  items_2[1u] = both_4;
  const float left_3 = items[3u];
  const uint left_4 = items_2[3u];
  const float right_7 = items[5u];
  const uint right_8 = items_2[5u];
  const bool part_29 = !eq_f32(left_3, left_3);
  const bool part_30 = !eq_f32(right_7, right_7);
  const bool part_31 = lt_f32(left_3, right_7) || (part_30 && !part_29);
  const bool part_32 = eq_f32(right_7, left_3) || (part_30 && part_29);
  const bool part_33 = part_31 || (part_32 && (right_8 < left_4));
  const float part_34 = part_33 ? right_7 : left_3;
  const uint part_35 = part_33 ? right_8 : left_4;
  items[5u] = part_34;
  items_2[5u] = part_35;
  const float right_9 = items[0u];
  const uint right_10 = items_2[0u];
  const bool part_36 = !eq_f32(carry, carry);
  const bool part_37 = !eq_f32(right_9, right_9);
  const bool part_38 = lt_f32(carry, right_9) || (part_37 && !part_36);
  const bool part_39 = eq_f32(right_9, carry) || (part_37 && part_36);
  const bool part_40 = part_38 || (part_39 && (right_10 < carry_2));
  const float part_41 = part_40 ? right_9 : carry;
  const uint part_42 = part_40 ? right_10 : carry_2;
  const float both_5 = has_carry ? part_41 : items[0u];
  const uint both_6 = has_carry ? part_42 : items_2[0u];
  items[0u] = both_5;
  items_2[0u] = both_6;
  for (uint k_2 = 2u; k_2 < 8u; k_2 += 2u) {
    const float left_5 = items[k_2 - 1u];
    const uint left_6 = items_2[k_2 - 1u];
    const float right_11 = items[k_2];
    const uint right_12 = items_2[k_2];
    const bool part_43 = !eq_f32(left_5, left_5);
    const bool part_44 = !eq_f32(right_11, right_11);
    const bool part_45 = lt_f32(left_5, right_11) || (part_44 && !part_43);
    const bool part_46 = eq_f32(right_11, left_5) || (part_44 && part_43);
    const bool part_47 = part_45 || (part_46 && (right_12 < left_6));
    const float part_48 = part_47 ? right_11 : left_5;
    const uint part_49 = part_47 ? right_12 : left_6;
    items[k_2] = part_48;
    items_2[k_2] = part_49;
  }
  items[7u] = inclusive;
  items_2[7u] = inclusive_2;
  if ((lane == 255u) && (group < (n >> 21u))) {
    const uint at = group;
    const uint start = at * 2u;
    items[7u] = as_float(tile_totals_argmax_f32[start]);
    items_2[7u] = tile_totals_argmax_f32[start + 1u];
  }
  for (uint k_2 = 0u; k_2 < 8u; k_2++) {
    if ((base + k_2) < count) {
      const uint start = ((offset + base) + k_2) * 2u;
      tile_totals_argmax_f32[start] = as_uint(items[k_2]);
      tile_totals_argmax_f32[start + 1u] = items_2[k_2];
    }
  }
}

// Pass 2 over the items, 1024 to a work-group, 4 to a work-item.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void scan(
  const uint n, // number of items
  __global const float* restrict x, // input, n elements
  __global float* highest_value, // output, n elements
  __global uint* highest_index, // output, n elements
  __global const uint* restrict tile_totals_argmax_f32) // scratch, ((floor(n / 1024) + floor(n / 2097152)) * 2) elements
{
  __local uint lanes_u32[512];
  __local uint lanes_u32_2[512];
  const uint lane = (uint)get_local_id(0);
  const uint group = (uint)get_group_id(0);
  const uint base = (group * 1024u) + (lane * 4u);
  float items[4] = {0};
  uint items_2[4] = {0};
  for (uint k_2 = 0u; k_2 < 4u; k_2++) {
    const uint i = min(base + k_2, n - 1u);
    const float x_i = x[i];
    items[k_2] = x_i;
    items_2[k_2] = i;
  }
  float before = 0.0f;
  uint before_2 = 0u;
  if (group != 0u) {
    const uint at = (n >> 21u) + (group - 1u);
    const uint start = at * 2u;
    before = as_float(tile_totals_argmax_f32[start]);
    before_2 = tile_totals_argmax_f32[start + 1u];
  }
  // scan of the tile: totals of aligned blocks on the way up, prefixes on the way down
  for (uint k_2 = 1u; k_2 < 4u; k_2 += 2u) {
    const float left = items[k_2 - 1u];
    const uint left_2 = items_2[k_2 - 1u];
    const float right = items[k_2];
    const uint right_2 = items_2[k_2];
    const bool part = !eq_f32(left, left);
    const bool part_2 = !eq_f32(right, right);
    const bool part_3 = lt_f32(left, right) || (part_2 && !part);
    const bool part_4 = eq_f32(right, left) || (part_2 && part);
    const bool part_5 = part_3 || (part_4 && (right_2 < left_2));
    const float part_6 = part_5 ? right : left;
    const uint part_7 = part_5 ? right_2 : left_2;
    items[k_2] = part_6;
    items_2[k_2] = part_7;
  }
  const float left = items[1u];
  const uint left_2 = items_2[1u];
  const float right = items[3u];
  const uint right_2 = items_2[3u];
  const bool part = !eq_f32(left, left);
  const bool part_2 = !eq_f32(right, right);
  const bool part_3 = lt_f32(left, right) || (part_2 && !part);
  const bool part_4 = eq_f32(right, left) || (part_2 && part);
  const bool part_5 = part_3 || (part_4 && (right_2 < left_2));
  const float part_6 = part_5 ? right : left;
  const uint part_7 = part_5 ? right_2 : left_2;
  items[3u] = part_6;
  items_2[3u] = part_7;
  float total = items[3u];
  uint total_2 = items_2[3u];
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
    const bool part_8 = !eq_f32(earlier, earlier);
    const bool part_9 = !eq_f32(later, later);
    const bool part_10 = lt_f32(earlier, later) || (part_9 && !part_8);
    const bool part_11 = eq_f32(later, earlier) || (part_9 && part_8);
    const bool part_12 = part_10 || (part_11 && (later_2 < earlier_2));
    const float part_13 = part_12 ? later : earlier;
    const uint part_14 = part_12 ? later_2 : earlier_2;
    total = part_13;
    total_2 = part_14;
  }
  const bool part_8 = !eq_f32(before, before);
  const bool part_9 = !eq_f32(total, total);
  const bool part_10 = lt_f32(before, total) || (part_9 && !part_8);
  const bool part_11 = eq_f32(total, before) || (part_9 && part_8);
  const bool part_12 = part_10 || (part_11 && (total_2 < before_2));
  const float part_13 = part_12 ? total : before;
  const uint part_14 = part_12 ? total_2 : before_2;
  float carry = before;
  uint carry_2 = before_2;
  bool has_carry = group != 0u;
  float inclusive = (group != 0u) ? part_13 : total;
  uint inclusive_2 = (group != 0u) ? part_14 : total_2;
  for (uint step = 0u; step < 8u; step++) {
    const uint round = 7u - step;
    const bool is_upper = (lane & (1u << round)) != 0u;
    const float block = is_upper ? sibling[round] : own[round];
    const uint block_2 = is_upper ? sibling_2[round] : own_2[round];
    const bool part_15 = !eq_f32(carry, carry);
    const bool part_16 = !eq_f32(block, block);
    const bool part_17 = lt_f32(carry, block) || (part_16 && !part_15);
    const bool part_18 = eq_f32(block, carry) || (part_16 && part_15);
    const bool part_19 = part_17 || (part_18 && (block_2 < carry_2));
    const float part_20 = part_19 ? block : carry;
    const uint part_21 = part_19 ? block_2 : carry_2;
    const float joined = has_carry ? part_20 : block;
    const uint joined_2 = has_carry ? part_21 : block_2;
    inclusive = is_upper ? inclusive : joined;
    carry = is_upper ? joined : carry;
    inclusive_2 = is_upper ? inclusive_2 : joined_2;
    carry_2 = is_upper ? joined_2 : carry_2;
    has_carry = has_carry || is_upper;
  }
  const float right_3 = items[1u];
  const uint right_4 = items_2[1u];
  const bool part_15 = !eq_f32(carry, carry);
  const bool part_16 = !eq_f32(right_3, right_3);
  const bool part_17 = lt_f32(carry, right_3) || (part_16 && !part_15);
  const bool part_18 = eq_f32(right_3, carry) || (part_16 && part_15);
  const bool part_19 = part_17 || (part_18 && (right_4 < carry_2));
  const float part_20 = part_19 ? right_3 : carry;
  const uint part_21 = part_19 ? right_4 : carry_2;
  const float both = has_carry ? part_20 : items[1u];
  const uint both_2 = has_carry ? part_21 : items_2[1u];
  items[1u] = both;
  items_2[1u] = both_2;
  const float right_5 = items[0u];
  const uint right_6 = items_2[0u];
  const bool part_22 = !eq_f32(carry, carry);
  const bool part_23 = !eq_f32(right_5, right_5);
  const bool part_24 = lt_f32(carry, right_5) || (part_23 && !part_22);
  const bool part_25 = eq_f32(right_5, carry) || (part_23 && part_22);
  const bool part_26 = part_24 || (part_25 && (right_6 < carry_2));
  const float part_27 = part_26 ? right_5 : carry;
  const uint part_28 = part_26 ? right_6 : carry_2;
  const float both_3 = has_carry ? part_27 : items[0u];
  const uint both_4 = has_carry ? part_28 : items_2[0u];
  items[0u] = both_3;
  items_2[0u] = both_4;
  const float left_3 = items[1u];
  const uint left_4 = items_2[1u];
  const float right_7 = items[2u];
  const uint right_8 = items_2[2u];
  const bool part_29 = !eq_f32(left_3, left_3);
  const bool part_30 = !eq_f32(right_7, right_7);
  const bool part_31 = lt_f32(left_3, right_7) || (part_30 && !part_29);
  const bool part_32 = eq_f32(right_7, left_3) || (part_30 && part_29);
  const bool part_33 = part_31 || (part_32 && (right_8 < left_4));
  const float part_34 = part_33 ? right_7 : left_3;
  const uint part_35 = part_33 ? right_8 : left_4;
  items[2u] = part_34;
  items_2[2u] = part_35;
  items[3u] = inclusive;
  items_2[3u] = inclusive_2;
  if ((lane == 255u) && (group < (n >> 10u))) {
    const uint at = (n >> 21u) + group;
    const uint start = at * 2u;
    items[3u] = as_float(tile_totals_argmax_f32[start]);
    items_2[3u] = tile_totals_argmax_f32[start + 1u];
  }
  for (uint k_2 = 0u; k_2 < 4u; k_2++) {
    const uint i = min(base + k_2, n - 1u);
    const float inclusive_3 = items[k_2];
    const uint inclusive_4 = items_2[k_2];
    if ((base + k_2) < n) {
      highest_value[i] = inclusive_3;
      highest_index[i] = inclusive_4;
    }
  }
}
