/** The parts of an emitted host that are the same for every pipeline. */

import { Text } from "@groupwise/core/kernel";
import { QUIRKS } from "../../print/quirks.ts";

const lines = (text: string): readonly string[] => text.trim().split("\n");

/** The beginning of the file: includes, and the macro that all functions use. */
export const PRELUDE: readonly string[] = lines(`
#define CL_TARGET_OPENCL_VERSION 120
#ifdef __APPLE__
#include <OpenCL/opencl.h>
#else
#include <CL/cl.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Reports a failed call and jumps to \`done\`.
#define TRY(call) \\
  do { \\
    status = (call); \\
    if (status != CL_SUCCESS) { \\
      fprintf(stderr, "%s: OpenCL status %d\\n", #call, (int)status); \\
      goto done; \\
    } \\
  } while (0)
`);

/** Small functions over OpenCL's calls, by name; later ones call earlier ones. */
const HELPERS = {
  make_buffer: `
static cl_int make_buffer(cl_context context, size_t bytes, cl_mem* buffer) {
  cl_int status;
  *buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &status);
  return status;
}
`,
  make_kernel: `
static cl_int make_kernel(cl_program program, const char* name, cl_kernel* kernel) {
  cl_int status;
  *kernel = clCreateKernel(program, name, &status);
  return status;
}
`,
  part_of: `
static cl_int part_of(cl_mem buffer, size_t origin, size_t size, cl_mem* part) {
  const cl_buffer_region region = {origin, size};
  cl_int status;
  *part = clCreateSubBuffer(buffer, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &status);
  return status;
}
`,
  clear_buffer: `
static cl_int clear_part(cl_command_queue queue, cl_mem part, size_t bytes) {
  // NVIDIA's driver (580) takes six times as long with a pattern of one byte.
  static const cl_uchar zeros[16] = {0};
  const size_t rest = bytes % sizeof zeros;
  cl_int status = CL_SUCCESS;
  if (bytes > rest)
    status = clEnqueueFillBuffer(queue, part, zeros, sizeof zeros, 0, bytes - rest, 0, NULL, NULL);
  if (rest > 0 && status == CL_SUCCESS)
    status = clEnqueueFillBuffer(queue, part, zeros, 1, bytes - rest, rest, 0, NULL, NULL);
  return status;
}

// Fills a long buffer in parts: NVIDIA's driver (580) hangs in one fill of more than 2^32 bytes.
static cl_int clear_buffer(cl_command_queue queue, cl_mem buffer, size_t bytes) {
  const size_t longest = (size_t)1 << ${Math.log2(QUIRKS.longFill.value)};
  cl_int status = CL_SUCCESS;
  if (bytes <= longest) return clear_part(queue, buffer, bytes);
  for (size_t done = 0; done < bytes && status == CL_SUCCESS; done += longest) {
    const size_t size = bytes - done < longest ? bytes - done : longest;
    cl_mem part = NULL;
    status = part_of(buffer, done, size, &part);
    if (status == CL_SUCCESS) status = clear_part(queue, part, size);
    if (part) clReleaseMemObject(part); // the driver frees it when it is filled
  }
  return status;
}
`,
  is_size: `
static int is_size(cl_long size, cl_long most) { return size >= 0 && size <= most; }
`,
  word_of: `
// One 32-bit word of 64 bits; word 0 is the low one.
static cl_uint word_of(const void* value, int word) {
  cl_ulong bits;
  memcpy(&bits, value, sizeof bits);
  return (cl_uint)(bits >> (32 * word));
}
`,
  at_most: `
static size_t at_most(size_t size, size_t most) { return size < most ? size : most; }
`,
  read_buffer: `
static cl_int read_buffer(cl_command_queue queue, cl_mem buffer, size_t bytes, void* memory) {
  if (bytes == 0) return CL_SUCCESS;
  return clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, memory, 0, NULL, NULL);
}
`,
  release_buffer: `
static cl_int release_buffer(cl_mem buffer, cl_int status) {
  const cl_int released = buffer ? clReleaseMemObject(buffer) : CL_SUCCESS;
  return status == CL_SUCCESS ? released : status;
}
`,
};

