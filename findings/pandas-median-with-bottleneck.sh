#!/usr/bin/env bash
# One would guess that the median of two equal numbers is that number, the standard deviation of equal numbers 0, and that installing an accelerator which
# pandas recommends changes only the time.
# pandas 3.0.6 uses Bottleneck 1.6.0 if it is installed, and then the median of 1073741825 and 1073741825 in int32 is -1073741823: the two middle items
# are added in their own type, which wraps (int64 from 2^62 on). The standard deviation of 2^20 times 10000.1 in float32 is about 136: sums are kept
# in float32. Without Bottleneck, with the option compute.use_bottleneck off, in `quantile(0.5)` and in group-bys results are right.
# Source: bottleneck/src/reduce_template.c, `median` and `nanstd`; pandas/core/nanops.py, `bottleneck_switch`. Needs Python 3.11 with venv.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install --quiet --disable-pip-version-check --no-compile --retries 1 --only-binary :all: pandas==3.0.6 numpy==2.4.6 bottleneck==1.6.0
cat >median.py <<'PY'
import bottleneck
import numpy as np
import pandas as pd

print("pandas", pd.__version__, "Bottleneck", bottleneck.__version__)
print("option at the start:", pd.get_option("compute.use_bottleneck"))
same = np.full(2**20, 10000.1, np.float32)
for used in (True, False):
    pd.set_option("compute.use_bottleneck", used)
    for item, dtype in ((2**30 + 1, "int32"), (2**62, "int64")):
        column = pd.Series([item, item], dtype=dtype)
        others = f"quantile {int(column.quantile(0.5))}, of a group {int(column.groupby([0, 0]).median()[0])}"
        print(f"{used}: median of {item}, {item} {dtype}: {int(column.median())}, {others}")
    print(f"{used}: standard deviation of equal numbers below 1: {bool(pd.Series(same).std() < 1)}, NumPy's: {bool(np.std(same) < 1)}")
print(f"bottleneck.median: {int(bottleneck.median(np.full(2, 2**30 + 1, np.int32)))}, np.median: {int(np.median(np.full(2, 2**30 + 1, np.int32)))}")
PY
cat >expected <<'T'
pandas 3.0.6 Bottleneck 1.6.0
option at the start: True
True: median of 1073741825, 1073741825 int32: -1073741823, quantile 1073741825, of a group 1073741825
True: median of 4611686018427387904, 4611686018427387904 int64: -4611686018427387904, quantile 4611686018427387904, of a group 4611686018427387904
True: standard deviation of equal numbers below 1: False, NumPy's: True
False: median of 1073741825, 1073741825 int32: 1073741825, quantile 1073741825, of a group 1073741825
False: median of 4611686018427387904, 4611686018427387904 int64: 4611686018427387904, quantile 4611686018427387904, of a group 4611686018427387904
False: standard deviation of equal numbers below 1: True, NumPy's: True
bottleneck.median: -1073741823, np.median: 1073741825
T
env/bin/python median.py | tee seen
diff seen expected
