#pragma once
#include <stddef.h>
enum hipError_t { hipSuccess, hipErrorInvalidValue };
using hipStream_t = struct ihipStream_t*;
hipError_t hipMemsetAsync(void*, int, size_t, hipStream_t);
hipError_t hipPeekAtLastError();
