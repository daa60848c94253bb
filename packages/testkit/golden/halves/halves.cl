// halves: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target opencl
// OpenCL C 1.2. Build options: -cl-std=CL1.2
// Never build it with -cl-fast-relaxed-math, -cl-mad-enable or -cl-denorms-are-zero.
// Tiles: 256 x 4 items. Division of floats: exact.
// Passes, one after the other; a pass without work-groups is skipped:
//   groups: ceil(n / 64) work-groups of 64

// A product and a sum must not become one operation: the results would differ between devices.
#pragma OPENCL FP_CONTRACT OFF

// IEEE 754-2019 maximum: NaN if an operand is NaN; -0 is less than +0.
float max_f32(const float a, const float b) {
  const int a_bits = as_int(as_uint(a));
  const int a_order = a_bits ^ ((a_bits >> 31u) & as_int(2147483647u));
  const int b_bits = as_int(as_uint(b));
  const int b_order = b_bits ^ ((b_bits >> 31u) & as_int(2147483647u));
  return as_float((((as_uint(a) & 2147483647u) > 2139095040u) || ((a_order > b_order) && !((as_uint(b) & 2147483647u) > 2139095040u))) ? as_uint(a) : as_uint(b));
}

// The bits of a float, rounded to the nearest half, ties to even.
uint round_f16(const uint bits) {
  if ((bits & 2147483647u) > 2139095040u) {
    return bits;
  }
  const uint magnitude = bits & 2147483647u;
  if (magnitude < 864026624u) {
    return (bits & 2147483648u) | ((magnitude > 855638016u) ? 864026624u : 0u);
  }
  const uint drop = 126u - min(magnitude >> 23u, 113u);
  const uint rounded = (((magnitude + ((1u << (drop - 1u)) - 1u)) + ((magnitude >> drop) & 1u)) >> drop) << drop;
  return (bits & 2147483648u) | ((rounded >= 1199570944u) ? 2139095040u : rounded);
}

// Work-groups of 64, one item to a work-item.
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void groups(
  const uint n, // number of items
  __global const half* restrict x, // input, n elements
  __global half* before, // output, n elements
  __global half* peak) // output, ceil(n / 64) elements
{
  __local float lanes_f16[128];
  __local float lanes_f16_2[128];
  const uint lane = (uint)get_local_id(0);
  const uint group = (uint)get_group_id(0);
  const uint item = (group * 64u) + lane;
  const bool exists = item < n;
  const uint i = min(item, n - 1u);
  const uint count = min(64u, n - (group * 64u));
  const float x_i = vload_half(i, x);
  const float mine = x_i;
  const float mine_2 = x_i;
  // across the work-group: scan-exclusive add, reduce max
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
    lanes_f16[slot] = total;
    lanes_f16_2[slot] = total_2;
    barrier(CLK_LOCAL_MEM_FENCE);
    const float theirs = lanes_f16[slot ^ bit];
    const float theirs_2 = lanes_f16_2[slot ^ bit];
    sibling[round] = theirs;
    own[round] = total;
    sibling_2[round] = theirs_2;
    own_2[round] = total_2;
    const float both = as_float(round_f16(as_uint(total + theirs)));
    const float both_2 = max_f32(total_2, theirs_2);
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
    const float joined = has_carry ? as_float(round_f16(as_uint(carry + block))) : block;
    const float joined_2 = has_carry ? max_f32(carry_2, block_2) : block_2;
    inclusive = is_upper ? inclusive : joined;
    carry = is_upper ? joined : carry;
    inclusive_2 = is_upper ? inclusive_2 : joined_2;
    carry_2 = is_upper ? joined_2 : carry_2;
    has_carry = has_carry || is_upper;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lane == (count - 1u)) {
    lanes_f16[0u] = inclusive;
    lanes_f16_2[0u] = inclusive_2;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const float announced_2 = lanes_f16_2[0u];
  const float scan_exclusive = (lane == 0u) ? 0.0f : carry;
  const float reduce = announced_2;
  if (exists) {
    vstore_half_rte(scan_exclusive, i, before);
    if (lane == 0u) {
      vstore_half_rte(reduce, i / 64u, peak);
    }
  }
}
