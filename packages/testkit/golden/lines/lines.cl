// lines: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target opencl
// Inputs: f32 x[n]
// Outputs: f32 most[(ceil(size_x / 64) * size_y)], f32 sums[n], u32 place[(ceil(size_x / 64) * size_y)]
// Strategy: reduce-then-scan
// OpenCL C 1.2. Build options: -cl-std=CL1.2
// Never build it with -cl-fast-relaxed-math, -cl-mad-enable or -cl-denorms-are-zero.
// Tiles: 256 x 4 items. Division of floats: exact.
// Passes, one after the other; a pass without work-groups is skipped:
//   lines: ((1 - min((size_x - (floor(size_x / 4) * 4)), 1)) * ceil(((ceil(size_x / 64) * size_y) * ((((4 + (4 * min(1, (max(size_x, 4) - 4)))) + (8 * min(1, (max(size_x, 8) - 8)))) + (16 * min(1, (max(size_x, 16) - 16)))) + (32 * min(1, (max(size_x, 32) - 32))))) / 1024)) work-groups of 256 work-items
//   lines_of_any: (min((size_x - (floor(size_x / 4) * 4)), 1) * ceil(((ceil(size_x / 64) * size_y) * ((((4 + (4 * min(1, (max(size_x, 4) - 4)))) + (8 * min(1, (max(size_x, 8) - 8)))) + (16 * min(1, (max(size_x, 16) - 16)))) + (32 * min(1, (max(size_x, 32) - 32))))) / 1024)) work-groups of 256 work-items

// A product and a sum must not become one operation: the results would differ between devices.
#pragma OPENCL FP_CONTRACT OFF

// The position of the float among all floats, as a signed integer; -0 and +0 have the same position.
int rank_f32(const float x) {
  int magnitude = as_int(as_uint(x) & 0x7fffffffu);
  return ((as_uint(x) & 0x80000000u) != 0u) ? as_int(0u - as_uint(magnitude)) : magnitude;
}

// a == b; NaN equals nothing.
bool eq_f32(const float a, const float b) {
  bool ordered = !(((as_uint(a) & 0x7fffffffu) > 0x7f800000u) || ((as_uint(b) & 0x7fffffffu) > 0x7f800000u));
  return ordered && (rank_f32(a) == rank_f32(b));
}

// a / b towards 0; a / 0 is a, and the least integer / -1 is itself.
uint div_u32(const uint a, const uint b) {
  return a / ((b == 0u) ? 1u : b);
}

// Returns x. Compilers cannot see through it, so they cannot contract two operations.
float rounded_f32(const float x, const uint zero) {
  return as_float(as_uint(x) + zero);
}

