/** The parts of a device's file that are the same for every pipeline. */
import type { Requirement } from "./requirements.ts";

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
#define PLATFORMS 16
#define DEVICES 64
#define MOST (UINT64_C(1) << 24) // items of a piece

_Static_assert(
  (GW_DEVICE_LEAST & (GW_DEVICE_LEAST - 1)) == 0 && GW_DEVICE_LEAST <= MOST,
  "GW_DEVICE_LEAST is a power of two, at most 2^24");

static struct {
  bool is_open;
  int wish;
  uint64_t room;
  cl_device_id id;
  cl_context context;
  cl_command_queue queue;
  cl_program program;
} device;

// An array of the device, which grows.
struct slot { cl_mem buffer; size_t bytes; };

static char problem[512];

static void note(const char *format, ...) {
  va_list values;
  va_start(values, format);
  vsnprintf(problem, sizeof problem, format, values);
  va_end(values);
}

// Notes a failed call and jumps to \`done\`.
#define TRY(call) \\
  do { \\
    status = (call); \\
    if (status != CL_SUCCESS) { \\
      if (problem[0] == '\\0') note("%s: OpenCL status %d", #call, (int)status); \\
      goto done; \\
    } \\
  } while (0)
`;

const TESTS: readonly (readonly [call: string, text: string])[] = [
  [
    "divides_right",
    `
static bool divides_right(void) {
  cl_device_fp_config config = 0;
  clGetDeviceInfo(device.id, CL_DEVICE_SINGLE_FP_CONFIG, sizeof config, &config, NULL);
  return (config & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0;
}
`,
  ],
  [
    "has_extension",
    `
static bool has_extension(const char *name) {
  char list[16384] = "";
  clGetDeviceInfo(device.id, CL_DEVICE_EXTENSIONS, sizeof list - 1, list, NULL);
  for (const char *found = strstr(list, name); found != NULL; found = strstr(found + 1, name)) {
    const char end = found[strlen(name)];
    if ((found == list || found[-1] == ' ') && (end == ' ' || end == '\\0')) return true;
  }
  return false;
}
`,
  ],
];

const testsFor = (requirements: readonly Requirement[]): string =>
  TESTS.filter(([call]) => requirements.some(({ test }) => test.startsWith(call)))
    .map(([, text]) => text.trimStart())
    .join("\n");

/** The functions that open and close a device. */
export const OPEN = (
  symbol: string,
  prefix: string,
  macro: string,
  requirements: readonly Requirement[],
): string => `${testsFor(requirements)}${requirements.length > 0 ? "\n" : ""}// The first thing that the device lacks; NULL if it has all.
static const char *lacking(void) {
${requirements.map(({ test, what }) => `  if (!${test}) return "${what}";\n`).join("")}  return NULL;
}

// The devices that are available, first in the list; their number.
static cl_uint available(cl_device_id *found, cl_uint count) {
  cl_uint left = 0;
  for (cl_uint i = 0; i < count; i++) {
    cl_bool is_available = CL_FALSE;
    clGetDeviceInfo(found[i], CL_DEVICE_AVAILABLE, sizeof is_available, &is_available, NULL);
    if (is_available) found[left++] = found[i];
  }
  return left;
}

// All GPUs, or all devices if there is no GPU.
static int find_devices(cl_device_id *found) {
  const cl_device_type kinds[2] = {CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_ALL};
  cl_platform_id platforms[PLATFORMS];
  cl_uint count = 0;
  if (clGetPlatformIDs(PLATFORMS, platforms, &count) != CL_SUCCESS) return 0;
  if (count > PLATFORMS) count = PLATFORMS;
  for (int kind = 0; kind < 2; kind++) {
    cl_uint all = 0;
    for (cl_uint i = 0; i < count && all < DEVICES; i++) {
      cl_uint more = 0;
      if (clGetDeviceIDs(platforms[i], kinds[kind], DEVICES - all, found + all, &more) != CL_SUCCESS) continue;
      all += available(found + all, more < DEVICES - all ? more : DEVICES - all);
    }
    if (all > 0) return (int)all;
  }
  return 0;
}

static void note_log(void) {
  char log[256] = "";
  char *text = NULL;
  size_t size = 0;
  const cl_program_build_info what = CL_PROGRAM_BUILD_LOG;
  if (clGetProgramBuildInfo(device.program, device.id, what, 0, NULL, &size) == CL_SUCCESS) text = calloc(size + 1, 1);
  if (text != NULL && clGetProgramBuildInfo(device.program, device.id, what, size, text, NULL) == CL_SUCCESS)
    snprintf(log, sizeof log, "%.*s", (int)strcspn(text, "\\n"), text);
  free(text);
  note("the kernels are not built: %s", log);
}

// The maximum number of items of a piece that fits into the device's memory.
static uint64_t room_for(int sharing) {
  cl_ulong longest = 0, all = 0;
  clGetDeviceInfo(device.id, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof longest, &longest, NULL);
  clGetDeviceInfo(device.id, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof all, &all, NULL);
  for (uint64_t room = MOST; room >= GW_DEVICE_LEAST; room /= 2)
    if (has_room((size_t)room, longest, all / 2 / (cl_ulong)sharing)) return room;
  return 0;
}

void ${symbol}_device_close(void) {
  for (size_t i = 0; i < sizeof slots / sizeof *slots; i++) {
    if (slots[i]->buffer) clReleaseMemObject(slots[i]->buffer);
    memset(slots[i], 0, sizeof *slots[i]);
  }
  ${prefix}_release_kernels(&kernels);
  if (device.program) clReleaseProgram(device.program);
  if (device.queue) clReleaseCommandQueue(device.queue);
  if (device.context) clReleaseContext(device.context);
  memset(&device, 0, sizeof device);
}

const char *${symbol}_device_problem(void) { return problem; }

uint64_t ${symbol}_device_room(void) { return device.room; }

int ${symbol}_device_open(int wish, int rank, int ranks) {
  if (device.is_open && (wish < 0 || wish == device.wish)) return GW_OK;
  problem[0] = '\\0';
  cl_int status = CL_SUCCESS;
  cl_device_id found[DEVICES];
  const int count = find_devices(found);
  if (count == 0) {
    note("no OpenCL device is found");
    return GW_NO_DEVICE;
  }
  if (wish >= count) {
    note("there is no OpenCL device %d: the last one is %d", wish, count - 1);
    return GW_NO_DEVICE;
  }
  ${symbol}_device_close();
  device.wish = wish;
  device.id = found[wish < 0 ? rank % count : wish];
  const char *what = lacking();
  if (what != NULL) {
    note("the OpenCL device lacks %s", what);
    return GW_NO_DEVICE;
  }
  device.context = clCreateContext(NULL, 1, &device.id, NULL, NULL, &status);
  TRY(status);
  device.queue = clCreateCommandQueue(device.context, device.id, 0, &status);
  TRY(status);
  // Some drivers do not accept pointers to const.
  device.program = clCreateProgramWithSource(
    device.context, sizeof KERNELS / sizeof *KERNELS, (const char **)(uintptr_t)KERNELS, NULL, &status);
  TRY(status);
  status = clBuildProgram(device.program, 1, &device.id, ${macro}_BUILD_OPTIONS, NULL, NULL);
  if (status == CL_BUILD_PROGRAM_FAILURE) note_log();
  TRY(status);
  TRY(${prefix}_make_kernels(device.program, &kernels));
  device.room = room_for(wish < 0 ? (ranks + count - 1) / count : ranks);
  if (device.room == 0) {
    note("the OpenCL device has no memory for %llu items", (unsigned long long)GW_DEVICE_LEAST);
    status = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    goto done;
  }
  device.is_open = true;
done:
  if (status != CL_SUCCESS) ${symbol}_device_close();
  return result_of(status);
}
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
