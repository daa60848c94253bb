// expansions: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target opencl # for a device that rounds quotients correctly
// OpenCL C 1.2. Build options: -cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt
// Never build it with -cl-fast-relaxed-math, -cl-mad-enable or -cl-denorms-are-zero.
// Tiles: 256 x 4 items. Division of floats: native.
// Passes, one after the other; a pass without work-groups is skipped:
//   map: ceil(floor(n / 4) / 256) work-groups of 256
//   map_tail: min((n - (floor(n / 4) * 4)), 1) work-groups of 4

// A product and a sum must not become one operation: the results would differ between devices.
#pragma OPENCL FP_CONTRACT OFF

// Truncates; saturates outside u32; NaN gives 0.
uint u32_of_f32(const float x) {
  const uint bits = as_uint(x);
  if (((bits & 2147483647u) > 2139095040u) || (bits >= 2147483648u)) {
    return 0u;
  }
  if (bits >= 1333788672u) {
    return 4294967295u;
  }
  return ((bits >> 23u) < 127u) ? 0u : (((bits >> 23u) < 150u) ? (((bits & 8388607u) | 8388608u) >> ((150u - (bits >> 23u)) & 31u)) : (((bits & 8388607u) | 8388608u) << (((bits >> 23u) - 150u) & 31u)));
}

// Truncates; saturates; NaN gives 0.
long i64_or_0_of_f32(const float x) {
  return (x != x) ? 0L : convert_long_sat(x);
}

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

// IEEE 754-2019 minimum: NaN if an operand is NaN; -0 is less than +0.
float min_f32(const float a, const float b) {
  const int a_bits = as_int(as_uint(a));
  const int a_order = a_bits ^ ((a_bits >> 31u) & as_int(2147483647u));
  const int b_bits = as_int(as_uint(b));
  const int b_order = b_bits ^ ((b_bits >> 31u) & as_int(2147483647u));
  return as_float((((as_uint(a) & 2147483647u) > 2139095040u) || ((a_order < b_order) && !((as_uint(b) & 2147483647u) > 2139095040u))) ? as_uint(a) : as_uint(b));
}

