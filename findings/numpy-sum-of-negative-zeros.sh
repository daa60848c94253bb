#!/usr/bin/env bash
# One would guess that the sum of an array is the last of its running sums, as `sum` and `cumsum` of most short arrays are.
# NumPy 2.4.6 begins a sum with 0 and a running sum with the first item: of -0, -0 `cumsum` ends with -0 and `sum` is +0, so that 1 / x has
# another sign. `prod` and `cumprod` agree, and Python's `math.fsum` gives +0 too.
# Needs Python 3.11 or newer with venv.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install --quiet --disable-pip-version-check --only-binary :all: numpy==2.4.6
cat >sums.py <<'PY'
import math
import sys

import numpy as np

print("numpy", np.__version__)
as_found = {"sum": "0.0", "add.reduce": "0.0", "cumsum": "-0.0", "add.accumulate": "-0.0", "prod": "-0.0", "cumprod": "-0.0", "fsum": "0.0"}
same = True
for kind in (np.float32, np.float64):
    x = np.array([-0.0, -0.0], kind)
    factors = np.array([-0.0, 1.0], kind)
    found = {
        "sum": x.sum(),
        "add.reduce": np.add.reduce(x),
        "cumsum": x.cumsum()[-1],
        "add.accumulate": np.add.accumulate(x)[-1],
        "prod": factors.prod(),
        "cumprod": factors.cumprod()[-1],
        "fsum": math.fsum(x),
    }
    texts = {name: str(float(value)) for name, value in found.items()}
    print(kind.__name__, texts)
    same = same and texts == as_found
sys.exit(0 if same else 1)
PY
env/bin/python sums.py
