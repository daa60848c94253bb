// What kernels use of HIP, for the CPU: every work-item is a fiber, and waits for the others of its work-group or of its 32 lanes
// (scheduler.cpp). Work-groups run on several threads at once, so that they wait for one another as on a device. With GROUPWISE_WAVE defined
// as 64, lanes have the numbers that they have in waves of 64.
#pragma once
#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifndef GROUPWISE_WAVE
#define GROUPWISE_WAVE 32
#endif

inline float rsqrtf(float x) { return (float)(1 / sqrt((double)x)); }

namespace cpu {

struct Place {
  unsigned x;
};
struct Item {
  Place thread, group, size;
};
extern thread_local Item* item;

void meet_group();
/** Gives a word to the other lanes, waits for theirs, and returns the words of all. */
const unsigned long long* exchange(unsigned long long word);
void run(unsigned groups, unsigned size, void (*body)(const void*), const void* arguments);

template <class Body> void launch(unsigned groups, unsigned size, const Body& body) {
  run(groups, size, [](const void* any) { (*static_cast<const Body*>(any))(); }, &body);
}

template <class T> T moved(T value, unsigned lane) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "shuffles move words");
  unsigned long long word = 0;
  memcpy(&word, &value, sizeof value);
  word = exchange(word)[lane % 32u];
  memcpy(&value, &word, sizeof value);
  return value;
}

template <class T, class F> T changed(T* address, F change) {
  T old = __atomic_load_n(address, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(address, &old, change(old), false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
  return old;
}

}  // namespace cpu

enum hipError_t { hipSuccess = 0, hipErrorInvalidValue = 1 };
using hipStream_t = struct ihipStream_t*;
struct dim3 {
  unsigned x;
  explicit dim3(unsigned all) : x(all) {}
};
inline hipError_t hipMemsetAsync(void* array, int byte, size_t bytes, hipStream_t) {
  memset(array, byte, bytes);
  return hipSuccess;
}
inline hipError_t hipPeekAtLastError() { return hipSuccess; }
#define hipLaunchKernelGGL(kernel, groups, size, shared, stream, ...) \
  cpu::launch((groups).x, (size).x, [&] { kernel(__VA_ARGS__); })

#define __global__
#define __device__
#define __constant__
#define __shared__ static thread_local
#define __launch_bounds__(size)
#define threadIdx (cpu::item->thread)
#define blockIdx (cpu::item->group)
#define blockDim (cpu::item->size)
#define __syncthreads() cpu::meet_group()

#define __HIP_MEMORY_SCOPE_AGENT 4
#define __hip_atomic_load(address, order, scope) __atomic_load_n(address, order)
#define __hip_atomic_store(address, value, order, scope) __atomic_store_n(address, value, order)

inline unsigned __lane_id() { return threadIdx.x % GROUPWISE_WAVE; }
template <class T> T __shfl_xor(T value, int bit, int) { return cpu::moved(value, threadIdx.x ^ bit); }
template <class T> T __shfl(T value, int lane, int) { return cpu::moved(value, lane); }
/** In waves of 64 the other half may be elsewhere: its bits are not looked at. */
inline unsigned long long __ballot(int condition) {
  const unsigned long long* all = cpu::exchange(condition != 0);
  unsigned long long bits = 0;
  for (int lane = 0; lane < 32; lane++) bits |= all[lane] << lane;
  return bits << (__lane_id() & 32u);
}

template <class T> T atomicAdd(T* address, T x) { return __atomic_fetch_add(address, x, __ATOMIC_RELAXED); }
template <class T> T atomicAnd(T* address, T x) { return __atomic_fetch_and(address, x, __ATOMIC_RELAXED); }
template <class T> T atomicOr(T* address, T x) { return __atomic_fetch_or(address, x, __ATOMIC_RELAXED); }
template <class T> T atomicXor(T* address, T x) { return __atomic_fetch_xor(address, x, __ATOMIC_RELAXED); }
template <class T> T atomicMin(T* address, T x) {
  return cpu::changed(address, [x](T old) { return old < x ? old : x; });
}
template <class T> T atomicMax(T* address, T x) {
  return cpu::changed(address, [x](T old) { return old > x ? old : x; });
}

template <class To, class From> To cpu_bits(From from) {
  To to;
  memcpy(&to, &from, sizeof to);
  return to;
}
inline unsigned __float_as_uint(float x) { return cpu_bits<unsigned>(x); }
inline float __uint_as_float(unsigned x) { return cpu_bits<float>(x); }
inline long long __double_as_longlong(double x) { return cpu_bits<long long>(x); }
inline double __longlong_as_double(long long x) { return cpu_bits<double>(x); }
inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz(x); }
inline int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll(x); }
inline int __mulhi(int a, int b) { return ((long long)a * b) >> 32; }
inline unsigned __umulhi(unsigned a, unsigned b) { return ((unsigned long long)a * b) >> 32; }
inline long long __mul64hi(long long a, long long b) { return ((__int128)a * b) >> 64; }
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return ((unsigned __int128)a * b) >> 64;
}
