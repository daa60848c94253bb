#!/usr/bin/env bash
# One would guess that a rolling sum over a window that holds an infinity is infinite, as `sum` of the same items is.
# pandas 3.0.6 takes an infinity for a missing value in `rolling` and `expanding`: the sum of 1, inf is 1, and the maximum of inf, 2 is 2.
# `cumsum` and `sum` keep it.
# Source: pandas/core/window/rolling.py, `_prep_values`. Needs Python 3.11 or newer with venv.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install --quiet --disable-pip-version-check --only-binary :all: pandas==3.0.6 numpy==2.4.6
cat >rolling.py <<'PY'
import sys

import pandas as pd

print("pandas", pd.__version__)
column = pd.Series([1.0, float("inf"), 2.0])
window = column.rolling(2, min_periods=1)
found = {
    "rolling sum": window.sum().tolist(),
    "rolling max": window.max().tolist(),
    "expanding sum": column.expanding().sum().tolist(),
    "cumsum": column.cumsum().tolist(),
    "sum": [column.sum()],
}
for name, values in found.items():
    print(f"{name} of {column.tolist()}: {values}")
inf = float("inf")
as_found = {
    "rolling sum": [1.0, 1.0, 2.0],
    "rolling max": [1.0, 1.0, 2.0],
    "expanding sum": [1.0, 1.0, 3.0],
    "cumsum": [1.0, inf, inf],
    "sum": [inf],
}
sys.exit(0 if found == as_found else 1)
PY
env/bin/python rolling.py
