#pragma once
#include <stddef.h>
enum cudaError_t { cudaSuccess, cudaErrorInvalidValue };
using cudaStream_t = struct CUstream_st*;
cudaError_t cudaMemsetAsync(void*, int, size_t, cudaStream_t);
