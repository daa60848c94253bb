// lines: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target cuda
// Inputs: f32 x[n]
// Outputs: f32 most[(ceil(size_x / 64) * size_y)], f32 sums[n], u32 place[(ceil(size_x / 64) * size_y)]
// Strategy: reduce-then-scan
// CUDA C++17 for compute capability 7.0 or higher, by nvcc, NVRTC or clang; HIP by hipcc or clang.
// Never build it with -use_fast_math, -ftz=true, -ffast-math or -ffp-contract=fast.
// Tiles: 256 x 4 items.
// Arrays are aligned to 16 bytes; with -DGROUPWISE_UNALIGNED to their elements, such as views that begin anywhere.
// Passes, one after the other; a pass without work-groups is skipped:
//   lines: ((1 - min((size_x - (floor(size_x / 4) * 4)), 1)) * ceil(((ceil(size_x / 64) * size_y) * ((((4 + (4 * min(1, (max(size_x, 4) - 4)))) + (8 * min(1, (max(size_x, 8) - 8)))) + (16 * min(1, (max(size_x, 16) - 16)))) + (32 * min(1, (max(size_x, 32) - 32))))) / 1024)) work-groups of 256 work-items
//   lines_of_any: (min((size_x - (floor(size_x / 4) * 4)), 1) * ceil(((ceil(size_x / 64) * size_y) * ((((4 + (4 * min(1, (max(size_x, 4) - 4)))) + (8 * min(1, (max(size_x, 8) - 8)))) + (16 * min(1, (max(size_x, 16) - 16)))) + (32 * min(1, (max(size_x, 32) - 32))))) / 1024)) work-groups of 256 work-items

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

// Values that are loaded, stored or returned together.
template <class T, int width> struct Row;
template <class T> struct alignas(2 * sizeof(T)) Row<T, 2> { T x, y; };
template <class T> struct Row<T, 3> { T x, y, z; };
template <class T> struct alignas(sizeof(T) < 4 ? 4 * sizeof(T) : 16) Row<T, 4> { T x, y, z, w; };

template <int width, class T> __device__ inline Row<T, width> load_row(const T* at) {
#ifdef GROUPWISE_UNALIGNED
  if constexpr (width == 2) return {at[0], at[1]};
  else return {at[0], at[1], at[2], at[3]};
#else
  return *reinterpret_cast<const Row<T, width>*>(at);
#endif
}

template <int width, class T> __device__ inline void store_row(T* at, const Row<T, width> row) {
#ifdef GROUPWISE_UNALIGNED
  at[0] = row.x, at[1] = row.y;
  if constexpr (width == 4) at[2] = row.z, at[3] = row.w;
#else
  *reinterpret_cast<Row<T, width>*>(at) = row;
#endif
}

__device__ inline u32 clz_u32(const u32 x) {
  return (u32)__clz((i32)x);
}

