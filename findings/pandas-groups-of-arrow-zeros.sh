#!/usr/bin/env bash
# One would guess that 0 and -0, which are equal, and of which one `duplicated` says to be a duplicate of the other, are one group, and that the groups do not
# depend on whether NumPy or Arrow holds the column.
# pandas 3.0.6 with pyarrow 25.0.1 has two groups of them in a column of the type double[pyarrow], with separate sums, and one in float64. So are
# `unique`, `nunique` and `value_counts`; `duplicated` and `merge` take them for equal in both. pyarrow compares bits where it hashes: `group_by`, `unique`,
# `value_counts`, `is_in` and `join` separate them, and a NaN with the sign bit, such as inf - inf on x86-64, from one without, though `pc.equal`
# of 0 and -0 is true and `rank` ties them. Polars 1.44.2 and DuckDB 1.5.6 make one group.
# Known there: apache/arrow issue 21050. Needs Python 3.11 or newer with venv.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install --quiet --disable-pip-version-check --no-compile --retries 1 --only-binary :all: \
  pandas==3.0.6 pyarrow==25.0.1 numpy==2.4.6 polars==1.44.2 duckdb==1.5.6
cat >groups.py <<'PY'
import struct

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc

print("pandas", pd.__version__, "pyarrow", pa.__version__, "polars", pl.__version__, "duckdb", duckdb.__version__)
keys, items = [0.0, -0.0, 0.0], [1, 2, 4]
for type in ("float64", "double[pyarrow]"):
    key = pd.Series(keys, dtype=type)
    frame = pd.DataFrame({"k": key, "x": items})
    one = pd.DataFrame({"k": key[:1], "y": [8]})
    print(
        f"pandas {type}: sums {frame.groupby('k')['x'].sum().tolist()}, {key.nunique()} unique, counts {key.value_counts().tolist()},",
        f"duplicated {key.duplicated().tolist()}, {len(frame.merge(one, on='k'))} rows merge with 0",
    )
column = pa.array(keys)
rows = pa.table({"k": column, "x": items})
print(
    f"pyarrow: sums {rows.group_by('k').aggregate([('x', 'sum')])['x_sum'].to_pylist()}, unique {pc.unique(column).to_pylist()},",
    f"is_in 0 {pc.is_in(column, pa.array([0.0])).to_pylist()}, {len(rows.join(pa.table({'k': [0.0], 'y': [8]}), 'k', join_type='inner'))} rows join 0,",
    f"equal {pc.equal(column, 0.0).to_pylist()}, rank {pc.rank(column, tiebreaker='dense').to_pylist()}",
)
nans = pa.array([*struct.unpack("<2d", bytes.fromhex("000000000000f87f000000000000f8ff"))])
print(f"pyarrow: unique of NaN and NaN with the sign bit {pc.unique(nans).to_pylist()}")
print("polars: sums", pl.from_arrow(rows).group_by("k").agg(pl.col("x").sum())["x"].to_list())
print("duckdb: sums", [int(x) for (x,) in duckdb.sql("SELECT sum(x) FROM rows GROUP BY k").fetchall()])
PY
cat >expected <<'T'
pandas 3.0.6 pyarrow 25.0.1 polars 1.44.2 duckdb 1.5.6
pandas float64: sums [7], 1 unique, counts [3], duplicated [False, True, True], 3 rows merge with 0
pandas double[pyarrow]: sums [5, 2], 2 unique, counts [2, 1], duplicated [False, True, True], 3 rows merge with 0
pyarrow: sums [5, 2], unique [0.0, -0.0], is_in 0 [True, False, True], 2 rows join 0, equal [True, True, True], rank [1, 1, 1]
pyarrow: unique of NaN and NaN with the sign bit [nan, nan]
polars: sums [7]
duckdb: sums [7]
T
env/bin/python groups.py | tee seen
diff seen expected
