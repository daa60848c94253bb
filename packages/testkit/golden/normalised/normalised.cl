// normalised: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target opencl
// OpenCL C 1.2. Build options: -cl-std=CL1.2
// Never build it with -cl-fast-relaxed-math, -cl-mad-enable or -cl-denorms-are-zero.
// Tiles: 256 x 4 items. Division of floats: exact.
// Passes, one after the other; a pass without work-groups is skipped:
//   tile_totals: floor(n / 1024) work-groups of 256
//   tile_totals_2: floor(n / 2097152) work-groups of 256
//   finish: 1 work-groups of 256
//   tile_totals_3: floor(n / 1024) work-groups of 256
//   tile_totals_2_2: floor(n / 2097152) work-groups of 256
//   prefixes_2: min(floor(n / 2097152), 1) work-groups of 256
//   prefixes_1: min(floor(n / 1024), (floor(n / 2097152) + 1)) work-groups of 256
//   scan: ceil(n / 1024) work-groups of 256

// A product and a sum must not become one operation: the results would differ between devices.
#pragma OPENCL FP_CONTRACT OFF

// a / b, rounded to nearest even by long division of the mantissas.
float div_f32(const float a, const float b) {
  const uint a_magnitude = as_uint(a) & 2147483647u;
  const uint b_magnitude = as_uint(b) & 2147483647u;
  const uint sign = (as_uint(a) ^ as_uint(b)) & 2147483648u;
  uint quiet_nan = 2143289344u;
  if ((((a_magnitude & 2147483647u) > 2139095040u) || ((b_magnitude & 2147483647u) > 2139095040u)) || (((a_magnitude == 0u) && (b_magnitude == 0u)) || ((a_magnitude == 2139095040u) && (b_magnitude == 2139095040u)))) {
    return as_float(quiet_nan);
  }
  if ((a_magnitude == 2139095040u) || (b_magnitude == 0u)) {
    return as_float(sign | 2139095040u);
  }
  if ((a_magnitude == 0u) || (b_magnitude == 2139095040u)) {
    return as_float(sign);
  }
  const uint a_shift = (a_magnitude < 8388608u) ? (clz(a_magnitude) - 8u) : 0u;
  uint a_mantissa = (a_magnitude < 8388608u) ? (a_magnitude << a_shift) : ((a_magnitude & 8388607u) | 8388608u);
  const uint a_exponent = (a_magnitude < 8388608u) ? (1u - a_shift) : (a_magnitude >> 23u);
  const uint b_shift = (b_magnitude < 8388608u) ? (clz(b_magnitude) - 8u) : 0u;
  uint b_mantissa = (b_magnitude < 8388608u) ? (b_magnitude << b_shift) : ((b_magnitude & 8388607u) | 8388608u);
  const uint b_exponent = (b_magnitude < 8388608u) ? (1u - b_shift) : (b_magnitude >> 23u);
  uint exponent = (a_exponent - b_exponent) + 127u;
  if (a_mantissa < b_mantissa) {
    a_mantissa = a_mantissa << 1u;
    exponent = exponent - 1u;
  }
  // 26 bits of quotient: 24 of mantissa and two for rounding; the remainder is sticky
  uint quotient = 0u;
  for (uint bit = 0u; bit < 26u; bit++) {
    const bool fits = a_mantissa >= b_mantissa;
    quotient = (quotient << 1u) | (fits ? 1u : 0u);
    a_mantissa = (a_mantissa - (fits ? b_mantissa : 0u)) << 1u;
  }
  if (as_int(exponent) >= 255) {
    return as_float(sign | 2139095040u);
  }
  const bool small = as_int(exponent) < 1;
  const uint extra = small ? min(1u - exponent, 26u) : 0u;
  const uint drop = extra + 2u;
  const uint kept = quotient >> drop;
  const uint rest = quotient - (kept << drop);
  const uint half_ = 1u << (drop - 1u);
  const uint rounded = kept + (((rest > half_) || ((rest == half_) && ((a_mantissa != 0u) || ((kept & 1u) != 0u)))) ? 1u : 0u);
  return as_float(sign | ((small ? 0u : ((exponent - 1u) * 8388608u)) + rounded));
}

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

