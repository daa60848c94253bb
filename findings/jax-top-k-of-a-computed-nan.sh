#!/usr/bin/env bash
# One would guess that all NaNs have one place in an order: `jax.lax.top_k` returns a NaN as the largest item, as `jnp.sort` puts it behind inf.
# JAX 0.10.2 on the CPU does so for `jnp.nan` alone. A NaN that was computed, such as inf - inf, has its sign bit set on x86-64, and `top_k` puts it behind
# -inf: the largest of 1, inf - inf, 2 is 2, the largest of 1, nan, 2 is NaN. `sort`, `argsort`, `argmax` and `max` treat
# both alike. -0 is less than 0 in `top_k` and equal to it in `sort`, though "if two elements are equal, the lower-index element appears first".
# PyPI: jax 0.10.2 and jaxlib 0.10.2, Linux, x86-64. Needs Python 3.11 to 3.14 with venv.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install --quiet --disable-pip-version-check --no-compile --retries 1 --only-binary :all: jax==0.10.2 jaxlib==0.10.2 numpy==2.4.6
cat >order.py <<'PY'
import jax
import jax.numpy as jnp
import numpy as np

print("JAX", jax.__version__)
inf = jnp.float32(jnp.inf)
for name, nan in (("nan", jnp.float32(jnp.nan)), ("inf - inf", inf - inf)):
    x = jnp.stack([jnp.float32(1), nan, jnp.float32(2)])
    bits = int(np.asarray(x).view(np.uint32)[1])
    top, place = jax.lax.top_k(x, 1)
    print(
        f"1, {name}, 2 ({bits:08x}): top_k {top[0]} at {place[0]},",
        f"sort {jnp.sort(x).tolist()}, argsort {jnp.argsort(x).tolist()}, argmax {jnp.argmax(x)}, max {jnp.max(x)}",
    )
zeros = jnp.array([-0.0, 0.0], jnp.float32)
print(f"-0, 0: top_k at {jax.lax.top_k(zeros, 2)[1].tolist()}, argsort {jnp.argsort(zeros, descending=True).tolist()}")
PY
cat >expected <<'T'
JAX 0.10.2
1, nan, 2 (7fc00000): top_k nan at 1, sort [1.0, 2.0, nan], argsort [0, 2, 1], argmax 1, max nan
1, inf - inf, 2 (ffc00000): top_k 2.0 at 2, sort [1.0, 2.0, nan], argsort [0, 2, 1], argmax 1, max nan
-0, 0: top_k at [1, 0], argsort [0, 1]
T
JAX_PLATFORMS=cpu env/bin/python order.py | tee seen
diff seen expected
