#!/usr/bin/env bash
# One would guess that the mean of 100 and 100 is 100, along a row as along a column, and that no mean is outside the range of its items.
# Polars 1.44.2 adds the columns in their own type, which wraps, and divides that sum: `mean_horizontal` of 100, 100 in Int8 is -28, and that of
# 2^31 - 1 twice in Int32 is -1. `sum_horizontal` is -56, an Int8, where `sum` of a column and of a list is 200, an Int64; `mean` of each is right.
# Known there for the sum: pola-rs/polars issue 21515. Needs Python 3.11 or newer with venv.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install --quiet --disable-pip-version-check --no-compile --retries 1 --only-binary :all: polars==1.44.2
cat >mean.py <<'PY'
import polars as pl

print("polars", pl.__version__)
for type, item in ((pl.Int8, 100), (pl.UInt8, 200), (pl.Int16, 30000), (pl.Int32, 2**31 - 1)):
    column = pl.Series("x", [item, item], type)
    row = pl.DataFrame({"a": column[:1], "b": column[:1]})
    (of_list,) = row.select(pl.concat_list("a", "b").list.mean()).row(0)
    print(
        f"{type} {column.to_list()}: of a row mean {row.mean_horizontal()[0]}, sum {row.sum_horizontal()[0]};",
        f"of a column mean {column.mean()}, sum {column.sum()}; of a list mean {of_list}",
    )
PY
cat >expected <<'T'
polars 1.44.2
Int8 [100, 100]: of a row mean -28.0, sum -56; of a column mean 100.0, sum 200; of a list mean 100.0
UInt8 [200, 200]: of a row mean 72.0, sum 144; of a column mean 200.0, sum 400; of a list mean 200.0
Int16 [30000, 30000]: of a row mean -2768.0, sum -5536; of a column mean 30000.0, sum 60000; of a list mean 30000.0
Int32 [2147483647, 2147483647]: of a row mean -1.0, sum -2; of a column mean 2147483647.0, sum -2; of a list mean 2147483647.0
T
env/bin/python mean.py | tee seen
diff seen expected
