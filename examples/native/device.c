#include "device.h"

#include <stdio.h>
#include <stdlib.h>

#define PLATFORMS 16
#define FILES 4

void check(cl_int status, const char* what) {
  if (status == CL_SUCCESS) return;
  fprintf(stderr, "%s: OpenCL status %d\n", what, (int)status);
  exit(EXIT_FAILURE);
}

struct device open_device(void) {
  struct device device = {NULL, NULL, NULL};
  cl_platform_id platforms[PLATFORMS];
  cl_uint count = 0;
  cl_int status = clGetPlatformIDs(PLATFORMS, platforms, &count);
  check(status, "clGetPlatformIDs");
  if (count > PLATFORMS) count = PLATFORMS;
  status = CL_DEVICE_NOT_FOUND;
  for (cl_uint i = 0; i < count && status != CL_SUCCESS; i++)
    status = clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_GPU, 1, &device.id, NULL);
  for (cl_uint i = 0; i < count && status != CL_SUCCESS; i++)
    status = clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device.id, NULL);
  check(status, "clGetDeviceIDs");
  device.context = clCreateContext(NULL, 1, &device.id, NULL, NULL, &status);
  check(status, "clCreateContext");
  device.queue = clCreateCommandQueue(device.context, device.id, 0, &status);
  check(status, "clCreateCommandQueue");
  return device;
}

void close_device(struct device device) {
  check(clReleaseCommandQueue(device.queue), "clReleaseCommandQueue");
  check(clReleaseContext(device.context), "clReleaseContext");
}

static char* read_file(const char* path) {
  FILE* file = fopen(path, "rb");
  char* text = NULL;
  long size = -1;
  if (file && fseek(file, 0, SEEK_END) == 0) size = ftell(file);
  if (size >= 0 && fseek(file, 0, SEEK_SET) == 0) text = calloc((size_t)size + 1, 1);
  if (!text || fread(text, 1, (size_t)size, file) != (size_t)size) {
    fprintf(stderr, "cannot read %s\n", path);
    exit(EXIT_FAILURE);
  }
  fclose(file);
  return text;
}

cl_program build(struct device device, int count, char** paths, const char* options) {
  const char* texts[FILES];
  cl_int status;
  if (count > FILES) count = FILES;
  for (int i = 0; i < count; i++) texts[i] = read_file(paths[i]);
  cl_program program = clCreateProgramWithSource(device.context, (cl_uint)count, texts, NULL, &status);
  check(status, "clCreateProgramWithSource");
  for (int i = 0; i < count; i++) free((void*)texts[i]);
  status = clBuildProgram(program, 1, &device.id, options, NULL, NULL);
  if (status == CL_BUILD_PROGRAM_FAILURE) {
    size_t size = 0;
    check(clGetProgramBuildInfo(program, device.id, CL_PROGRAM_BUILD_LOG, 0, NULL, &size), "the size of the log");
    char* log = calloc(size + 1, 1);
    if (!log) exit(EXIT_FAILURE);
    check(clGetProgramBuildInfo(program, device.id, CL_PROGRAM_BUILD_LOG, size, log, NULL), "the log");
    fprintf(stderr, "%s\n", log);
    free(log);
  }
  check(status, "clBuildProgram");
  return program;
}
