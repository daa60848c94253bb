#!/usr/bin/env bash
# One would guess that bitselect(a, b, mask) of floats (OpenCL C, specification 6.15.6) takes each bit of the 32 from b where the mask has a one, and
# from a elsewhere, as it does for integers.
# Oclgrind 21.10 gives other bits for floats: for a = 1.0f, b = 3.14159274f and a mask of the lowest bit the result is 0 and not 0x3f800001. With the
# mask's sign alone, or all ones, it is right, as are masks of ints. It selects bits of the doubles that hold the three floats, and rounds the result.
# Debian 12: oclgrind 21.10-3 with LLVM 14.0.6, x86-64. Needs apt-get, dpkg and gcc.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -q \
  oclgrind=21.10-3 liboclgrind-21.10=21.10-3 libllvm14=1:14.0.6-12 libclang-common-14-dev=1:14.0.6-12 \
  ocl-icd-libopencl1=2.3.1-1 opencl-c-headers=3.0~2023.02.06-1 >/dev/null
for package in *.deb; do dpkg -x "$package" root; done
library=$PWD/root/usr/lib/x86_64-linux-gnu
cat >bits.c <<'C'
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>

static const char *text =
    "__kernel void bits(__global const uint *mask, __global uint2 *y) {\n"
    "  size_t i = get_global_id(0);\n"
    "  uint a = 0x3f800000u, b = 0x40490fdbu, m = mask[i];\n"
    "  y[i].x = as_uint(bitselect(as_float(a), as_float(b), as_float(m)));\n"
    "  y[i].y = bitselect(a, b, m);\n"
    "}\n";

int main(void) {
  const cl_uint masks[] = {0, 1, 7, 0x12345678, 0x80000000u, 0xffffffffu};
  cl_uint y[6][2];
  char version[200];
  const size_t items = 6;
  cl_platform_id platform;
  cl_device_id device;
  if (clGetPlatformIDs(1, &platform, NULL) || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL)) return 2;
  clGetPlatformInfo(platform, CL_PLATFORM_VERSION, sizeof version, version, NULL);
  printf("%s\n", version);
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
  cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
  if (clBuildProgram(program, 1, &device, "-cl-std=CL1.2", NULL, NULL)) return 3;
  cl_kernel kernel = clCreateKernel(program, "bits", NULL);
  cl_mem in = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof masks, (void *)masks, NULL);
  cl_mem out = clCreateBuffer(context, 0, sizeof y, NULL, NULL);
  clSetKernelArg(kernel, 0, sizeof in, &in);
  clSetKernelArg(kernel, 1, sizeof out, &out);
  if (clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL)) return 4;
  if (clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof y, y, 0, NULL, NULL)) return 5;
  for (int i = 0; i < 6; i++) printf("mask %08x: of floats %08x, of integers %08x\n", masks[i], y[i][0], y[i][1]);
  return 0;
}
C
gcc -Iroot/usr/include bits.c -o bits "$library"/libOpenCL.so.1
mkdir vendors
echo "$PWD/root/usr/lib/oclgrind/liboclgrind-rt-icd.so" >vendors/oclgrind.icd
LD_LIBRARY_PATH=$library OCL_ICD_VENDORS=$PWD/vendors ./bits | tee seen
cat >expected <<'T'
mask 00000000: of floats 3f800000, of integers 3f800000
mask 00000001: of floats 00000000, of integers 3f800001
mask 00000007: of floats 00000000, of integers 3f800003
mask 12345678: of floats 00000000, of integers 2d800658
mask 80000000: of floats 3f800000, of integers 3f800000
mask ffffffff: of floats 40490fdb, of integers 40490fdb
T
grep -q 'Oclgrind 21\.10' seen
tail -n 6 seen | diff expected -
