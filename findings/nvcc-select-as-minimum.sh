#!/usr/bin/env bash
# One would guess that `x < 0 ? x : 0` is +0 where x is -0: the comparison is false (IEEE 754-2019, 5.11), so the second value is chosen, and
# nvcc's documentation promises IEEE 754 unless an option relaxes it.
# nvcc 13.0.88 makes one instruction of it, `min.f32 x, 0`. PTX defines that -0 is less than +0 in a minimum (PTX ISA, 9.7.3.11), so the
# result is -0. The same holds for doubles. Forms with <=, or with another order of operands, stay a comparison and a selection.
# Needs python3 with venv; no GPU: the PTX is read.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv packages
packages/bin/pip install --quiet --disable-pip-version-check \
  nvidia-cuda-nvcc==13.0.88 nvidia-cuda-crt==13.0.88 nvidia-nvvm==13.0.88 nvidia-cuda-runtime==13.0.96
nvcc=$(find "$PWD/packages" -path "*/cu13/bin/nvcc")
chmod +x "$nvcc"
cat >select.cu <<'C'
extern "C" __global__ void below_zero(const float *x, float *y) {
  const float value = x[threadIdx.x];
  y[threadIdx.x] = value < 0.0f ? value : 0.0f;
}
extern "C" __global__ void below_zero_of_doubles(const double *x, double *y) {
  const double value = x[threadIdx.x];
  y[threadIdx.x] = value < 0.0 ? value : 0.0;
}
extern "C" __global__ void at_most_zero(const float *x, float *y) {
  const float value = x[threadIdx.x];
  y[threadIdx.x] = value <= 0.0f ? value : 0.0f;
}
C
"$nvcc" -ptx -arch=sm_80 select.cu -o select.ptx
"$nvcc" --version | tail -2 | head -1
grep -E "entry|min\.|setp|selp" select.ptx
[[ $(grep -c "min.f32" select.ptx) == 1 && $(grep -c "min.f64" select.ptx) == 1 && $(grep -c "setp" select.ptx) == 1 ]]
