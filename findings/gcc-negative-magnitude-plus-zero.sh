#!/usr/bin/env bash
# One would guess that `-fabsf(x) + 0.0f` is +0 for x = 0, because -0 + 0 is +0 (IEEE 754, 6.3) and gcc honours signed zeros unless
# -fno-signed-zeros is given.
# gcc 12.2 returns -0, without optimisation too: its front end takes the sum of a negated magnitude, or of a negated conversion of an
# unsigned integer, and zero for the first operand. With a name that it cannot see through between the two the sum is right,
# and so it is with -frounding-math, and with clang 14.
# Debian 12: gcc-12 12.2.0-14+deb12u1, clang-14 14.0.6-12, x86-64. Needs apt-get, dpkg, and the headers and libraries of a C compiler.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -q gcc-12=12.2.0-14+deb12u1 cpp-12=12.2.0-14+deb12u1 libgcc-12-dev=12.2.0-14+deb12u1 >/dev/null
for package in *.deb; do dpkg -x "$package" root; done
gcc=root/usr/bin/x86_64-linux-gnu-gcc-12
"$gcc" --version | head -n 1
cat >zero.c <<'C'
#include <math.h>
#include <stdio.h>

float magnitude(float x) { return -fabsf(x) + 0.0f; }
double count(unsigned n) { return -(double)n + 0.0; }
float named(float x) {
  volatile float negative = -fabsf(x);
  return negative + 0.0f;
}
float other(float x) { return -x + 0.0f; }

int main(void) { printf("%g %g %g %g\n", magnitude(0), count(0), named(0), other(0)); }
C
failed=0
expect() { # options, wanted output
  "$gcc" $1 zero.c -o zero -lm
  local got
  got=$(./zero)
  echo "gcc $1: -|x| + 0, -n + 0, with a name between, -x + 0 at zero: $got"
  [[ $got == "$2" ]] || failed=1
}
expect -O0 "-0 -0 0 0"
expect -O2 "-0 -0 0 0"
expect "-O2 -frounding-math" "0 0 0 0"
exit "$failed"
