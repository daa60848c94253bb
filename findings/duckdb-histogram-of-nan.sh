#!/usr/bin/env bash
# One would guess that `histogram(x)` counts what `GROUP BY x` counts, as it does for other doubles: of 1, NaN and 2 one each.
# DuckDB 1.5.6 counts a NaN under another number: 1 twice and 2 once; and if the NaN is first, it is the only key, and has all three.
# `mode` of 1, NaN, NaN is 1, and their `entropy` that of three values, where `count(DISTINCT x)` finds two.
# Source: extension/core_functions/aggregate/nested/histogram.cpp, a std::map by `<`, in which a NaN is equal to each key.
# Needs Python 3.11 or newer with venv.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install --quiet --disable-pip-version-check --only-binary :all: duckdb==1.5.6
cat >histogram.py <<'PY'
import math
import sys

import duckdb

print("duckdb", duckdb.__version__)
nan = math.nan


def ask(what, values):
    rows = ", ".join(f"('{value}'::DOUBLE)" for value in values)
    return duckdb.sql(f"SELECT {what} FROM (VALUES {rows}) AS t(x)").fetchall()


seen = []
for values in ([1.0, 2.0, 3.0], [1.0, nan, 2.0], [nan, 1.0, 2.0]):
    seen.append(str(ask("histogram(x)", values)[0][0]))
    print(f"histogram of {values}: {seen[-1]}")
mode, entropy, distinct = ask("mode(x), round(entropy(x), 3), count(DISTINCT x)", [1.0, nan, nan])[0]
seen.append(f"{mode} {entropy} {distinct}")
print(f"of [1.0, nan, nan]: mode {mode}, entropy {entropy}, distinct values {distinct}")
as_found = ["{1.0: 1, 2.0: 1, 3.0: 1}", "{1.0: 2, 2.0: 1}", "{nan: 3}", "1.0 1.585 2"]
sys.exit(0 if seen == as_found else 1)
PY
env/bin/python histogram.py
