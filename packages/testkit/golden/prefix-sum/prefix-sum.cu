// prefix-sum: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target cuda
// Inputs: f32 x[n]
// Outputs: f32 sum[n]
// Strategy: look-back
// CUDA C++17 for compute capability 7.0 or higher, by nvcc, NVRTC or clang; HIP by hipcc or clang.
// Never build it with -use_fast_math, -ftz=true, -ffast-math or -ffp-contract=fast.
// Arrays are aligned to 16 bytes; with -DGROUPWISE_UNALIGNED to their elements, such as views that begin anywhere.
// Passes, one after the other; a pass without work-groups is skipped:
//   scan: min(ceil(n / 8192), 512) work-groups of 256 work-items

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

template <class T> __device__ inline T shuffle_xor(const T value, const u32 bit) {
#ifdef __HIP__
  return __shfl_xor(value, (i32)bit, 32);
#else
  return __shfl_xor_sync(0xffffffffu, value, (i32)bit);
#endif
}

template <class T> __device__ inline T shuffle(const T value, const u32 lane) {
#ifdef __HIP__
  return __shfl(value, (i32)lane, 32);
#else
  return __shfl_sync(0xffffffffu, value, (i32)lane);
#endif
}

// Asks for a line of memory that another work-group reads soon.
__device__ inline void prefetch_line(const void* address) {
#ifdef __HIP__
  (void)address;
#else
  asm volatile("prefetch.global.L2 [%0];" : : "l"(address));
#endif
}

// The least of 32 work-items, in each of them.
__device__ inline u32 reduce_32_min_u32(const u32 value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  return __reduce_min_sync(0xffffffffu, value);
#else
  u32 reduced = value;
  for (u32 bit = 1u; bit < 32u; bit <<= 1u) {
    const u32 other = shuffle_xor(reduced, bit);
    reduced = reduced < other ? reduced : other;
  }
  return reduced;
#endif
}

// Words that other work-groups may write, each loaded atomically; zeros where the condition is false.
__device__ inline Row<u32, 2> load_relaxed_2(const u32* address, const bool condition) {
  Row<u32, 2> words = {0u, 0u};
#ifdef __HIP__
  if (condition) words = {__hip_atomic_load(address, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT), __hip_atomic_load(address + 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT)};
#else
  asm volatile("{ .reg .u64 at; cvta.to.global.u64 at, %2; .reg .pred p; setp.ne.u32 p, %3, 0; @p ld.relaxed.gpu.global.v2.u32 {%0, %1}, [at]; }"
    : "+r"(words.x), "+r"(words.y) : "l"(address), "r"((u32)condition) : "memory");
#endif
  return words;
}

