#!/usr/bin/env bash
# One would guess that mad_sat(a, b, c) of longs (OpenCL C, specification 6.15.3), which is a * b + c and saturates what no long holds, is c where
# a or b is 0.
# libclc 15 returns -2^63 there if the other factor is negative: it takes factors of different signs whose product has no high word of ones for
# an overflow, and the product 0 has a high word of zeros. mad_sat(0, -5, 7) is -2^63 and not 7. The product -2^63, which a long holds, is taken for an
# overflow too: c is not added. Other products are right; so is mad_sat of ints and of ulongs.
# Drivers whose functions are those of libclc have it: Mesa's rusticl 25.0.7 and 26.2.6 give the same on their devices. PoCL has functions of
# its own, which are right. The function is plain integer code, so the processor of this machine can run it.
# Debian 12: libclc-15 1:15.0.6-4, llvm-15 1:15.0.6-4+b1, x86-64. Needs apt-get, dpkg and gcc.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -q libclc-15=1:15.0.6-4 llvm-15=1:15.0.6-4+b1 libllvm15=1:15.0.6-4+b1 >/dev/null
for package in *.deb; do dpkg -x "$package" root; done
llvm() { # tool, arguments
  LD_LIBRARY_PATH=root/usr/lib/x86_64-linux-gnu "root/usr/lib/llvm-15/bin/$1" "${@:2}" 2>/dev/null
}
llvm llvm-extract -func=_Z7mad_satlll root/usr/lib/clc/nvptx64--.bc -o mad_sat.bc
llvm llc -mtriple=x86_64-linux-gnu -relocation-model=pic -filetype=obj mad_sat.bc -o mad_sat.o
cat >main.c <<'C'
#include <stdio.h>

long _Z7mad_satlll(long a, long b, long c);

int main(void) {
  const long of[][3] = {{0, -5, 7}, {-1, 0, -1}, {0, 5, 7}, {2, -3, 1}, {1L << 32, -(1L << 31), 1}};
  for (int i = 0; i < 5; i++)
    printf("mad_sat(%ld, %ld, %ld) = %ld\n", of[i][0], of[i][1], of[i][2], _Z7mad_satlll(of[i][0], of[i][1], of[i][2]));
}
C
gcc main.c mad_sat.o -o main
./main | tee seen
diff seen - <<'T'
mad_sat(0, -5, 7) = -9223372036854775808
mad_sat(-1, 0, -1) = -9223372036854775808
mad_sat(0, 5, 7) = 7
mad_sat(2, -3, 1) = -5
mad_sat(4294967296, -2147483648, 1) = -9223372036854775808
T
