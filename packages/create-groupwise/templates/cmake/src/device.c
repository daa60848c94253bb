#include "device.h"

#include <stdio.h>
#include <stdlib.h>

void check(cl_int status, const char *what) {
  if (status == CL_SUCCESS) return;
  fprintf(stderr, "%s: OpenCL status %d\n", what, (int)status);
  exit(EXIT_FAILURE);
}

struct device open_device(void) {
  struct device device;
  cl_platform_id platform;
  cl_int status;
  check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device.id, NULL), "clGetDeviceIDs");
  device.context = clCreateContext(NULL, 1, &device.id, NULL, NULL, &status);
  check(status, "clCreateContext");
  device.queue = clCreateCommandQueue(device.context, device.id, 0, &status);
  check(status, "clCreateCommandQueue");
  return device;
}

void close_device(struct device device) {
  clReleaseCommandQueue(device.queue);
  clReleaseContext(device.context);
}

static char *text_of(const char *path) {
  FILE *file = fopen(path, "rb");
  char *text = NULL;
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

cl_program build_program(struct device device, const char *path, const char *options) {
  char *text = text_of(path);
  const char *texts[] = {text};
  cl_int status;
  cl_program program = clCreateProgramWithSource(device.context, 1, texts, NULL, &status);
  check(status, "clCreateProgramWithSource");
  free(text);
  status = clBuildProgram(program, 1, &device.id, options, NULL, NULL);
  if (status == CL_BUILD_PROGRAM_FAILURE) {
    char log[4096] = "";
    clGetProgramBuildInfo(program, device.id, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    fprintf(stderr, "%s\n", log);
  }
  check(status, "clBuildProgram");
  return program;
}
