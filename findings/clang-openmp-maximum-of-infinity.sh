#!/usr/bin/env bash
# One would guess that the maximum of items that are all -inf is -inf, with OpenMP as in the same loop without it, and that a compiler whose
# reductions begin with "the minimal representable number" of a type (OpenMP 5.2) begins those of floats with -inf, as gcc does.
# clang 19.1.7 begins each thread's with the lowest finite number, and a minimum with the greatest one: `reduction(max: m)` of -inf alone is
# -3.40282e+38, though m is -inf before the loop too. So are `simd`, doubles, each item of a running maximum (`inscan`), and clang 14 and 16.
# Debian 12: clang-19 and libomp-19-dev 1:19.1.7-3~deb12u1, gcc 12.2.0, x86-64. Needs apt-get, dpkg and gcc.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
version=1:19.1.7-3~deb12u1
apt-get download -q {clang-19,libclang-cpp19,libclang-common-19-dev,libllvm19,libomp-19-dev,libomp5-19}=$version >/dev/null
for package in *.deb; do dpkg -x "$package" root; done
llvm=$PWD/root/usr/lib/llvm-19
export LD_LIBRARY_PATH=$PWD/root/usr/lib/x86_64-linux-gnu:$llvm/lib
cat >maximum.c <<'C'
#include <math.h>
#include <stdio.h>

int main(void) {
  float x[8], scanned[8], most = -INFINITY, in_lanes = -INFINITY, running = -INFINITY;
  double least = INFINITY;
  for (int i = 0; i < 8; i++) x[i] = -INFINITY;
#pragma omp parallel for reduction(max : most) num_threads(2)
  for (int i = 0; i < 8; i++) most = x[i] > most ? x[i] : most;
#pragma omp simd reduction(max : in_lanes)
  for (int i = 0; i < 8; i++) in_lanes = x[i] > in_lanes ? x[i] : in_lanes;
#pragma omp parallel for reduction(min : least) num_threads(2)
  for (int i = 0; i < 8; i++) least = -x[i] < least ? -x[i] : least;
#pragma omp parallel for reduction(inscan, max : running) num_threads(2)
  for (int i = 0; i < 8; i++) {
    running = x[i] > running ? x[i] : running;
#pragma omp scan inclusive(running)
    scanned[i] = running;
  }
  printf("max %g, simd %g, min of doubles %g, scan %g to %g\n", most, in_lanes, least, scanned[0], scanned[7]);
}
C
failed=0
expect() { # name, wanted output, compiler and options
  "${@:3}" maximum.c -o maximum -lm
  local got
  got=$(./maximum)
  echo "$1: $got"
  [[ $got == "$2" ]] || failed=1
}
right="max -inf, simd -inf, min of doubles inf, scan -inf to -inf"
wrong="max -3.40282e+38, simd -3.40282e+38, min of doubles 1.79769e+308, scan -3.40282e+38 to -3.40282e+38"
"$llvm/bin/clang" --version | head -n 1
expect "clang without OpenMP" "$right" "$llvm/bin/clang" -w -O2
expect "clang -O0" "$wrong" "$llvm/bin/clang" -fopenmp -O0 -L"$llvm/lib"
expect "clang -O2" "$wrong" "$llvm/bin/clang" -fopenmp -O2 -L"$llvm/lib"
expect "gcc -O2" "$right" gcc -fopenmp -O2
exit "$failed"
