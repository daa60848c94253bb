#!/usr/bin/env bash
# One would guess that `fsum`, which is documented as a more accurate sum (Kahan's), is `sum` but for the last digits, and that it does not depend on the
# number of threads.
# DuckDB 1.5.6 gives NaN for `fsum` (`kahan_sum`) and `favg` of 1, inf, of inf alone, and of 1e308, 1e308, where `sum` and `avg` are infinite: what a sum lost
# is kept beside it, is inf - inf then, and is taken from the next summand, and from the sum when the sums of threads are added. So a group whose last
# item is the infinity has inf in one thread, as a window has, and NaN in two. Python's `math.fsum` of 1, inf is inf.
# Source: duckdb/core_functions/aggregate/sum_helpers.hpp. Needs Python 3.11 or newer with venv.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install --quiet --disable-pip-version-check --no-compile --retries 1 --only-binary :all: duckdb==1.5.6
cat >sums.py <<'PY'
import duckdb

print("duckdb", duckdb.__version__)
EVERY = "OVER (ORDER BY i ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)"
for items in ("0.1 0.2 0.3", "1 inf", "inf 1", "inf", "1e308 1e308"):
    rows = ", ".join(f"({i}, '{item}'::DOUBLE)" for i, item in enumerate(items.split()))
    ask = lambda what, end="": duckdb.sql(f"SELECT {what} FROM (VALUES {rows}) AS t(i, x) {end}").fetchall()[0]
    print(f"{items}:", ", ".join(f"{name} {ask(f'{name}(x)')[0]}" for name in ("sum", "fsum", "kahan_sum", "avg", "favg")))
    found = [f"over a window {ask(f'fsum(x) {EVERY}')[0]}"]
    for threads in (1, 2):
        duckdb.sql(f"SET threads = {threads}")
        found.append(f"of a group, threads {threads}: {ask('fsum(x)', 'GROUP BY i >= 0')[0]}")
    print("  fsum", ", ".join(found))
PY
cat >expected <<'T'
duckdb 1.5.6
0.1 0.2 0.3: sum 0.6000000000000001, fsum 0.6, kahan_sum 0.6, avg 0.20000000000000004, favg 0.19999999999999998
  fsum over a window 0.6, of a group, threads 1: 0.6, of a group, threads 2: 0.6
1 inf: sum inf, fsum nan, kahan_sum nan, avg inf, favg nan
  fsum over a window inf, of a group, threads 1: inf, of a group, threads 2: nan
inf 1: sum inf, fsum nan, kahan_sum nan, avg inf, favg nan
  fsum over a window nan, of a group, threads 1: nan, of a group, threads 2: nan
inf: sum inf, fsum nan, kahan_sum nan, avg inf, favg nan
  fsum over a window inf, of a group, threads 1: inf, of a group, threads 2: nan
1e308 1e308: sum inf, fsum nan, kahan_sum nan, avg inf, favg nan
  fsum over a window inf, of a group, threads 1: inf, of a group, threads 2: nan
T
env/bin/python sums.py | tee seen
diff seen expected
