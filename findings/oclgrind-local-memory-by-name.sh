#!/usr/bin/env bash
# One would guess that CL_KERNEL_LOCAL_MEM_SIZE (OpenCL specification, table of clGetKernelWorkGroupInfo) is what the kernel itself declares in
# `__local`, here 16,384 bytes, so that a device of 32,768 bytes runs it, here without optimisation.
# Oclgrind 21.10 gives 49,152 for `add` if the program also has a kernel `add_2` with 32,768 bytes, and refuses to enqueue `add`
# (CL_OUT_OF_RESOURCES). It counts each variable whose name, `KERNEL.VARIABLE`, begins with the name of the kernel. `sum` beside `add_2` has 16,384.
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
cat >local.c <<'C'
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>

#define KERNEL(name, count) \
  "__kernel void " name "(__global int *y) {\n" \
  "  __local int values[" count "];\n" \
  "  values[0] = 1;\n" \
  "  y[0] = values[0];\n" \
  "}\n"
static const char *text = KERNEL("sum", "4096") KERNEL("add", "4096") KERNEL("add_2", "8192");

int main(void) {
  char version[200];
  cl_ulong most, size;
  const size_t items = 1;
  cl_platform_id platform;
  cl_device_id device;
  if (clGetPlatformIDs(1, &platform, NULL) || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL)) return 2;
  clGetPlatformInfo(platform, CL_PLATFORM_VERSION, sizeof version, version, NULL);
  clGetDeviceInfo(device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof most, &most, NULL);
  printf("%s, %d bytes\n", version, (int)most);
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
  cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
  if (clBuildProgram(program, 1, &device, "-cl-std=CL1.2 -cl-opt-disable", NULL, NULL)) return 3;
  cl_mem out = clCreateBuffer(context, 0, sizeof(cl_int), NULL, NULL);
  static const char *names[] = {"sum", "add", "add_2"};
  for (int i = 0; i < 3; i++) {
    cl_kernel kernel = clCreateKernel(program, names[i], NULL);
    clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof size, &size, NULL);
    clSetKernelArg(kernel, 0, sizeof out, &out);
    const cl_int status = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL);
    printf("%s: %d bytes, status %d\n", names[i], (int)size, status);
  }
  return clFinish(queue);
}
C
gcc -Iroot/usr/include local.c -o local "$library"/libOpenCL.so.1
mkdir vendors
echo "$PWD/root/usr/lib/oclgrind/liboclgrind-rt-icd.so" >vendors/oclgrind.icd
LD_LIBRARY_PATH=$library OCL_ICD_VENDORS=$PWD/vendors ./local | tee seen
cat >expected <<'T'
sum: 16384 bytes, status 0
add: 49152 bytes, status -5
add_2: 32768 bytes, status 0
T
grep -qF 'Oclgrind 21.10), 32768' seen
tail -3 seen | diff expected -
