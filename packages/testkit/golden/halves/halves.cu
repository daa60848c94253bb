// halves: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target cuda
// Inputs: f16 x[n]
// Outputs: f16 before[n], f16 peak[ceil(n / 64)]
// Strategy: reduce-then-scan
// CUDA C++17 for compute capability 7.0 or higher, by nvcc, NVRTC or clang; HIP by hipcc or clang.
// Never build it with -use_fast_math, -ftz=true, -ffast-math or -ffp-contract=fast.
// Tiles: 256 x 4 items.
// Arrays are aligned to 16 bytes; with -DGROUPWISE_UNALIGNED to their elements, such as views that begin anywhere.
// Passes, one after the other; a pass without work-groups is skipped:
//   groups: ceil(n / 64) work-groups of 64 work-items

#if defined(__HIP__) && !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
#error "compute capability 7.0 or higher is required"
#endif
#ifdef __FAST_MATH__
#error "-ffast-math changes results"
#endif
// A program that includes the text may define how kernels are declared.
#ifndef GROUPWISE_KERNEL
#define GROUPWISE_KERNEL extern "C" __global__
#endif

namespace groupwise {
namespace {

using i8 = signed char;
using u8 = unsigned char;
using i16 = short;
using u16 = unsigned short;
using i32 = int;
using u32 = unsigned int;
using i64 = long long;
using u64 = unsigned long long;
using f32 = float;
using f64 = double;

// Rounded to the nearest; nothing fuses it with another operation.
template <class T> __device__ inline T add_rn(const T a, const T b) {
#ifdef __HIP__
#pragma clang fp contract(off)
  return a + b;
#else
  if constexpr (sizeof(T) == 4) return __fadd_rn(a, b);
  else return __dadd_rn(a, b);
#endif
}

__device__ inline u32 min_u32(u32 a, u32 b) { return a < b ? a : b; }

// NaN if an operand is NaN; -0 is less than +0.
__device__ inline f32 max_f32(f32 a, f32 b) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  f32 chosen;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(chosen) : "f"(a), "f"(b));
  return chosen;
#else
  const f32 ordered = a > b ? a : b;
  const f32 number = a == b ? __uint_as_float(__float_as_uint(a) & __float_as_uint(b)) : ordered;
  return a != a ? a : number;
#endif
}

__device__ inline u32 half_bits(const f32 x) {
#ifdef __HIP__
  return __builtin_bit_cast(u16, (_Float16)x);
#else
  u16 bits;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
  return bits;
#endif
}

__device__ inline f32 half_value(const u16 bits) {
#ifdef __HIP__
  return (f32)__builtin_bit_cast(_Float16, bits);
#else
  f32 x;
  asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits));
  return x;
#endif
}

template <class T> __device__ inline T shuffle_xor(const T value, const u32 bit) {
#ifdef __HIP__
  return __shfl_xor(value, (i32)bit, 32);
#else
  return __shfl_xor_sync(0xffffffffu, value, (i32)bit);
#endif
}

// The 16 bits of the half nearest to a float, by the device's conversion.
__device__ inline u32 f16_bits_of_f32(const f32 x) {
  return half_bits(x);
}

// The half in the low 16 bits, as a float, by the device's conversion.
__device__ inline f32 f32_of_f16_bits(const u32 bits) {
  return half_value((u16)bits);
}

// A sum or a difference of two halves, rounded to the nearest half, ties to even.
__device__ inline f32 round_sum_f16(const f32 x) {
  return f32_of_f16_bits(f16_bits_of_f32(x));
}

} // namespace

// Work-groups of 64, one item to a work-item.
GROUPWISE_KERNEL void __launch_bounds__(64) groups(
  const u32 n, // number of items
  const u16* __restrict__ x, // input, n elements of f16, each as its bits
  u16* before, // output, n elements of f16, each as its bits
  u16* peak) // output, ceil(n / 64) elements of f16, each as its bits
{
  __shared__ f32 lanes_f16[128];
  __shared__ f32 lanes_f16_2[128];
  u32 lane = threadIdx.x;
  u32 group = blockIdx.x;
  u32 item = (group * 64u) + lane;
  bool exists = item < n;
  u32 i = min_u32(item, n - 1u);
  u32 count = min_u32(64u, n - (group * 64u));
  f32 x_i = f32_of_f16_bits((u32)x[i]);
  // across the work-group: scan-exclusive add, reduce max
  f32 total_add = x_i;
  f32 total_max = x_i;
  f32 lower_add[6] = {};
  f32 lower_max[6] = {};
  for (u32 round = 0u; round < 5u; round++) {
    u32 bit = 1u << round;
    f32 theirs_add = shuffle_xor(total_add, bit);
    f32 theirs_max = shuffle_xor(total_max, bit);
    bool is_upper = (lane & bit) != 0u;
    lower_add[round] = is_upper ? theirs_add : total_add;
    lower_max[round] = is_upper ? theirs_max : total_max;
    f32 both_add = round_sum_f16(add_rn(total_add, theirs_add));
    total_add = both_add;
    total_max = max_f32(total_max, theirs_max);
  }
  __syncthreads();
  u32 slot = 64u + lane;
  lanes_f16[slot] = total_add;
  lanes_f16_2[slot] = total_max;
  __syncthreads();
  f32 theirs_add = lanes_f16[slot ^ 32u];
  f32 theirs_max = lanes_f16_2[slot ^ 32u];
  bool is_upper = (lane & 32u) != 0u;
  lower_add[5u] = is_upper ? theirs_add : total_add;
  lower_max[5u] = is_upper ? theirs_max : total_max;
  f32 both_add = round_sum_f16(add_rn(total_add, theirs_add));
  total_add = both_add;
  total_max = max_f32(total_max, theirs_max);
  f32 carry_add = -0.0f;
  f32 carry_max = __uint_as_float(0xff800000u);
  f32 inclusive_add = round_sum_f16(add_rn(-0.0f, total_add));
  f32 inclusive_max = max_f32(__uint_as_float(0xff800000u), total_max);
  for (u32 step = 0u; step < 6u; step++) {
    u32 round = 5u - step;
    bool is_upper_2 = (lane & (1u << round)) != 0u;
    f32 block_add = lower_add[round];
    f32 block_max = lower_max[round];
    f32 joined_add = round_sum_f16(add_rn(carry_add, block_add));
    f32 joined_max = max_f32(carry_max, block_max);
    inclusive_add = is_upper_2 ? inclusive_add : joined_add;
    inclusive_max = is_upper_2 ? inclusive_max : joined_max;
    carry_add = is_upper_2 ? joined_add : carry_add;
    carry_max = is_upper_2 ? joined_max : carry_max;
  }
  __syncthreads();
  if (lane == (count - 1u)) {
    lanes_f16[0u] = inclusive_add;
    lanes_f16_2[0u] = inclusive_max;
  }
  __syncthreads();
  f32 announced = lanes_f16_2[0u];
  if (exists) {
    before[i] = (u16)(f16_bits_of_f32((lane == 0u) ? 0.0f : carry_add));
    if (lane == 0u) { peak[i / 64u] = (u16)(f16_bits_of_f32(announced)); }
  }
}

} // namespace groupwise
