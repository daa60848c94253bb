#!/usr/bin/env bash
# One would guess that the maximum of a segment is one of its items: for a segment of -inf alone it is -inf, as `segment_max` and `reduce_max` return.
# TensorFlow 2.21.0 returns the lowest finite number of the type from `unsorted_segment_max`, -3.4028234663852886e+38 for float32, and the highest one
# from `unsorted_segment_min` of inf: it begins with what is documented for segments without items (numeric_limits<T>::lowest()), also where there are
# items. The gradient is lost with it, since no item equals the maximum.
# PyPI: tensorflow-cpu 2.21.0, Linux, x86-64; tensorflow/core/kernels/segment_reduction_ops_impl.h. Needs Python 3.10 to 3.13 with venv.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install --quiet --disable-pip-version-check --no-compile --retries 1 --only-binary :all: tensorflow-cpu==2.21.0
cat >segments.py <<'PY'
import math

import tensorflow as tf

print("TensorFlow", tf.__version__)
inf = math.inf
ids = tf.constant([0, 0, 1])
for dtype in (tf.float16, tf.float32, tf.float64):
    least = tf.math.unsorted_segment_max(tf.constant([-inf, -inf, 5], dtype), ids, 2).numpy().tolist()
    most = tf.math.unsorted_segment_min(tf.constant([inf, inf, 5], dtype), ids, 2).numpy().tolist()
    other = tf.math.segment_max(tf.constant([-inf, -inf, 5], dtype), ids).numpy().tolist()
    print(f"{dtype.name}: unsorted_segment_max {least}, unsorted_segment_min {most}, segment_max {other}")
x = tf.constant([-inf, -inf, 5.0])
with tf.GradientTape(persistent=True) as tape:
    tape.watch(x)
    unsorted, plain = tf.math.unsorted_segment_max(x, ids, 2), tf.math.segment_max(x, ids)
print(f"gradients: {tape.gradient(unsorted, x).numpy().tolist()}, {tape.gradient(plain, x).numpy().tolist()}")
PY
cat >expected <<'T'
TensorFlow 2.21.0
float16: unsorted_segment_max [-65504.0, 5.0], unsorted_segment_min [65504.0, 5.0], segment_max [-inf, 5.0]
float32: unsorted_segment_max [-3.4028234663852886e+38, 5.0], unsorted_segment_min [3.4028234663852886e+38, 5.0], segment_max [-inf, 5.0]
float64: unsorted_segment_max [-1.7976931348623157e+308, 5.0], unsorted_segment_min [1.7976931348623157e+308, 5.0], segment_max [-inf, 5.0]
gradients: [0.0, 0.0, 1.0], [0.5, 0.5, 1.0]
T
TF_CPP_MIN_LOG_LEVEL=3 env/bin/python segments.py 2>/dev/null | tee seen
diff seen expected