// Writes a word that other work-groups may read at the same time.
__device__ inline void store_relaxed(u32* address, const u32 word) {
#ifdef __HIP__
  __hip_atomic_store(address, word, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
#else
  asm volatile("{ .reg .u64 at; cvta.to.global.u64 at, %0; st.relaxed.gpu.global.u32 [at], %1; }"
    : : "l"(address), "r"(word) : "memory");
#endif
}

constexpr u32 TILE_SHIFT = 13u;
constexpr u32 TILE_ITEMS = 8192u;
constexpr u32 TILE_ROWS = 8u;
constexpr u32 ROW_ITEMS = 1024u;
constexpr u32 TILE_BLOCKS = 64u;
constexpr u32 ROW_BLOCKS = 8u;

// The index of the first word of a slot. The slots of lower levels come first.
__device__ inline u32 slot_at(const u32 slot, const u32 level, const u32 n) {
  return ((((slot + ((0u < level) ? (n >> TILE_SHIFT) : 0u)) + ((1u < level) ? (n >> 18u) : 0u)) + ((2u < level) ? (n >> 23u) : 0u)) * 2u) + 2u;
}

// The total of 32 lanes, in each of them.
__device__ inline f32 total_of_lanes(const f32 own) {
  f32 total2 = add_rn(own, shuffle_xor(own, 1u));
  f32 total4 = add_rn(total2, shuffle_xor(total2, 2u));
  f32 total8 = add_rn(total4, shuffle_xor(total4, 4u));
  f32 total16 = add_rn(total8, shuffle_xor(total8, 8u));
  return add_rn(total16, shuffle_xor(total16, 16u));
}

struct ScanOfLanes { f32 total; f32 exclusive; f32 inclusive; };
// Prefixes of 32 lanes after a carry, and their total.
__device__ inline ScanOfLanes scan_of_lanes(const f32 own, const f32 carry, const u32 sub) {
  f32 theirs1 = shuffle_xor(own, 1u);
  f32 total2 = add_rn(own, theirs1);
  f32 theirs2 = shuffle_xor(total2, 2u);
  f32 total4 = add_rn(total2, theirs2);
  f32 theirs4 = shuffle_xor(total4, 4u);
  f32 total8 = add_rn(total4, theirs4);
  f32 theirs8 = shuffle_xor(total8, 8u);
  f32 total16 = add_rn(total8, theirs8);
  f32 theirs16 = shuffle_xor(total16, 16u);
  f32 total32 = add_rn(total16, theirs16);
  f32 joined16 = add_rn(carry, theirs16);
  f32 carry16 = ((sub & 16u) != 0u) ? joined16 : carry;
  f32 joined8 = add_rn(carry16, theirs8);
  f32 carry8 = ((sub & 8u) != 0u) ? joined8 : carry16;
  f32 joined4 = add_rn(carry8, theirs4);
  f32 carry4 = ((sub & 4u) != 0u) ? joined4 : carry8;
  f32 joined2 = add_rn(carry4, theirs2);
  f32 carry2 = ((sub & 2u) != 0u) ? joined2 : carry4;
  f32 joined1 = add_rn(carry2, theirs1);
  f32 carry1 = ((sub & 1u) != 0u) ? joined1 : carry2;
  f32 next = shuffle(carry1, (sub + 1u) & 31u);
  return ScanOfLanes{total32, carry1, (sub == 31u) ? add_rn(carry, total32) : next};
}

struct LookAt { u32 word0; u32 word1; };
// Reads the words of the slot of a level that the lane needs, published or not.
__device__ inline LookAt look_at(const u32 tile, const u32 level, const u32 lane, u32* status, const u32 n) {
  const Row<u32, 2> now = load_relaxed_2(&status[slot_at(((tile >> (((level + 1u) * 5u) & 31u)) << 5u) + lane, level, n)], lane < ((tile >> ((level * 5u) & 31u)) & 31u));
  return LookAt{now.x, now.y};
}

struct WaitFor { f32 slot; u32 missing; };
// Polls the lane's slot of a level until all of its words are published, at most 4096 times.
__device__ inline WaitFor wait_for(const u32 tile, const u32 level, const u32 lane, const u32 seen0, const u32 seen1, u32* status, const u32 n) {
  u32 word0 = seen0;
  u32 word1 = seen1;
  u32 missing = 0xffffffffu;
  if (lane < ((tile >> ((level * 5u) & 31u)) & 31u)) {
    u32 at = slot_at(((tile >> (((level + 1u) * 5u) & 31u)) << 5u) + lane, level, n);
    u32 tries = 0u;
    while ((((word0 & word1) & 0x00010000u) == 0u) && (tries < 4096u)) {
      const Row<u32, 2> now = load_relaxed_2(&status[at], true);
      word0 = now.x;
      word1 = now.y;
      tries = tries + 1u;
    }
    if (((word0 & word1) & 0x00010000u) == 0u) { missing = (level * 32u) + lane; }
  }
  return WaitFor{__uint_as_float((word0 & 0xffffu) | (word1 << 16u)), missing};
}

// Publishes a total: 16 of its bits in each word, beside a bit that marks the word as published.
__device__ inline void publish(const u32 slot, const u32 level, const f32 total, u32* status, const u32 n) {
  u32 at = slot_at(slot, level, n);
  store_relaxed(&status[at], (__float_as_uint(total) & 0xffffu) | 0x00010000u);
  store_relaxed(&status[at + 1u], (__float_as_uint(total) >> 16u) | 0x00010000u);
}

// Stores the aggregate of a block: 32 lanes, each with four items of a tile row.
__device__ inline void store_block(const f32 item0, const f32 item1, const f32 item2, const f32 item3, const u32 slot, const u32 sub, f32* block_totals) {
  f32 first_two = add_rn(item0, item1);
  f32 last_two = add_rn(item2, item3);
  f32 total = total_of_lanes(add_rn(first_two, last_two));
  if (sub == 0u) { block_totals[slot] = total; }
}

// The total of a tile, from the totals of its blocks.
__device__ inline f32 total_of_blocks(const u32 first, const u32 sub, f32* block_totals) {
  f32 block0 = block_totals[first + (sub * 2u)];
  f32 block1 = block_totals[(first + (sub * 2u)) + 1u];
  return total_of_lanes(add_rn(block0, block1));
}

// The prefix before the tile's slot of a level, from the prefix before the first of the 32 slots.
__device__ inline f32 prefix_at(const u32 tile, const u32 level, const f32 slot, const f32 before, const u32 sub) {
  u32 digit = (tile >> ((level * 5u) & 31u)) & 31u;
  f32 prefix = before;
  if (digit != 0u) {
    const ScanOfLanes scanned = scan_of_lanes(slot, before, sub);
    prefix = shuffle(scanned.exclusive, digit);
  }
  return prefix;
}

struct PrefixesOfBlock { f32 total; f32 before; f32 after; };
// For the block of a level that ends with the tile: the prefixes before and after it, and the total of the slots up to it.
__device__ inline PrefixesOfBlock prefixes_of_block(const u32 tile, const u32 level, const f32 slot, const f32 own, const f32 before, const u32 sub) {
  u32 digit = (tile >> ((level * 5u) & 31u)) & 31u;
  const ScanOfLanes scanned = scan_of_lanes((sub == digit) ? own : slot, before, sub);
  f32 picked = shuffle(scanned.exclusive, digit);
  return PrefixesOfBlock{scanned.total, picked, shuffle(scanned.inclusive, digit)};
}

struct ScanOfRows { f32 before0; f32 before1; f32 before2; f32 before3; f32 inclusive; };
// The prefixes before the four items that each of 32 lanes has in a tile row, and after the last.
__device__ inline ScanOfRows scan_of_rows(const f32 item0, const f32 item1, const f32 item2, const f32 item3, const f32 start, const u32 sub) {
  f32 first_two = add_rn(item0, item1);
  f32 last_two = add_rn(item2, item3);
  const ScanOfLanes scanned = scan_of_lanes(add_rn(first_two, last_two), start, sub);
  f32 prefix2 = add_rn(scanned.exclusive, first_two);
  return ScanOfRows{scanned.exclusive, add_rn(scanned.exclusive, item0), prefix2, add_rn(prefix2, item2), scanned.inclusive};
}

} // namespace

