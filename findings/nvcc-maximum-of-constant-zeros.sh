#!/usr/bin/env bash
# One would guess that `fmaxf(-0.0f, 0.0f)` is the same number whether the compiler knows its operands or not.
# nvcc 13.0.88 computes -0 if it knows them, its first operand: a store of 0x80000000. If it does not, it makes `max.f32`, for which PTX defines
# that -0 is less than +0 (PTX ISA, 9.7.3.12), so that a GPU returns +0. `fminf(0.0f, -0.0f)` is +0 and -0, and doubles, and `max` of CUDA's
# headers, have both results too. Inlining and unrolling decide which of the two a call gets. C allows either zero, so each is right alone.
# Needs python3 with venv; no GPU: the PTX is read.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv packages
packages/bin/pip install --quiet --disable-pip-version-check --retries 1 \
  nvidia-cuda-nvcc==13.0.88 nvidia-cuda-crt==13.0.88 nvidia-nvvm==13.0.88 nvidia-cuda-runtime==13.0.96
nvcc=$(find "$PWD/packages" -path "*/cu13/bin/nvcc")
chmod +x "$nvcc"
cat >zeros.cu <<'C'
__device__ __forceinline__ float greater_of(float a, float b) { return fmaxf(a, b); }
__device__ __forceinline__ double lesser_of(double a, double b) { return fmin(a, b); }

extern "C" __global__ void known(float *y, double *z) {
  *y = greater_of(-0.0f, 0.0f);
  *z = lesser_of(0.0, -0.0);
}
extern "C" __global__ void not_known(const float *x, const double *w, float *y, double *z) {
  *y = greater_of(x[0], x[1]);
  *z = lesser_of(w[0], w[1]);
}
C
"$nvcc" -ptx -arch=sm_80 zeros.cu -o zeros.ptx
"$nvcc" --version | tail -2 | head -1
grep -E "entry|mov\.|st\.global|min\.|max\." zeros.ptx | tee seen
known=$(sed -n '/entry known/,/entry not_known/p' seen)
[[ $(grep -c "max.f32" seen) == 1 && $(grep -c "min.f64" seen) == 1 ]]
grep -qE "mov.[ub]32.*, -2147483648;" <<<"$known"
grep -qE "mov.[ub]64.*, 0;" <<<"$known"
[[ $(grep -cE "min\.|max\." <<<"$known") == 0 ]]
