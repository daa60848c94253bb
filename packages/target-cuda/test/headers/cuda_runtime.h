#pragma once
#include "cuda_runtime_api.h"
#include "device.h"

__device__ float __fadd_rn(float, float), __fsub_rn(float, float), __fmul_rn(float, float), __fdiv_rn(float, float);
__device__ double __dadd_rn(double, double), __dsub_rn(double, double), __dmul_rn(double, double), __ddiv_rn(double, double);
__device__ float __fsqrt_rn(float), __fmaf_rn(float, float, float);
__device__ double __dsqrt_rn(double), __fma_rn(double, double, double);
__device__ int __float2int_rz(float), __double2int_rz(double);
__device__ unsigned __float2uint_rz(float), __double2uint_rz(double);
__device__ long long __float2ll_rz(float), __double2ll_rz(double);
__device__ unsigned long long __float2ull_rz(float), __double2ull_rz(double);
#define SHUFFLES(T) \
  __device__ T __shfl_sync(unsigned, T, int, int = 32); \
  __device__ T __shfl_xor_sync(unsigned, T, int, int = 32);
SHUFFLES(int)
SHUFFLES(unsigned)
SHUFFLES(long long)
SHUFFLES(unsigned long long)
SHUFFLES(float)
SHUFFLES(double)
__device__ unsigned __ballot_sync(unsigned, int);
__device__ int __any_sync(unsigned, int);
__device__ unsigned __reduce_add_sync(unsigned, unsigned), __reduce_and_sync(unsigned, unsigned);
__device__ unsigned __reduce_or_sync(unsigned, unsigned), __reduce_xor_sync(unsigned, unsigned);
__device__ unsigned __reduce_min_sync(unsigned, unsigned), __reduce_max_sync(unsigned, unsigned);
__device__ int __reduce_min_sync(unsigned, int), __reduce_max_sync(unsigned, int);
cudaError_t cudaLaunchKernel(const void*, dim3, dim3, void**, size_t, cudaStream_t);
