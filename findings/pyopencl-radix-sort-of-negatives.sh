#!/usr/bin/env bash
# One would guess that `RadixSort` with an "integer-valued C expression returning the key" and `key_dtype=np.int32` sorts signed integers.
# PyOpenCL 2022.3.1 takes the bits of the key as an unsigned number, whatever `key_dtype` is: 3, -1, 2, -5, 0 become 0, 2, 3, -5, -1, without an error.
# The key `x[i] ^ 0x80000000` sorts them.
# Source: pyopencl/algorithm.py, RadixSort. Debian 12: python3-pyopencl 2022.3.1-2.1 on PoCL 3.1, x86-64. Needs apt-get, dpkg and Debian's python3.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -q \
  python3-pyopencl=2022.3.1-2.1 python3-pytools=2022.1.14-2 python3-mako=1.2.4+ds-1 python3-markupsafe=2.1.2-1+b1 python3-appdirs=1.4.4-3 \
  python3-platformdirs=2.6.0-1 python3-typing-extensions=4.4.0-1 python3-six=1.16.0-4 python3-pkg-resources=66.1.1-1+deb12u2 \
  python3-numpy=1:1.24.2-1+deb12u1 libblas3=3.11.0-2 liblapack3=3.11.0-2 libgfortran5=12.2.0-14+deb12u1 \
  pocl-opencl-icd=3.1-3+deb12u1 libpocl2=3.1-3+deb12u1 libpocl2-common=3.1-3+deb12u1 \
  libclang-cpp15=1:15.0.6-4+b1 libllvm15=1:15.0.6-4+b1 ocl-icd-libopencl1=2.3.1-1 >/dev/null
for package in *.deb; do dpkg -x "$package" root; done
library=$PWD/root/usr/lib/x86_64-linux-gnu
mkdir vendors cache
ls "$library"/libpocl.so.2.10.0 >vendors/pocl.icd
cat >sort.py <<'PY'
import sys

import numpy as np
import pyopencl as cl
import pyopencl.array as arrays
from pyopencl.algorithm import RadixSort

context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
print("pyopencl", cl.VERSION_TEXT, context.devices[0].platform.version)
given = np.array([3, -1, 2, -5, 0], np.int32)


def sorted_by(key):
    sort = RadixSort(context, "int *x", key_expr=key, sort_arg_names=["x"], key_dtype=np.int32)
    (result,), _ = sort(arrays.to_device(queue, given), queue=queue)
    return result.get().tolist()


found = {key: sorted_by(key) for key in ("x[i]", "x[i] ^ 0x80000000")}
for key, values in found.items():
    print(f"{given.tolist()} by {key}: {values}")
sys.exit(0 if found == {"x[i]": [0, 2, 3, -5, -1], "x[i] ^ 0x80000000": [-5, -1, 0, 2, 3]} else 1)
PY
LD_LIBRARY_PATH=$library:$library/blas:$library/lapack OCL_ICD_VENDORS=$PWD/vendors POCL_CACHE_DIR=$PWD/cache \
  PYTHONPATH=$PWD/root/usr/lib/python3/dist-packages XDG_CACHE_HOME=$PWD/cache PYOPENCL_CTX=0 /usr/bin/python3 -W ignore sort.py
