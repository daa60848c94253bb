#!/usr/bin/env bash
# One would guess that an item of one segment changes nothing in the sums of others: unsortedSegmentSum of 1, 2, inf with the segments 0, 0, 1 is 3, inf.
# "Computes the sum along segments" is all that its documentation says.
# TensorFlow.js 4.22.0 returns NaN, inf: for each segment it multiplies all items by 1 or 0, and 0 * inf and 0 * NaN are NaN (IEEE 754). One NaN or
# infinity makes every other segment NaN. `scatterND` sums the same items right.
# The gradient of `gather` is such a sum. `tf.math.unsorted_segment_sum` of TensorFlow 2.21.0 for Python is right.
# npm: @tensorflow/tfjs-core and tfjs-backend-cpu 4.22.0; tfjs-backend-cpu, kernels/UnsortedSegmentSum. Needs npm and Node 20 or newer.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts @tensorflow/tfjs-core@4.22.0 @tensorflow/tfjs-backend-cpu@4.22.0
cat >segments.mjs <<'J'
import * as tf from "@tensorflow/tfjs-core";
import "@tensorflow/tfjs-backend-cpu";

console.log(`TensorFlow.js ${tf.version_core}`);
const segments = [0, 0, 1];
const ids = tf.tensor1d(segments, "int32");
for (const items of [[1, 2, 5], [1, 2, Infinity], [1, NaN, 5]]) {
  const sums = tf.unsortedSegmentSum(tf.tensor1d(items), ids, 2).arraySync();
  const scattered = tf.scatterND(tf.reshape(ids, [3, 1]), tf.tensor1d(items), [2]).arraySync();
  console.log(`${items}: unsortedSegmentSum ${sums}, scatterND ${scattered}`);
}
J
node segments.mjs 2>/dev/null | tee seen
cat >expected <<'T'
TensorFlow.js 4.22.0
1,2,5: unsortedSegmentSum 3,5, scatterND 3,5
1,2,Infinity: unsortedSegmentSum NaN,Infinity, scatterND 3,Infinity
1,NaN,5: unsortedSegmentSum NaN,NaN, scatterND NaN,5
T
grep -v "^$" seen | grep -vE "^(=|Hi, )" | diff - expected
