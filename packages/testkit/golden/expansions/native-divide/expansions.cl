// expansions: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target opencl # for a device that rounds quotients correctly
// Inputs: f32 x[n], f32 y[n], u32 k[n], f16 h[n]
// Outputs: f32 float[n], f16 half[n], u32 count[n], i64 wide[n]
// Strategy: reduce-then-scan
// OpenCL C 1.2. Build options: -cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt
// Never build it with -cl-fast-relaxed-math, -cl-mad-enable or -cl-denorms-are-zero.
// Tiles: 256 x 4 items. Division of floats: native.
// Passes, one after the other; a pass without work-groups is skipped:
//   map: ceil(n / 64) work-groups of 64 work-items

// A product and a sum must not become one operation: the results would differ between devices.
#pragma OPENCL FP_CONTRACT OFF

#define FRACTION_F32 0x007fffffu
#define SMALLEST_NORMAL_F32 0x00800000u

// Truncates; saturates outside u32; NaN becomes 0.
uint u32_of_f32(const float x) {
  uint bits = as_uint(x);
  if (bits > 0x7f800000u) { return 0u; }
  if (bits >= 0x4f800000u) { return 0xffffffffu; }
  return ((bits >> 23u) < 127u) ? 0u : (((bits >> 23u) < 150u) ? (((bits & FRACTION_F32) | SMALLEST_NORMAL_F32) >> ((150u - (bits >> 23u)) & 31u)) : (((bits & FRACTION_F32) | SMALLEST_NORMAL_F32) << (((bits >> 23u) - 150u) & 31u)));
}

// Truncates; saturates; NaN becomes 0.
long i64_or_0_of_f32(const float x) {
  return (x != x) ? 0L : convert_long_sat(x);
}

// The position of the float among all floats, as a signed integer; -0 and +0 have the same position.
int rank_f32(const float x) {
  int magnitude = as_int(as_uint(x) & 0x7fffffffu);
  return ((as_uint(x) & 0x80000000u) != 0u) ? as_int(0u - as_uint(magnitude)) : magnitude;
}

// a < b; false for NaN.
bool lt_f32(const float a, const float b) {
  bool ordered = !(((as_uint(a) & 0x7fffffffu) > 0x7f800000u) || ((as_uint(b) & 0x7fffffffu) > 0x7f800000u));
  return ordered && (rank_f32(a) < rank_f32(b));
}

// IEEE 754-2019 minimum: NaN if an operand is NaN; -0 is less than +0.
float min_f32(const float a, const float b) {
  int a_bits = as_int(as_uint(a));
  int a_order = a_bits ^ ((a_bits >> 31u) & as_int(0x7fffffffu));
  int b_bits = as_int(as_uint(b));
  return as_float((((a_order < (b_bits ^ ((b_bits >> 31u) & as_int(0x7fffffffu)))) && !((as_uint(b) & 0x7fffffffu) > 0x7f800000u)) || ((as_uint(a) & 0x7fffffffu) > 0x7f800000u)) ? as_uint(a) : as_uint(b));
}

// a / b towards 0; a / 0 is a, and the least integer / -1 is itself.
uint div_u32(const uint a, const uint b) {
  return a / ((b == 0u) ? 1u : b);
}

// The bits of a float, rounded to the nearest half, ties to even.
uint round_f16(const uint bits) {
  if ((bits & 0x7fffffffu) > 0x7f800000u) { return 0x7fc00000u; }
  uint magnitude = bits & 0x7fffffffu;
  if (magnitude < 0x33800000u) { return (bits & 0x80000000u) | ((magnitude > 0x33000000u) ? 0x33800000u : 0u); }
  uint drop = 126u - min(magnitude >> 23u, 113u);
  uint rounded = (((magnitude + ((1u << (drop - 1u)) - 1u)) + ((magnitude >> drop) & 1u)) >> drop) << drop;
  return (bits & 0x80000000u) | ((rounded >= 0x47800000u) ? 0x7f800000u : rounded);
}

// A sum or a difference of two halves, rounded to the nearest half, ties to even.
float round_sum_f16(const float x) {
  int bits = as_int(x * 5.1922969e+33f);
  return as_float(as_int(as_uint(as_int(as_uint(min(bits, 0x7fffefff)) + as_uint(0xfff))) + as_uint((bits >> 13u) & 1)) & (-8192)) * 1.92592994e-34f;
}

// The 16 bits of a float that is a half.
uint f16_bits_of_f32(const float x) {
  uint bits = as_uint(x);
  return ((bits >> 16u) & 0x8000u) | ((as_uint(((bits & 0x7fffffffu) < 0x38800000u) ? ((as_float(as_uint(x) & 0x7fffffffu) * 2.5961484e+33f) + 1.58456325e+29f) : (x * 5.1922969e+33f)) >> 13u) & 0x7fffu);
}

// The half in the low 16 bits, as a float.
float f32_of_f16_bits(const uint bits) {
  float raised = as_float(((bits & 0x7fffu) << 13u) | 0x70000000u);
  return (((bits & 0x7c00u) == 0u) ? ((raised * 2.0f) - 3.1691265e+29f) : raised) * as_float(((bits & 0x8000u) << 16u) | 0x07800000u);
}

// The magnitude of x, modulo the width.
int abs_i32(const int x) {
  return as_int(as_uint(x) - as_uint(as_int(as_uint(x) + as_uint(x)) & (x >> 31u)));
}

// Work-groups of 64, one item to a work-item.
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void map(
  const uint n, // number of items
  __global const float* restrict x, // input, n elements
  __global const float* restrict y, // input, n elements
  __global const uint* restrict k, // input, n elements
  __global const ushort* restrict h, // input, n elements of f16, each as its bits
  __global float* float_, // output, n elements
  __global ushort* half_, // output, n elements of f16, each as its bits
  __global uint* count, // output, n elements
  __global long* wide) // output, n elements
{
  uint item = ((uint)get_group_id(0) * 64u) + (uint)get_local_id(0);
  uint i = min(item, n - 1u);
  if (item < n) {
    float x_i = x[i];
    float y_i = y[i];
    uint k_i = k[i];
    float chosen = lt_f32(x_i, y_i) ? (x_i / y_i) : (x_i * 0.25f);
    float chosen_2 = (k_i == 0u) ? 1.0f : (-0.0f);
    float float_i = (min_f32(chosen, as_float(0x7f800000u)) * chosen_2) + convert_float(k_i | 1u);
    float_[i] = float_i;
    float h_i = f32_of_f16_bits((uint)h[i]);
    float half_i = round_sum_f16(as_float(round_f16(as_uint(h_i / as_float(round_f16(as_uint(convert_float(k_i))))))) + 1.0f);
    half_[i] = (ushort)(f16_bits_of_f32(half_i));
    uint sum = div_u32(k_i, u32_of_f32(x_i)) + popcount(k_i);
    count[i] = sum + as_uint(abs_i32(as_int(k_i)) % 3);
    wide[i] = i64_or_0_of_f32(x_i);
  }
}