// Results for the whole range, by one work-group.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void finish(
  const uint n, // number of items
  __global const float* restrict x, // input, n elements
  __global float* mean, // output, 1 elements
  __global float* reduce_1, // scratch, 1 elements
  __global const float* restrict tile_totals_add) // scratch, (floor(n / 1024) + floor(n / 2097152)) elements
{
  __local float lanes_f32[512];
  const uint lane = (uint)get_local_id(0);
  float result = 0.0f;
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
      const uint last = tail - 1u;
      if (is_items) {
        for (uint k = 0u; k < 8u; k++) {
          const uint at = from + min(first + k, last);
          const float x_i = x[at];
          items[k] = x_i;
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
      float carry = result;
      bool has_carry = has_result;
      float inclusive = has_result ? (result + total) : total;
      for (uint step_2 = 0u; step_2 < 8u; step_2++) {
        const uint round = 7u - step_2;
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
      barrier(CLK_LOCAL_MEM_FENCE);
      if ((last / 8u) == lane) {
        lanes_f32[0u] = items[last % 8u];
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      const float announced = lanes_f32[0u];
      result = announced;
      has_result = true;
    }
    if (level != 0u) {
      offset = offset + count;
    }
  }
  const float reduced = has_result ? result : 0.0f;
  if (lane == 0u) {
    reduce_1[0u] = reduced;
    const float mean_i = div_f32(reduced, convert_float(n));
    mean[0u] = mean_i;
  }
}

// Pass 2 over the items, 1024 to a work-group, 4 to a work-item.
// Leaves the total of every full tile for the next pass.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void tile_totals_3(
  const uint n, // number of items
  __global const float* restrict x, // input, n elements
  __global const float* restrict reduce_1, // scratch, 1 elements
  __global float* tile_totals_add_2) // scratch, (floor(n / 1024) + floor(n / 2097152)) elements
{
  __local float lanes_f32[512];
  const uint lane = (uint)get_local_id(0);
  const uint group = (uint)get_group_id(0);
  const uint base = (group * 1024u) + (lane * 4u);
  float items[4] = {0};
  const uint i = base;
  const float4 x_row = ((__global const float4*)x)[i >> 2u];
  const float v1 = reduce_1[0u];
  const float mean_i = div_f32(v1, convert_float(n));
  const float v5 = x_row.x - mean_i;
  items[0u] = v5;
  const float v1_2 = reduce_1[0u];
  const float mean_i_2 = div_f32(v1_2, convert_float(n));
  const float v5_2 = x_row.y - mean_i_2;
  items[1u] = v5_2;
  const float v1_3 = reduce_1[0u];
  const float mean_i_3 = div_f32(v1_3, convert_float(n));
  const float v5_3 = x_row.z - mean_i_3;
  items[2u] = v5_3;
  const float v1_4 = reduce_1[0u];
  const float mean_i_4 = div_f32(v1_4, convert_float(n));
  const float v5_4 = x_row.w - mean_i_4;
  items[3u] = v5_4;
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
    tile_totals_add_2[at] = total;
  }
}

// Totals of level 2: each of 2048 totals of level 1.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void tile_totals_2_2(
  const uint n, // number of items
  __global float* tile_totals_add_2) // scratch, (floor(n / 1024) + floor(n / 2097152)) elements
{
  __local float lanes_f32[512];
  const uint lane = (uint)get_local_id(0);
  const uint group = (uint)get_group_id(0);
  float items[8] = {0};
  const uint base = (n >> 21u) + ((group * 2048u) + (lane * 8u));
  for (uint k = 0u; k < 8u; k++) {
    items[k] = tile_totals_add_2[base + k];
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
    tile_totals_add_2[at] = total;
  }
}

// Prefixes of the totals of level 2, in place.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void prefixes_2(
  const uint n, // number of items
  __global float* tile_totals_add_2) // scratch, (floor(n / 1024) + floor(n / 2097152)) elements
{
  __local float lanes_f32[512];
  const uint lane = (uint)get_local_id(0);
  const uint group = (uint)get_group_id(0);
  float items[8] = {0};
  const uint base = (group * 2048u) + (lane * 8u);
  const uint count = n >> 21u;
  for (uint k = 0u; k < 8u; k++) {
    if ((base + k) < count) {
      items[k] = tile_totals_add_2[base + k];
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
      tile_totals_add_2[base + k] = items[k];
    }
  }
}

// Prefixes of the totals of level 1, in place.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void prefixes_1(
  const uint n, // number of items
  __global float* tile_totals_add_2) // scratch, (floor(n / 1024) + floor(n / 2097152)) elements
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
      items[k] = tile_totals_add_2[(offset + base) + k];
    }
  }
  float before = 0.0f;
  if (group != 0u) {
    const uint at = group - 1u;
    before = tile_totals_add_2[at];
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
    items[7u] = tile_totals_add_2[at];
  }
  for (uint k = 0u; k < 8u; k++) {
    if ((base + k) < count) {
      tile_totals_add_2[(offset + base) + k] = items[k];
    }
  }
}

// Pass 3 over the items, 1024 to a work-group, 4 to a work-item.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void scan(
  const uint n, // number of items
  __global const float* restrict x, // input, n elements
  __global float* running, // output, n elements
  __global const float* restrict reduce_1, // scratch, 1 elements
  __global const float* restrict tile_totals_add_2) // scratch, (floor(n / 1024) + floor(n / 2097152)) elements
{
  __local float lanes_f32[512];
  const uint lane = (uint)get_local_id(0);
  const uint group = (uint)get_group_id(0);
  const uint base = (group * 1024u) + (lane * 4u);
  float items[4] = {0};
  for (uint k = 0u; k < 4u; k++) {
    const uint i = min(base + k, n - 1u);
    const float x_i = x[i];
    const float v1 = reduce_1[0u];
    const float mean_i = div_f32(v1, convert_float(n));
    items[k] = x_i - mean_i;
  }
  float before = 0.0f;
  if (group != 0u) {
    const uint at = (n >> 21u) + (group - 1u);
    before = tile_totals_add_2[at];
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
    items[3u] = tile_totals_add_2[at];
  }
  for (uint k = 0u; k < 4u; k++) {
    const uint i = min(base + k, n - 1u);
    const float inclusive_2 = items[k];
    if ((base + k) < n) {
      running[i] = inclusive_2;
    }
  }
}
