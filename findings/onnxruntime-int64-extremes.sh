#!/usr/bin/env bash
# One would guess that Min and Max of int64 tensors are the lesser and the greater element, exactly, as for int32 (ONNX, Min-13, Max-13), and that
# two elements give the same result in tensors of any length.
# onnxruntime 1.30.0 on x86-64 returns 2^31 for Min(0, 2^31), and 0 for Max, if the tensors have two elements or more: where the upper 32 bits
# agree, it compares the lower ones as signed numbers. Of tensors of one element the result is right, and so are Less and Where(Less(x, y), x, y).
# ReduceMax and Sign have wrong results for such numbers too. 1.20.1 is right; 1.26.0 and 1.30.0 are wrong.
# npm: onnxruntime-node 1.30.0 and 1.20.1, Linux, x86-64. Needs npm, and Node 20 or newer.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >extremes.cjs <<'J'
const ort = require("onnxruntime-node");
// A model in protobuf: fields with a length, numbers, and text.
const bytes = (id, data) => Buffer.concat([Buffer.from([(id << 3) | 2, data.length]), data]);
const text = (id, value) => bytes(id, Buffer.from(value));
const number = (id, value) => Buffer.from([id << 3, value]);
const INT64 = 7;
const BOOL = 9;
const info = (name, type) => {
  const dims = bytes(2, bytes(1, text(2, "n")));
  return Buffer.concat([text(1, name), bytes(2, bytes(1, Buffer.concat([number(1, type), dims])))]);
};
const node = (op, inputs, output) =>
  bytes(1, Buffer.concat([...inputs.map((name) => text(1, name)), text(2, output), text(4, op)]));
function model(nodes, type) {
  const names = ["x", "y"].map((name) => bytes(11, info(name, INT64)));
  const graph = Buffer.concat([...nodes, text(2, "g"), ...names, bytes(12, info("z", type))]);
  return Buffer.concat([number(1, 8), bytes(7, graph), bytes(8, number(2, 17))]);
}
async function run(nodes, x, y, type = INT64) {
  const session = await ort.InferenceSession.create(model(nodes, type), { logSeverityLevel: 4 });
  const tensor = (values) => new ort.Tensor("int64", BigInt64Array.from(values), [values.length]);
  return [...(await session.run({ x: tensor(x), y: tensor(y) })).z.data].join(" ");
}
(async () => {
  const [x, y] = [[0n, 2n ** 40n + 1n], [2n ** 31n, 2n ** 40n + 2n ** 31n + 1n]];
  const less = [node("Less", ["x", "y"], "c"), node("Where", ["c", "x", "y"], "z")];
  console.log(`Min of one element: ${await run([node("Min", ["x", "y"], "z")], x.slice(0, 1), y.slice(0, 1))}`);
  console.log(`Min of two: ${await run([node("Min", ["x", "y"], "z")], x, y)}`);
  console.log(`Max of two: ${await run([node("Max", ["x", "y"], "z")], x, y)}`);
  console.log(`Where(Less): ${await run(less, x, y)}`);
})();
J
cat >right <<'T'
Min of one element: 0
Min of two: 0 1099511627777
Max of two: 2147483648 1101659111425
Where(Less): 0 1099511627777
T
cat >wrong <<'T'
Min of one element: 0
Min of two: 2147483648 1101659111425
Max of two: 0 1099511627777
Where(Less): 0 1099511627777
T
see() { # version, what is expected
  mkdir "$1"
  echo '{}' >"$1/package.json"
  (cd "$1" && npm install --silent --no-audit --no-fund --ignore-scripts "onnxruntime-node@$1")
  cp extremes.cjs "$1"
  echo "onnxruntime-node $1:"
  node "$1/extremes.cjs" | tee seen
  diff "$2" seen
}
see 1.20.1 right
see 1.30.0 wrong
