#pragma once
#include "../device.h"
#include "hip_runtime_api.h"

#define SHUFFLES(T) \
  __device__ T __shfl(T, int, int = 32); \
  __device__ T __shfl_xor(T, int, int = 32);
SHUFFLES(int)
SHUFFLES(unsigned)
SHUFFLES(long long)
SHUFFLES(unsigned long long)
SHUFFLES(float)
SHUFFLES(double)
__device__ unsigned long long __ballot(int);
__device__ unsigned __lane_id();
extern "C" hipError_t __hipPushCallConfiguration(dim3, dim3, size_t, hipStream_t);
extern "C" hipError_t hipLaunchKernel(const void*, dim3, dim3, void**, size_t, hipStream_t);
#define hipLaunchKernelGGL(kernel, groups, size, shared, stream, ...) \
  kernel<<<groups, size, shared, stream>>>(__VA_ARGS__)

// Of later versions of clang.
#if !__has_builtin(__hip_atomic_load)
#define __HIP_MEMORY_SCOPE_AGENT 4
#define __hip_atomic_load(address, order, scope) __atomic_load_n(address, order)
#define __hip_atomic_store(address, value, order, scope) __atomic_store_n(address, value, order)
#endif
