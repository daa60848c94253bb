// The part of CUDA's driver that is used, on the CPU: memory of the host, and streams that are done when a call returns. A module is the path of
// a library that compiler.cpp makes. Device 1, of compute capability 9.1, has waves of 64 work-items. Device 2, of 9.2, is newer than the compiler,
// and no list has it.
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <atomic>
#include <chrono>
#include <string>

namespace {

using Time = std::chrono::steady_clock::time_point;
Time now() { return std::chrono::steady_clock::now(); }

enum { SUCCESS = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, NOT_FOUND = 500, NOT_READY = 600 };
// A kernel of a library: its arguments are pointers, or bytes laid out as the members of a struct.
using Launch = void (*)(unsigned groups, unsigned size, void** pointers, const unsigned char* bytes);

thread_local void* current;
char context, object;

int made(void** to) {
  *to = &object;
  return SUCCESS;
}
int allocated(uint64_t* to, size_t bytes) {
  void* memory = aligned_alloc(256, (bytes + 255) / 256 * 256);
  if (!memory) return OUT_OF_MEMORY;
  memset(memory, 0xa5, bytes);  // what nobody wrote has no meaning
  *to = reinterpret_cast<uint64_t>(memory);
  return SUCCESS;
}
void* at(uint64_t pointer) { return reinterpret_cast<void*>(pointer); }

}  // namespace

extern "C" {

int cuInit(unsigned) { return SUCCESS; }
int cuDriverGetVersion(int* version) { return *version = 13000, SUCCESS; }
int cuGetErrorName(int status, const char** name) {
  *name = status == NOT_FOUND ? "CUDA_ERROR_NOT_FOUND" : "CUDA_ERROR";
  return SUCCESS;
}
int cuDeviceGetCount(int* count) { return *count = 2, SUCCESS; }
int cuDeviceGet(int* device, int ordinal) { return *device = ordinal, ordinal < 3 ? SUCCESS : INVALID_VALUE; }
int cuDeviceGetName(char* name, int length, int device) {
  return strncpy(name, device == 0 ? "CUDA on the CPU" : "CUDA on the CPU, waves of 64", length), SUCCESS;
}
int cuDeviceGetAttribute(int* value, int attribute, int device) {
  switch (attribute) {
    case 1: return *value = 1024, SUCCESS;  // threads of a block
    case 8: return *value = 49152, SUCCESS;  // bytes of shared memory
    case 16: return *value = 3, SUCCESS;  // multiprocessors
    case 75: return *value = 9, SUCCESS;  // compute capability
    case 76: return *value = device, SUCCESS;
  }
  return INVALID_VALUE;
}
int cuDeviceTotalMem_v2(size_t* bytes, int) { return *bytes = size_t(1) << 34, SUCCESS; }
int cuDevicePrimaryCtxRetain(void** made, int) { return *made = &context, SUCCESS; }
int cuDevicePrimaryCtxRelease_v2(int) { return SUCCESS; }
int cuCtxSetCurrent(void* given) { return current = given, SUCCESS; }
int cuCtxGetCurrent(void** given) { return *given = current, SUCCESS; }
int cuCtxPushCurrent_v2(void* given) { return current = given, SUCCESS; }
int cuCtxPopCurrent_v2(void** given) { return *given = current, current = nullptr, SUCCESS; }
int cuPointerGetAttribute(void* value, int, uint64_t pointer) {
  return pointer == 0 ? INVALID_VALUE : (*static_cast<int*>(value) = 0, SUCCESS);
}

int cuStreamCreate(void** stream, unsigned) { return made(stream); }
int cuStreamDestroy_v2(void*) { return SUCCESS; }
int cuStreamSynchronize(void*) { return SUCCESS; }
int cuStreamIsCapturing(void*, int* is_capturing) { return *is_capturing = 0, SUCCESS; }
int cuStreamWaitEvent(void*, void*, unsigned) { return SUCCESS; }
int cuEventCreate(void** event, unsigned) { return *event = new Time(), SUCCESS; }
int cuEventRecord(void* event, void*) { return *static_cast<Time*>(event) = now(), SUCCESS; }
// Behind a wait for the queue, too, an event may not be ready yet.
int cuEventQuery(void*) {
  static std::atomic<unsigned> asked;
  return ++asked % 8 == 0 ? NOT_READY : SUCCESS;
}
int cuEventSynchronize(void*) { return SUCCESS; }
int cuEventDestroy_v2(void* event) { return delete static_cast<Time*>(event), SUCCESS; }
int cuEventElapsedTime(float* milliseconds, void* from, void* to) {
  std::chrono::duration<float, std::milli> elapsed = *static_cast<Time*>(to) - *static_cast<Time*>(from);
  return *milliseconds = elapsed.count(), SUCCESS;
}

int cuMemPoolCreate(void** pool, const void*) { return made(pool); }
int cuMemPoolSetAttribute(void*, int, void*) { return SUCCESS; }
int cuMemPoolDestroy(void*) { return SUCCESS; }
int cuMemAllocFromPoolAsync(uint64_t* to, size_t bytes, void*, void*) { return allocated(to, bytes); }
int cuMemAllocAsync(uint64_t* to, size_t bytes, void*) { return allocated(to, bytes); }
int cuMemFreeAsync(uint64_t memory, void*) { return free(at(memory)), SUCCESS; }
int cuMemHostAlloc(void** to, size_t bytes, unsigned) { return *to = malloc(bytes), *to ? SUCCESS : OUT_OF_MEMORY; }
int cuMemFreeHost(void* memory) { return free(memory), SUCCESS; }
int cuMemsetD8Async(uint64_t to, unsigned char byte, size_t count, void*) { return memset(at(to), byte, count), SUCCESS; }
int cuMemsetD32Async(uint64_t to, unsigned word, size_t count, void*) {
  for (size_t i = 0; i < count; i++) static_cast<unsigned*>(at(to))[i] = word;
  return SUCCESS;
}
int cuMemcpyHtoDAsync_v2(uint64_t to, const void* from, size_t bytes, void*) { return memcpy(at(to), from, bytes), SUCCESS; }
int cuMemcpyDtoHAsync_v2(void* to, uint64_t from, size_t bytes, void*) { return memcpy(to, at(from), bytes), SUCCESS; }
int cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes, void*) { return memcpy(at(to), at(from), bytes), SUCCESS; }

int cuModuleLoadData(void** module, const void* path) {
  *module = dlopen(static_cast<const char*>(path), RTLD_NOW | RTLD_LOCAL);
  return *module ? SUCCESS : INVALID_VALUE;
}
// Threads that ran its kernels may have its thread-local memory.
int cuModuleUnload(void*) { return SUCCESS; }
int cuModuleGetFunction(void** function, void* module, const char* name) {
  *function = dlsym(module, ("launch_" + std::string(name)).c_str());
  return *function ? SUCCESS : NOT_FOUND;
}
int cuFuncGetAttribute(int* value, int, void*) { return *value = 1024, SUCCESS; }
int cuLaunchKernel(void* function, unsigned groups, unsigned, unsigned, unsigned size, unsigned, unsigned, unsigned, void*,
                   void** pointers, void** extra) {
  if (current != &context) return INVALID_VALUE;
  // Of the extra arguments, 1 is before the bytes.
  const void* bytes = extra && reinterpret_cast<uintptr_t>(extra[0]) == 1 ? extra[1] : nullptr;
  reinterpret_cast<Launch>(function)(groups, size, pointers, static_cast<const unsigned char*>(bytes));
  return SUCCESS;
}

}  // extern "C"
