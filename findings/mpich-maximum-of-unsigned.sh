#!/usr/bin/env bash
# One would guess that MPI_MAX of MPI_UNSIGNED, MPI_UINT64_T and the other unsigned types compares unsigned numbers.
# MPICH 4.0.2 compares them as signed ones: the maximum of 2^31 and 3 is 3 in 32 bits, the minimum 2^31, and of 200 and 3 in 8 bits the maximum is 3. All
# unsigned integers of 8 to 64 bits have it. Numbers below the highest bit are right, so that small tests show nothing.
# Open MPI 4.1.4 is right here. Debian 12: libmpich12 4.0.2-3+b1, x86-64. Known there: pmodels/mpich issue 6083. Needs apt-get, dpkg and gcc.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -q {libmpich12,libmpich-dev}=4.0.2-3+b1 libhwloc15=2.9.0-1 libucx0=1.13.1-1 libnuma1=2.0.16-1 >/dev/null
for package in *.deb; do dpkg -x "$package" root; done
library=$PWD/root/usr/lib/x86_64-linux-gnu
cat >maxima.c <<'C'
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>

#define SHOW(T, TYPE, A)                                                                            \
  {                                                                                                 \
    const T a = A;                                                                                  \
    T most = 3, least = 3;                                                                          \
    MPI_Reduce_local(&a, &most, 1, TYPE, MPI_MAX);                                                  \
    MPI_Reduce_local(&a, &least, 1, TYPE, MPI_MIN);                                                 \
    printf(#TYPE " of %llu, 3: max %llu, min %llu\n", (unsigned long long)a, (unsigned long long)most, \
           (unsigned long long)least);                                                              \
  }

int main(int count, char **arguments) {
  char version[MPI_MAX_LIBRARY_VERSION_STRING];
  int length, number = 0;
  MPI_Init(&count, &arguments);
  MPI_Get_library_version(version, &length);
  sscanf(version, "MPICH Version: %n", &number);
  printf("MPICH %.5s\n", version + number);
  SHOW(uint8_t, MPI_UINT8_T, 200)
  SHOW(uint16_t, MPI_UINT16_T, 60000)
  SHOW(uint32_t, MPI_UINT32_T, 1u << 31)
  SHOW(uint64_t, MPI_UINT64_T, 1ull << 63)
  SHOW(unsigned char, MPI_UNSIGNED_CHAR, 200)
  SHOW(unsigned short, MPI_UNSIGNED_SHORT, 60000)
  SHOW(unsigned, MPI_UNSIGNED, 1u << 31)
  SHOW(unsigned long, MPI_UNSIGNED_LONG, 1ul << 63)
  SHOW(unsigned, MPI_UNSIGNED, 100)
  MPI_Finalize();
}
C
gcc -I"$library/mpich/include" -Iroot/usr/include/x86_64-linux-gnu/mpich maxima.c -o maxima "$library/libmpich.so.12" -Wl,--unresolved-symbols=ignore-in-shared-libs
LD_LIBRARY_PATH=$library HWLOC_PLUGINS_PATH=$PWD ./maxima | tee seen
diff seen - <<'T'
MPICH 4.0.2
MPI_UINT8_T of 200, 3: max 3, min 200
MPI_UINT16_T of 60000, 3: max 3, min 60000
MPI_UINT32_T of 2147483648, 3: max 3, min 2147483648
MPI_UINT64_T of 9223372036854775808, 3: max 3, min 9223372036854775808
MPI_UNSIGNED_CHAR of 200, 3: max 3, min 200
MPI_UNSIGNED_SHORT of 60000, 3: max 3, min 60000
MPI_UNSIGNED of 2147483648, 3: max 3, min 2147483648
MPI_UNSIGNED_LONG of 9223372036854775808, 3: max 3, min 9223372036854775808
MPI_UNSIGNED of 100, 3: max 100, min 3
T
