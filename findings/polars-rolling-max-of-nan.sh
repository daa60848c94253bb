#!/usr/bin/env bash
# One would guess that `rolling_max` gives the maximum of each window, as `max` gives it for the items of one, and that windows that begin at the
# first item are those of `cum_max`.
# Polars 1.44.2 has two rules for NaN: `max` and `cum_max` leave it out, `rolling_max` and the `max` of `rolling(…).agg` give NaN for each window
# that holds one. Of 1, NaN, 2 the windows of two have the maxima NaN, NaN, where `max` of the same items gives 1, 2.
# Needs Python 3.11 or newer with venv.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install --quiet --disable-pip-version-check --only-binary :all: polars==1.44.2
cat >rolling.py <<'PY'
import math
import sys

import polars as pl

print("polars", pl.__version__)
x = pl.Series("x", [1.0, math.nan, 2.0, 3.0])
frame = pl.DataFrame({"i": range(len(x)), "x": x})
found = {
    "max of each window": [x[max(0, i - 1) : i + 1].max() for i in range(len(x))],
    "rolling_max(2)": x.rolling_max(2, min_samples=1).to_list(),
    "rolling('2i').agg(max)": frame.rolling("i", period="2i").agg(pl.col("x").max())["x"].to_list(),
    "rolling_max(4)": x.rolling_max(4, min_samples=1).to_list(),
    "cum_max": x.cum_max().to_list(),
}
for name, values in found.items():
    print(f"{name} of {x.to_list()}: {values}")
as_found = {
    "max of each window": "[1.0, 1.0, 2.0, 3.0]",
    "rolling_max(2)": "[1.0, nan, nan, 3.0]",
    "rolling('2i').agg(max)": "[1.0, nan, nan, 3.0]",
    "rolling_max(4)": "[1.0, nan, nan, nan]",
    "cum_max": "[1.0, 1.0, 2.0, 3.0]",
}
sys.exit(0 if {name: str(values) for name, values in found.items()} == as_found else 1)
PY
env/bin/python rolling.py
