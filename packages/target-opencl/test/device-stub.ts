/** An OpenCL library of two platforms, whose devices are as the environment says; kernels do nothing. */

/**
 * Platform `first` has devices 0 and 1, `second` has device 2; all are GPUs but those in STUB_CPUS. Lists in the environment have the numbers of
 * devices: STUB_NO_BUILD does not build, STUB_NO_DIVIDE does not round divisions. STUB_MEMORY is the memory of each in bytes, STUB_EXTENSIONS is the number of
 * extensions before the last one, STUB_LAST or cl_khr_fp64. `stub_alive` counts objects that are not released, `stub_builds` the calls that build.
 */
export const STUB = `#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int stub_alive, stub_builds;
struct object { int number; size_t bytes; };
static struct object DEVICES[3] = {{0, 0}, {1, 0}, {2, 0}}, PLATFORMS[2] = {{0, 0}, {1, 0}};
static int listed(const char *name, void *device) {
  const char *list = getenv(name);
  return list != NULL && strchr(list, '0' + ((struct object *)device)->number) != NULL;
}
static size_t number_in(const char *name, size_t otherwise) {
  const char *text = getenv(name);
  return text != NULL ? strtoull(text, NULL, 10) : otherwise;
}
static void *made(cl_int *status) {
  stub_alive++;
  if (status != NULL) *status = CL_SUCCESS;
  return calloc(1, sizeof(struct object));
}
static cl_int drop(void *object) {
  free(object);
  stub_alive--;
  return CL_SUCCESS;
}
static cl_int give(const void *value, size_t bytes, size_t size, void *out, size_t *needed) {
  if (needed != NULL) *needed = bytes;
  if (out == NULL) return CL_SUCCESS;
  if (size < bytes) return CL_INVALID_VALUE;
  memcpy(out, value, bytes);
  return CL_SUCCESS;
}
cl_int clGetPlatformIDs(cl_uint room, cl_platform_id *out, cl_uint *count) {
  for (cl_uint i = 0; i < room && i < 2; i++) out[i] = (cl_platform_id)&PLATFORMS[i];
  *count = 2;
  return CL_SUCCESS;
}
cl_int clGetPlatformInfo(cl_platform_id platform, cl_platform_info what, size_t size, void *out, size_t *needed) {
  (void)what;
  const char *name = (struct object *)platform == PLATFORMS ? "the first" : "the second";
  return give(name, strlen(name) + 1, size, out, needed);
}
cl_int clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint room, cl_device_id *out, cl_uint *count) {
  *count = 0;
  for (int i = 0; i < 3; i++) {
    const cl_device_type own = listed("STUB_CPUS", &DEVICES[i]) ? CL_DEVICE_TYPE_CPU : CL_DEVICE_TYPE_GPU;
    if ((i == 2) != ((struct object *)platform == PLATFORMS + 1) || (type & own) == 0) continue;
    if (*count < room) out[*count] = (cl_device_id)&DEVICES[i];
    ++*count;
  }
  return *count > 0 ? CL_SUCCESS : CL_DEVICE_NOT_FOUND;
}
cl_int clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t size, void *out, size_t *needed) {
  const cl_bool yes = CL_TRUE;
  const cl_ulong memory = number_in("STUB_MEMORY", (size_t)1 << 33);
  const cl_device_fp_config config = listed("STUB_NO_DIVIDE", device) ? 0 : CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT;
  if (what == CL_DEVICE_AVAILABLE) return give(&yes, sizeof yes, size, out, needed);
  if (what == CL_DEVICE_SINGLE_FP_CONFIG) return give(&config, sizeof config, size, out, needed);
  if (what == CL_DEVICE_MAX_MEM_ALLOC_SIZE || what == CL_DEVICE_GLOBAL_MEM_SIZE)
    return give(&memory, sizeof memory, size, out, needed);
  if (what != CL_DEVICE_EXTENSIONS) return CL_INVALID_VALUE;
  const size_t before = number_in("STUB_EXTENSIONS", 0);
  const char *last = getenv("STUB_LAST");
  char *list = calloc(before + 2, 24), *end = list;
  for (size_t i = 0; i < before; i++) end += sprintf(end, "cl_khr_fp64_%zu ", i);
  strcpy(end, last != NULL ? last : "cl_khr_fp64");
  const cl_int status = give(list, strlen(list) + 1, size, out, needed);
  free(list);
  return status;
}
cl_context clCreateContext(
  const cl_context_properties *properties, cl_uint count, const cl_device_id *devices,
  void (CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *data, cl_int *status) {
  (void)properties, (void)count, (void)devices, (void)notify, (void)data;
  return made(status);
}
cl_command_queue clCreateCommandQueue(
  cl_context context, cl_device_id device, cl_command_queue_properties properties, cl_int *status) {
  (void)context, (void)device, (void)properties;
  return made(status);
}
cl_program clCreateProgramWithSource(
  cl_context context, cl_uint count, const char **strings, const size_t *lengths, cl_int *status) {
  (void)context, (void)count, (void)strings, (void)lengths;
  return made(status);
}
cl_int clBuildProgram(
  cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
  void (CL_CALLBACK *notify)(cl_program, void *), void *data) {
  (void)program, (void)count, (void)options, (void)notify, (void)data;
  stub_builds++;
  return listed("STUB_NO_BUILD", devices[0]) ? CL_BUILD_PROGRAM_FAILURE : CL_SUCCESS;
}
cl_int clGetProgramBuildInfo(
  cl_program program, cl_device_id device, cl_program_build_info what, size_t size, void *out, size_t *needed) {
  (void)program, (void)device, (void)what;
  const size_t lines = number_in("STUB_LOG", 100);
  char *log = calloc(lines + 1, 32), *end = log;
  for (size_t i = 1; i <= lines; i++) end += sprintf(end, "error: line %zu of the log\\n", i);
  const cl_int status = give(log, strlen(log) + 1, size, out, needed);
  free(log);
  return status;
}
cl_kernel clCreateKernel(cl_program program, const char *name, cl_int *status) {
  (void)program, (void)name;
  return made(status);
}
cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t bytes, void *memory, cl_int *status) {
  (void)context, (void)flags, (void)bytes, (void)memory;
  return made(status);
}
cl_mem clCreateSubBuffer(
  cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type, const void *region, cl_int *status) {
  (void)buffer, (void)flags, (void)type, (void)region;
  return made(status);
}
cl_int clSetKernelArg(cl_kernel kernel, cl_uint number, size_t size, const void *value) {
  (void)kernel, (void)number, (void)size, (void)value;
  return CL_SUCCESS;
}
cl_int clEnqueueNDRangeKernel(
  cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset, const size_t *global,
  const size_t *local, cl_uint count, const cl_event *events, cl_event *event) {
  (void)queue, (void)kernel, (void)dimensions, (void)offset, (void)global, (void)local, (void)count, (void)events, (void)event;
  return CL_SUCCESS;
}
cl_int clEnqueueWriteBuffer(
  cl_command_queue queue, cl_mem buffer, cl_bool wait, size_t offset, size_t bytes, const void *memory, cl_uint count,
  const cl_event *events, cl_event *event) {
  (void)queue, (void)buffer, (void)wait, (void)offset, (void)bytes, (void)memory, (void)count, (void)events, (void)event;
  return CL_SUCCESS;
}
cl_int clEnqueueReadBuffer(
  cl_command_queue queue, cl_mem buffer, cl_bool wait, size_t offset, size_t bytes, void *memory, cl_uint count,
  const cl_event *events, cl_event *event) {
  (void)queue, (void)buffer, (void)wait, (void)offset, (void)count, (void)events, (void)event;
  memset(memory, 0, bytes);
  return CL_SUCCESS;
}
cl_int clReleaseContext(cl_context object) { return drop(object); }
cl_int clReleaseCommandQueue(cl_command_queue object) { return drop(object); }
cl_int clReleaseProgram(cl_program object) { return drop(object); }
cl_int clReleaseKernel(cl_kernel object) { return drop(object); }
cl_int clReleaseMemObject(cl_mem object) { return drop(object); }
`;
