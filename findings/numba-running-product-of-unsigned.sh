#!/usr/bin/env bash
# One would guess that the last running product is the product, as the last running sum is the sum, and that a narrow type is widened in both or in none.
# Numba 0.68.0 widens running sums of all narrow integers, running products of signed ones, and `prod`, to 64 bits as NumPy does, but keeps running
# products of unsigned ones in their own type: of 100, 100, 100 in uint8 `prod` is 1000000 and `cumprod` 100, 16, 64. Of uint32 it wraps from 2^32 on.
# (Running sums of unsigned integers are int64, where NumPy's are uint64.)
# Source: numba/np/arraymath.py, `array_cumprod`. Needs Python 3.10 or newer with venv.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install --quiet --disable-pip-version-check --only-binary :all: numba==0.68.0 numpy==2.4.6
cat >products.py <<'PY'
import numba
import numpy as np

print("Numba", numba.__version__)


def of(x):
    return np.cumsum(x), np.cumprod(x), np.prod(x)


compiled = numba.njit(of)
for dtype in (np.int8, np.uint8):
    for name, f in (("NumPy", of), ("Numba", compiled)):
        sums, products, product = f(np.full(3, 100, dtype))
        print(f"{name} {dtype.__name__}: {sums.dtype} {sums.tolist()}, {products.dtype} {products.tolist()}, product {product}")
PY
env/bin/python products.py | tee seen
diff seen - <<'T'
Numba 0.68.0
NumPy int8: int64 [100, 200, 300], int64 [100, 10000, 1000000], product 1000000
Numba int8: int64 [100, 200, 300], int64 [100, 10000, 1000000], product 1000000
NumPy uint8: uint64 [100, 200, 300], uint64 [100, 10000, 1000000], product 1000000
Numba uint8: int64 [100, 200, 300], uint8 [100, 16, 64], product 1000000
T
