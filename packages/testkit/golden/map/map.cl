// map: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target opencl
// Inputs: f32 x[n], f32 y[n], f32 alpha
// Outputs: f32 z[n]
// Strategy: reduce-then-scan
// OpenCL C 1.2. Build options: -cl-std=CL1.2
// Never build it with -cl-fast-relaxed-math, -cl-mad-enable or -cl-denorms-are-zero.
// Tiles: 256 x 4 items. Division of floats: exact.
// Passes, one after the other; a pass without work-groups is skipped:
//   map: ceil(floor(n / 4) / 256) work-groups of 256 work-items
//   map_tail: min((n - (floor(n / 4) * 4)), 1) work-groups of 4 work-items

// A product and a sum must not become one operation: the results would differ between devices.
#pragma OPENCL FP_CONTRACT OFF

// Returns x. Compilers cannot see through it, so they cannot contract two operations.
float rounded_f32(const float x, const uint zero) {
  return as_float(as_uint(x) + zero);
}

// 4 items to a work-item, as one vec4.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void map(
  const uint n, // number of items
  const float alpha, // parameter
  const uint always_zero, // always 0
  __global const float* restrict x, // input, n elements
  __global const float* restrict y, // input, n elements
  __global float* z) // output, n elements
{
  uint zero = always_zero;
  uint row = ((uint)get_group_id(0) * 256u) + (uint)get_local_id(0);
  if (row < (n / 4u)) {
    uint base = row * 4u;
    float4 y_row = ((__global const float4*)y)[base >> 2u];
    float4 x_row = ((__global const float4*)x)[base >> 2u];
    float product0 = rounded_f32(x_row.x * alpha, zero);
    float product1 = rounded_f32(x_row.y * alpha, zero);
    float product2 = rounded_f32(x_row.z * alpha, zero);
    float product3 = rounded_f32(x_row.w * alpha, zero);
    ((__global float4*)z)[base >> 2u] = (float4)(product0 + y_row.x, product1 + y_row.y, product2 + y_row.z, product3 + y_row.w);
  }
}

// The items after the last full vec4.
__kernel __attribute__((reqd_work_group_size(4, 1, 1)))
void map_tail(
  const uint n, // number of items
  const float alpha, // parameter
  const uint always_zero, // always 0
  __global const float* restrict x, // input, n elements
  __global const float* restrict y, // input, n elements
  __global float* z) // output, n elements
{
  uint lane = (uint)get_local_id(0);
  uint count = n & 3u;
  if (lane < count) {
    uint i = (n - count) + lane;
    float x_i = x[i];
    float y_i = y[i];
    z[i] = rounded_f32(x_i * alpha, always_zero) + y_i;
  }
}
