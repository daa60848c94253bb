#!/usr/bin/env bash
# One would guess that the item at `idxmax` is the maximum, and that a missing value is never it: skipna, "Exclude NA/null values", is true by default.
# pandas 3.0.6 returns the label of the missing value if no item is greater than -inf and it comes first: of NaN, -inf the maximum is -inf, at label 1, and
# `idxmax` is 0, where NaN is. `argmax`, and `idxmax` of a frame, do so too, and `idxmin` with inf: a missing value is replaced by the infinity
# that loses, which then ties. `idxmax` of a group-by and of the type Float64 is right. (NumPy warns of this in the documentation of nanargmax.)
# Source: pandas/core/nanops.py, `nanargmax`, `_get_fill_value`. Needs Python 3.11 or newer with venv.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install --quiet --disable-pip-version-check --no-compile --retries 1 --only-binary :all: pandas==3.0.6 numpy==2.4.6
cat >place.py <<'PY'
import pandas as pd

print("pandas", pd.__version__)
nan, inf = float("nan"), float("inf")
for items, largest in (([nan, -inf], True), ([nan, -inf, 1.0], True), ([nan, inf], False)):
    column = pd.Series(items)
    name = "max" if largest else "min"
    of = lambda object: getattr(object, "idx" + name)()
    print(
        f"{items}: {name} {getattr(column, name)()}, idx{name} {of(column)}, arg{name} {getattr(column, 'arg' + name)()},",
        f"of a frame {of(pd.DataFrame({'x': column}))['x']}, of a group {of(column.groupby([0] * len(items)))[0]},",
        f"of Float64 {of(column.astype('Float64'))}, without the missing {of(column.dropna())}",
    )
PY
cat >expected <<'T'
pandas 3.0.6
[nan, -inf]: max -inf, idxmax 0, argmax 0, of a frame 0, of a group 1, of Float64 1, without the missing 1
[nan, -inf, 1.0]: max 1.0, idxmax 2, argmax 2, of a frame 2, of a group 2, of Float64 2, without the missing 2
[nan, inf]: min inf, idxmin 0, argmin 0, of a frame 0, of a group 1, of Float64 1, without the missing 1
T
env/bin/python place.py | tee seen
diff seen expected
