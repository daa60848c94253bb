#!/usr/bin/env bash
# One would guess that a sorted array is in order, that `unique` keeps each value once, and that a maximum is an item: where subnormals are flushed
# to zero, that they are zeros in the results.
# JAX 0.10.2 on the CPU takes them for zeros where it compares, and returns them whole: `sort` of 2, -2, 0, 1 times 2^-140 is 2, -2, 0, 1 times 2^-140, as
# given, and `unique` of them is 2^-139 alone. `max` is 0, which is no item if 0 is not given. `lax.top_k` of the same items has the right order.
# float64 does the same with its subnormals.
# PyPI: jax 0.10.2 and jaxlib 0.10.2, Linux, x86-64. Needs Python 3.11 to 3.14 with venv.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install --quiet --disable-pip-version-check --no-compile --retries 1 --only-binary :all: jax==0.10.2 jaxlib==0.10.2 numpy==2.4.6
cat >sort.py <<'PY'
import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)
print("JAX", jax.__version__)


def show(name, dtype, least):
    def multiples(x):  # on the host, which keeps subnormals
        return (np.asarray(x).astype(np.longdouble) / np.longdouble(least)).astype(int).tolist()

    given = np.array([2, -2, 0, 1], dtype) * dtype(least)
    x = jnp.asarray(given)
    print(f"{name}: {multiples(x)} times {least!r}")
    print(f"  NumPy: sort {multiples(np.sort(given))}, unique {multiples(np.unique(given))}, max {multiples(np.max(given))}")
    print(f"  JAX: sort {multiples(jnp.sort(x))}, unique {multiples(jnp.unique(x))}, max {multiples(jnp.max(x))}")
    print(f"  top_k {multiples(jax.lax.top_k(x, 4)[0])}, max of the positive ones {multiples(jnp.max(x[jnp.array([0, 3])]))}")


show("float32", np.float32, 2.0**-140)
show("float64", np.float64, 2.0**-1060)
show("normal float32", np.float32, 2.0**-100)
PY
JAX_PLATFORMS=cpu env/bin/python sort.py | tee seen
cat >expected <<'T'
JAX 0.10.2
float32: [2, -2, 0, 1] times 7.174648137343064e-43
  NumPy: sort [-2, 0, 1, 2], unique [-2, 0, 1, 2], max 2
  JAX: sort [2, -2, 0, 1], unique [2], max 0
  top_k [2, 1, 0, -2], max of the positive ones 0
float64: [2, -2, 0, 1] times 8.095e-320
  NumPy: sort [-2, 0, 1, 2], unique [-2, 0, 1, 2], max 2
  JAX: sort [2, -2, 0, 1], unique [2], max 0
  top_k [2, 1, 0, -2], max of the positive ones 0
normal float32: [2, -2, 0, 1] times 7.888609052210118e-31
  NumPy: sort [-2, 0, 1, 2], unique [-2, 0, 1, 2], max 2
  JAX: sort [-2, 0, 1, 2], unique [-2, 0, 1, 2], max 2
  top_k [2, 1, 0, -2], max of the positive ones 2
T
diff seen expected