// Lines of at most 64 items, 4 to a work-item, as one vec4, and several lines to a work-group.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void lines(
  const uint n, // number of items
  const uint size_x, // items in the dimension
  const uint size_y, // items in the dimension
  const uint always_zero, // always 0
  __global const float* restrict x, // input, n elements
  __global float* most, // output, (ceil(size_x / 64) * size_y) elements
  __global float* sums, // output, n elements
  __global uint* place) // output, (ceil(size_x / 64) * size_y) elements
{
  __local uint lanes_u32[512];
  __local float lanes_f32_2[512];
  uint zero = always_zero;
  uint lane = (uint)get_local_id(0);
  uint rounds = min(max(32u - clz(min(size_x, 64u) - 1u), 2u) - 2u, 4u);
  uint line = ((uint)get_group_id(0) * (0x100u >> rounds)) + (lane >> rounds);
  uint own_lane = lane & ((1u << rounds) - 1u);
  uint lines_2 = ((size_x + 63u) / 64u) * size_y;
  uint near_line = min(line, lines_2 - 1u);
  uint groups_x = (size_x / 64u) + (((size_x % 64u) != 0u) ? 1u : 0u);
  uint group_y = div_u32(near_line, groups_x);
  uint start_x = (near_line - (group_y * groups_x)) * 64u;
  uint count = min(64u, size_x - start_x);
  bool exists = line < lines_2;
  uint column = own_lane * 4u;
  uint row = (((group_y * size_x) + start_x) + column) >> 2u;
  bool has_items = (exists && (column < count)) && (row < (n >> 2u));
  uint item_max = 0u;
  float item_add = rounded_f32(0.0f, zero);
  uint item_max_2 = 0u;
  float item_add_2 = rounded_f32(0.0f, zero);
  uint item_max_3 = 0u;
  float item_add_3 = rounded_f32(0.0f, zero);
  uint item_max_4 = 0u;
  float item_add_4 = rounded_f32(0.0f, zero);
  if (has_items) {
    float4 x_row = ((__global const float4*)x)[(row * 4u) >> 2u];
    int as_i32_i0 = as_int(x_row.x);
    item_max = as_uint(as_i32_i0 ^ ((as_i32_i0 >> 31u) & 0x7fffffff)) - 0x807fffffu;
    item_add = x_row.x;
    int as_i32_i1 = as_int(x_row.y);
    item_max_2 = as_uint(as_i32_i1 ^ ((as_i32_i1 >> 31u) & 0x7fffffff)) - 0x807fffffu;
    item_add_2 = x_row.y;
    int as_i32_i2 = as_int(x_row.z);
    item_max_3 = as_uint(as_i32_i2 ^ ((as_i32_i2 >> 31u) & 0x7fffffff)) - 0x807fffffu;
    item_add_3 = x_row.z;
    int as_i32_i3 = as_int(x_row.w);
    item_max_4 = as_uint(as_i32_i3 ^ ((as_i32_i3 >> 31u) & 0x7fffffff)) - 0x807fffffu;
    item_add_4 = x_row.w;
  }
  uint first_two_max = max(item_max, item_max_2);
  float first_two_add = rounded_f32(item_add + item_add_2, zero);
  float last_two_add = rounded_f32(item_add_3 + item_add_4, zero);
  uint four_max = max(first_two_max, max(item_max_3, item_max_4));
  uint total_max = four_max;
  float total_add = first_two_add + last_two_add;
  uint lower_max[4] = {0};
  float lower_add[4] = {0};
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint step = 0u; step < rounds; step++) {
    uint round = min(step, 3u);
    uint bit = 1u << round;
    uint slot = ((round & 1u) * 256u) + lane;
    lanes_u32[slot] = total_max;
    lanes_f32_2[slot] = total_add;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint theirs_max = lanes_u32[slot ^ bit];
    float theirs_add = lanes_f32_2[slot ^ bit];
    bool is_upper = (own_lane & (1u << round)) != 0u;
    float earlier_add = rounded_f32(is_upper ? theirs_add : total_add, zero);
    lower_max[round] = is_upper ? theirs_max : total_max;
    lower_add[round] = earlier_add;
    float both_add = rounded_f32(total_add, zero) + theirs_add;
    total_max = max(total_max, theirs_max);
    total_add = both_add;
  }
  uint carry_max = 0u;
  float carry_add = rounded_f32(-0.0f, zero);
  uint inclusive_max = total_max;
  float inclusive_add = total_add;
  for (uint step = 0u; step < rounds; step++) {
    uint round = min((rounds - 1u) - step, 3u);
    bool is_upper = (own_lane & (1u << round)) != 0u;
    float block_add = lower_add[round];
    uint joined_max = max(carry_max, lower_max[round]);
    float joined_add = carry_add + block_add;
    inclusive_max = is_upper ? inclusive_max : joined_max;
    inclusive_add = is_upper ? inclusive_add : joined_add;
    carry_max = is_upper ? joined_max : carry_max;
    carry_add = rounded_f32(is_upper ? joined_add : carry_add, zero);
  }
  float prefix1_add = carry_add + item_add;
  uint prefix2_max = max(carry_max, first_two_max);
  float prefix2_add = carry_add + first_two_add;
  float prefix3_add = rounded_f32(prefix2_add, zero) + item_add_3;
  uint last = count - 1u;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (own_lane == (last >> 2u)) {
    lanes_u32[lane >> rounds] = ((last & 3u) < 3u) ? (((last & 3u) < 2u) ? (((last & 3u) < 1u) ? max(carry_max, item_max) : prefix2_max) : max(prefix2_max, item_max_3)) : inclusive_max;
    lanes_f32_2[lane >> rounds] = ((last & 3u) < 3u) ? (((last & 3u) < 2u) ? (((last & 3u) < 1u) ? prefix1_add : prefix2_add) : prefix3_add) : inclusive_add;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  uint announced = lanes_u32[lane >> rounds];
  uint item = 0xffffffffu;
  uint item_2 = 0xffffffffu;
  uint item_3 = 0xffffffffu;
  uint item_4 = 0xffffffffu;
  if (has_items) {
    float4 x_row = ((__global const float4*)x)[(row * 4u) >> 2u];
    int as_i32_i0 = as_int(announced + 0x807fffffu);
    uint chosen0 = eq_f32(x_row.x, as_float(as_i32_i0 ^ ((as_i32_i0 >> 31u) & 0x7fffffff))) ? column : 1000u;
    item = chosen0;
    int as_i32_i1 = as_int(announced + 0x807fffffu);
    uint chosen1 = eq_f32(x_row.y, as_float(as_i32_i1 ^ ((as_i32_i1 >> 31u) & 0x7fffffff))) ? (column + 1u) : 1000u;
    item_2 = chosen1;
    int as_i32_i2 = as_int(announced + 0x807fffffu);
    uint chosen2 = eq_f32(x_row.z, as_float(as_i32_i2 ^ ((as_i32_i2 >> 31u) & 0x7fffffff))) ? (column + 2u) : 1000u;
    item_3 = chosen2;
    int as_i32_i3 = as_int(announced + 0x807fffffu);
    uint chosen3 = eq_f32(x_row.w, as_float(as_i32_i3 ^ ((as_i32_i3 >> 31u) & 0x7fffffff))) ? (column + 3u) : 1000u;
    item_4 = chosen3;
  }
  uint total = min(min(item, item_2), min(item_3, item_4));
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint step = 0u; step < rounds; step++) {
    uint round = min(step, 3u);
    uint slot = ((round & 1u) * 256u) + lane;
    lanes_u32[slot] = total;
    barrier(CLK_LOCAL_MEM_FENCE);
    total = min(total, lanes_u32[slot ^ (1u << round)]);
  }
  if (has_items) {
    ((__global float4*)sums)[(row * 4u) >> 2u] = (float4)(prefix1_add, prefix2_add, prefix3_add, inclusive_add);
  }
  if (exists && (own_lane == 0u)) {
    int as_i32 = as_int(announced + 0x807fffffu);
    most[near_line] = as_float(as_i32 ^ ((as_i32 >> 31u) & 0x7fffffff));
    place[near_line] = total;
  }
}