type Helper = keyof typeof HELPERS;
const CALLS: Readonly<Partial<Record<Helper, readonly Helper[]>>> = { clear_buffer: ["part_of"] };

/** The text of a host, which has the small functions that it calls: a compiler warns of unused ones. */
export class HostText extends Text {
  private readonly called = new Set<Helper>();

  /** A call of a small function. */
  call(helper: Helper, ...args: readonly string[]): string {
    for (const one of [helper, ...(CALLS[helper] ?? [])]) this.called.add(one);
    return `${helper}(${args.join(", ")})`;
  }

  /** The functions that are called, each after an empty line. */
  helpers(): readonly string[] {
    const names = (Object.keys(HELPERS) as Helper[]).filter((name) => this.called.has(name));
    return names.flatMap((name) => ["", ...lines(HELPERS[name])]);
  }
}

/** What the example's `main` calls. */
export const SHOW_MAIN = (macro: string): readonly string[] =>
  lines(`
#define SHOWN 8 // values of each output that are printed
#define PLATFORMS 16

// Reads a whole number; returns 0 if the text is not one, or if it is too large for a size.
static int read_size(const char* text, size_t* size) {
  size_t value = 0;
  if (*text == '\\0') return 0;
  for (; *text != '\\0'; text++) {
    const int digit = *text - '0';
    if (digit < 0 || digit > 9 || value > (SIZE_MAX - (size_t)digit) / 10) return 0;
    value = 10 * value + (size_t)digit;
  }
  *size = value;
  return 1;
}

static char* read_file(const char* path) {
  FILE* file = fopen(path, "rb");
  char* text = NULL;
  long size = -1;
  if (file && fseek(file, 0, SEEK_END) == 0) size = ftell(file);
  if (size >= 0 && fseek(file, 0, SEEK_SET) == 0) text = calloc((size_t)size + 1, 1);
  if (text && fread(text, 1, (size_t)size, file) != (size_t)size) {
    free(text);
    text = NULL;
  }
  if (file) fclose(file);
  if (!text) fprintf(stderr, "cannot read %s\\n", path);
  return text;
}

// The first GPU, else the first device of any kind.
static cl_int find_device(cl_device_id* device) {
  const cl_device_type wishes[2] = {CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_ALL};
  cl_platform_id platforms[PLATFORMS];
  cl_uint count = 0;
  const cl_int status = clGetPlatformIDs(PLATFORMS, platforms, &count);
  if (status != CL_SUCCESS) return status;
  if (count > PLATFORMS) count = PLATFORMS;
  for (int wish = 0; wish < 2; wish++) {
    for (cl_uint i = 0; i < count; i++) {
      if (clGetDeviceIDs(platforms[i], wishes[wish], 1, device, NULL) == CL_SUCCESS) return CL_SUCCESS;
    }
  }
  return CL_DEVICE_NOT_FOUND;
}

static cl_int build_program(
  cl_context context, cl_device_id device, const char* source, const char* options, cl_program* program) {
  cl_int status;
  size_t size = 0;
  *program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
  if (status != CL_SUCCESS) return status;
  status = clBuildProgram(*program, 1, &device, options, NULL, NULL);
  if (status == CL_BUILD_PROGRAM_FAILURE &&
      clGetProgramBuildInfo(*program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) == CL_SUCCESS) {
    char* log = calloc(size + 1, 1);
    if (log && clGetProgramBuildInfo(*program, device, CL_PROGRAM_BUILD_LOG, size, log, NULL) == CL_SUCCESS)
      fprintf(stderr, "%s: %s\\n", ${macro}_FILE, log);
    free(log);
  }
  return status;
}
`);
