#!/usr/bin/env bash
# One would guess that MPI_MAX of two floats depends on these floats, and not on their place in a message, though MPI does not say which NaN or which
# zero a maximum is.
# Open MPI 4.1.4 returns 1 for NaN and 1 in the first 64 of 67 elements, and NaN in the last three; in the other order NaN, and then 1.
# Of 0 and -0 it has both zeros. AVX computes whole vectors, a maximum with the second operand where none is greater, and a loop in C the
# rest, with the first. So are minima and doubles. Elements thus change with the length of a message. With `--mca op ^avx` they do not.
# Source: ompi/mca/op/avx/op_avx_functions.c. Debian 12: libopenmpi3 4.1.4-3+b1, x86-64 with AVX2. Needs apt-get, dpkg and gcc.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -q {libopenmpi3,libopenmpi-dev}=4.1.4-3+b1 openmpi-common=4.1.4-3 libhwloc15=2.9.0-1 \
  {libevent-core-2.1-7,libevent-pthreads-2.1-7}=2.1.12-stable-8 libpmix2=4.2.2-1+deb12u1 >/dev/null
for package in *.deb; do dpkg -x "$package" root; done
library=$PWD/root/usr/lib/x86_64-linux-gnu
cat >maxima.c <<'C'
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { LENGTH = 67 };

int main(int count, char **arguments) {
  const float of[][2] = {{NAN, 1}, {1, NAN}, {0, -0.0f}, {-0.0f, 0}, {1, 2}};
  char version[MPI_MAX_LIBRARY_VERSION_STRING];
  int length;
  MPI_Init(&count, &arguments);
  MPI_Get_library_version(version, &length);
  printf("%.15s\n", version);
  for (int k = 0; k < 5; k++) {
    float a[LENGTH], b[LENGTH];
    for (int i = 0; i < LENGTH; i++) a[i] = of[k][0], b[i] = of[k][1];
    MPI_Reduce_local(a, b, LENGTH, MPI_FLOAT, MPI_MAX);
    int first = 1;
    while (first < LENGTH && memcmp(&b[first], &b[0], sizeof b[0]) == 0) first++;
    printf("max of %g, %g: %g in %d elements, then %g\n", of[k][0], of[k][1], b[0], first, b[LENGTH - 1]);
  }
  MPI_Finalize();
}
C
gcc -w -I"$library/openmpi/include" maxima.c -o maxima "$library/openmpi/lib/libmpi.so" -Wl,--unresolved-symbols=ignore-in-shared-libs
# One process, without a launcher, and with the library's own folder.
export OMPI_MCA_ess_singleton_isolated=1 OMPI_MCA_pml=ob1 OMPI_MCA_btl=self OMPI_MCA_mca_base_component_show_load_errors=0
export OPAL_PREFIX=$PWD/root/usr OPAL_PKGLIBDIR=$library/openmpi/lib/openmpi3 LD_LIBRARY_PATH=$library HWLOC_PLUGINS_PATH=$PWD
./maxima | tee seen
echo "without AVX:"
OMPI_MCA_op=^avx ./maxima | tee -a seen
diff seen - <<'T'
Open MPI v4.1.4
max of nan, 1: 1 in 64 elements, then nan
max of 1, nan: nan in 64 elements, then 1
max of 0, -0: -0 in 64 elements, then 0
max of -0, 0: 0 in 64 elements, then -0
max of 1, 2: 2 in 67 elements, then 2
Open MPI v4.1.4
max of nan, 1: nan in 67 elements, then nan
max of 1, nan: 1 in 67 elements, then 1
max of 0, -0: 0 in 67 elements, then 0
max of -0, 0: -0 in 67 elements, then -0
max of 1, 2: 2 in 67 elements, then 2
T