// Lines of at most 64 items, 4 to a work-item, and several lines to a work-group.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void lines_of_any(
  const uint n, // number of items
  const uint size_x, // items in the dimension
  const uint size_y, // items in the dimension
  const uint always_zero, // always 0
  __global const float* restrict x, // input, n elements
  __global float* most, // output, (ceil(size_x / 64) * size_y) elements
  __global float* sums, // output, n elements
  __global uint* place) // output, (ceil(size_x / 64) * size_y) elements
{
  __local uint lanes_u32[512];
  __local float lanes_f32_2[512];
  uint zero = always_zero;
  uint lane = (uint)get_local_id(0);
  uint rounds = min(max(32u - clz(min(size_x, 64u) - 1u), 2u) - 2u, 4u);
  uint line = ((uint)get_group_id(0) * (0x100u >> rounds)) + (lane >> rounds);
  uint own_lane = lane & ((1u << rounds) - 1u);
  uint lines_2 = ((size_x + 63u) / 64u) * size_y;
  uint near_line = min(line, lines_2 - 1u);
  uint groups_x = (size_x / 64u) + (((size_x % 64u) != 0u) ? 1u : 0u);
  uint group_y = div_u32(near_line, groups_x);
  uint start_x = (near_line - (group_y * groups_x)) * 64u;
  uint start_y = group_y;
  uint count = min(64u, size_x - start_x);
  bool exists = line < lines_2;
  uint column = own_lane * 4u;
  uint first = ((start_y * size_x) + start_x) + column;
  bool has_item = (exists && (column < count)) && (first < n);
  bool has_item_2 = (exists && ((column + 1u) < count)) && ((first + 1u) < n);
  bool has_item_3 = (exists && ((column + 2u) < count)) && ((first + 2u) < n);
  bool has_item_4 = (exists && ((column + 3u) < count)) && ((first + 3u) < n);
  uint item_max = 0u;
  float item_add = rounded_f32(0.0f, zero);
  uint item_max_2 = 0u;
  float item_add_2 = rounded_f32(0.0f, zero);
  uint item_max_3 = 0u;
  float item_add_3 = rounded_f32(0.0f, zero);
  uint item_max_4 = 0u;
  float item_add_4 = rounded_f32(0.0f, zero);
  if (has_item) {
    float x_i = x[(start_y * size_x) + (start_x + column)];
    int as_i32 = as_int(x_i);
    item_max = as_uint(as_i32 ^ ((as_i32 >> 31u) & 0x7fffffff)) - 0x807fffffu;
    item_add = x_i;
  }
  if (has_item_2) {
    float x_i = x[(start_y * size_x) + (start_x + (column + 1u))];
    int as_i32 = as_int(x_i);
    item_max_2 = as_uint(as_i32 ^ ((as_i32 >> 31u) & 0x7fffffff)) - 0x807fffffu;
    item_add_2 = x_i;
  }
  if (has_item_3) {
    float x_i = x[(start_y * size_x) + (start_x + (column + 2u))];
    int as_i32 = as_int(x_i);
    item_max_3 = as_uint(as_i32 ^ ((as_i32 >> 31u) & 0x7fffffff)) - 0x807fffffu;
    item_add_3 = x_i;
  }
  if (has_item_4) {
    float x_i = x[(start_y * size_x) + (start_x + (column + 3u))];
    int as_i32 = as_int(x_i);
    item_max_4 = as_uint(as_i32 ^ ((as_i32 >> 31u) & 0x7fffffff)) - 0x807fffffu;
    item_add_4 = x_i;
  }
  uint first_two_max = max(item_max, item_max_2);
  float first_two_add = rounded_f32(item_add + item_add_2, zero);
  float last_two_add = rounded_f32(item_add_3 + item_add_4, zero);
  uint four_max = max(first_two_max, max(item_max_3, item_max_4));
  uint total_max = four_max;
  float total_add = first_two_add + last_two_add;
  uint lower_max[4] = {0};
  float lower_add[4] = {0};
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint step = 0u; step < rounds; step++) {
    uint round = min(step, 3u);
    uint bit = 1u << round;
    uint slot = ((round & 1u) * 256u) + lane;
    lanes_u32[slot] = total_max;
    lanes_f32_2[slot] = total_add;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint theirs_max = lanes_u32[slot ^ bit];
    float theirs_add = lanes_f32_2[slot ^ bit];
    bool is_upper = (own_lane & (1u << round)) != 0u;
    float earlier_add = rounded_f32(is_upper ? theirs_add : total_add, zero);
    lower_max[round] = is_upper ? theirs_max : total_max;
    lower_add[round] = earlier_add;
    float both_add = rounded_f32(total_add, zero) + theirs_add;
    total_max = max(total_max, theirs_max);
    total_add = both_add;
  }
  uint carry_max = 0u;
  float carry_add = rounded_f32(-0.0f, zero);
  uint inclusive_max = total_max;
  float inclusive_add = total_add;
  for (uint step = 0u; step < rounds; step++) {
    uint round = min((rounds - 1u) - step, 3u);
    bool is_upper = (own_lane & (1u << round)) != 0u;
    float block_add = lower_add[round];
    uint joined_max = max(carry_max, lower_max[round]);
    float joined_add = carry_add + block_add;
    inclusive_max = is_upper ? inclusive_max : joined_max;
    inclusive_add = is_upper ? inclusive_add : joined_add;
    carry_max = is_upper ? joined_max : carry_max;
    carry_add = rounded_f32(is_upper ? joined_add : carry_add, zero);
  }
  float prefix1_add = carry_add + item_add;
  uint prefix2_max = max(carry_max, first_two_max);
  float prefix2_add = carry_add + first_two_add;
  float prefix3_add = rounded_f32(prefix2_add, zero) + item_add_3;
  uint last = count - 1u;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (own_lane == (last >> 2u)) {
    lanes_u32[lane >> rounds] = ((last & 3u) < 3u) ? (((last & 3u) < 2u) ? (((last & 3u) < 1u) ? max(carry_max, item_max) : prefix2_max) : max(prefix2_max, item_max_3)) : inclusive_max;
    lanes_f32_2[lane >> rounds] = ((last & 3u) < 3u) ? (((last & 3u) < 2u) ? (((last & 3u) < 1u) ? prefix1_add : prefix2_add) : prefix3_add) : inclusive_add;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  uint announced = lanes_u32[lane >> rounds];
  uint item = 0xffffffffu;
  uint item_2 = 0xffffffffu;
  uint item_3 = 0xffffffffu;
  uint item_4 = 0xffffffffu;
  if (has_item) {
    float x_i = x[(start_y * size_x) + (start_x + column)];
    int as_i32 = as_int(announced + 0x807fffffu);
    float most_i = as_float(as_i32 ^ ((as_i32 >> 31u) & 0x7fffffff));
    item = eq_f32(x_i, most_i) ? column : 1000u;
  }
  if (has_item_2) {
    float x_i = x[(start_y * size_x) + (start_x + (column + 1u))];
    int as_i32 = as_int(announced + 0x807fffffu);
    float most_i = as_float(as_i32 ^ ((as_i32 >> 31u) & 0x7fffffff));
    item_2 = eq_f32(x_i, most_i) ? (column + 1u) : 1000u;
  }
  if (has_item_3) {
    float x_i = x[(start_y * size_x) + (start_x + (column + 2u))];
    int as_i32 = as_int(announced + 0x807fffffu);
    float most_i = as_float(as_i32 ^ ((as_i32 >> 31u) & 0x7fffffff));
    item_3 = eq_f32(x_i, most_i) ? (column + 2u) : 1000u;
  }
  if (has_item_4) {
    float x_i = x[(start_y * size_x) + (start_x + (column + 3u))];
    int as_i32 = as_int(announced + 0x807fffffu);
    float most_i = as_float(as_i32 ^ ((as_i32 >> 31u) & 0x7fffffff));
    item_4 = eq_f32(x_i, most_i) ? (column + 3u) : 1000u;
  }
  uint total = min(min(item, item_2), min(item_3, item_4));
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint step = 0u; step < rounds; step++) {
    uint round = min(step, 3u);
    uint slot = ((round & 1u) * 256u) + lane;
    lanes_u32[slot] = total;
    barrier(CLK_LOCAL_MEM_FENCE);
    total = min(total, lanes_u32[slot ^ (1u << round)]);
  }
  if (has_item) { sums[(start_y * size_x) + (start_x + column)] = prefix1_add; }
  if (has_item_2) { sums[(start_y * size_x) + (start_x + (column + 1u))] = prefix2_add; }
  if (has_item_3) { sums[(start_y * size_x) + (start_x + (column + 2u))] = prefix3_add; }
  if (has_item_4) { sums[(start_y * size_x) + (start_x + (column + 3u))] = inclusive_add; }
  if (exists && (own_lane == 0u)) {
    int as_i32 = as_int(announced + 0x807fffffu);
    most[near_line] = as_float(as_i32 ^ ((as_i32 >> 31u) & 0x7fffffff));
    place[near_line] = total;
  }
}
