#!/usr/bin/env bash
# One would guess that MPI_SUM of unsigned bytes is a sum modulo 256, as in C, or saturates, but is one of both for all elements of a message.
# Open MPI 4.1.4 returns 255 for 200 + 100 in the first 64 of 67 elements, and 44 in the last three: AVX adds whole vectors with saturation, and a
# loop in C adds the rest. So are 16 bits, and signed integers (127 and -56 for 100 + 100). A message of one element has 44. Products, and
# sums of 32 and 64 bits, wrap everywhere. With `--mca op ^avx` all sums wrap, as those of MPICH do.
# Source: ompi/mca/op/avx/op_avx_functions.c. Debian 12: libopenmpi3 4.1.4-3+b1, x86-64 with AVX2. Needs apt-get, dpkg and gcc.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -q {libopenmpi3,libopenmpi-dev}=4.1.4-3+b1 openmpi-common=4.1.4-3 libhwloc15=2.9.0-1 \
  {libevent-core-2.1-7,libevent-pthreads-2.1-7}=2.1.12-stable-8 libpmix2=4.2.2-1+deb12u1 >/dev/null
for package in *.deb; do dpkg -x "$package" root; done
library=$PWD/root/usr/lib/x86_64-linux-gnu
cat >sums.c <<'C'
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>

enum { LENGTH = 67 };

#define SHOW(T, TYPE, A, B)                                                                             \
  {                                                                                                     \
    T a[LENGTH], b[LENGTH], alone = B;                                                                  \
    for (int i = 0; i < LENGTH; i++) a[i] = A, b[i] = B;                                                \
    MPI_Reduce_local(a, b, LENGTH, TYPE, MPI_SUM);                                                      \
    MPI_Reduce_local(a, &alone, 1, TYPE, MPI_SUM);                                                      \
    int first = 1;                                                                                      \
    while (first < LENGTH && b[first] == b[0]) first++;                                                 \
    printf("%d + %d as " #T ": %ld in %d elements, then %ld, alone %ld\n", A, B, (long)b[0], first,     \
           (long)b[LENGTH - 1], (long)alone);                                                           \
  }

int main(int count, char **arguments) {
  char version[MPI_MAX_LIBRARY_VERSION_STRING];
  int length;
  MPI_Init(&count, &arguments);
  MPI_Get_library_version(version, &length);
  printf("%.15s\n", version);
  SHOW(uint8_t, MPI_UINT8_T, 200, 100)
  SHOW(int8_t, MPI_INT8_T, 100, 100)
  SHOW(uint16_t, MPI_UINT16_T, 60000, 10000)
  SHOW(int16_t, MPI_INT16_T, 30000, 10000)
  SHOW(int32_t, MPI_INT32_T, 2000000000, 2000000000)
  MPI_Finalize();
}
C
gcc -w -I"$library/openmpi/include" sums.c -o sums "$library/openmpi/lib/libmpi.so" -Wl,--unresolved-symbols=ignore-in-shared-libs
# One process, without a launcher, and with the library's own folder.
export OMPI_MCA_ess_singleton_isolated=1 OMPI_MCA_pml=ob1 OMPI_MCA_btl=self OMPI_MCA_mca_base_component_show_load_errors=0
export OPAL_PREFIX=$PWD/root/usr OPAL_PKGLIBDIR=$library/openmpi/lib/openmpi3 LD_LIBRARY_PATH=$library HWLOC_PLUGINS_PATH=$PWD
./sums | tee seen
echo "without AVX:"
OMPI_MCA_op=^avx ./sums | tee -a seen
diff seen - <<'T'
Open MPI v4.1.4
200 + 100 as uint8_t: 255 in 64 elements, then 44, alone 44
100 + 100 as int8_t: 127 in 64 elements, then -56, alone -56
60000 + 10000 as uint16_t: 65535 in 64 elements, then 4464, alone 4464
30000 + 10000 as int16_t: 32767 in 64 elements, then -25536, alone -25536
2000000000 + 2000000000 as int32_t: -294967296 in 67 elements, then -294967296, alone -294967296
Open MPI v4.1.4
200 + 100 as uint8_t: 44 in 67 elements, then 44, alone 44
100 + 100 as int8_t: -56 in 67 elements, then -56, alone -56
60000 + 10000 as uint16_t: 4464 in 67 elements, then 4464, alone 4464
30000 + 10000 as int16_t: -25536 in 67 elements, then -25536, alone -25536
2000000000 + 2000000000 as int32_t: -294967296 in 67 elements, then -294967296, alone -294967296
T