// a / b towards 0; a / 0 is a, and the least integer / -1 is itself.
uint div_u32(const uint a, const uint b) {
  const uint divisor = (b == 0u) ? 1u : b;
  return a / divisor;
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

// Items in rows of 4, one row to a work-item.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void map(
  const uint n, // number of items
  __global const float* restrict x, // input, n elements
  __global const float* restrict y, // input, n elements
  __global const uint* restrict k, // input, n elements
  __global const half* restrict h, // input, n elements
  __global float* float_, // output, n elements
  __global half* half_, // output, n elements
  __global uint* count, // output, n elements
  __global long* wide) // output, n elements
{
  const uint lane = (uint)get_local_id(0);
  const uint group = (uint)get_group_id(0);
  const uint row = (group * 256u) + lane;
  if (row < (n / 4u)) {
    const uint base = row * 4u;
    const uint4 k_row = ((__global const uint4*)k)[base >> 2u];
    const float4 x_row = ((__global const float4*)x)[base >> 2u];
    const float4 y_row = ((__global const float4*)y)[base >> 2u];
    const bool v4 = lt_f32(x_row.x, y_row.x);
    const float v5 = x_row.x / y_row.x;
    const float v7 = x_row.x * 0.25f;
    const float v8 = v4 ? v5 : v7;
    const bool v10 = k_row.x == 0u;
    const float v13 = v10 ? 1.0f : (-0.0f);
    const uint v18 = k_row.x | 1u;
    const float float_i = (min_f32(v8, as_float(0x7f800000u)) * v13) + convert_float(v18);
    const bool v4_2 = lt_f32(x_row.y, y_row.y);
    const float v5_2 = x_row.y / y_row.y;
    const float v7_2 = x_row.y * 0.25f;
    const float v8_2 = v4_2 ? v5_2 : v7_2;
    const bool v10_2 = k_row.y == 0u;
    const float v13_2 = v10_2 ? 1.0f : (-0.0f);
    const uint v18_2 = k_row.y | 1u;
    const float float_i_2 = (min_f32(v8_2, as_float(0x7f800000u)) * v13_2) + convert_float(v18_2);
    const bool v4_3 = lt_f32(x_row.z, y_row.z);
    const float v5_3 = x_row.z / y_row.z;
    const float v7_3 = x_row.z * 0.25f;
    const float v8_3 = v4_3 ? v5_3 : v7_3;
    const bool v10_3 = k_row.z == 0u;
    const float v13_3 = v10_3 ? 1.0f : (-0.0f);
    const uint v18_3 = k_row.z | 1u;
    const float float_i_3 = (min_f32(v8_3, as_float(0x7f800000u)) * v13_3) + convert_float(v18_3);
    const bool v4_4 = lt_f32(x_row.w, y_row.w);
    const float v5_4 = x_row.w / y_row.w;
    const float v7_4 = x_row.w * 0.25f;
    const float v8_4 = v4_4 ? v5_4 : v7_4;
    const bool v10_4 = k_row.w == 0u;
    const float v13_4 = v10_4 ? 1.0f : (-0.0f);
    const uint v18_4 = k_row.w | 1u;
    const float float_i_4 = (min_f32(v8_4, as_float(0x7f800000u)) * v13_4) + convert_float(v18_4);
    ((__global float4*)float_)[base >> 2u] = (float4)(float_i, float_i_2, float_i_3, float_i_4);
    const uint v25 = u32_of_f32(x_row.x);
    const uint v26 = div_u32(k_row.x, v25);
    const uint v27 = popcount(k_row.x);
    const uint v25_2 = u32_of_f32(x_row.y);
    const uint v26_2 = div_u32(k_row.y, v25_2);
    const uint v27_2 = popcount(k_row.y);
    const uint v25_3 = u32_of_f32(x_row.z);
    const uint v26_3 = div_u32(k_row.z, v25_3);
    const uint v27_3 = popcount(k_row.z);
    const uint v25_4 = u32_of_f32(x_row.w);
    const uint v26_4 = div_u32(k_row.w, v25_4);
    const uint v27_4 = popcount(k_row.w);
    ((__global uint4*)count)[base >> 2u] = (uint4)(v26 + v27, v26_2 + v27_2, v26_3 + v27_3, v26_4 + v27_4);
    const long wide_i = i64_or_0_of_f32(x_row.x);
    const long wide_i_2 = i64_or_0_of_f32(x_row.y);
    const long wide_i_3 = i64_or_0_of_f32(x_row.z);
    const long wide_i_4 = i64_or_0_of_f32(x_row.w);
    ((__global long4*)wide)[base >> 2u] = (long4)(wide_i, wide_i_2, wide_i_3, wide_i_4);
    const float h_i = vload_half(base, h);
    const float v21 = as_float(round_f16(as_uint(convert_float(k_row.x))));
    vstore_half_rte(as_float(round_f16(as_uint(as_float(round_f16(as_uint(h_i / v21))) + 1.0f))), base, half_);
    const float h_i_2 = vload_half(base + 1u, h);
    const float v21_2 = as_float(round_f16(as_uint(convert_float(k_row.y))));
    vstore_half_rte(as_float(round_f16(as_uint(as_float(round_f16(as_uint(h_i_2 / v21_2))) + 1.0f))), base + 1u, half_);
    const float h_i_3 = vload_half(base + 2u, h);
    const float v21_3 = as_float(round_f16(as_uint(convert_float(k_row.z))));
    vstore_half_rte(as_float(round_f16(as_uint(as_float(round_f16(as_uint(h_i_3 / v21_3))) + 1.0f))), base + 2u, half_);
    const float h_i_4 = vload_half(base + 3u, h);
    const float v21_4 = as_float(round_f16(as_uint(convert_float(k_row.w))));
    vstore_half_rte(as_float(round_f16(as_uint(as_float(round_f16(as_uint(h_i_4 / v21_4))) + 1.0f))), base + 3u, half_);
  }
}

// The items behind the last full row.
__kernel __attribute__((reqd_work_group_size(4, 1, 1)))
void map_tail(
  const uint n, // number of items
  __global const float* restrict x, // input, n elements
  __global const float* restrict y, // input, n elements
  __global const uint* restrict k, // input, n elements
  __global const half* restrict h, // input, n elements
  __global float* float_, // output, n elements
  __global half* half_, // output, n elements
  __global uint* count, // output, n elements
  __global long* wide) // output, n elements
{
  const uint lane = (uint)get_local_id(0);
  const uint count_2 = n & 3u;
  if (lane < count_2) {
    const uint i = (n - count_2) + lane;
    const float x_i = x[i];
    const float y_i = y[i];
    const uint k_i = k[i];
    const float v8 = lt_f32(x_i, y_i) ? (x_i / y_i) : (x_i * 0.25f);
    const float v13 = (k_i == 0u) ? 1.0f : (-0.0f);
    const float float_i = (min_f32(v8, as_float(0x7f800000u)) * v13) + convert_float(k_i | 1u);
    float_[i] = float_i;
    const uint count_i = div_u32(k_i, u32_of_f32(x_i)) + popcount(k_i);
    count[i] = count_i;
    wide[i] = i64_or_0_of_f32(x_i);
    const float h_i = vload_half(i, h);
    const float half_i = as_float(round_f16(as_uint(as_float(round_f16(as_uint(h_i / as_float(round_f16(as_uint(convert_float(k_i))))))) + 1.0f)));
    vstore_half_rte(half_i, i, half_);
  }
}
