#!/usr/bin/env bash
# One would guess that the runs of `Series.rle`, each repeated by its length, are the series again.
# Polars 1.44.2 makes one run of 0 and -0 and keeps the first: of 0, -0, 1 / x is +inf twice after the runs are repeated. pyarrow 25.0.1's
# `run_end_encode` compares bits, and gives every item back.
# Needs Python 3.11 or newer with venv.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install --quiet --disable-pip-version-check --only-binary :all: polars==1.44.2 pyarrow==25.0.1
cat >runs.py <<'PY'
import sys

import polars as pl
import pyarrow as pa
import pyarrow.compute as pc

print("polars", pl.__version__, "pyarrow", pa.__version__)
x = [0.0, -0.0, -0.0, 1.0]
runs = pl.Series(x).rle().to_list()
found = {
    "polars": [run["value"] for run in runs for _ in range(run["len"])],
    "pyarrow": pc.run_end_decode(pc.run_end_encode(pa.array(x))).to_pylist(),
}
print("runs:", runs)
for name, values in found.items():
    print(f"{name}: {x} from its runs: {values}")
as_found = {"polars": "[0.0, 0.0, 0.0, 1.0]", "pyarrow": "[0.0, -0.0, -0.0, 1.0]"}
sys.exit(0 if {name: str(values) for name, values in found.items()} == as_found else 1)
PY
env/bin/python runs.py