// Scan of the tiles, 8192 items each, in 8 rows; work-groups take tiles from a counter.
// The aggregates of a tile, of 32 tiles and so on are published once; a prefix combines at most 31 of each level.
GROUPWISE_KERNEL void __launch_bounds__(256) scan(
  const u32 n, // number of items
  const f32* __restrict__ x, // input, n elements
  f32* sum, // output, n elements
  u32* status) // scratch, (((((floor(n / 8192) + floor(n / 262144)) + floor(n / 8388608)) + floor(n / 268435456)) * 2) + 2) elements, all zero at first
{
  __shared__ f32 block_totals[192];
  __shared__ f32 prefixes[65];
  __shared__ u32 broadcast_words[2];
  u32 lane = threadIdx.x;
  u32 sub = lane & 31u;
  u32 block = lane >> 5u;
  u32 tiles = (n + 8191u) >> TILE_SHIFT;
  // each iteration reads the next tile and publishes its total, then finishes the previous tile
  u32 tile = tiles;
  u32 next = 0u;
  u32 region = 0u;
  f32 own = 0.0f;
  f32 items[32] = {};
  f32 next_items[32] = {};
  while (next < tiles) {
    // first reads of the slots; they complete while the next tile is read
    u32 at = min_u32(tile, n >> TILE_SHIFT);
    const LookAt seen_3 = look_at(at, 3u, lane, status, n);
    const LookAt seen_2 = look_at(at, 2u, lane, status, n);
    const LookAt seen_1 = look_at(at, 1u, lane, status, n);
    const LookAt seen_0 = look_at(at, 0u, lane, status, n);
    if (tile < (n >> TILE_SHIFT)) {
      u32 ends = min_u32((31u - clz_u32((tile + 1u) & (0u - (tile + 1u)))) / 5u, 3u);
      f32 total = own;
      for (u32 level = 0u; level < ends; level++) {
        const WaitFor answer = wait_for(tile, level, lane, 0u, 0u, status, n);
        u32 total_2 = reduce_32_min_u32(answer.missing);
        total = total_of_lanes((sub == 31u) ? total : answer.slot);
        if ((lane == 0u) && (total_2 == 0xffffffffu)) {
          publish(tile >> ((level + 1u) * 5u), level + 1u, total, status, n);
        }
      }
    }
    if (lane == 0u) { broadcast_words[1u] = atomicAdd(&status[0u], 1u); }
    __syncthreads();
    u32 ticket = broadcast_words[1u];
    __syncthreads();
    next = ticket;
    f32 next_own = own;
    if (next < tiles) {
      if (next < (n >> TILE_SHIFT)) {
        u32 later = (next + 128u) * TILE_ITEMS;
        for (u32 line = lane; line < 256u; line += 256u) {
          u32 at_2 = later + (line * 32u);
          if (at_2 < n) { prefetch_line(x + at_2); }
        }
        for (u32 row = 0u; row < TILE_ROWS; row++) {
          const Row<f32, 4> x_row = load_row<4>(x + (((next * TILE_ITEMS) + (row * ROW_ITEMS)) + (lane * 4u)));
          next_items[row * 4u] = x_row.x;
          next_items[(row * 4u) + 1u] = x_row.y;
          next_items[(row * 4u) + 2u] = x_row.z;
          next_items[(row * 4u) + 3u] = x_row.w;
        }
      } else {
        for (u32 row = 0u; row < TILE_ROWS; row++) {
          u32 base = ((next * TILE_ITEMS) + (row * ROW_ITEMS)) + (lane * 4u);
          for (u32 k = 0u; k < 4u; k++) { next_items[(row * 4u) + k] = x[min_u32(base + k, n - 1u)]; }
        }
      }
      for (u32 row = 0u; row < TILE_ROWS; row++) {
        store_block(next_items[row * 4u], next_items[(row * 4u) + 1u], next_items[(row * 4u) + 2u], next_items[(row * 4u) + 3u], (((region + 1u) & 1u) * TILE_BLOCKS) + ((row * ROW_BLOCKS) + block), sub, block_totals);
      }
      __syncthreads();
      next_own = total_of_blocks(((region + 1u) & 1u) * TILE_BLOCKS, sub, block_totals);
      if ((lane == 0u) && (next < (n >> TILE_SHIFT))) { publish(next, 0u, next_own, status, n); }
    }
    if (tile < tiles) {
      u32 missing = 0u;
      while (missing != 0xffffffffu) {
        const WaitFor answer_3 = wait_for(tile, 3u, lane, seen_3.word0, seen_3.word1, status, n);
        const WaitFor answer_2 = wait_for(tile, 2u, lane, seen_2.word0, seen_2.word1, status, n);
        const WaitFor answer_1 = wait_for(tile, 1u, lane, seen_1.word0, seen_1.word1, status, n);
        const WaitFor answer_0 = wait_for(tile, 0u, lane, seen_0.word0, seen_0.word1, status, n);
        u32 total = reduce_32_min_u32(min_u32(min_u32(min_u32(answer_0.missing, answer_1.missing), answer_2.missing), answer_3.missing));
        f32 prefix_3 = prefix_at(tile, 3u, answer_3.slot, -0.0f, sub);
        f32 prefix_2 = prefix_at(tile, 2u, answer_2.slot, prefix_3, sub);
        const PrefixesOfBlock block_prefixes = prefixes_of_block(tile, 0u, answer_0.slot, own, prefix_at(tile, 1u, answer_1.slot, prefix_2, sub), sub);
        f32 after = block_prefixes.after;
        f32 total_5 = block_prefixes.total;
        u32 ends = min_u32((31u - clz_u32((tile + 1u) & (0u - (tile + 1u)))) / 5u, 3u);
        for (u32 level_2 = 1u; level_2 < (ends + 1u); level_2++) {
          f32 slot_2 = (level_2 == 3u) ? answer_3.slot : ((level_2 == 2u) ? answer_2.slot : answer_1.slot);
          const PrefixesOfBlock block_prefixes_2 = prefixes_of_block(tile, level_2, slot_2, total_5, (level_2 == 3u) ? (-0.0f) : ((level_2 == 2u) ? prefix_3 : prefix_2), sub);
          after = block_prefixes_2.after;
          total_5 = block_prefixes_2.total;
        }
        u32 first = (region & 1u) * TILE_BLOCKS;
        f32 block0 = block_totals[first + (sub * 2u)];
        f32 block1 = block_totals[(first + (sub * 2u)) + 1u];
        const ScanOfLanes scanned = scan_of_lanes(add_rn(block0, block1), block_prefixes.before, sub);
        if (lane < 32u) {
          prefixes[sub * 2u] = scanned.exclusive;
          prefixes[(sub * 2u) + 1u] = add_rn(scanned.exclusive, block0);
        }
        if (lane == 0u) { prefixes[TILE_BLOCKS] = after; }
        if (lane == 0u) { broadcast_words[0u] = total; }
        __syncthreads();
        u32 first_missing = broadcast_words[0u];
        __syncthreads();
        missing = first_missing;
        if (missing != 0xffffffffu) {
          // computes the total of a slot that is not published in time, with the same bits
          f32 lost_blocks[16] = {};
          u32 level_2 = missing >> 5u;
          u32 bits = level_2 * 5u;
          u32 slot_2 = ((tile >> ((bits + 5u) & 31u)) << 5u) + (missing & 31u);
          u32 first_2 = slot_2 << (bits & 31u);
          f32 lost = 0.0f;
          for (u32 i = 0u; i < (1u << (bits & 31u)); i++) {
            __syncthreads();
            u32 lost_tile = min_u32(first_2 + i, (n >> TILE_SHIFT) - 1u);
            for (u32 row = 0u; row < min_u32(n + TILE_ROWS, TILE_ROWS); row++) {
              const Row<f32, 4> x_row = load_row<4>(x + (((lost_tile * TILE_ITEMS) + (row * ROW_ITEMS)) + (lane * 4u)));
              store_block(x_row.x, x_row.y, x_row.z, x_row.w, 128u + ((row * ROW_BLOCKS) + block), sub, block_totals);
            }
            __syncthreads();
            lost = total_of_blocks(128u, sub, block_totals);
            u32 ones = min_u32(31u - clz_u32((i + 1u) & (0u - (i + 1u))), 15u);
            for (u32 k = 0u; k < ones; k++) { lost = add_rn(lost_blocks[k], lost); }
            lost_blocks[ones] = lost;
          }
          if (lane == 0u) { publish(slot_2, level_2, lost, status, n); }
        }
      }
      if (tile < (n >> TILE_SHIFT)) {
        for (u32 row = 0u; row < TILE_ROWS; row++) {
          const ScanOfRows scanned_2 = scan_of_rows(items[row * 4u], items[(row * 4u) + 1u], items[(row * 4u) + 2u], items[(row * 4u) + 3u], prefixes[(row * ROW_BLOCKS) + block], sub);
          f32 last = (sub == 31u) ? prefixes[((row * ROW_BLOCKS) + block) + 1u] : scanned_2.inclusive;
          store_row(sum + (((tile * TILE_ITEMS) + (row * ROW_ITEMS)) + (lane * 4u)), Row<f32, 4>{scanned_2.before1, scanned_2.before2, scanned_2.before3, last});
        }
      } else {
        for (u32 row = 0u; row < TILE_ROWS; row++) {
          const ScanOfRows scanned_3 = scan_of_rows(items[row * 4u], items[(row * 4u) + 1u], items[(row * 4u) + 2u], items[(row * 4u) + 3u], prefixes[(row * ROW_BLOCKS) + block], sub);
          f32 last = (sub == 31u) ? prefixes[((row * ROW_BLOCKS) + block) + 1u] : scanned_3.inclusive;
          u32 base = ((tile * TILE_ITEMS) + (row * ROW_ITEMS)) + (lane * 4u);
          f32 prefixes_2[5] = {scanned_3.before0, scanned_3.before1, scanned_3.before2, scanned_3.before3, last};
          for (u32 k = 0u; k < 4u; k++) {
            u32 i = base + k;
            if (i < n) { sum[i] = prefixes_2[k + 1u]; }
          }
        }
      }
    }
    tile = next;
    region = region + 1u;
    own = next_own;
    for (u32 k = 0u; k < 32u; k++) { items[k] = next_items[k]; }
  }
}

} // namespace groupwise
