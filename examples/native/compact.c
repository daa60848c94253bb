// A kernel written for OpenCL C 2.0 on any device of OpenCL 1.2, through groupwise.h, compared with a plain loop.
// Usage: compact groupwise.h compact.cl
#include <stdio.h>
#include <stdlib.h>

#include "device.h"

#define GROUP 100 // not a power of two
#define GROUPS 37
#define ITEMS (GROUP * GROUPS)

// The order in which groupwise adds floats: halves of aligned blocks of 2, 4, 8, ... first, then the blocks.
static float total(const float* x, int count) {
  if (count == 1) return x[0];
  return total(x, count / 2) + total(x + count / 2, count / 2);
}
static float sum_of(const float* x, int count) {
  const int last = count & -count;
  const float block = total(x + count - last, last);
  return last == count ? block : sum_of(x, count - last) + block;
}

static cl_mem make(struct device device, size_t bytes, void* from) {
  cl_int status;
  const cl_mem_flags flags = CL_MEM_READ_WRITE | (from ? CL_MEM_COPY_HOST_PTR : 0);
  const cl_mem buffer = clCreateBuffer(device.context, flags, bytes, from, &status);
  check(status, "clCreateBuffer");
  return buffer;
}

static void take(struct device device, cl_mem buffer, size_t bytes, void* memory) {
  check(clEnqueueReadBuffer(device.queue, buffer, CL_TRUE, 0, bytes, memory, 0, NULL, NULL), "clEnqueueReadBuffer");
  check(clReleaseMemObject(buffer), "clReleaseMemObject");
}

static int is_wrong(int group, const float* x, const float* kept, int count, float sum, float first) {
  float positive[GROUP];
  int want = 0;
  for (int i = 0; i < GROUP; i++) {
    positive[i] = x[i] > 0 ? x[i] : 0;
    if (x[i] <= 0) continue;
    if (kept[want] != x[i]) {
      fprintf(stderr, "group %d: kept[%d] is %g, and a plain loop gives %g\n", group, want, kept[want], x[i]);
      return 1;
    }
    want++;
  }
  if (count == want && sum == sum_of(positive, GROUP) && first == x[0]) return 0;
  fprintf(stderr, "group %d: %d kept, sum %.9g, first %g; ", group, count, sum, first);
  fprintf(stderr, "a plain loop gives %d, %.9g, %g\n", want, sum_of(positive, GROUP), x[0]);
  return 1;
}

int main(int argc, char** argv) {
  static float x[ITEMS], kept[ITEMS], sums[GROUPS], firsts[GROUPS];
  static cl_int counts[GROUPS];
  const size_t global = ITEMS, local = GROUP;
  cl_int status;
  if (argc != 3) {
    fprintf(stderr, "usage: %s groupwise.h compact.cl\n", argv[0]);
    return EXIT_FAILURE;
  }
  // Group 5 keeps nothing.
  for (int i = 0; i < ITEMS; i++) x[i] = i / GROUP == 5 ? -1.0f : (float)(i * 7919 % 1009 - 400) / 3;

  const struct device device = open_device();
  cl_program program = build(device, 2, argv + 1, "-cl-std=CL1.2");
  cl_kernel kernel = clCreateKernel(program, "compact", &status);
  check(status, "clCreateKernel");
  cl_mem buffers[] = {
    make(device, sizeof x, x), make(device, sizeof kept, NULL), make(device, sizeof counts, NULL),
    make(device, sizeof sums, NULL), make(device, sizeof firsts, NULL),
  };
  for (cl_uint i = 0; i < 5; i++) check(clSetKernelArg(kernel, i, sizeof *buffers, &buffers[i]), "clSetKernelArg");
  status = clEnqueueNDRangeKernel(device.queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
  check(status, "clEnqueueNDRangeKernel");
  take(device, buffers[1], sizeof kept, kept);
  take(device, buffers[2], sizeof counts, counts);
  take(device, buffers[3], sizeof sums, sums);
  take(device, buffers[4], sizeof firsts, firsts);
  check(clReleaseMemObject(buffers[0]), "clReleaseMemObject");
  check(clReleaseKernel(kernel), "clReleaseKernel");
  check(clReleaseProgram(program), "clReleaseProgram");
  close_device(device);

  int wrong = 0;
  for (int g = 0; g < GROUPS; g++)
    wrong |= is_wrong(g, x + g * GROUP, kept + g * GROUP, counts[g], sums[g], firsts[g]);
  printf("%d groups of %d: %s\n", GROUPS, GROUP, wrong ? "wrong" : "right");
  return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
