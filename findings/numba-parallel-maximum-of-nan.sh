#!/usr/bin/env bash
# One would guess that the maximum of an array is the item at its `argmax`, and that `parallel=True` changes, but for the last digits of sums, only the
# time: `x.max()` of an array with a NaN is NaN in NumPy and in Numba's serial code.
# Numba 0.68.0 returns 2 for the `max` of 1, NaN, 2 in a parallel function, 1 for `min`, and -inf and inf if all items are NaN: its parallel loop keeps what
# does not compare, and begins with the infinities. `argmax` of the same array in the same function is the place of the NaN, and `sum` is NaN.
# Source: numba/parfors/parfor.py, `min_parallel_impl`, `max_parallel_impl`. Needs Python 3.10 or newer with venv.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install --quiet --disable-pip-version-check --only-binary :all: numba==0.68.0 numpy==2.4.6
cat >maximum.py <<'PY'
import math

import numba
import numpy as np

print("Numba", numba.__version__)
nan = math.nan


def of(x):
    return x.max(), x.min(), x.argmax(), x.sum()


def show(name, f):
    for values in ([1.0, nan, 2.0], [nan, nan]):
        most, least, place, total = f(np.array(values))
        print(f"{name} {values}: max {most}, min {least}, argmax {place}, sum {total}")


show("NumPy", of)
show("serial", numba.njit(of))
show("parallel", numba.njit(of, parallel=True))
PY
env/bin/python -W ignore maximum.py | tee seen
diff seen - <<'T'
Numba 0.68.0
NumPy [1.0, nan, 2.0]: max nan, min nan, argmax 1, sum nan
NumPy [nan, nan]: max nan, min nan, argmax 0, sum nan
serial [1.0, nan, 2.0]: max nan, min nan, argmax 1, sum nan
serial [nan, nan]: max nan, min nan, argmax 0, sum nan
parallel [1.0, nan, 2.0]: max 2.0, min 1.0, argmax 1, sum nan
parallel [nan, nan]: max -inf, min inf, argmax 0, sum nan
T
