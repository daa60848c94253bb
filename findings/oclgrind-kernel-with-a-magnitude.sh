#!/usr/bin/env bash
# One would guess that a kernel with `x < 0 ? -x : x`, which Oclgrind's own clang compiles, can be created there, as one with `abs(x)` can.
# Oclgrind 21.10 builds the program without a message, but clCreateKernel returns CL_INVALID_KERNEL_NAME (-46): its optimiser has made an
# llvm.abs.i32 of the selection, which its interpreter does not know. `x << 7 | x >> 25` has the same end, by llvm.fshl.i32, where rotate(x, 7)
# has not. With -cl-opt-disable both kernels are there.
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
cat >kernels.c <<'C'
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>

int main(void) {
  static const char *const forms[] = {"(int)x[i] < 0 ? 0 - x[i] : x[i]", "abs((int)x[i])", "x[i] << 7 | x[i] >> 25", "rotate(x[i], 7u)"};
  static const char *const options[] = {"", "-cl-opt-disable"};
  char version[200];
  cl_platform_id platform;
  cl_device_id device;
  if (clGetPlatformIDs(1, &platform, NULL) || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL)) return 2;
  clGetPlatformInfo(platform, CL_PLATFORM_VERSION, sizeof version, version, NULL);
  printf("%s\n", version);
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  for (int i = 0; i < 4; i++) {
    cl_int built[2], made[2];
    for (int o = 0; o < 2; o++) {
      char text[300];
      const char *source = text;
      snprintf(text, sizeof text,
               "__kernel void k(__global const uint *x, __global uint *y) { size_t i = get_global_id(0); y[i] = %s; }", forms[i]);
      cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
      built[o] = clBuildProgram(program, 1, &device, options[o], NULL, NULL);
      clCreateKernel(program, "k", &made[o]);
    }
    printf("%s: builds %d, kernel %d; -cl-opt-disable: builds %d, kernel %d\n", forms[i], built[0], made[0], built[1], made[1]);
  }
  return 0;
}
C
gcc -Iroot/usr/include kernels.c -o kernels "$library"/libOpenCL.so.1
mkdir vendors
echo "$PWD/root/usr/lib/oclgrind/liboclgrind-rt-icd.so" >vendors/oclgrind.icd
LD_LIBRARY_PATH=$library OCL_ICD_VENDORS=$PWD/vendors ./kernels 2>messages | tee seen
cat >expected <<'T'
(int)x[i] < 0 ? 0 - x[i] : x[i]: builds 0, kernel -46; -cl-opt-disable: builds 0, kernel 0
abs((int)x[i]): builds 0, kernel 0; -cl-opt-disable: builds 0, kernel 0
x[i] << 7 | x[i] >> 25: builds 0, kernel -46; -cl-opt-disable: builds 0, kernel 0
rotate(x[i], 7u): builds 0, kernel 0; -cl-opt-disable: builds 0, kernel 0
T
grep -q 'Oclgrind 21\.10' seen
grep -q 'llvm\.abs\.i32' messages
grep -q 'llvm\.fshl\.i32' messages
tail -n 4 seen | diff expected -
