#!/usr/bin/env bash
# One would guess that `quantile(x, 0.5)` of three items is the one in the middle, as `median(x)` is.
# NumPy 2.4.6 interpolates between that item and the next one also where nothing is between them: a + (b - a) * 0 is NaN if the next one is infinite.
# Of 1, 2, inf `median` and the methods "lower" and "nearest" give 2, and `quantile`, `percentile` and `nanquantile` NaN.
# Source: numpy/lib/_function_base_impl.py, `_lerp`. Needs Python 3.11 or newer with venv.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install --quiet --disable-pip-version-check --only-binary :all: numpy==2.4.6
cat >quantiles.py <<'PY'
import sys

import numpy as np

np.seterr(all="ignore")
print("numpy", np.__version__)
x = np.array([1.0, 2.0, np.inf])
found = {
    "median": np.median(x),
    "quantile": np.quantile(x, 0.5),
    "percentile": np.percentile(x, 50),
    "nanquantile": np.nanquantile(x, 0.5),
    "quantile, nearest": np.quantile(x, 0.5, method="nearest"),
    "quantile, lower": np.quantile(x, 0.5, method="lower"),
    "quantile of 1, 2, 3": np.quantile(np.array([1.0, 2.0, 3.0]), 0.5),
}
for name, value in found.items():
    print(f"{name}: {value}")
as_found = ["2.0", "nan", "nan", "nan", "2.0", "2.0", "2.0"]
sys.exit(0 if [str(float(value)) for value in found.values()] == as_found else 1)
PY
env/bin/python quantiles.py
