// What texts use of CUDA's and HIP's headers, for compilers that only read: nothing is defined.
#pragma once
#include <stddef.h>
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))

struct Place {
  unsigned x, y, z;
};
extern __device__ const Place threadIdx, blockIdx, blockDim;
struct dim3 {
  unsigned x, y, z;
  __host__ __device__ constexpr explicit dim3(unsigned all, unsigned = 1, unsigned = 1) : x(all), y(1), z(1) {}
};

__device__ void __syncthreads();
__device__ unsigned __float_as_uint(float);
__device__ float __uint_as_float(unsigned);
__device__ long long __double_as_longlong(double);
__device__ double __longlong_as_double(long long);
__device__ int __popc(unsigned);
__device__ int __popcll(unsigned long long);
__device__ int __clz(int);
__device__ int __clzll(long long);
__device__ int __mulhi(int, int);
__device__ unsigned __umulhi(unsigned, unsigned);
__device__ long long __mul64hi(long long, long long);
__device__ unsigned long long __umul64hi(unsigned long long, unsigned long long);
extern "C" {
__device__ float fabsf(float), floorf(float), ceilf(float), truncf(float), sqrtf(float);
__device__ float expf(float), exp2f(float), expm1f(float), logf(float), log2f(float), log1pf(float), powf(float, float);
__device__ float sinf(float), cosf(float), tanf(float), asinf(float), acosf(float), atanf(float), atan2f(float, float);
__device__ float sinhf(float), coshf(float), tanhf(float), asinhf(float), acoshf(float), atanhf(float);
__device__ float erff(float), cbrtf(float), rsqrtf(float), hypotf(float, float);
__device__ double fabs(double), floor(double), ceil(double), trunc(double), sqrt(double);
}
#define OF_WORDS(function) \
  __device__ int function(int*, int); \
  __device__ unsigned function(unsigned*, unsigned);
OF_WORDS(atomicAdd)
OF_WORDS(atomicMin)
OF_WORDS(atomicMax)
OF_WORDS(atomicAnd)
OF_WORDS(atomicOr)
OF_WORDS(atomicXor)
