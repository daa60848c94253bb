#!/usr/bin/env bash
# One would guess that convert_float(convert_half(p)) of a float p (OpenCL C with cl_khr_fp16) is p rounded to a half, as conversions round (OpenCL C,
# specification 6.4.3), whatever else the kernel computes.
# rusticl 26.2.6 returns the float p itself, with all of its 24 bits, in a kernel whose only operation beside the conversions is a product.
# convert_half_rte, casts, and vstore_half with vload_half in private memory do the same. Where the kernel also adds two floats, the same
# conversions round. rusticl 25.0.7 has no halves. A test of numbers that are halves already, such as 1.5f * 3.0f, shows nothing.
# Debian sid: mesa-opencl-icd 26.2.6-1 with LLVM 22.1.8, on the CPU (llvmpipe), x86-64. Needs Debian, root (for chroot), gcc, and 350 MB for a while.
# When sid has another version, the download fails.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p apt/lists/partial apt/archives/partial root/usr/lib root/usr/lib64 root/tmp
touch apt/status
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -v security | head -n 1)
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror sid main" >sid.list
# Of an empty system, so that the C library is among them.
options="-qq -oDir::State=$PWD/apt -oDir::State::status=$PWD/apt/status -oDir::Cache=$PWD/apt -oAPT::Sandbox::User=root"
options+=" -oDir::Etc::sourcelist=$PWD/sid.list -oDir::Etc::sourceparts=- -oAPT::Install-Recommends=0"
apt-get $options update
apt-get $options -y --download-only install mesa-opencl-icd=26.2.6-1 ocl-icd-libopencl1 libc6
apt-get download -q opencl-c-headers=3.0~2023.02.06-1 >/dev/null
ln -s usr/lib root/lib
ln -s usr/lib64 root/lib64
for package in apt/archives/*.deb *.deb; do dpkg -x "$package" root; done
cat >root/tmp/halves.c <<'C'
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>

static const char *text =
    "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
    "__kernel void alone(__global const float *x, __global float *y) {\n"
    "  size_t i = get_global_id(0);\n"
    "  y[i] = convert_float(convert_half(x[i] * 3.0f));\n"
    "}\n"
    "__kernel void with_sum(__global const float *x, __global float *y) {\n"
    "  size_t i = get_global_id(0);\n"
    "  y[i] = convert_float(convert_half(x[i] * 3.0f)) + x[i];\n"
    "}\n";

int main(void) {
  const float x[3] = {1.5f, 1.0001f, 1.333f};  // of the last two products, as halves: 3 and 3.998046875
  const char *names[] = {"alone", "with_sum"};
  const size_t items = 3;
  char version[200];
  cl_platform_id platform;
  cl_device_id device;
  if (clGetPlatformIDs(1, &platform, NULL) || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL)) return 2;
  clGetDeviceInfo(device, CL_DRIVER_VERSION, sizeof version, version, NULL);
  printf("rusticl %s\n", version);
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
  cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
  if (clBuildProgram(program, 1, &device, "-cl-std=CL1.2", NULL, NULL)) return 3;
  for (int k = 0; k < 2; k++) {
    float y[3];
    cl_kernel kernel = clCreateKernel(program, names[k], NULL);
    cl_mem in = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof x, (void *)x, NULL);
    cl_mem out = clCreateBuffer(context, 0, sizeof y, NULL, NULL);
    clSetKernelArg(kernel, 0, sizeof in, &in);
    clSetKernelArg(kernel, 1, sizeof out, &out);
    if (clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL)) return 4;
    if (clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof y, y, 0, NULL, NULL)) return 5;
    for (int i = 0; i < 3; i++) printf("%s: %a\n", names[k], y[i]);
  }
  return 0;
}
C
gcc -Iroot/usr/include root/tmp/halves.c -o root/tmp/halves root/usr/lib/x86_64-linux-gnu/libOpenCL.so.1 -Wl,--unresolved-symbols=ignore-in-shared-libs
RUSTICL_ENABLE=llvmpipe OCL_ICD_VENDORS=/etc/OpenCL/vendors/rusticl.icd chroot root /tmp/halves 2>/dev/null | tee seen
cat >expected <<'T'
alone: 0x1.2p+2
alone: 0x1.8009d4p+1
alone: 0x1.ffdf3ap+1
with_sum: 0x1.8p+2
with_sum: 0x1.0001a4p+2
with_sum: 0x1.552fep+2
T
grep -q 'rusticl 26\.2\.6' seen
tail -n +2 seen | diff expected -
