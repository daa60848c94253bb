/** The parts of a device's file that are the same for every pipeline. */

export const PRELUDE = `#define CL_TARGET_OPENCL_VERSION 120
#ifdef __APPLE__
#include <OpenCL/opencl.h>
#else
#include <CL/cl.h>
#endif
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
`;

export const DEVICE = `
#define MOST (UINT64_C(1) << 24) // items of a piece

_Static_assert(
  GW_DEVICE_LEAST > 0 && (GW_DEVICE_LEAST & (GW_DEVICE_LEAST - 1)) == 0 && GW_DEVICE_LEAST <= MOST,
  "GW_DEVICE_LEAST is a power of two from 1 to 2^24");

// An array of the device, which grows.
struct slot { cl_mem buffer; size_t bytes; };

static char *problem; // allocated; NULL if there is none

static void forget(void) {
  free(problem);
  problem = NULL;
}

static void note(const char *format, ...) {
  va_list values;
  va_start(values, format);
  const int length = vsnprintf(NULL, 0, format, values);
  va_end(values);
  forget();
  if (length >= 0) problem = malloc((size_t)length + 1);
  if (problem == NULL) return; // callers have the message of the status
  va_start(values, format);
  vsnprintf(problem, (size_t)length + 1, format, values);
  va_end(values);
}

// Notes a failed call and jumps to \`done\`.
#define TRY_AS(name, call) \\
  do { \\
    status = (call); \\
    if (status != CL_SUCCESS) { \\
      if (problem == NULL) note("%s: OpenCL status %d", name, (int)status); \\
      goto done; \\
    } \\
  } while (0)
#define TRY(call) TRY_AS(#call, call)
`;

/** The functions that copy arrays to the device and back. */
const MOVES: Readonly<Record<string, string>> = {
  put: `
static cl_int put(const struct slot *slot, const void *array, size_t bytes) {
  if (bytes == 0) return CL_SUCCESS;
  return clEnqueueWriteBuffer(device.queue, slot->buffer, CL_TRUE, 0, bytes, array, 0, NULL, NULL);
}
`,
  get: `
static cl_int get(const struct slot *slot, void *array, size_t bytes) {
  if (bytes == 0) return CL_SUCCESS;
  return clEnqueueReadBuffer(device.queue, slot->buffer, CL_TRUE, 0, bytes, array, 0, NULL, NULL);
}
`,
  at_most: `
static size_t at_most(size_t count, size_t most) { return count < most ? count : most; }
`,
  put_bools: `
// Kernels store a bool as a word that is 0 or 1.
static cl_int put_bools(const struct slot *slot, const uint8_t *array, size_t count) {
  cl_uint *words = malloc((count + 1) * sizeof *words);
  if (words == NULL) return CL_OUT_OF_HOST_MEMORY;
  for (size_t i = 0; i < count; i++) words[i] = array[i] != 0;
  const size_t bytes = count * sizeof *words;
  cl_int status = CL_SUCCESS;
  if (count > 0) status = clEnqueueWriteBuffer(device.queue, slot->buffer, CL_TRUE, 0, bytes, words, 0, NULL, NULL);
  free(words);
  return status;
}
`,
  get_bools: `
static cl_int get_bools(const struct slot *slot, uint8_t *array, size_t count) {
  cl_uint *words = malloc((count + 1) * sizeof *words);
  if (words == NULL) return CL_OUT_OF_HOST_MEMORY;
  const size_t bytes = count * sizeof *words;
  cl_int status = CL_SUCCESS;
  if (count > 0) status = clEnqueueReadBuffer(device.queue, slot->buffer, CL_TRUE, 0, bytes, words, 0, NULL, NULL);
  for (size_t i = 0; i < count && status == CL_SUCCESS; i++) array[i] = (uint8_t)(words[i] != 0);
  free(words);
  return status;
}
`,
};

/** The functions of a run, of those that move arrays the ones that are called. */
export const TRANSFERS = (called: ReadonlySet<string>): string => `
// Makes the array at least as long; its contents are lost.
static cl_int fit(struct slot *slot, size_t bytes) {
  cl_int status = CL_SUCCESS;
  if (slot->bytes >= bytes) return status;
  if (slot->buffer) clReleaseMemObject(slot->buffer);
  memset(slot, 0, sizeof *slot);
  slot->buffer = clCreateBuffer(device.context, CL_MEM_READ_WRITE, bytes, NULL, &status);
  if (status == CL_SUCCESS) slot->bytes = bytes;
  else slot->buffer = NULL;
  return status;
}
${Object.entries(MOVES)
  .filter(([name]) => called.has(name))
  .map(([, text]) => text)
  .join("")}`;

/** The status of a function for one of OpenCL. */
export const RESULT = `
static int result_of(cl_int status) {
  switch (status) {
    case CL_SUCCESS: return GW_OK;
    case CL_OUT_OF_HOST_MEMORY:
    case CL_MEM_OBJECT_ALLOCATION_FAILURE: return GW_NO_MEMORY;
    default: return GW_DEVICE_FAILED;
  }
}
`;
