#!/usr/bin/env bash
# One would guess that a running sum goes on from the value that its variable has before the loop, as it does without OpenMP, and that the variable
# holds that value and all items after the loop, as it does after a reduction.
# clang 19.1.7 leaves the value out of `parallel for reduction(inscan, +: sum)`: from 100, the exclusive sums of 1, 2, 3, 4 are 0, 1, 3, 6 and the sum is 10.
# A reduction without `inscan` and `simd` are right, and so is gcc 12.2. A sum that begins with 0, as in most examples, shows nothing. clang 16 does
# the same, and clang 14 leaves the variable at 100.
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
cat >scan.c <<'C'
#include <stdio.h>

int main(void) {
  const int x[4] = {1, 2, 3, 4};
  int exclusive[4], inclusive[4], in_lanes[4], a = 100, b = 100, c = 100, d = 100;
#pragma omp parallel for reduction(inscan, + : a) num_threads(2)
  for (int i = 0; i < 4; i++) {
    exclusive[i] = a;
#pragma omp scan exclusive(a)
    a += x[i];
  }
#pragma omp parallel for reduction(inscan, + : b) num_threads(2)
  for (int i = 0; i < 4; i++) {
    b += x[i];
#pragma omp scan inclusive(b)
    inclusive[i] = b;
  }
#pragma omp simd reduction(inscan, + : c)
  for (int i = 0; i < 4; i++) {
    in_lanes[i] = c;
#pragma omp scan exclusive(c)
    c += x[i];
  }
#pragma omp parallel for reduction(+ : d) num_threads(2)
  for (int i = 0; i < 4; i++) d += x[i];
  for (int i = 0; i < 4; i++) printf("%d %d %d, ", exclusive[i], inclusive[i], in_lanes[i]);
  printf("sums %d %d %d, reduction %d\n", a, b, c, d);
}
C
failed=0
expect() { # name, wanted output, compiler and options
  "${@:3}" scan.c -o scan -lm
  local got
  got=$(./scan)
  echo "$1, exclusive, inclusive, simd: $got"
  [[ $got == "$2" ]] || failed=1
}
right="100 101 100, 101 103 101, 103 106 103, 106 110 106, sums 110 110 110, reduction 110"
wrong="0 1 100, 1 3 101, 3 6 103, 6 10 106, sums 10 10 110, reduction 110"
"$llvm/bin/clang" --version | head -n 1
expect "clang without OpenMP" "$right" "$llvm/bin/clang" -w -O2
expect "clang -O0" "$wrong" "$llvm/bin/clang" -fopenmp -O0 -L"$llvm/lib"
expect "clang -O2" "$wrong" "$llvm/bin/clang" -fopenmp -O2 -L"$llvm/lib"
expect "gcc -O2" "$right" gcc -fopenmp -O2
exit "$failed"
