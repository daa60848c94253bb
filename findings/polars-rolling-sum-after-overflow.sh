#!/usr/bin/env bash
# One would guess that a rolling sum of two items depends on these two, and that a library which gives finite sums again after an infinity has left the
# window does so after a sum that overflowed.
# Polars 1.44.2 subtracts from its sum what leaves the window. It counts the infinities among the items (pola-rs/polars, pull request 23482), but not a sum that
# became one: of 1e308, 1e308, 2, 3, 4 every sum and mean from the third on is NaN, where of 1, inf, 2, 3, 4 the last two sums are 5 and 7. So are
# `rolling_sum_by` and `rolling(…).agg(sum)`, and sums of Float32, but not their means. With `weights` of 1 every sum is that of its window.
# pandas 3.0.6 has NaN to the end too. In DuckDB 1.5.6 each window has its own sum.
# Needs Python 3.11 or newer with venv.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install --quiet --disable-pip-version-check --no-compile --retries 1 --only-binary :all: \
  polars==1.44.2 pandas==3.0.6 numpy==2.4.6 duckdb==1.5.6 pyarrow==25.0.1
cat >rolling.py <<'PY'
import duckdb
import pandas as pd
import polars as pl

print("polars", pl.__version__, "pandas", pd.__version__, "duckdb", duckdb.__version__)
inf = float("inf")
for type, items in (
    (pl.Float64, [1e308, 1e308, 2.0, 3.0, 4.0]),
    (pl.Float32, [2.0**127, 2.0**127, 2.0, 3.0, 4.0]),
    (pl.Float64, [1.0, inf, 2.0, 3.0, 4.0]),
):
    x = pl.Series("x", items, type)
    frame = pl.DataFrame({"i": range(len(x)), "x": x})
    short = lambda values: " ".join(f"{value:.3g}" for value in values)
    print(f"{type} {short(items)}, windows of two:")
    print("  sum of each window:", short(x[max(0, i - 1) : i + 1].sum() for i in range(len(x))))
    print("  rolling_sum:", short(x.rolling_sum(2, min_samples=1)))
    print("  rolling_mean:", short(x.rolling_mean(2, min_samples=1)))
    print("  rolling_sum_by:", short(frame.select(pl.col("x").rolling_sum_by("i", "2i"))["x"]))
    print("  rolling.agg(sum):", short(frame.rolling("i", period="2i").agg(pl.col("x").sum())["x"]))
    print("  rolling_sum with weights:", short(x.rolling_sum(2, weights=[1.0, 1.0], min_samples=1)))
    if type == pl.Float64:
        print("  pandas:", short(pd.Series(items).rolling(2, min_periods=1).sum()))
        found = duckdb.sql("SELECT sum(x) OVER (ORDER BY i ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM frame ORDER BY i")
        print("  duckdb:", short(value for (value,) in found.fetchall()))
PY
cat >expected <<'T'
polars 1.44.2 pandas 3.0.6 duckdb 1.5.6
Float64 1e+308 1e+308 2 3 4, windows of two:
  sum of each window: 1e+308 inf 1e+308 5 7
  rolling_sum: 1e+308 inf nan nan nan
  rolling_mean: 1e+308 inf nan nan nan
  rolling_sum_by: 1e+308 inf nan nan nan
  rolling.agg(sum): 1e+308 inf nan nan nan
  rolling_sum with weights: 1e+308 inf 1e+308 5 7
  pandas: 1e+308 inf nan nan nan
  duckdb: 1e+308 inf 1e+308 5 7
Float32 1.7e+38 1.7e+38 2 3 4, windows of two:
  sum of each window: 1.7e+38 inf 1.7e+38 5 7
  rolling_sum: 1.7e+38 inf nan nan nan
  rolling_mean: 1.7e+38 inf 8.51e+37 2.5 3.5
  rolling_sum_by: 1.7e+38 inf nan nan nan
  rolling.agg(sum): 1.7e+38 inf nan nan nan
  rolling_sum with weights: 1.7e+38 inf 1.7e+38 5 7
Float64 1 inf 2 3 4, windows of two:
  sum of each window: 1 inf inf 5 7
  rolling_sum: 1 inf inf 5 7
  rolling_mean: 1 inf inf 2.5 3.5
  rolling_sum_by: 1 inf inf 5 7
  rolling.agg(sum): 1 inf inf 5 7
  rolling_sum with weights: 1 inf inf 5 7
  pandas: 1 1 2 5 7
  duckdb: 1 inf inf 5 7
T
env/bin/python rolling.py | tee seen
diff seen expected
