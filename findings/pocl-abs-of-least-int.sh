#!/usr/bin/env bash
# One would guess that the magnitude of the least int, which OpenCL C returns as an unsigned integer (abs and abs_diff, specification 6.15.3),
# has its highest bit set like any other value, so that inverting that bit clears it.
# PoCL 3.1 gives another result in one form: if the bits pass as a float (`as_uint(as_float(abs(x))) ^ 0x80000000u`), the highest bit
# is set after it is inverted, for x = -2^31 alone. abs_diff(x, 0) does the same; a selection `x < 0 ? 0u - x : x` is right, and so is everything
# without optimisation. The compiler takes the magnitude for an integer without a sign bit.
# Debian 12: pocl-opencl-icd 3.1-3+deb12u1 with LLVM 15.0.6, x86-64. Needs apt-get, dpkg and gcc.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -q \
  pocl-opencl-icd=3.1-3+deb12u1 libpocl2=3.1-3+deb12u1 libpocl2-common=3.1-3+deb12u1 \
  libclang-cpp15=1:15.0.6-4+b1 libllvm15=1:15.0.6-4+b1 ocl-icd-libopencl1=2.3.1-1 opencl-c-headers=3.0~2023.02.06-1 >/dev/null
for package in *.deb; do dpkg -x "$package" root; done
library=$PWD/root/usr/lib/x86_64-linux-gnu
cat >abs.c <<'C'
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>

static const char *text =
    "__kernel void magnitudes(__global const int *x, __global uint4 *y) {\n"
    "  size_t i = get_global_id(0);\n"
    "  uint chosen = x[i] < 0 ? 0u - as_uint(x[i]) : as_uint(x[i]);\n"
    "  y[i].x = as_uint(as_float(abs(x[i]))) ^ 0x80000000u;\n"
    "  y[i].y = as_uint(as_float(abs_diff(x[i], 0))) ^ 0x80000000u;\n"
    "  y[i].z = as_uint(as_float(chosen)) ^ 0x80000000u;\n"
    "}\n";

int main(void) {
  const cl_int x[3] = {5, -5, (cl_int)0x80000000u};
  cl_uint y[3][4];
  char version[200];
  const size_t items = 3;
  cl_platform_id platform;
  cl_device_id device;
  if (clGetPlatformIDs(1, &platform, NULL) || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL)) return 2;
  clGetPlatformInfo(platform, CL_PLATFORM_VERSION, sizeof version, version, NULL);
  printf("%s\n", version);
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
  cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
  if (clBuildProgram(program, 1, &device, "-cl-std=CL1.2", NULL, NULL)) return 3;
  cl_kernel kernel = clCreateKernel(program, "magnitudes", NULL);
  cl_mem in = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof x, (void *)x, NULL);
  cl_mem out = clCreateBuffer(context, 0, sizeof y, NULL, NULL);
  clSetKernelArg(kernel, 0, sizeof in, &in);
  clSetKernelArg(kernel, 1, sizeof out, &out);
  if (clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL)) return 4;
  if (clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof y, y, 0, NULL, NULL)) return 5;
  for (int i = 0; i < 3; i++) printf("%d: abs %08x, abs_diff %08x, selection %08x\n", x[i], y[i][0], y[i][1], y[i][2]);
  return 0;
}
C
gcc -Iroot/usr/include abs.c -o abs "$library"/libOpenCL.so.1
mkdir vendors cache
ls "$library"/libpocl.so.2.10.0 >vendors/pocl.icd
LD_LIBRARY_PATH=$library OCL_ICD_VENDORS=$PWD/vendors POCL_CACHE_DIR=$PWD/cache ./abs | tee seen
cat >expected <<'T'
5: abs 80000005, abs_diff 80000005, selection 80000005
-5: abs 80000005, abs_diff 80000005, selection 80000005
-2147483648: abs 80000000, abs_diff 80000000, selection 00000000
T
grep -q 'PoCL 3\.1' seen
tail -3 seen | diff expected -