// a == b; false for NaN. Compilers cannot make a minimum of it, which orders -0 and +0.
template <class T> __device__ inline bool is_eq(const T a, const T b) {
#ifdef __HIP__
  return a == b;
#else
  u32 holds;
  if constexpr (sizeof(T) == 4) asm("{ .reg .pred p; setp.eq.f32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(holds) : "f"(a), "f"(b));
  else asm("{ .reg .pred p; setp.eq.f64 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(holds) : "d"(a), "d"(b));
  return holds != 0u;
#endif
}

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

__device__ inline u32 max_u32(u32 a, u32 b) { return a > b ? a : b; }

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

template <class T> __device__ inline T shuffle_xor(const T value, const u32 bit) {
#ifdef __HIP__
  return __shfl_xor(value, (i32)bit, 32);
#else
  return __shfl_xor_sync(0xffffffffu, value, (i32)bit);
#endif
}

// a / b towards 0; a / 0 is a, and the least integer / -1 is itself.
__device__ inline u32 div_u32(const u32 a, const u32 b) {
  return a / ((b == 0u) ? 1u : b);
}

} // namespace

// Lines of at most 64 items, 4 to a work-item, as one vec4, and several lines to a work-group.
GROUPWISE_KERNEL void __launch_bounds__(256) lines(
  const u32 n, // number of items
  const u32 size_x, // items in the dimension
  const u32 size_y, // items in the dimension
  const f32* __restrict__ x, // input, n elements
  f32* most, // output, (ceil(size_x / 64) * size_y) elements
  f32* sums, // output, n elements
  u32* place) // output, (ceil(size_x / 64) * size_y) elements
{
  __shared__ f32 lanes_f32[256];
  u32 lane = threadIdx.x;
  u32 rounds = min_u32(max_u32(32u - clz_u32(min_u32(size_x, 64u) - 1u), 2u) - 2u, 4u);
  u32 line = (blockIdx.x * (0x100u >> rounds)) + (lane >> rounds);
  u32 own_lane = lane & ((1u << rounds) - 1u);
  u32 lines_2 = ((size_x + 63u) / 64u) * size_y;
  u32 near_line = min_u32(line, lines_2 - 1u);
  u32 groups_x = (size_x / 64u) + (((size_x % 64u) != 0u) ? 1u : 0u);
  u32 group_y = div_u32(near_line, groups_x);
  u32 start_x = (near_line - (group_y * groups_x)) * 64u;
  u32 count = min_u32(64u, size_x - start_x);
  bool exists = line < lines_2;
  u32 column = own_lane * 4u;
  u32 row = (((group_y * size_x) + start_x) + column) >> 2u;
  bool has_items = (exists && (column < count)) && (row < (n >> 2u));
  f32 item_max = 0.0f;
  f32 item_add = 0.0f;
  f32 item_max_2 = 0.0f;
  f32 item_add_2 = 0.0f;
  f32 item_max_3 = 0.0f;
  f32 item_add_3 = 0.0f;
  f32 item_max_4 = 0.0f;
  f32 item_add_4 = 0.0f;
  if (has_items) {
    const Row<f32, 4> x_row = load_row<4>(x + (row * 4u));
    item_max = x_row.x;
    item_add = x_row.x;
    item_max_2 = x_row.y;
    item_add_2 = x_row.y;
    item_max_3 = x_row.z;
    item_add_3 = x_row.z;
    item_max_4 = x_row.w;
    item_add_4 = x_row.w;
  }
  f32 first_two_max = max_f32(item_max, item_max_2);
  f32 first_two_add = add_rn(item_add, item_add_2);
  f32 last_two_max = max_f32(item_max_3, item_max_4);
  f32 last_two_add = add_rn(item_add_3, item_add_4);
  f32 total_max = max_f32(first_two_max, last_two_max);
  f32 total_add = add_rn(first_two_add, last_two_add);
  f32 lower1_max = 0.0f;
  f32 lower1_add = 0.0f;
  f32 lower2_max = 0.0f;
  f32 lower2_add = 0.0f;
  f32 lower4_max = 0.0f;
  f32 lower4_add = 0.0f;
  f32 lower8_max = 0.0f;
  f32 lower8_add = 0.0f;
  if (5u < rounds) { __syncthreads(); }
  if (0u < rounds) {
    f32 theirs_max = shuffle_xor(total_max, 1u);
    f32 theirs_add = shuffle_xor(total_add, 1u);
    bool is_upper = (own_lane & 1u) != 0u;
    lower1_max = is_upper ? theirs_max : total_max;
    lower1_add = is_upper ? theirs_add : total_add;
    total_max = max_f32(total_max, theirs_max);
    total_add = add_rn(total_add, theirs_add);
  }
  if (1u < rounds) {
    f32 theirs_max = shuffle_xor(total_max, 2u);
    f32 theirs_add = shuffle_xor(total_add, 2u);
    bool is_upper = (own_lane & 2u) != 0u;
    lower2_max = is_upper ? theirs_max : total_max;
    lower2_add = is_upper ? theirs_add : total_add;
    total_max = max_f32(total_max, theirs_max);
    total_add = add_rn(total_add, theirs_add);
  }
  if (2u < rounds) {
    f32 theirs_max = shuffle_xor(total_max, 4u);
    f32 theirs_add = shuffle_xor(total_add, 4u);
    bool is_upper = (own_lane & 4u) != 0u;
    lower4_max = is_upper ? theirs_max : total_max;
    lower4_add = is_upper ? theirs_add : total_add;
    total_max = max_f32(total_max, theirs_max);
    total_add = add_rn(total_add, theirs_add);
  }
  if (3u < rounds) {
    f32 theirs_max = shuffle_xor(total_max, 8u);
    f32 theirs_add = shuffle_xor(total_add, 8u);
    bool is_upper = (own_lane & 8u) != 0u;
    lower8_max = is_upper ? theirs_max : total_max;
    lower8_add = is_upper ? theirs_add : total_add;
    total_max = max_f32(total_max, theirs_max);
    total_add = add_rn(total_add, theirs_add);
  }
  f32 carry_max = __uint_as_float(0xff800000u);
  f32 carry_add = -0.0f;
  f32 inclusive_max = total_max;
  f32 inclusive_add = total_add;
  if (3u < rounds) {
    bool is_upper = (own_lane & 8u) != 0u;
    f32 block_max = lower8_max;
    f32 block_add = lower8_add;
    f32 joined_max = max_f32(carry_max, block_max);
    f32 joined_add = add_rn(carry_add, block_add);
    inclusive_max = is_upper ? inclusive_max : joined_max;
    inclusive_add = is_upper ? inclusive_add : joined_add;
    carry_max = is_upper ? joined_max : carry_max;
    carry_add = is_upper ? joined_add : carry_add;
  }
  if (2u < rounds) {
    bool is_upper = (own_lane & 4u) != 0u;
    f32 block_max = lower4_max;
    f32 block_add = lower4_add;
    f32 joined_max = max_f32(carry_max, block_max);
    f32 joined_add = add_rn(carry_add, block_add);
    inclusive_max = is_upper ? inclusive_max : joined_max;
    inclusive_add = is_upper ? inclusive_add : joined_add;
    carry_max = is_upper ? joined_max : carry_max;
    carry_add = is_upper ? joined_add : carry_add;
  }
  if (1u < rounds) {
    bool is_upper = (own_lane & 2u) != 0u;
    f32 block_max = lower2_max;
    f32 block_add = lower2_add;
    f32 joined_max = max_f32(carry_max, block_max);
    f32 joined_add = add_rn(carry_add, block_add);
    inclusive_max = is_upper ? inclusive_max : joined_max;
    inclusive_add = is_upper ? inclusive_add : joined_add;
    carry_max = is_upper ? joined_max : carry_max;
    carry_add = is_upper ? joined_add : carry_add;
  }
  if (0u < rounds) {
    bool is_upper = (own_lane & 1u) != 0u;
    f32 block_max = lower1_max;
    f32 block_add = lower1_add;
    f32 joined_max = max_f32(carry_max, block_max);
    f32 joined_add = add_rn(carry_add, block_add);
    inclusive_max = is_upper ? inclusive_max : joined_max;
    inclusive_add = is_upper ? inclusive_add : joined_add;
    carry_max = is_upper ? joined_max : carry_max;
    carry_add = is_upper ? joined_add : carry_add;
  }
  f32 prefix1_max = max_f32(carry_max, item_max);
  f32 prefix1_add = add_rn(carry_add, item_add);
  f32 prefix2_max = max_f32(carry_max, first_two_max);
  f32 prefix2_add = add_rn(carry_add, first_two_add);
  f32 prefix3_max = max_f32(prefix2_max, item_max_3);
  f32 prefix3_add = add_rn(prefix2_add, item_add_3);
  u32 last = count - 1u;
  __syncthreads();
  if (own_lane == (last >> 2u)) {
    lanes_f32[lane >> rounds] = ((last & 3u) < 3u) ? (((last & 3u) < 2u) ? (((last & 3u) < 1u) ? prefix1_max : prefix2_max) : prefix3_max) : inclusive_max;
  }
  __syncthreads();
  f32 announced = lanes_f32[lane >> rounds];
  u32 item = 0xffffffffu;
  u32 item_2 = 0xffffffffu;
  u32 item_3 = 0xffffffffu;
  u32 item_4 = 0xffffffffu;
  if (has_items) {
    const Row<f32, 4> x_row = load_row<4>(x + (row * 4u));
    item = is_eq(x_row.x, announced) ? column : 1000u;
    item_2 = is_eq(x_row.y, announced) ? (column + 1u) : 1000u;
    item_3 = is_eq(x_row.z, announced) ? (column + 2u) : 1000u;
    item_4 = is_eq(x_row.w, announced) ? (column + 3u) : 1000u;
  }
  u32 total = min_u32(min_u32(item, item_2), min_u32(item_3, item_4));
  if (5u < rounds) { __syncthreads(); }
  if (0u < rounds) { total = min_u32(total, shuffle_xor(total, 1u)); }
  if (1u < rounds) { total = min_u32(total, shuffle_xor(total, 2u)); }
  if (2u < rounds) { total = min_u32(total, shuffle_xor(total, 4u)); }
  if (3u < rounds) { total = min_u32(total, shuffle_xor(total, 8u)); }
  if (has_items) {
    store_row(sums + (row * 4u), Row<f32, 4>{prefix1_add, prefix2_add, prefix3_add, inclusive_add});
  }
  if (exists && (own_lane == 0u)) {
    most[near_line] = announced;
    place[near_line] = total;
  }
}

// Lines of at most 64 items, 4 to a work-item, and several lines to a work-group.
GROUPWISE_KERNEL void __launch_bounds__(256) lines_of_any(
  const u32 n, // number of items
  const u32 size_x, // items in the dimension
  const u32 size_y, // items in the dimension
  const f32* __restrict__ x, // input, n elements
  f32* most, // output, (ceil(size_x / 64) * size_y) elements
  f32* sums, // output, n elements
  u32* place) // output, (ceil(size_x / 64) * size_y) elements
{
  __shared__ f32 lanes_f32[256];
  u32 lane = threadIdx.x;
  u32 rounds = min_u32(max_u32(32u - clz_u32(min_u32(size_x, 64u) - 1u), 2u) - 2u, 4u);
  u32 line = (blockIdx.x * (0x100u >> rounds)) + (lane >> rounds);
  u32 own_lane = lane & ((1u << rounds) - 1u);
  u32 lines_2 = ((size_x + 63u) / 64u) * size_y;
  u32 near_line = min_u32(line, lines_2 - 1u);
  u32 groups_x = (size_x / 64u) + (((size_x % 64u) != 0u) ? 1u : 0u);
  u32 group_y = div_u32(near_line, groups_x);
  u32 start_x = (near_line - (group_y * groups_x)) * 64u;
  u32 start_y = group_y;
  u32 count = min_u32(64u, size_x - start_x);
  bool exists = line < lines_2;
  u32 column = own_lane * 4u;
  u32 first = ((start_y * size_x) + start_x) + column;
  bool has_item = (exists && (column < count)) && (first < n);
  bool has_item_2 = (exists && ((column + 1u) < count)) && ((first + 1u) < n);
  bool has_item_3 = (exists && ((column + 2u) < count)) && ((first + 2u) < n);
  bool has_item_4 = (exists && ((column + 3u) < count)) && ((first + 3u) < n);
  f32 item_max = 0.0f;
  f32 item_add = 0.0f;
  f32 item_max_2 = 0.0f;
  f32 item_add_2 = 0.0f;
  f32 item_max_3 = 0.0f;
  f32 item_add_3 = 0.0f;
  f32 item_max_4 = 0.0f;
  f32 item_add_4 = 0.0f;
  if (has_item) {
    f32 x_i = x[(start_y * size_x) + (start_x + column)];
    item_max = x_i;
    item_add = x_i;
  }
  if (has_item_2) {
    f32 x_i = x[(start_y * size_x) + (start_x + (column + 1u))];
    item_max_2 = x_i;
    item_add_2 = x_i;
  }
  if (has_item_3) {
    f32 x_i = x[(start_y * size_x) + (start_x + (column + 2u))];
    item_max_3 = x_i;
    item_add_3 = x_i;
  }
  if (has_item_4) {
    f32 x_i = x[(start_y * size_x) + (start_x + (column + 3u))];
    item_max_4 = x_i;
    item_add_4 = x_i;
  }
  f32 first_two_max = max_f32(item_max, item_max_2);
  f32 first_two_add = add_rn(item_add, item_add_2);
  f32 last_two_max = max_f32(item_max_3, item_max_4);
  f32 last_two_add = add_rn(item_add_3, item_add_4);
  f32 total_max = max_f32(first_two_max, last_two_max);
  f32 total_add = add_rn(first_two_add, last_two_add);
  f32 lower1_max = 0.0f;
  f32 lower1_add = 0.0f;
  f32 lower2_max = 0.0f;
  f32 lower2_add = 0.0f;
  f32 lower4_max = 0.0f;
  f32 lower4_add = 0.0f;
  f32 lower8_max = 0.0f;
  f32 lower8_add = 0.0f;
  if (5u < rounds) { __syncthreads(); }
  if (0u < rounds) {
    f32 theirs_max = shuffle_xor(total_max, 1u);
    f32 theirs_add = shuffle_xor(total_add, 1u);
    bool is_upper = (own_lane & 1u) != 0u;
    lower1_max = is_upper ? theirs_max : total_max;
    lower1_add = is_upper ? theirs_add : total_add;
    total_max = max_f32(total_max, theirs_max);
    total_add = add_rn(total_add, theirs_add);
  }
  if (1u < rounds) {
    f32 theirs_max = shuffle_xor(total_max, 2u);
    f32 theirs_add = shuffle_xor(total_add, 2u);
    bool is_upper = (own_lane & 2u) != 0u;
    lower2_max = is_upper ? theirs_max : total_max;
    lower2_add = is_upper ? theirs_add : total_add;
    total_max = max_f32(total_max, theirs_max);
    total_add = add_rn(total_add, theirs_add);
  }
  if (2u < rounds) {
    f32 theirs_max = shuffle_xor(total_max, 4u);
    f32 theirs_add = shuffle_xor(total_add, 4u);
    bool is_upper = (own_lane & 4u) != 0u;
    lower4_max = is_upper ? theirs_max : total_max;
    lower4_add = is_upper ? theirs_add : total_add;
    total_max = max_f32(total_max, theirs_max);
    total_add = add_rn(total_add, theirs_add);
  }
  if (3u < rounds) {
    f32 theirs_max = shuffle_xor(total_max, 8u);
    f32 theirs_add = shuffle_xor(total_add, 8u);
    bool is_upper = (own_lane & 8u) != 0u;
    lower8_max = is_upper ? theirs_max : total_max;
    lower8_add = is_upper ? theirs_add : total_add;
    total_max = max_f32(total_max, theirs_max);
    total_add = add_rn(total_add, theirs_add);
  }
  f32 carry_max = __uint_as_float(0xff800000u);
  f32 carry_add = -0.0f;
  f32 inclusive_max = total_max;
  f32 inclusive_add = total_add;
  if (3u < rounds) {
    bool is_upper = (own_lane & 8u) != 0u;
    f32 block_max = lower8_max;
    f32 block_add = lower8_add;
    f32 joined_max = max_f32(carry_max, block_max);
    f32 joined_add = add_rn(carry_add, block_add);
    inclusive_max = is_upper ? inclusive_max : joined_max;
    inclusive_add = is_upper ? inclusive_add : joined_add;
    carry_max = is_upper ? joined_max : carry_max;
    carry_add = is_upper ? joined_add : carry_add;
  }
  if (2u < rounds) {
    bool is_upper = (own_lane & 4u) != 0u;
    f32 block_max = lower4_max;
    f32 block_add = lower4_add;
    f32 joined_max = max_f32(carry_max, block_max);
    f32 joined_add = add_rn(carry_add, block_add);
    inclusive_max = is_upper ? inclusive_max : joined_max;
    inclusive_add = is_upper ? inclusive_add : joined_add;
    carry_max = is_upper ? joined_max : carry_max;
    carry_add = is_upper ? joined_add : carry_add;
  }
  if (1u < rounds) {
    bool is_upper = (own_lane & 2u) != 0u;
    f32 block_max = lower2_max;
    f32 block_add = lower2_add;
    f32 joined_max = max_f32(carry_max, block_max);
    f32 joined_add = add_rn(carry_add, block_add);
    inclusive_max = is_upper ? inclusive_max : joined_max;
    inclusive_add = is_upper ? inclusive_add : joined_add;
    carry_max = is_upper ? joined_max : carry_max;
    carry_add = is_upper ? joined_add : carry_add;
  }
  if (0u < rounds) {
    bool is_upper = (own_lane & 1u) != 0u;
    f32 block_max = lower1_max;
    f32 block_add = lower1_add;
    f32 joined_max = max_f32(carry_max, block_max);
    f32 joined_add = add_rn(carry_add, block_add);
    inclusive_max = is_upper ? inclusive_max : joined_max;
    inclusive_add = is_upper ? inclusive_add : joined_add;
    carry_max = is_upper ? joined_max : carry_max;
    carry_add = is_upper ? joined_add : carry_add;
  }
  f32 prefix1_max = max_f32(carry_max, item_max);
  f32 prefix1_add = add_rn(carry_add, item_add);
  f32 prefix2_max = max_f32(carry_max, first_two_max);
  f32 prefix2_add = add_rn(carry_add, first_two_add);
  f32 prefix3_max = max_f32(prefix2_max, item_max_3);
  f32 prefix3_add = add_rn(prefix2_add, item_add_3);
  u32 last = count - 1u;
  __syncthreads();
  if (own_lane == (last >> 2u)) {
    lanes_f32[lane >> rounds] = ((last & 3u) < 3u) ? (((last & 3u) < 2u) ? (((last & 3u) < 1u) ? prefix1_max : prefix2_max) : prefix3_max) : inclusive_max;
  }
  __syncthreads();
  f32 announced = lanes_f32[lane >> rounds];
  u32 item = 0xffffffffu;
  u32 item_2 = 0xffffffffu;
  u32 item_3 = 0xffffffffu;
  u32 item_4 = 0xffffffffu;
  if (has_item) {
    f32 x_i = x[(start_y * size_x) + (start_x + column)];
    item = is_eq(x_i, announced) ? column : 1000u;
  }
  if (has_item_2) {
    f32 x_i = x[(start_y * size_x) + (start_x + (column + 1u))];
    item_2 = is_eq(x_i, announced) ? (column + 1u) : 1000u;
  }
  if (has_item_3) {
    f32 x_i = x[(start_y * size_x) + (start_x + (column + 2u))];
    item_3 = is_eq(x_i, announced) ? (column + 2u) : 1000u;
  }
  if (has_item_4) {
    f32 x_i = x[(start_y * size_x) + (start_x + (column + 3u))];
    item_4 = is_eq(x_i, announced) ? (column + 3u) : 1000u;
  }
  u32 total = min_u32(min_u32(item, item_2), min_u32(item_3, item_4));
  if (5u < rounds) { __syncthreads(); }
  if (0u < rounds) { total = min_u32(total, shuffle_xor(total, 1u)); }
  if (1u < rounds) { total = min_u32(total, shuffle_xor(total, 2u)); }
  if (2u < rounds) { total = min_u32(total, shuffle_xor(total, 4u)); }
  if (3u < rounds) { total = min_u32(total, shuffle_xor(total, 8u)); }
  if (has_item) { sums[(start_y * size_x) + (start_x + column)] = prefix1_add; }
  if (has_item_2) { sums[(start_y * size_x) + (start_x + (column + 1u))] = prefix2_add; }
  if (has_item_3) { sums[(start_y * size_x) + (start_x + (column + 2u))] = prefix3_add; }
  if (has_item_4) { sums[(start_y * size_x) + (start_x + (column + 3u))] = inclusive_add; }
  if (exists && (own_lane == 0u)) {
    most[near_line] = announced;
    place[near_line] = total;
  }
}

} // namespace groupwise
