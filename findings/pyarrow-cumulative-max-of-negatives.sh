#!/usr/bin/env bash
# One would guess that the cumulative maximum of -5, -7 is -5, -5, since the first item is the maximum of itself.
# pyarrow 25.0.1 returns 2.2250738585072014e-308 twice: for floats `cumulative_max` begins with the least positive normal number of the type (in C++
# std::numeric_limits<T>::min()), not with -inf, so that no result is less than it. Minus infinity, -0 and a NaN in the first place give it too.
# `cumulative_min` begins with the greatest finite number, so that inf is 1.7976931348623157e+308. `max` and `min` are right, and so are integers.
# Source: pyarrow.compute, apache/arrow cpp/src/arrow/compute/kernels. Needs Python 3.10 or newer with venv.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install --quiet --disable-pip-version-check --only-binary :all: pyarrow==25.0.1
cat >cumulative.py <<'PY'
import sys

import pyarrow as pa
import pyarrow.compute as pc

print("pyarrow", pa.__version__)
inf = float("inf")
LEAST = {pa.float64(): 2.0**-1022, pa.float32(): 2.0**-126}
MOST = {pa.float64(): sys.float_info.max, pa.float32(): (2 - 2.0**-23) * 2.0**127}
as_found = True
for type in LEAST:
    for values in ([-5.0, -7.0], [-inf, -1.0]):
        column = pa.array(values, type)
        found = pc.cumulative_max(column).to_pylist()
        print(f"{type}: cumulative_max {values} {found}, max {pc.max(column)}")
        as_found &= found == [LEAST[type]] * 2 and pc.max(column).as_py() == max(values)
    found = pc.cumulative_min(pa.array([inf], type)).to_pylist()
    print(f"{type}: cumulative_min [inf] {found}")
    as_found &= found == [MOST[type]]
integers = pc.cumulative_max(pa.array([-5, -7])).to_pylist()
print(f"int64: cumulative_max [-5, -7] {integers}")
sys.exit(0 if as_found and integers == [-5, -5] else 1)
PY
env/bin/python cumulative.py
