/* Answers of the CUDA runtime for a machine without a device: an H100 (compute capability 9.0, 132 multiprocessors). */
#include <stdint.h>
#include <string.h>
typedef int cudaError_t;
struct attributes { size_t shared, constant, local; int threads, registers, ptx, binary, cache, dynamic, carveout, rest[32]; };
cudaError_t cudaGetDevice(int *d) { *d = 0; return 0; }
cudaError_t cudaSetDevice(int d) { (void)d; return 0; }
cudaError_t cudaGetDeviceCount(int *c) { *c = 1; return 0; }
cudaError_t cudaGetLastError(void) { return 0; }
cudaError_t cudaPeekAtLastError(void) { return 0; }
cudaError_t cudaFuncGetAttributes(struct attributes *a, const void *f) { (void)f; memset(a, 0, 48); a->threads = 1024; a->ptx = 90; a->binary = 90; return 0; }
cudaError_t cudaDeviceGetAttribute(int *v, int what, int d) {
  (void)d;
  /* cudaDevAttrMultiProcessorCount 16, ComputeCapabilityMajor 75, Minor 76, MaxSharedMemoryPerBlock 8, Optin 97, WarpSize 10, MaxGridDimX 5 */
  *v = what == 16 ? 132 : what == 75 ? 9 : what == 76 ? 0 : what == 8 ? 49152 : what == 97 ? 232448 : what == 10 ? 32 : what == 5 ? 2147483647 : 0;
  return 0;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *b, const void *f, int t, size_t s, unsigned g) { (void)f; (void)s; (void)g; *b = 2048 / t; return 0; }
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *b, const void *f, int t, size_t s) { (void)f; (void)s; *b = 2048 / t; return 0; }
